#include "client/extract/pointers/kept_pointers.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/pointers/settings_text.h"
#include "client/extract/region/escaping_values.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// Whether `&variable` stands in the function.
bool IsAddressTaken(const clang::FunctionDecl& function, const clang::VarDecl* variable) {
  struct Finder : TreeVisitor {
    bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
      found = found || (operation->getOpcode() == clang::UO_AddrOf &&
                        NamedVariable(operation->getSubExpr()) == sought);
      return !found;
    }
    const clang::VarDecl* sought = nullptr;
    bool found = false;
  } finder;
  finder.sought = variable;
  finder.TraverseStmt(function.getBody());
  return finder.found;
}

std::string KeptName(const std::string& name) { return absl::StrCat("tune_kept_", name); }

}  // namespace

KeptPointers FindKeptPointers(const clang::ASTContext& ast, const FoundRegion& region) {
  const RegionVariables variables(ast, *region.function, region.statements);
  KeptPointers kept;
  if (variables.set_pointers().empty()) return kept;
  const ValuesBehind behind(ast, region);
  if (PointersReadBehind(behind, region, variables.set_pointers()).empty()) return kept;
  for (const clang::VarDecl* variable : variables.set_pointers()) {
    const bool is_own = IsDeclaredIn(region.statements, variable);
    if (!is_own && FirstUseOf(variable, region.statements) == FirstUse::kRead)
      kept.names.push_back(variable->getNameAsString());
  }
  std::sort(kept.names.begin(), kept.names.end());
  const bool of_integers = std::any_of(variables.set_pointers().begin(), variables.set_pointers().end(),
                                       [](const clang::VarDecl* pointer) {
                                         return !pointer->getType()->getPointeeType()->isRealFloatingType();
                                       });
  const auto sets = [](const clang::Stmt& statement) { return !PointerSettings(statement).empty(); };
  const std::optional<std::string> settings =
      SettingsText(ast, region.statements, sets, [&](const clang::VarDecl* variable) {
        const bool is_own = variable->hasLocalStorage() && !IsReference(*variable) &&
                            !IsAddressTaken(*region.function, variable);
        return of_integers && !is_own && ConstantInitializer(ast, variable) == nullptr;
      });
  if (!settings) return {};
  kept.settings = *settings;
  return kept;
}

std::string KeepPointers(const KeptPointers& kept) {
  std::string lines;
  for (const std::string& name : kept.names)
    absl::StrAppend(&lines, "__typeof__(", name, " + 0) ", KeptName(name), " = ", name, ";\n");
  return lines;
}

std::string SetPointers(const KeptPointers& kept) {
  std::string lines;
  for (const std::string& name : kept.names) absl::StrAppend(&lines, name, " = ", KeptName(name), ";\n");
  return absl::StrCat(lines, kept.settings);
}

}  // namespace tune
