#include "common/transform/float_products.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "common/program/atomic_update.h"
#include "common/program/statement_value.h"
#include "common/scop/expression_parts.h"

namespace tune {
namespace {

// Nothing overflows, in float or double, where constants are neither larger nor smaller.
constexpr double kLargest = 0x1p40, kSmallest = 0x1p-40;

bool IsOperation(const v1::Expression& value, const char* op, int operands) {
  return value.has_operation() && value.operation().op() == op &&
         value.operation().operands_size() == operands;
}

bool Is(const v1::Expression& value, const char* type) { return value.c_type() == type; }

std::optional<double> LiteralValue(const v1::Expression& literal) {
  std::string digits = literal.literal();
  double value = 0;
  float in_float = 0;
  int64_t whole = 0;
  if (Is(literal, "double") && absl::SimpleAtod(digits, &value)) return value;
  if (Is(literal, "int") && !absl::StartsWith(digits, "0") && absl::SimpleAtoi(digits, &whole))
    return static_cast<double>(whole);
  if (!Is(literal, "float") || digits.empty() || (digits.back() != 'f' && digits.back() != 'F'))
    return std::nullopt;
  digits.pop_back();
  if (absl::SimpleAtof(digits, &in_float)) return in_float;
  return std::nullopt;
}

// What a constant is once it is an operand in double.
std::optional<double> ConstantValue(const v1::Expression& value) {
  if (value.kind_case() == v1::Expression::kLiteral) return LiteralValue(value);
  if (value.has_cast() && Is(value, "double")) return ConstantValue(value.cast().operand());
  if (IsOperation(value, "-", 1)) {
    const std::optional<double> operand = ConstantValue(value.operation().operands(0));
    return operand ? std::optional(-*operand) : std::nullopt;
  }
  const bool product = IsOperation(value, "*", 2), quotient = IsOperation(value, "/", 2);
  if (!Is(value, "double") || (!product && !quotient)) return std::nullopt;
  const std::optional<double> left = ConstantValue(value.operation().operands(0));
  const std::optional<double> right = ConstantValue(value.operation().operands(1));
  if (!left || !right) return std::nullopt;
  return product ? *left * *right : *left / *right;
}

// A constant times a value in float.
struct ScaledFloat {
  double factor = 1;
  const v1::Expression* value = nullptr;
};

std::optional<ScaledFloat> Scaled(std::optional<ScaledFloat> scaled, double factor) {
  if (!scaled) return std::nullopt;
  scaled->factor *= factor;
  const double size = std::fabs(scaled->factor);
  return size >= kSmallest && size <= kLargest ? scaled : std::nullopt;
}

// Nothing where the value, in double, is something else.
std::optional<ScaledFloat> FindScaledFloat(const v1::Expression& value) {
  if (Is(value, "float")) return ScaledFloat{1, &value};
  if (!Is(value, "double")) return std::nullopt;
  if (value.has_cast()) {
    const v1::Expression& operand = value.cast().operand();
    return Is(operand, "float") ? std::optional(ScaledFloat{1, &operand}) : std::nullopt;
  }
  const auto& operands = value.operation().operands();
  if (IsOperation(value, "-", 1)) return Scaled(FindScaledFloat(operands[0]), -1);
  if (IsOperation(value, "/", 2)) {
    const std::optional<double> divisor = ConstantValue(operands[1]);
    return divisor && *divisor != 0 ? Scaled(FindScaledFloat(operands[0]), 1 / *divisor) : std::nullopt;
  }
  if (!IsOperation(value, "*", 2)) return std::nullopt;
  for (const int constant : {0, 1}) {
    if (const std::optional<double> factor = ConstantValue(operands[constant]))
      return Scaled(FindScaledFloat(operands[1 - constant]), *factor);
  }
  return std::nullopt;
}

v1::Expression FloatLiteral(float value) {
  v1::Expression literal;
  literal.set_c_type("float");
  literal.set_literal(absl::StrFormat("%.8ef", std::fabs(value)));
  return value < 0 ? MakeOperation("float", "-", {literal}) : literal;
}

// fmaf(h, x, l x)
v1::Expression ProductInFloat(float high, float low, const v1::Expression& value) {
  v1::Expression sum;
  sum.set_c_type("float");
  sum.mutable_call()->set_function("fmaf");
  *sum.mutable_call()->add_arguments() = FloatLiteral(high);
  *sum.mutable_call()->add_arguments() = value;
  *sum.mutable_call()->add_arguments() = MakeOperation("float", "*", {FloatLiteral(low), value});
  return sum;
}

// Makes the product of `value`. False where the factor is a float.
bool ReplaceBy(const ScaledFloat& scaled, v1::Expression* value) {
  auto high = static_cast<float>(scaled.factor);
  if (std::fabs(high) > std::fabs(scaled.factor)) high = std::nextafterf(high, 0);
  const auto low = static_cast<float>(scaled.factor - high);
  if (low == 0) return false;
  v1::Expression product = ProductInFloat(high, low, *scaled.value);
  *value = std::move(product);
  return true;
}

// Makes another one of a value in double that is rounded to float. Whether there is one.
bool ReplaceProduct(v1::Expression* value) {
  if (!Is(*value, "double")) return false;
  const std::optional<ScaledFloat> scaled = FindScaledFloat(*value);
  return scaled && !ConstantValue(*scaled->value) && ReplaceBy(*scaled, value);
}

// Of a float by a constant that is one.
void ReplaceQuotients(v1::Expression* value) {
  ForEachPart(value, ReplaceQuotients);
  if (!Is(*value, "float") || !IsOperation(*value, "/", 2)) return;
  const auto& operands = value->operation().operands();
  const v1::Expression& divisor =
      IsOperation(operands[1], "-", 1) ? operands[1].operation().operands(0) : operands[1];
  if (!Is(operands[0], "float") || ConstantValue(operands[0]) || !Is(divisor, "float")) return;
  const std::optional<double> size = ConstantValue(divisor);
  if (!size || *size == 0) return;
  const double sign = &divisor == &operands[1] ? 1 : -1;
  const std::optional<ScaledFloat> scaled = Scaled(ScaledFloat{1, &operands[0]}, sign / *size);
  if (scaled) ReplaceBy(*scaled, value);
}

// Those that are converted inside of the value.
void ReplaceCastProducts(v1::Expression* value) {
  ForEachPart(value, ReplaceCastProducts);
  if (!value->has_cast() || !Is(*value, "float")) return;
  if (!ReplaceProduct(value->mutable_cast()->mutable_operand())) return;
  v1::Expression product = value->cast().operand();
  *value = std::move(product);
}

v1::Expression* AssignedValueOf(v1::Statement* statement) {
  v1::Expression* const value = statement->mutable_value();
  return value->operation().op() == kUpdateOf ? value->mutable_operation()->mutable_operands(0) : value;
}

}  // namespace

v1::Scop WithFloatProducts(const v1::Scop& scop) {
  v1::Scop changed = scop;
  for (v1::Statement& statement : *changed.mutable_statements()) {
    if (statement.kind() != v1::Statement::ASSIGN) continue;
    ReplaceCastProducts(statement.mutable_value());
    ReplaceQuotients(statement.mutable_value());
    if (statement.update() == v1::NONE && TargetType(scop, statement) == v1::ELEMENT_TYPE_FLOAT)
      ReplaceProduct(AssignedValueOf(&statement));
  }
  return changed;
}

}  // namespace tune
