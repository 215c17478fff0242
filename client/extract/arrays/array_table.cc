#include "client/extract/arrays/array_table.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "common/base/c_identifier.h"

namespace tune {

ArrayTable::Entry& ArrayTable::Find(const clang::VarDecl* variable, clang::SourceRange use,
                                    const clang::Type* member) {
  for (Entry& entry : entries_) {
    if (entry.variable == variable && entry.member == member) return entry;
  }
  entries_.push_back({variable, member, NewName(variable, member), use, false, {}, {}});
  return entries_.back();
}

// "tune_p_unsigned_int" where members of another type have the variable's name.
std::string ArrayTable::NewName(const clang::VarDecl* variable, const clang::Type* member) const {
  const std::string own = variables_.UniqueName(variable);
  const auto is_array = [&](const std::string& name) {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return entry.name == name; });
  };
  if (member == nullptr || !is_array(own)) return own;
  const auto is_variable = [&](const std::string& name) {
    const std::vector<const clang::VarDecl*>& all = variables_.mentioned();
    return std::any_of(all.begin(), all.end(), [&](const clang::VarDecl* other) {
      return other->getNameAsString() == name || variables_.UniqueName(other) == name;
    });
  };
  const std::string type = CTypeName(variable->getASTContext(), clang::QualType(member, 0));
  std::string name = absl::StrCat("tune_", own, "_", type);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !IsNameCharacter(c); }, '_');
  while (is_array(name) || is_variable(name)) name += "_";
  return name;
}

}  // namespace tune
