#include "client/extract/meanings.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/extract/array_shape.h"
#include "client/extract/region_variables.h"
#include "client/extract/tree_visitor.h"

namespace tune {
namespace {

// A literal of the value of a constant expression of arithmetic type.
std::optional<std::string> LiteralOf(const clang::ASTContext& ast, const clang::Expr& expression) {
  clang::Expr::EvalResult result;
  if (!expression.EvaluateAsRValue(result, ast)) return std::nullopt;
  if (result.Val.isInt()) return llvm::toString(result.Val.getInt(), 10);
  if (!result.Val.isFloat()) return std::nullopt;
  llvm::APFloat value = result.Val.getFloat();
  const bool single = &value.getSemantics() == &llvm::APFloat::IEEEsingle();
  if (!value.isFinite() || (!single && &value.getSemantics() != &llvm::APFloat::IEEEdouble()))
    return std::nullopt;
  if (single) return absl::StrFormat("%.9ef", value.convertToFloat());
  return absl::StrFormat("%.17e", value.convertToDouble());
}

class MeaningFinder : public TreeVisitor {
 public:
  MeaningFinder(const clang::ASTContext& ast, const v1::SourceRegion& region) : ast_(ast), region_(region) {}

  void Add(v1::Meaning::Kind kind, const std::string& text, const std::string& value) {
    if (!seen_.insert({kind, text}).second) return;
    v1::Meaning& meaning = meanings.emplace_back();
    meaning.set_kind(kind);
    meaning.set_text(text);
    meaning.set_value(value);
  }

  bool VisitTypedefName(clang::TypedefNameDecl* declaration) override {
    const clang::QualType type = declaration->getUnderlyingType();
    if (!IsInside(*declaration) && ElementTypeOf(ast_, type))
      Add(v1::Meaning::TYPE, declaration->getNameAsString(), CTypeName(ast_, type));
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const clang::ValueDecl& declaration = *reference->getDecl();
    if (IsInside(declaration)) return true;
    if (const auto* enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&declaration)) {
      Add(v1::Meaning::CONSTANT, enumerator->getNameAsString(), llvm::toString(enumerator->getInitVal(), 10));
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
      const clang::Expr* initializer = ConstantInitializer(ast_, variable);
      const auto literal = initializer == nullptr ? std::nullopt : LiteralOf(ast_, *initializer);
      if (literal) Add(v1::Meaning::CONSTANT, variable->getNameAsString(), *literal);
    }
    return true;
  }

  std::vector<v1::Meaning> meanings;

 private:
  bool IsInside(const clang::Decl& declaration) const {
    const clang::SourceManager& manager = ast_.getSourceManager();
    const clang::SourceLocation place = manager.getExpansionLoc(declaration.getLocation());
    if (!manager.isWrittenInMainFile(place)) return false;
    const auto offset = static_cast<int64_t>(manager.getFileOffset(place));
    return region_.body_begin_offset() <= offset && offset < region_.body_end_offset();
  }

  const clang::ASTContext& ast_;
  const v1::SourceRegion& region_;
  std::set<std::pair<v1::Meaning::Kind, std::string>> seen_;
};

}  // namespace

std::vector<v1::Meaning> FindMeanings(const clang::ASTContext& ast, const FoundRegion& found,
                                      const std::vector<PlacedMeaning>& macros) {
  MeaningFinder finder(ast, found.source);
  for (const auto& [offset, meaning] : macros) {
    if (found.source.body_begin_offset() <= offset && offset < found.source.body_end_offset())
      finder.Add(meaning.kind(), meaning.text(), meaning.value());
  }
  for (const clang::Stmt* statement : found.statements)
    finder.TraverseStmt(const_cast<clang::Stmt*>(statement));
  return std::move(finder.meanings);
}

}  // namespace tune
