#include "client/extract/region/local_variable.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/pointers/flat_offset.h"
#include "client/extract/pointers/pointer_places.h"
#include "client/extract/statements/statement_body.h"
#include "client/extract/tree/named_declarations.h"

namespace tune {
namespace {

// The expression whose type the variable has, by `typeof` or `decltype`; null for others.
const clang::Expr* TypeGiver(const clang::VarDecl& variable) {
  for (const clang::Type* type = variable.getType().getTypePtr();;) {
    if (const auto* given = llvm::dyn_cast<clang::TypeOfExprType>(type)) return given->getUnderlyingExpr();
    if (const auto* given = llvm::dyn_cast<clang::DecltypeType>(type)) return given->getUnderlyingExpr();
    const clang::QualType next = type->getLocallyUnqualifiedSingleStepDesugaredType();
    if (next.getTypePtr() == type) return nullptr;
    type = next.getTypePtr();
  }
}

// Whether a variable gives its type to this one and is not used otherwise: tuned code asks for the types of
// those that are used.
bool HasTypeOfUnused(const RegionVariables& variables, const clang::VarDecl& variable) {
  const std::vector<const clang::ValueDecl*> givers = NamedIn(TypeGiver(variable));
  return std::any_of(givers.begin(), givers.end(), [&](const clang::ValueDecl* name) {
    const auto* giver = llvm::dyn_cast<clang::VarDecl>(name);
    if (giver == nullptr || variables.IsDeclaredInside(giver)) return false;
    int64_t gives = 0;
    for (const clang::VarDecl* each : variables.declared()) {
      const std::vector<const clang::ValueDecl*> named = NamedIn(TypeGiver(*each));
      gives += std::count(named.begin(), named.end(), name);
    }
    return std::count(variables.mentioned().begin(), variables.mentioned().end(), giver) <= gives;
  });
}

// An element of an array that is declared with a list.
struct InitialElement {
  std::vector<int64_t> subscripts;
  const clang::Expr* value;  // null: zero
};
constexpr size_t kMostInitialElements = 64;

// Adds those of the array of this type that the list, null for none, sets; false where it is no such list.
bool AddElements(const clang::ASTContext& ast, clang::QualType type, const clang::Expr* initial,
                 const std::vector<int64_t>& subscripts, std::vector<InitialElement>* all) {
  const clang::ArrayType* array = ast.getAsArrayType(type);
  if (llvm::isa_and_nonnull<clang::ImplicitValueInitExpr>(initial)) initial = nullptr;
  if (array == nullptr) {
    all->push_back({subscripts, initial});
    return all->size() <= kMostInitialElements;
  }
  const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(array);
  const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(initial);
  if (constant == nullptr || list != initial || constant->getSize().ugt(kMostInitialElements)) return false;
  for (uint64_t i = 0; i < constant->getSize().getZExtValue(); ++i) {
    std::vector<int64_t> inner = subscripts;
    inner.push_back(static_cast<int64_t>(i));
    const bool is_named = list != nullptr && i < list->getNumInits();
    if (!AddElements(ast, array->getElementType(),
                     is_named ? list->getInit(static_cast<unsigned>(i)) : nullptr, inner, all))
      return false;
  }
  return true;
}

// Of `double t[3] = {0, 1};` all elements; nothing where that is no list of few.
std::optional<std::vector<InitialElement>> InitialElements(const clang::ASTContext& ast,
                                                           const clang::VarDecl& variable) {
  std::vector<InitialElement> all;
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(variable.getInit());
  if (list == nullptr || !AddElements(ast, variable.getType(), list, {}, &all)) return std::nullopt;
  return all;
}

// Whether it has one value for all times, or elements that have: `static const float w[3] = {1, 2, 1};`
bool HasOneValue(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  if (!variable.isStaticLocal() || variable.getInit() == nullptr) return false;
  if (ConstantInitializer(ast, &variable) != nullptr) return true;
  const clang::QualType element = ast.getBaseElementType(variable.getType());
  const auto elements = InitialElements(ast, variable);
  return element.isConstQualified() && element->isArithmeticType() && elements &&
         std::all_of(elements->begin(), elements->end(), [&](const InitialElement& each) {
           return each.value == nullptr || each.value->isEvaluatable(ast);
         });
}

// Why a region cannot declare the variable, if so.
std::optional<Refusal> WhyNotDeclared(const Region& region, const clang::VarDecl& variable,
                                      const LoopNest& nest) {
  const RegionVariables& variables = region.variables;
  const clang::QualType type = variable.getType();
  const auto refuse = [&](std::string reason, std::string remedy) {
    return Refusal{variable.getSourceRange(), std::move(reason), std::move(remedy)};
  };
  if (!variable.hasLocalStorage() && !HasOneValue(region.ast, variable))
    return refuse("a static or external variable declared inside the region", "declare it before the region");
  if (variable.hasAttr<clang::CleanupAttr>())
    return refuse("a variable with a function that cleans it up", "call the function behind the region");
  if (type.isVolatileQualified())
    return refuse("a volatile object may not be moved or left out", "use a plain variable");
  if (type->isPointerType() && IsReference(variable))
    return refuse("a reference to a pointer", "use the pointer by its name");
  if (ReferredBy(variable) != nullptr) return std::nullopt;
  if (HasTypeOfUnused(variables, variable))
    return refuse("a variable of the type of another one, which the region does not use (`typeof`)",
                  "write the type by its name");
  if (type->isPointerType() && region.pointers.count(&variable) == 0 &&
      (variable.getInit() == nullptr || variables.IsWritten(&variable))) {
    return refuse(absl::StrCat("the pointer `", variable.getNameAsString(), "` is set inside the region"),
                  "set it where it is declared, and only there");
  }
  if (variable.getASTContext().getBaseElementType(type)->isRecordType()) {
    return refuse("a structure or union declared inside the region",
                  "declare it before the region, or a variable for each member that is used");
  }
  if (!nest.calls.empty() && type->isVariablyModifiedType() && !type->isPointerType()) {
    return refuse("an array of variable length in a function that is called",
                  "declare it in the function of the region");
  }
  if (variables.IsIterator(&variable) && variable.getInit() != nullptr) {
    return refuse("the iterator of a loop is set outside of the loop's header",
                  "leave the initialiser out: the loop sets its iterator");
  }
  return std::nullopt;
}

// A statement for each element of an array that is declared with a list.
Schedule DeclareElements(Region& region, ArrayTable& arrays, StatementSequence& statements,
                         const clang::VarDecl& variable, const LoopNest& nest) {
  const auto elements = InitialElements(region.ast, variable);
  if (!elements) {
    return statements.Refuse(
        {variable.getSourceRange(),
         absl::StrCat("an initialiser of an array inside the region that is no list of at most ",
                      kMostInitialElements, " elements"),
         "set the elements with a loop"});
  }
  Schedule all;
  for (const auto& [subscripts, value] : *elements) {
    const StatementPlace place{statements.NextName(), nest};
    Append(&all,
           statements.Add(ReadElementInitializer(region, place, arrays, variable, subscripts, value), nest));
  }
  return all;
}

}  // namespace

Schedule DeclareVariable(Region& region, ArrayTable& arrays, DerivedIndices& indices,
                         StatementSequence& statements, const clang::VarDecl& variable, LoopNest& nest) {
  if (indices.Declares(variable, nest)) return std::nullopt;
  if (auto refusal = WhyNotDeclared(region, variable, nest)) return statements.Refuse(*std::move(refusal));
  if (PointerPlaces(region).Declares(variable, nest)) return std::nullopt;
  const clang::QualType type = variable.getType();
  if (type->isPointerType() || ReferredBy(variable) != nullptr) {
    nest.definitions[&variable] =
        Definition{std::make_shared<const LoopNest>(nest), variable.getInit(), nullptr, nullptr};
    return std::nullopt;
  }
  if (region.variables.IsIterator(&variable)) return std::nullopt;                 // the loop sets it
  if (ConstantInitializer(region.ast, &variable) != nullptr) return std::nullopt;  // folded where it is used
  const StatementPlace place{statements.NextName(), nest};
  if (variable.getInit() == nullptr) return statements.Add(MakeKill(region, place, arrays, variable), nest);
  if (type->isArrayType()) return DeclareElements(region, arrays, statements, variable, nest);
  if (type->isIntegerType() && !region.variables.IsWritten(&variable)) {
    Accepted<isl::pw_aff> value = ReadAffine(region, nest, *variable.getInit(), Position::kValue);
    if (!IsRefused(value)) {
      nest.affine_locals.emplace(&variable, std::get<0>(value));
      return std::nullopt;
    }
    if (!IsRefused(ReadFlatOffset(region, nest, *variable.getInit()))) {  // row = i * n
      nest.definitions[&variable] =
          Definition{std::make_shared<const LoopNest>(nest), variable.getInit(), nullptr, nullptr};
      return std::nullopt;
    }
  }
  return statements.Add(ReadInitializer(region, place, arrays, variable, *variable.getInit()), nest);
}

}  // namespace tune
