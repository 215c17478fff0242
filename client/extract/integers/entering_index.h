// Integers that a region counts on from what they were before it.
#pragma once

#include <map>
#include <string>

#include "client/extract/region/region_finder.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/tree_changes.h"

namespace clang {
class ASTContext;
class VarDecl;
}  // namespace clang

namespace tune {

// Changes the statements of a region, and the tree below them, for as long as it lives: where the region
// changes an integer of the function by ++, --, += and -= alone, stands it in bounds or subscripts, and is it
// not read behind the region, a variable of our own with its name takes its place, which starts with its
// value: while (n-- > 0).
class EnteringIndices {
 public:
  EnteringIndices(const clang::ASTContext& ast, const FoundRegion& region);

  const Statements& statements() const { return statements_; }
  // Which of these variables have a constant before the region (entry_value.h), as a decimal number.
  const std::map<const clang::VarDecl*, std::string>& known() const { return known_; }

 private:
  Statements statements_;
  std::map<const clang::VarDecl*, std::string> known_;
  TreeChanges changes_;
};

}  // namespace tune
