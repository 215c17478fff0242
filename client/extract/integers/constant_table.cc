#include "client/extract/integers/constant_table.h"

#include <clang/AST/APValue.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <functional>
#include <map>

#include "absl/strings/str_cat.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr uint64_t kMostElements = 64;

using ElementPlace = std::vector<uint64_t>;  // subscripts, outermost first

// Calls visit(place, number) for all elements of an array of this type that `initial`, null for zeros, sets;
// false where one is no constant integer.
bool ForEachElement(const clang::ASTContext& ast, clang::QualType type, const clang::Expr* initial,
                    ElementPlace* place,
                    const std::function<void(const ElementPlace&, const llvm::APSInt&)>& visit) {
  if (llvm::isa_and_nonnull<clang::ImplicitValueInitExpr>(initial)) initial = nullptr;
  const clang::ConstantArrayType* array = ast.getAsConstantArrayType(type);
  if (array == nullptr) {
    clang::Expr::EvalResult value;
    value.Val = clang::APValue(llvm::APSInt(llvm::APInt::getZero(64), false));
    if (initial != nullptr && (initial->isValueDependent() || !initial->EvaluateAsInt(value, ast)))
      return false;
    visit(*place, value.Val.getInt());
    return true;
  }
  const auto* list = llvm::dyn_cast_or_null<clang::InitListExpr>(initial);
  if (list != initial) return false;
  for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
    const bool is_named = list != nullptr && i < list->getNumInits();
    place->push_back(i);
    const bool done =
        ForEachElement(ast, array->getElementType(),
                       is_named ? list->getInit(static_cast<unsigned>(i)) : nullptr, place, visit);
    place->pop_back();
    if (!done) return false;
  }
  return true;
}

bool ForEachElement(const clang::VarDecl& table,
                    const std::function<void(const ElementPlace&, const llvm::APSInt&)>& visit) {
  ElementPlace place;
  const clang::Expr* initial = table.getAnyInitializer();
  return initial != nullptr && ForEachElement(table.getASTContext(), table.getType(), initial, &place, visit);
}

// Whether it is an array in so many dimensions of few integers that never change. Those of the upper half of
// an unsigned type stand for negative numbers where they are added, so they are no values of sums and
// products.
bool IsTable(const clang::ASTContext& ast, const clang::VarDecl& variable, size_t dimensions) {
  const clang::QualType element = ast.getBaseElementType(variable.getType());
  if (!element.isConstQualified() || element.isVolatileQualified() || !element->isIntegerType()) return false;
  uint64_t elements = 1;
  clang::QualType type = variable.getType();
  for (; dimensions > 0; --dimensions) {
    const clang::ConstantArrayType* array = ast.getAsConstantArrayType(type);
    if (array == nullptr || array->getSize().ugt(kMostElements)) return false;
    elements *= array->getSize().getZExtValue();
    type = array->getElementType();
  }
  bool is_plain = elements > 0 && elements <= kMostElements && !type->isArrayType();
  return is_plain &&
         ForEachElement(variable,
                        [&](const ElementPlace&, const llvm::APSInt& number) {
                          is_plain = is_plain && !(number.isUnsigned() && number.isSignBitSet());
                        }) &&
         is_plain;
}

}  // namespace

std::optional<TableElement> TableElementOf(const clang::ASTContext& ast,
                                           const clang::ArraySubscriptExpr& element) {
  TableElement found{nullptr, {}};
  const clang::Expr* base = &element;
  while (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(Bare(base))) {
    found.subscripts.insert(found.subscripts.begin(), access->getIdx());
    base = access->getBase();
  }
  found.table = NamedVariable(base);
  const bool is_table = found.table != nullptr && IsTable(ast, *found.table, found.subscripts.size());
  return is_table ? std::optional(std::move(found)) : std::nullopt;
}

bool HasTableElement(const clang::ASTContext& ast, const clang::Stmt& expression) {
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&expression);
  if (element != nullptr && TableElementOf(ast, *element)) return true;
  return std::any_of(expression.child_begin(), expression.child_end(), [&](const clang::Stmt* child) {
    return child != nullptr && HasTableElement(ast, *child);
  });
}

isl::pw_aff ValueInTable(const clang::VarDecl& table, const std::vector<isl::pw_aff>& subscripts) {
  const isl::pw_aff zero = subscripts[0].sub(subscripts[0]);
  std::map<std::string, isl::set> places;  // [params, iterators] -> { : } in which the value is
  ForEachElement(table, [&](const ElementPlace& at, const llvm::APSInt& number) {
    isl::set here = zero.domain();
    for (size_t i = 0; i < at.size(); ++i)
      here = here.intersect(subscripts[i].eq_set(zero.add_constant(static_cast<long>(at[i]))));
    const auto [known, is_new] = places.emplace(llvm::toString(number, 10), here);
    if (!is_new) known->second = known->second.unite(here);
  });
  const auto constant = [&](const std::string& number) {
    return zero.add_constant(isl::val(zero.ctx(), number));
  };
  isl::pw_aff value = constant(places.begin()->first);
  for (auto other = std::next(places.begin()); other != places.end(); ++other)
    value = Either(other->second.coalesce(), constant(other->first), value);
  return value.coalesce();
}

std::vector<std::pair<std::string, std::string>> ElementsOfTable(const clang::VarDecl& table,
                                                                 const std::string& name) {
  std::vector<std::pair<std::string, std::string>> elements;
  ForEachElement(table, [&](const ElementPlace& at, const llvm::APSInt& number) {
    std::string text = name;
    for (const uint64_t subscript : at) absl::StrAppend(&text, "[", subscript, "]");
    elements.emplace_back(std::move(text), llvm::toString(number, 10));
  });
  return elements;
}

}  // namespace tune
