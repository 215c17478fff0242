#include "common/transform/split_sums/common_factor.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

bool IsOperation(const v1::Expression& expression, const char* op, int operands) {
  return expression.has_operation() && expression.operation().op() == op &&
         expression.operation().operands_size() == operands;
}

// Factors of the expression, whose products are all of its type.
void CollectFactors(const v1::Expression& expression, const std::string& type,
                    std::vector<v1::Expression>* factors) {
  if (!IsOperation(expression, "*", 2) || expression.c_type() != type) return factors->push_back(expression);
  for (const v1::Expression& operand : expression.operation().operands())
    CollectFactors(operand, type, factors);
}

bool IsScalar(const v1::Scop& scop, const v1::Statement& sum, const v1::Expression& factor) {
  if (factor.kind_case() == v1::Expression::kLiteral) return true;
  if (factor.kind_case() != v1::Expression::kAccess) return false;
  const std::string& name = sum.accesses(factor.access()).array();
  return std::any_of(scop.arrays().begin(), scop.arrays().end(), [&](const v1::Array& array) {
    return array.name() == name && array.extents_size() == 0 && array.read_only();
  });
}

v1::Expression ProductOf(const std::vector<v1::Expression>& factors) {
  v1::Expression product = factors[0];
  for (size_t i = 1; i < factors.size(); ++i)
    product = MakeOperation(product.c_type(), "*", {product, factors[i]});
  return product;
}

std::string TypeOfTarget(const v1::Scop& scop, const v1::Statement& sum) {
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() == sum.accesses(sum.target()).array())
      return std::string(ElementCType(array.element_type()));
  }
  return "";
}

}  // namespace

std::optional<CommonFactor> FindCommonFactor(const v1::Scop& scop, const v1::Statement& sum) {
  const bool negative = IsOperation(sum.value(), "-", 1);
  const v1::Expression& value = negative ? sum.value().operation().operands(0) : sum.value();
  const std::string& type = value.c_type();
  if ((type != "float" && type != "double") || type != sum.value().c_type() ||
      type != TypeOfTarget(scop, sum))
    return std::nullopt;
  std::vector<v1::Expression> factors, scalars, others;
  CollectFactors(value, type, &factors);
  for (const v1::Expression& factor : factors) {
    if (factor.c_type() != type) return std::nullopt;
    (IsScalar(scop, sum, factor) ? scalars : others).push_back(factor);
  }
  if (scalars.empty() || others.empty()) return std::nullopt;
  const v1::Expression factor = ProductOf(scalars);
  return CommonFactor{negative ? MakeOperation(factor.c_type(), "-", {factor}) : factor, ProductOf(others)};
}

}  // namespace tune
