#include "client/extract/source/meanings.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/source/template_instance.h"
#include "client/extract/source/visible_name.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"
#include "common/scop/c_text_check.h"

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
  MeaningFinder(const clang::ASTContext& ast, const FoundRegion& found,
                const std::set<const clang::NamedDecl*>& opened)
      : ast_(ast), function_(*found.function), region_(found.source), opened_(opened) {}

  void Add(v1::Meaning::Kind kind, const std::string& text, const std::string& value) {
    if (text.empty() || !seen_.insert({kind, text}).second) return;
    v1::Meaning& meaning = meanings.emplace_back();
    meaning.set_kind(kind);
    meaning.set_text(text);
    meaning.set_value(value);
  }

  bool VisitTypedefName(clang::TypedefNameDecl* declaration) override {
    const clang::QualType type = declaration->getUnderlyingType();
    if (!IsInside(*declaration) && !IsOpened(*declaration) && ElementTypeOf(ast_, type))
      Add(v1::Meaning::TYPE, FullName(*declaration), CTypeName(ast_, type));
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const clang::ValueDecl& declaration = *reference->getDecl();
    AddCharacters(declaration.getType());
    if (IsInside(declaration) || IsOpened(declaration)) return true;
    if (const auto* enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(&declaration)) {
      Add(v1::Meaning::CONSTANT, FullName(*enumerator), llvm::toString(enumerator->getInitVal(), 10));
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
      const clang::Expr* initializer = ConstantInitializer(ast_, variable);
      const auto literal = initializer == nullptr ? std::nullopt : LiteralOf(ast_, *initializer);
      if (literal) Add(v1::Meaning::CONSTANT, FullName(*variable), *literal);
      AddTypeOf(*variable);
    }
    return true;
  }

  bool VisitBuiltinType(const clang::BuiltinType& type) override {
    AddCharacters(clang::QualType(&type, 0));
    return true;
  }

  // The sizes of arrays and structures, which another build may have with other lengths and members.
  bool VisitSizeOf(clang::UnaryExprOrTypeTraitExpr* node) override {
    clang::Expr::EvalResult size;
    if (node->getKind() != clang::UETT_SizeOf || !node->EvaluateAsInt(size, ast_)) return true;
    const clang::QualType type = node->getTypeOfArgument();
    const clang::QualType element = ast_.getBaseElementType(type);
    const bool is_number = IsNumber(ast_, type);
    if (node->isArgumentType() ? !is_number && !IsInsideType(type)
                               : IsWrittenBefore(*node->getArgumentExpr())) {
      const std::string of = node->isArgumentType() ? type.getAsString(ast_.getPrintingPolicy())
                                                    : Printed(*node->getArgumentExpr()->IgnoreParens());
      Add(v1::Meaning::CONSTANT, absl::StrCat("sizeof(", of, ")"), llvm::toString(size.Val.getInt(), 10));
    } else if (element->isRecordType() && !IsInsideType(element)) {
      const clang::QualType plain = element.getCanonicalType().getUnqualifiedType();
      Add(v1::Meaning::CONSTANT, absl::StrCat("sizeof(", plain.getAsString(ast_.getPrintingPolicy()), ")"),
          std::to_string(ast_.getTypeSizeInChars(element).getQuantity()));
    }
    return true;
  }

  void TraverseCalled(const clang::FunctionDecl& function) {
    is_called_ = true;
    TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
    is_called_ = false;
  }

  std::vector<v1::Meaning> meanings;

 private:
  std::string Printed(const clang::Expr& expression) const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    expression.printPretty(stream, nullptr, ast_.getPrintingPolicy());
    return stream.str();
  }

  // Whether plain characters have a sign is the compiler's choice.
  void AddCharacters(clang::QualType type) {
    while (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
    const clang::Type* const element = type->getBaseElementTypeUnsafe();
    if (element->isSpecificBuiltinType(clang::BuiltinType::Char_S))
      Add(v1::Meaning::CONSTANT, kSignOfCharacters, "-1");
    if (element->isSpecificBuiltinType(clang::BuiltinType::Char_U))
      Add(v1::Meaning::CONSTANT, kSignOfCharacters, "255");
  }

  // Of an integer whose type a word of the program stands for, which may be another one in another build.
  void AddTypeOf(const clang::VarDecl& variable) {
    const clang::QualType type = variable.getType().getNonReferenceType();
    if (type->isIntegerType() && ElementTypeOf(ast_, type) && !IsWrittenPlainly(variable))
      Add(v1::Meaning::TYPE, absl::StrCat("__typeof__(", FullName(variable), ")"), CTypeName(ast_, type));
  }

  // Whether the variable's type is written in words of C's own, or of the system's.
  bool IsWrittenPlainly(const clang::VarDecl& variable) const {
    const clang::TypeSourceInfo* const written = variable.getTypeSourceInfo();
    if (written == nullptr) return true;
    if (written->getTypeLoc().getBeginLoc().isMacroID()) return false;
    const clang::QualType type = variable.getType().getNonReferenceType();
    if (const auto* name = type->getAs<clang::TypedefType>())
      return ast_.getSourceManager().isInSystemHeader(name->getDecl()->getLocation());
    return type->getContainedDeducedType() == nullptr && type->getAs<clang::DecltypeType>() == nullptr &&
           type->getAs<clang::TypeOfExprType>() == nullptr;
  }

  // Whether the expression means the same before the region.
  bool IsWrittenBefore(const clang::Expr& expression) const {
    const std::vector<const clang::ValueDecl*> named = NamedIn(&expression);
    return !(is_called_ && HasThis(expression)) &&
           std::none_of(named.begin(), named.end(),
                        [&](const clang::ValueDecl* name) { return IsInside(*name); });
  }

  static bool HasThis(const clang::Stmt& node) {
    return llvm::isa<clang::CXXThisExpr>(node) ||
           std::any_of(node.child_begin(), node.child_end(),
                       [](const clang::Stmt* child) { return child != nullptr && HasThis(*child); });
  }

  // Whether the region, or a function that it calls, declares the type.
  bool IsInsideType(clang::QualType type) const {
    const clang::QualType element(type->getBaseElementTypeUnsafe(), 0);
    if (const auto* name = type->getAs<clang::TypedefType>(); name != nullptr && IsInside(*name->getDecl()))
      return true;
    const clang::TagDecl* tag = element->getAsTagDecl();
    return tag != nullptr && IsInside(*tag);
  }

  bool IsInside(const clang::Decl& declaration) const {
    const clang::DeclContext* context = declaration.getDeclContext();
    if (context != &function_ && context->isFunctionOrMethod()) return true;  // of a called function
    const clang::SourceManager& manager = ast_.getSourceManager();
    const clang::SourceLocation place = manager.getExpansionLoc(declaration.getLocation());
    if (!manager.isWrittenInMainFile(place)) return false;
    const auto offset = static_cast<int64_t>(manager.getFileOffset(place));
    return region_.body_begin_offset() <= offset && offset < region_.body_end_offset();
  }

  const clang::ASTContext& ast_;
  // Whether what is before the region looks at it, as the region's function may not name it.
  bool IsOpened(const clang::NamedDecl& name) const {
    return opened_.count(&name) > 0 && !IsAccessibleIn(function_, name);
  }

  const clang::FunctionDecl& function_;
  const v1::SourceRegion& region_;
  const std::set<const clang::NamedDecl*>& opened_;
  std::set<std::pair<v1::Meaning::Kind, std::string>> seen_;
  bool is_called_ = false;
};

}  // namespace

std::vector<v1::Meaning> FindMeanings(const clang::ASTContext& ast, const FoundRegion& found,
                                      const std::vector<const clang::FunctionDecl*>& called,
                                      const std::vector<const clang::RecordDecl*>& structures,
                                      const std::vector<PlacedMeaning>& macros,
                                      const std::set<const clang::NamedDecl*>& opened) {
  MeaningFinder finder(ast, found, opened);
  std::vector<std::pair<int64_t, int64_t>> texts = {
      {found.source.body_begin_offset(), found.source.body_end_offset()}};
  std::vector<clang::SourceRange> definitions;
  for (const clang::FunctionDecl* function : called) definitions.push_back(function->getSourceRange());
  for (const clang::RecordDecl* structure : structures) definitions.push_back(structure->getSourceRange());
  for (const clang::SourceRange range : definitions) {
    // What decides which of several there is, tested before the region.
    texts.emplace_back(found.source.begin_offset(), found.source.body_begin_offset());
    const clang::SourceManager& manager = ast.getSourceManager();
    if (!manager.isWrittenInMainFile(manager.getExpansionLoc(range.getBegin()))) continue;
    texts.emplace_back(manager.getFileOffset(manager.getExpansionLoc(range.getBegin())),
                       manager.getFileOffset(manager.getExpansionLoc(range.getEnd())));
  }
  for (const auto& [offset, meaning] : macros) {
    const bool counts = std::any_of(texts.begin(), texts.end(), [at = offset](const auto& text) {
      return text.first <= at && at < text.second;
    });
    if (counts) finder.Add(meaning.kind(), meaning.text(), meaning.value());
  }
  for (const TemplateArgument& argument : ArgumentsOfInstance(*found.function)) {
    finder.Add(argument.is_type ? v1::Meaning::TYPE : v1::Meaning::CONSTANT, argument.parameter,
               argument.value);
  }
  for (const clang::Stmt* statement : found.statements)
    finder.TraverseStmt(const_cast<clang::Stmt*>(statement));
  for (const clang::FunctionDecl* function : called) finder.TraverseCalled(*function);
  return std::move(finder.meanings);
}

}  // namespace tune
