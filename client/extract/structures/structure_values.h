// Structures that a region declares, copies and sets as a whole, in terms of their members.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "client/extract/source/diagnostic.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
class FieldDecl;
class FunctionDecl;
class RecordDecl;
class VarDecl;
}  // namespace clang

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives:
//   - a structure that is declared among them is a variable for each of its members that is used, `tune_p_x`,
//     and an array of structures an array for each;
//   - `p = q`, of structures there or of elements of arrays, is an assignment for each member, as is
//     `p = (struct point){x, y}`.
// Members are numbers, or structures of numbers. Where one structure is used in any other way, all stays as
// it is.
class StructureValues {
 public:
  StructureValues(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                  const Statements& statements);

  const Statements& statements() const { return statements_; }
  // The first use that members do not stand for; none where the statements are as above.
  const std::optional<Refusal>& refusal() const { return refusal_; }
  // Whose members became variables: what they are when the program is built has to be what it was.
  const std::set<const clang::RecordDecl*>& structures() const { return structures_; }
  // The members, beside the structure that is declared.
  const std::vector<std::pair<const clang::VarDecl*, const clang::FieldDecl*>>& members() const {
    return members_;
  }

 private:
  Statements statements_;
  std::optional<Refusal> refusal_;
  std::set<const clang::RecordDecl*> structures_;
  std::vector<std::pair<const clang::VarDecl*, const clang::FieldDecl*>> members_;
  TreeChanges changes_;
};

}  // namespace tune
