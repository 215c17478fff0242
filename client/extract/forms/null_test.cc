#include "client/extract/forms/null_test.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/main_file.h"

namespace tune {
namespace {

class NullTests {
 public:
  NullTests(const clang::ASTContext& ast, const FoundRegion& region)
      : ast_(const_cast<clang::ASTContext&>(ast)),
        file_(ast.getSourceManager()),
        variables_(ast, *region.function, region.statements) {
    for (const clang::Stmt* statement : region.statements) Find(*statement);
    std::sort(reads.uses.begin(), reads.uses.end(),
              [](const MemberUse& a, const MemberUse& b) { return a.offset < b.offset; });
  }

  MemberReads reads;

 private:
  void Find(const clang::Stmt& statement) {
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement)) Truth(*choice->getCond());
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&statement))
      Truth(*choice->getCond());
    if (const auto* negation = llvm::dyn_cast<clang::UnaryOperator>(&statement);
        negation != nullptr && negation->getOpcode() == clang::UO_LNot)
      Truth(*negation->getSubExpr());
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&statement)) {
      if (operation->isLogicalOp()) Truth(*operation->getLHS());
      if (operation->isLogicalOp()) Truth(*operation->getRHS());
      if (operation->isEqualityOp()) Comparison(*operation);
    }
    for (const clang::Stmt* child : statement.children()) {
      if (child != nullptr) Find(*child);
    }
  }

  // A pointer as a condition.
  void Truth(const clang::Expr& condition) { Add(condition, condition.getSourceRange(), "1"); }

  void Comparison(const clang::BinaryOperator& comparison) {
    const char* const value = comparison.getOpcode() == clang::BO_NE ? "1" : "0";
    if (IsNull(*comparison.getRHS())) Add(*comparison.getLHS(), comparison.getSourceRange(), value);
    if (IsNull(*comparison.getLHS())) Add(*comparison.getRHS(), comparison.getSourceRange(), value);
  }

  bool IsNull(const clang::Expr& expression) const {
    return expression.IgnoreParenImpCasts()->isNullPointerConstant(
               ast_, clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull;
  }

  void Add(const clang::Expr& pointer, clang::SourceRange range, std::string value) {
    const clang::VarDecl* variable = NamedVariable(&pointer);
    const std::optional<MemberUse> place = PlaceOf(range);
    if (variable == nullptr || !variable->getType()->isPointerType() || !place ||
        variables_.IsDeclaredInside(variable) || variables_.IsWritten(variable))
      return;
    reads.uses.push_back({place->offset, place->length, std::move(value)});
    std::string condition = absl::StrCat("(", variable->getNameAsString(), " != 0)");
    if (std::find(reads.conditions.begin(), reads.conditions.end(), condition) == reads.conditions.end())
      reads.conditions.push_back(std::move(condition));
  }

  // Without text. Nothing where it is not on one line, or begins or ends inside of a macro.
  std::optional<MemberUse> PlaceOf(clang::SourceRange range) const {
    const std::optional<llvm::StringRef> text = file_.WholeText(range, ast_.getLangOpts());
    if (!text || text->contains('\n')) return std::nullopt;
    return MemberUse{text->data() - file_.text().data(), static_cast<int64_t>(text->size()), ""};
  }

  clang::ASTContext& ast_;
  const MainFile file_;
  const RegionVariables variables_;
};

}  // namespace

MemberReads FindNullTests(const clang::ASTContext& ast, const FoundRegion& region) {
  return NullTests(ast, region).reads;
}

}  // namespace tune
