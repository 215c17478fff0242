#include "common/transform/split_sums/common_factor.h"

#include <algorithm>
#include <type_traits>

#include "common/array/element_type.h"

namespace tune {
namespace {

// Calls visit(access) with each access of the expression, which may be constant.
template <typename Expression, typename Visit>
void ForEachAccess(Expression& expression, const Visit& visit) {
  switch (expression.kind_case()) {
    case v1::Expression::kAccess:
      visit(expression);
      break;
    case v1::Expression::kOperation:
      if constexpr (std::is_const_v<Expression>) {
        for (const auto& operand : expression.operation().operands()) ForEachAccess(operand, visit);
      } else {
        for (auto& operand : *expression.mutable_operation()->mutable_operands())
          ForEachAccess(operand, visit);
      }
      break;
    case v1::Expression::kCall:
      if constexpr (std::is_const_v<Expression>) {
        for (const auto& argument : expression.call().arguments()) ForEachAccess(argument, visit);
      } else {
        for (auto& argument : *expression.mutable_call()->mutable_arguments()) ForEachAccess(argument, visit);
      }
      break;
    case v1::Expression::kCast:
      if constexpr (std::is_const_v<Expression>) {
        ForEachAccess(expression.cast().operand(), visit);
      } else {
        ForEachAccess(*expression.mutable_cast()->mutable_operand(), visit);
      }
      break;
    default:
      break;
  }
}

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
  for (size_t i = 1; i < factors.size(); ++i) {
    v1::Expression next;
    next.set_c_type(product.c_type());
    next.mutable_operation()->set_op("*");
    *next.mutable_operation()->add_operands() = product;
    *next.mutable_operation()->add_operands() = factors[i];
    product = next;
  }
  return product;
}

v1::Expression Negative(const v1::Expression& expression) {
  v1::Expression negative;
  negative.set_c_type(expression.c_type());
  negative.mutable_operation()->set_op("-");
  *negative.mutable_operation()->add_operands() = expression;
  return negative;
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
  return CommonFactor{negative ? Negative(factor) : factor, ProductOf(others)};
}

std::vector<int> AccessesOf(const v1::Expression& expression) {
  std::vector<int> accesses;
  ForEachAccess(expression, [&](const v1::Expression& access) {
    if (std::find(accesses.begin(), accesses.end(), access.access()) == accesses.end())
      accesses.push_back(access.access());
  });
  std::sort(accesses.begin(), accesses.end());
  return accesses;
}

v1::Expression WithAccesses(v1::Expression expression, const std::vector<int>& accesses) {
  ForEachAccess(expression, [&](v1::Expression& access) {
    const auto place = std::find(accesses.begin(), accesses.end(), access.access());
    access.set_access(static_cast<int>(place - accesses.begin()));
  });
  return expression;
}

}  // namespace tune
