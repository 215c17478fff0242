#include "client/extract/pointers/kept_pointers.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/region/escaping_values.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/main_file.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// Takes what sets pointers out of the text of statements.
class SettingsText {
 public:
  // `may_be_written`: variables that the region may change by pointers.
  SettingsText(const clang::ASTContext& ast, std::function<bool(const clang::VarDecl*)> may_be_written)
      : ast_(ast), file_(ast.getSourceManager()), may_be_written_(std::move(may_be_written)) {}

  // Empty where the statement sets none; nothing where it sets some in another way.
  std::optional<std::string> Of(const clang::Stmt& statement) {
    if (!SetsPointers(statement)) return "";
    if (!PointerSettings(statement).empty()) return Line(statement);
    const clang::Stmt* inner = &statement;
    if (const auto* once = llvm::dyn_cast<clang::DoStmt>(inner); once != nullptr && IsExecutedOnce(*once))
      inner = once->getBody();
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(inner)) {
      if (!statement.getBeginLoc().isMacroID()) return Block(StatementsOf(*block));
      return IsExchange(*block) ? Line(statement) : std::nullopt;
    }
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(inner);
    if (loop == nullptr || loop->getInc() == nullptr || MayChange(*loop)) return std::nullopt;
    if (HasJump(*loop->getBody())) return std::nullopt;
    const std::optional<llvm::StringRef> header = Text({loop->getForLoc(), loop->getRParenLoc()});
    const std::optional<std::string> body = Block(StatementsOf(*loop->getBody()));
    if (!header || !body) return std::nullopt;
    return absl::StrCat(header->str(), " ", *body);
  }

 private:
  static bool SetsPointers(const clang::Stmt& statement) {
    return !PointerSettings(statement).empty() ||
           std::any_of(statement.child_begin(), statement.child_end(),
                       [](const clang::Stmt* child) { return child != nullptr && SetsPointers(*child); });
  }

  // Whether the header sets pointers, or has variables that pointers of the region may lead to.
  bool MayChange(const clang::ForStmt& loop) const {
    const Statements header = {loop.getInit(), loop.getCond(), loop.getInc()};
    const std::vector<const clang::ValueDecl*> names = NamedIn(header);
    return SetsPointers(*loop.getInc()) || std::any_of(names.begin(), names.end(), [&](const auto* name) {
             const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
             return variable != nullptr && may_be_written_(variable);
           });
  }

  std::optional<llvm::StringRef> Text(clang::SourceRange range) const {
    return file_.WholeText(range, ast_.getLangOpts());
  }

  std::optional<std::string> Line(const clang::Stmt& statement) const {
    const std::optional<llvm::StringRef> text = Text(statement.getSourceRange());
    if (!text) return std::nullopt;
    return absl::StrCat(text->str(), text->endswith(";") ? "\n" : ";\n");
  }

  std::optional<std::string> Block(const Statements& statements) {
    std::string all = "}\n";
    std::set<const clang::ValueDecl*> named;  // behind the statement, by what is in `all`
    for (auto place = statements.rbegin(); place != statements.rend(); ++place) {
      const clang::Stmt& statement = **place;
      const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement);
      const bool is_needed = declarations != nullptr && Declares(*declarations, named);
      if (is_needed && !IsExchange(statement)) return std::nullopt;
      const std::optional<std::string> text = is_needed ? Line(statement) : Of(statement);
      if (!text) return std::nullopt;
      all.insert(0, *text);
      if (!is_needed && !SetsPointers(statement)) continue;
      for (const clang::ValueDecl* name : NamedIn(&statement)) named.insert(name);
    }
    return absl::StrCat("{\n", all);
  }

  static bool Declares(const clang::DeclStmt& declarations, const std::set<const clang::ValueDecl*>& named) {
    return std::any_of(declarations.decl_begin(), declarations.decl_end(), [&](const clang::Decl* each) {
      const auto* value = llvm::dyn_cast<clang::ValueDecl>(each);
      return value != nullptr && named.count(value) > 0;
    });
  }

  // Whether the statement does nothing but to declare pointers and to set them to one another.
  static bool IsExchange(const clang::Stmt& statement) {
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement))
      return std::all_of(block->body_begin(), block->body_end(),
                         [](const clang::Stmt* part) { return IsExchange(*part); });
    const auto is_pointer = [](const clang::Expr* value) {
      return value == nullptr || (NamedVariable(value) != nullptr && value->getType()->isPointerType());
    };
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
      return std::all_of(declarations->decl_begin(), declarations->decl_end(), [&](const clang::Decl* each) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
        return variable != nullptr && variable->getType()->isPointerType() && is_pointer(variable->getInit());
      });
    }
    const std::vector<PointerSetting> settings = PointerSettings(statement);
    return !settings.empty() &&
           std::all_of(settings.begin(), settings.end(),
                       [&](const PointerSetting& each) { return is_pointer(each.value); });
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  const std::function<bool(const clang::VarDecl*)> may_be_written_;
};

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
  SettingsText settings(ast, [&](const clang::VarDecl* variable) {
    const bool is_own =
        variable->hasLocalStorage() && !IsReference(*variable) && !IsAddressTaken(*region.function, variable);
    return of_integers && !is_own && ConstantInitializer(ast, variable) == nullptr;
  });
  for (const clang::Stmt* statement : region.statements) {
    const std::optional<std::string> text = settings.Of(*statement);
    if (!text) return {};
    absl::StrAppend(&kept.settings, *text);
  }
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
