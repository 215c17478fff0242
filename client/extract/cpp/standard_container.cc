#include "client/extract/cpp/standard_container.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"

namespace tune {
namespace {

// Null where the type is no class of the standard library that is made from a template.
const clang::ClassTemplateSpecializationDecl* LibraryClass(clang::QualType type) {
  const auto* made =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  return made != nullptr && made->isInStdNamespace() ? made : nullptr;
}

clang::QualType ElementsOf(const clang::ClassTemplateSpecializationDecl& made) {
  const clang::TemplateArgumentList& arguments = made.getTemplateArgs();
  const bool has_type = arguments.size() > 0 && arguments[0].getKind() == clang::TemplateArgument::Type;
  return has_type ? arguments[0].getAsType() : clang::QualType();
}

// A structure of the user's, which is copied as its members are.
bool IsStructure(clang::QualType type) {
  const clang::CXXRecordDecl* made = type->getAsCXXRecordDecl();
  return made != nullptr && made->hasDefinition() && made->isTriviallyCopyable() && !made->isPolymorphic() &&
         !made->isInStdNamespace() && !type.isVolatileQualified();
}

bool IsBits(const clang::ASTContext& ast, const clang::ClassTemplateSpecializationDecl& made) {
  return made.getName() == "vector" && ast.hasSameUnqualifiedType(ElementsOf(made), ast.BoolTy);
}

// Its size is that of a plain array of such elements, and not none.
bool IsPlain(const clang::ASTContext& ast, const clang::ClassTemplateSpecializationDecl& made,
             clang::QualType type) {
  const clang::TemplateArgumentList& arguments = made.getTemplateArgs();
  if (arguments.size() != 2 || arguments[1].getKind() != clang::TemplateArgument::Integral) return false;
  const uint64_t length = arguments[1].getAsIntegral().getZExtValue();
  return length > 0 && ast.getTypeSize(type) == length * ast.getTypeSize(ElementsOf(made));
}

// What `[]` of a std::vector<bool> returns.
bool IsBit(clang::QualType type) {
  const auto* made = type->getAsCXXRecordDecl();
  return made != nullptr && made->isInStdNamespace() &&
         (made->getName() == "_Bit_reference" || made->getName() == "__bit_reference");
}

bool IsFree(const clang::FunctionDecl* function) {
  static const auto* const kNames = new std::set<std::string>{"size", "ssize", "empty"};
  return function != nullptr && function->isInStdNamespace() && function->getDeclName().isIdentifier() &&
         kNames->count(function->getNameAsString()) > 0;
}

// p[i].x of a std::array x.
bool IsArrayInElement(const clang::Expr& object) {
  const clang::ClassTemplateSpecializationDecl* made = LibraryClass(object.getType());
  const clang::Expr* base = &object;
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base))
    base = member->getBase()->IgnoreParens();
  return made != nullptr && made->getName() == "array" &&
         (llvm::isa<clang::ArraySubscriptExpr>(base) || llvm::isa<clang::CXXOperatorCallExpr>(base));
}

// The elements of a smart pointer to many, which deletes them as usual; null for other types.
clang::QualType PointedElements(const clang::ASTContext& ast,
                                const clang::ClassTemplateSpecializationDecl& made) {
  const clang::TemplateArgumentList& arguments = made.getTemplateArgs();
  const bool is_unique = made.getName() == "unique_ptr";
  if ((!is_unique && made.getName() != "shared_ptr") || ElementsOf(made).isNull()) return {};
  const clang::ArrayType* many = ast.getAsIncompleteArrayType(ElementsOf(made));
  if (many == nullptr) return {};
  if (!is_unique) return many->getElementType();
  const clang::ClassTemplateSpecializationDecl* deleter =
      arguments.size() == 2 ? LibraryClass(arguments[1].getAsType()) : nullptr;
  const bool is_usual = deleter != nullptr && deleter->getName() == "default_delete";
  return is_usual ? many->getElementType() : clang::QualType();
}

}  // namespace

std::optional<StandardContainer> ContainerOf(const clang::ASTContext& ast, clang::QualType type) {
  const clang::ClassTemplateSpecializationDecl* made = LibraryClass(type);
  if (made == nullptr || type.isVolatileQualified()) return std::nullopt;
  const llvm::StringRef name = made->getName();
  if (const clang::QualType elements = PointedElements(ast, *made); !elements.isNull()) {
    if (!IsNumber(ast, elements) && !IsStructure(elements)) return std::nullopt;
    return StandardContainer{/*is_array=*/false, /*is_pointer=*/true};
  }
  const clang::QualType elements = ElementsOf(*made);
  if ((name != "vector" && name != "array" && name != "span") || elements.isNull() || IsBits(ast, *made) ||
      (name == "array" && !IsPlain(ast, *made, type)))
    return std::nullopt;
  StandardContainer container;
  container.is_array = name == "array";
  if (IsNumber(ast, elements) || IsStructure(elements)) return container;
  const std::optional<StandardContainer> inner = ContainerOf(ast, elements);
  if (!inner || !inner->is_array) return std::nullopt;
  container.dimensions += inner->dimensions;
  return container;
}

std::string PointerTo(const StandardContainer& type, const std::string& object) {
  return object + (type.is_pointer ? ".get()" : ".data()");
}

clang::QualType ElementOfVectors(const clang::ASTContext& ast, clang::QualType type) {
  clang::QualType elements = type;
  for (int dimension = 0; dimension < 2; ++dimension) {
    const clang::ClassTemplateSpecializationDecl* made = LibraryClass(elements);
    if (made == nullptr || made->getName() != "vector" || elements.isVolatileQualified() ||
        IsBits(ast, *made))
      return {};
    elements = ElementsOf(*made);
    if (elements.isNull()) return {};
  }
  return IsNumber(ast, elements) ? elements.getCanonicalType() : clang::QualType();
}

std::string NameOfContainer(const clang::ASTContext& ast, clang::QualType type) {
  static const auto* const kNames =
      new std::set<std::string>{"vector", "array",         "span",     "deque",        "list",
                                "map",    "unordered_map", "valarray", "basic_string", "bitset"};
  const clang::ClassTemplateSpecializationDecl* made = LibraryClass(type);
  if (made == nullptr) return "";
  const bool is_pointer = !PointedElements(ast, *made).isNull();
  if (!is_pointer && kNames->count(made->getName().str()) == 0) return "";
  const clang::QualType elements = ElementsOf(*made);
  if (elements.isNull()) return made->getName().str();
  const std::string inner = NameOfContainer(ast, elements);
  return absl::StrCat(
      made->getName().str(), "<",
      inner.empty() ? elements.getUnqualifiedType().getAsString(ast.getPrintingPolicy()) : inner, ">");
}

const clang::Expr* WholeObject(const clang::Expr& expression) {
  const clang::Expr* derived = expression.IgnoreParenBaseCasts();
  return LibraryClass(derived->getType()) != nullptr ? derived : expression.IgnoreParens();
}

const clang::Expr* ObjectOfCall(const clang::CallExpr& call) {
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const auto* callee = llvm::dyn_cast<clang::MemberExpr>(member->getCallee()->IgnoreParens());
    return callee == nullptr || callee->isArrow() ? nullptr : WholeObject(*callee->getBase());
  }
  const bool is_operator = llvm::isa<clang::CXXOperatorCallExpr>(call);
  if (is_operator ? call.getNumArgs() == 0 : call.getNumArgs() != 1 || !IsFree(call.getDirectCallee()))
    return nullptr;
  return WholeObject(*call.getArg(0));
}

std::string NameOfCalled(const clang::CallExpr& call) {
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call))
    return clang::getOperatorSpelling(operation->getOperator());
  const clang::FunctionDecl* function = call.getDirectCallee();
  return function == nullptr ? "" : function->getNameAsString();
}

std::optional<std::pair<const clang::Expr*, const clang::Expr*>> ContainersExchangedBy(
    const clang::ASTContext& ast, const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call);
  if (function == nullptr || function->getIdentifier() == nullptr || function->getName() != "swap" ||
      (member == nullptr && !function->isInStdNamespace()))
    return std::nullopt;
  if (call.getNumArgs() != (member == nullptr ? 2U : 1U)) return std::nullopt;
  const clang::Expr* first = member == nullptr ? WholeObject(*call.getArg(0)) : ObjectOfCall(call);
  const clang::Expr* second = WholeObject(*call.getArg(member == nullptr ? 1 : 0));
  if (first == nullptr || !ast.hasSameUnqualifiedType(first->getType(), second->getType()))
    return std::nullopt;
  const clang::ClassTemplateSpecializationDecl* made = LibraryClass(first->getType());
  const bool has_own_memory = made != nullptr && made->getName() != "array" && made->getName() != "span";
  if (!has_own_memory || !ContainerOf(ast, first->getType())) return std::nullopt;
  return std::pair(first, second);
}

std::optional<std::pair<std::string, std::string>> RefusedUse(const clang::ASTContext& ast,
                                                              const clang::CallExpr& call) {
  using Words = std::pair<std::string, std::string>;
  const clang::Expr* object = ObjectOfCall(call);
  if (object == nullptr) return std::nullopt;
  if (IsBit(object->getType()))
    return Words("an element of a std::vector<bool>, which is a bit", "use a std::vector<unsigned char>");
  const std::string container = NameOfContainer(ast, object->getType());
  if (container.empty()) return std::nullopt;
  const std::string called = NameOfCalled(call);
  const bool is_operator = llvm::isa<clang::CXXOperatorCallExpr>(call);
  const std::string what = absl::StrCat(is_operator ? "the operator `" : "a call of the function `", called,
                                        "` of a std::", container);
  if (container == "vector<bool>") return Words(what, "use a std::vector<unsigned char>");
  const auto* row = llvm::dyn_cast<clang::CallExpr>(object);
  const clang::Expr* rows = row == nullptr ? nullptr : ObjectOfCall(*row);
  if (rows != nullptr && !NameOfContainer(ast, rows->getType()).empty() &&
      !ContainerOf(ast, rows->getType())) {
    return Words(
        absl::StrCat("the operator `[]` of a std::", NameOfContainer(ast, rows->getType()),
                     ", whose rows may lie anywhere in memory"),
        "use v[i][j], v.size() and v[0].size() alone, where v is a variable or a reference, `auto &v "
        "= m.rows;`, or let one std::vector have the elements of all rows, v[i * m + j]");
  }
  if (!ContainerOf(ast, object->getType())) {
    return Words(what, "use a std::vector, std::array or std::span of numbers, or of structures of numbers");
  }
  if (called == "at") return Words(what, "write v[i], and look before the region that i is below v.size()");
  if (IsArrayInElement(*object))
    return Words(what + " in an element of an array", "let the structure have a plain array, `float x[3]`");
  static const auto* const kUsed = new std::set<std::string>{"[]", "size", "ssize", "empty", "data", "front"};
  if (kUsed->count(called) > 0) {
    return Words(what,
                 "let a reference to the object stand for it before the region, `auto &v = p->v;`, and "
                 "write v[i] and v.size() on one line, out of macros");
  }
  return Words(what,
               "use v[i], v.size() and v.data() alone in the region, and call other functions before it");
}

}  // namespace tune
