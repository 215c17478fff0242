#include "client/extract/pointers/settings_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/main_file.h"
#include "client/extract/tree/named_declarations.h"

namespace tune {
namespace {

using IsSetting = std::function<bool(const clang::Stmt&)>;
using MayBeWritten = std::function<bool(const clang::VarDecl*)>;

// Takes what sets something out of the text of statements.
class SettingsReader {
 public:
  SettingsReader(const clang::ASTContext& ast, const IsSetting& is_setting,
                 const MayBeWritten& may_be_written)
      : ast_(ast), file_(ast.getSourceManager()), is_setting_(is_setting), may_be_written_(may_be_written) {}

  // Empty where the statement sets none; nothing where it sets some in another way.
  std::optional<std::string> Of(const clang::Stmt& statement) {
    if (!HasSetting(statement)) return "";
    if (is_setting_(statement)) return Line(statement);
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
  bool HasSetting(const clang::Stmt& statement) const {
    return is_setting_(statement) ||
           std::any_of(statement.child_begin(), statement.child_end(),
                       [this](const clang::Stmt* child) { return child != nullptr && HasSetting(*child); });
  }

  // Whether the header sets something, or has variables that the region may write.
  bool MayChange(const clang::ForStmt& loop) const {
    const Statements header = {loop.getInit(), loop.getCond(), loop.getInc()};
    const std::vector<const clang::ValueDecl*> names = NamedIn(header);
    return HasSetting(*loop.getInc()) || std::any_of(names.begin(), names.end(), [&](const auto* name) {
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
      if (!is_needed && !HasSetting(statement)) continue;
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
  const IsSetting& is_setting_;
  const MayBeWritten& may_be_written_;
};

}  // namespace

std::optional<std::string> SettingsText(const clang::ASTContext& ast, const Statements& statements,
                                        const std::function<bool(const clang::Stmt&)>& is_setting,
                                        const std::function<bool(const clang::VarDecl*)>& may_be_written) {
  SettingsReader reader(ast, is_setting, may_be_written);
  std::string settings;
  for (const clang::Stmt* statement : statements) {
    const std::optional<std::string> text = reader.Of(*statement);
    if (!text) return std::nullopt;
    absl::StrAppend(&settings, *text);
  }
  return settings;
}

}  // namespace tune
