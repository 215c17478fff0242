// Members of structures as places among elements of their types.
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"

namespace clang {
class MemberExpr;
class RecordDecl;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

// A place inside of a structure, found member by member and subscript by subscript.
class MemberPlace {
 public:
  // `structure`: the type of the outermost one.
  explicit MemberPlace(clang::QualType structure) : structure_(structure) {}

  // The member of the structure at the place. Refused: a bit-field, and a member of a union.
  std::optional<Refusal> Enter(const Region& region, const clang::MemberExpr& member);
  // The place is an array of `length` elements, of which the next Subscript takes one.
  void BeginArray(int64_t length) { length_ = length; }
  // `subscript`: [params, iterators] -> { [v] }, a distance in elements of type `element`. That it stays
  // inside of its array where it is `reached` joins the region's context; refused where it never does.
  std::optional<Refusal> Subscript(Region& region, const isl::set& reached, const isl::pw_aff& subscript,
                                   clang::QualType element, clang::SourceRange use);
  // The place as a subscript among elements of the type of `lvalue`, which is there. All members of the type
  // that a region uses of `variable` stand at multiples of its size. `is_single`: the structure is the
  // variable, or the first one behind it; of such a one, which the region does not set, members of several
  // types, and those that are no plain numbers, are refused: variables stand for them (member_read.h).
  Accepted<isl::pw_aff> InElements(Region& region, const clang::VarDecl& variable, const clang::Expr& lvalue,
                                   bool is_single) const;

 private:
  struct Step {
    isl::pw_aff subscript;
    int64_t bytes, length;
  };
  // What offsetof takes for the first elements of all arrays on the way, or the second one of that at
  // `second`.
  std::string Path(int second) const;

  clang::QualType structure_;
  std::vector<std::string> path_;  // names, and empty texts for subscripts
  std::vector<const clang::FieldDecl*> fields_;
  std::vector<Step> steps_;
  int64_t bytes_ = 0;  // of all members on the way

  std::optional<int64_t> length_;
};

// The variables that are structures, or point to them, and of which statements set members that are no
// arrays.
std::set<const clang::VarDecl*> StructuresSetIn(const std::vector<const clang::Stmt*>& statements);

// The structures of an array as a scop tells them: members of the canonical type `type`, in the order of
// their names. Refused where they consist of very many parts. `use` is where the region mentions the array.
Accepted<v1::Structure> DescribeStructure(const Region& region, const clang::VarDecl& variable,
                                          const clang::Type& type, clang::SourceRange use);

// C: "struct point", or what a typedef calls a structure without a tag; empty where it has no name.
std::string NameOfStructure(const clang::RecordDecl& structure);

}  // namespace tune
