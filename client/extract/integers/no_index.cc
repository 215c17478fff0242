#include "client/extract/integers/no_index.h"

#include <clang/AST/Decl.h>

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

// Whether it is an integer of our own with the name of a pointer of the function.
bool IsDistance(const clang::VarDecl& variable) {
  bool is_pointer = false;
  for (const clang::Decl* each : variable.getDeclContext()->decls()) {
    const auto* other = llvm::dyn_cast<clang::VarDecl>(each);
    if (other == &variable) return false;
    is_pointer = is_pointer || (other != nullptr && other->getDeclName() == variable.getDeclName() &&
                                other->getType()->isPointerType());
  }
  return is_pointer && variable.getType()->isIntegerType();
}

}  // namespace

std::string WhyNoIndex(const RegionVariables& variables, const clang::VarDecl& variable) {
  const std::string name = variable.getNameAsString();
  if (IsDistance(variable)) {
    return absl::StrCat(
        "how far the pointer `", name,
        "` has moved is not known here: it moves under a condition, by different distances from "
        "iteration to iteration, or in a loop that a `break` ends");
  }
  if (variables.IsIterator(&variable))
    return absl::StrCat("`", name, "` is the iterator of a loop that does not surround it");
  if (variables.IsWritten(&variable)) return absl::StrCat("`", name, "` is written inside the region");
  if (variables.IsDeclaredInside(&variable))
    return absl::StrCat("the value of `", name, "` is known only when the program runs");
  return absl::StrCat("`", name, "` is data here");
}

}  // namespace tune
