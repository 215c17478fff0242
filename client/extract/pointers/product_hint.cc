#include "client/extract/pointers/product_hint.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "client/extract/integers/parameter_polynomial.h"
#include "client/extract/pointers/flat_offset.h"
#include "client/extract/tree/tree_visitor.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr size_t kMostHintedFactors = 4;

using Hints = std::map<const clang::VarDecl*, ProductHint>;

// What variables of a function are set to.
class ValuesInFunction : public TreeVisitor {
 public:
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) values[variable].push_back(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const clang::VarDecl* variable =
        operation->isAssignmentOp() ? NamedVariable(operation->getLHS()) : nullptr;
    if (variable != nullptr)
      values[variable].push_back(operation->getOpcode() == clang::BO_Assign ? operation->getRHS() : nullptr);
    return true;
  }
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> values;
};

ProductHint Multiplied(ProductHint a, const ProductHint& b) {
  a.scale *= b.scale;
  a.factors.insert(a.factors.end(), b.factors.begin(), b.factors.end());
  return a;
}

// Constants and variables, multiplied.
std::optional<ProductHint> ReadProduct(const clang::ASTContext& ast, const clang::Expr& written) {
  const clang::Expr& expression = *written.IgnoreParenCasts();
  clang::Expr::EvalResult constant;
  if (!expression.isValueDependent() && expression.EvaluateAsInt(constant, ast)) {
    const llvm::APSInt& value = constant.Val.getInt();
    if (!value.isStrictlyPositive() || value.getActiveBits() > 16) return std::nullopt;
    return ProductHint{value.getExtValue()};
  }
  if (const clang::VarDecl* variable = NamedVariable(&expression)) return ProductHint{1, {variable}};
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  if (operation == nullptr || operation->getOpcode() != clang::BO_Mul) return std::nullopt;
  const auto left = ReadProduct(ast, *operation->getLHS()), right = ReadProduct(ast, *operation->getRHS());
  if (!left || !right) return std::nullopt;
  return Multiplied(*left, *right);
}

// variable = a * b; or variable = a / b, which is about a.
void AddHint(const clang::ASTContext& ast, const clang::VarDecl* variable, const clang::Expr& written,
             Hints* hints) {
  if (!variable->getType()->isIntegerType()) return;
  const clang::Expr& value = *written.IgnoreParenCasts();
  if (const auto product = ReadProduct(ast, value)) {
    if (!product->factors.empty()) hints->emplace(variable, *product);
    return;
  }
  const auto* quotient = llvm::dyn_cast<clang::BinaryOperator>(&value);
  if (quotient == nullptr || quotient->getOpcode() != clang::BO_Div) return;
  const clang::VarDecl* dividend = NamedVariable(quotient->getLHS()->IgnoreParenCasts());
  const auto divisor = ReadProduct(ast, *quotient->getRHS());
  if (dividend == nullptr || !dividend->getType()->isIntegerType() || !divisor) return;
  hints->emplace(dividend, Multiplied({1, {variable}}, *divisor));
}

// The hint without factors that are products themselves; nothing where it leads to itself.
std::optional<ProductHint> Resolved(const Hints& hints, const clang::VarDecl* variable,
                                    std::set<const clang::VarDecl*> around = {}) {
  const auto hint = hints.find(variable);
  if (hint == hints.end()) return ProductHint{1, {variable}};
  if (!around.insert(variable).second) return std::nullopt;
  ProductHint all{hint->second.scale};
  for (const clang::VarDecl* factor : hint->second.factors) {
    const std::optional<ProductHint> resolved = Resolved(hints, factor, around);
    if (!resolved) return std::nullopt;
    all = Multiplied(std::move(all), *resolved);
  }
  return all;
}

// The value of the hint, where the region has a parameter for the product.
std::optional<isl::pw_aff> ProductOf(Region& region, const LoopNest& nest, const ProductHint& hint) {
  const auto value = [&](const clang::VarDecl* variable) {
    return isl::pw_aff(ParameterOn(region.parameter_space, region.parameters.at(variable)));
  };
  isl::pw_aff product = value(hint.factors[0]);
  for (size_t i = 1; i < hint.factors.size(); ++i) {
    const std::optional<isl::pw_aff> longer =
        ProductOfParameters(region, nest, product, value(hint.factors[i]));
    if (!longer) return std::nullopt;
    product = *longer;
  }
  return product.scale(hint.scale);
}

}  // namespace

std::map<const clang::VarDecl*, ProductHint> FindProductHints(const RegionVariables& variables) {
  ValuesInFunction set;
  set.TraverseStmt(variables.function().getBody());
  const clang::ASTContext& ast = variables.function().getASTContext();
  Hints all, hints;
  for (const auto& [variable, values] : set.values) {
    if (values.size() == 1 && values[0] != nullptr) AddHint(ast, variable, *values[0], &all);
  }
  for (const clang::VarDecl* parameter : variables.parameters()) {
    const std::optional<ProductHint> hint =
        all.count(parameter) > 0 ? Resolved(all, parameter) : std::nullopt;
    const bool is_known =
        hint && hint->factors.size() <= kMostHintedFactors &&
        std::all_of(hint->factors.begin(), hint->factors.end(),
                    [&](const clang::VarDecl* factor) { return variables.IsParameter(factor); });
    if (is_known) hints.emplace(parameter, *hint);
  }
  return hints;
}

FlatOffset WithProducts(Region& region, const LoopNest& nest, const FlatOffset& offset) {
  FlatOffset all = offset;
  for (const auto& [variable, hint] : region.hints) {
    const isl::id& parameter = region.parameters.at(variable);
    std::vector<isl::id> factors;
    for (const clang::VarDecl* factor : hint.factors) factors.push_back(region.parameters.at(factor));
    std::optional<FlatOffset> changed = all.Factored(region.parameter_space, parameter, hint.scale, factors);
    if (!changed) continue;
    all = *std::move(changed);
    const isl::pw_aff value = isl::pw_aff(ParameterOn(region.parameter_space, parameter));
    if (const std::optional<isl::pw_aff> product = ProductOf(region, nest, hint))
      region.context = region.context.intersect(value.eq_set(*product));
  }
  return all;
}

}  // namespace tune
