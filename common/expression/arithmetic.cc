#include "common/expression/arithmetic.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/expression/whole_arithmetic.h"

namespace tune {
namespace {

const char* SymbolOf(BinaryOperator op) {
  static constexpr const char* kSymbols[] = {"+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"};
  return kSymbols[static_cast<int>(op)];
}

absl::Status NotOf(BinaryOperator op, const Value& a, const Value& b) {
  return absl::InvalidArgumentError(absl::StrCat("\"", SymbolOf(op), "\" is not defined for ",
                                                 KindName(a.kind()), " and ", KindName(b.kind())));
}

absl::Status DivisionByZero() { return absl::InvalidArgumentError("division by zero"); }

bool IsOfBits(BinaryOperator op) { return op >= BinaryOperator::kAnd; }

// The quotient of integers, rounded once.
double DivideExactly(int64_t a, int64_t b) {
  constexpr uint64_t kExact = uint64_t{1} << 53;
  const uint64_t dividend = a < 0 ? -static_cast<uint64_t>(a) : a;
  const uint64_t divisor = b < 0 ? -static_cast<uint64_t>(b) : b;
  if (dividend <= kExact && divisor <= kExact) return static_cast<double>(a) / static_cast<double>(b);
  // So many bits of the quotient that what is left counts only as "a little more".
  const int shift = std::max<int>(0, 60 - std::bit_width(dividend) + std::bit_width(divisor));
  const unsigned __int128 shifted = static_cast<unsigned __int128>(dividend) << shift;
  unsigned __int128 quotient = shifted / divisor;
  if (shifted % divisor != 0) quotient |= 1;
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -result : result;
}

absl::StatusOr<Value> RaiseFloat(double a, double b) {
  if (a == 0 && b < 0) return absl::InvalidArgumentError("zero to a negative power");
  if (a < 0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b))
    return absl::InvalidArgumentError("a negative number to a power that is not whole is no real number");
  const double power = std::pow(a, b);
  if (std::isinf(power) && std::isfinite(a) && std::isfinite(b))
    return absl::InvalidArgumentError("the power is too large for a float");
  return Value::Float(power);
}

absl::StatusOr<Value> ApplyToWhole(BinaryOperator op, int64_t a, int64_t b) {
  const bool divides =
      op == BinaryOperator::kDivide || op == BinaryOperator::kFloorDivide || op == BinaryOperator::kModulo;
  if (divides && b == 0) return DivisionByZero();
  if (op == BinaryOperator::kDivide) return Value::Float(DivideExactly(a, b));
  if (op == BinaryOperator::kPower && b < 0)
    return RaiseFloat(static_cast<double>(a), static_cast<double>(b));
  if ((op == BinaryOperator::kShiftLeft || op == BinaryOperator::kShiftRight) && b < 0)
    return absl::InvalidArgumentError("the count of a shift is negative");
  int64_t result = 0;
  if (ApplyWhole(op, a, b, &result)) return Value::Integer(result);
  return absl::InvalidArgumentError(
      absl::StrCat("the result of ", a, " ", SymbolOf(op), " ", b, " does not fit into 64 bits"));
}

double FloatModulo(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

double FloatFloorDivide(double a, double b) {
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

absl::StatusOr<Value> ApplyToNumbers(BinaryOperator op, const Value& a, const Value& b) {
  const double x = a.AsDouble();
  const double y = b.AsDouble();
  switch (op) {
    case BinaryOperator::kAdd:
      return Value::Float(x + y);
    case BinaryOperator::kSubtract:
      return Value::Float(x - y);
    case BinaryOperator::kMultiply:
      return Value::Float(x * y);
    case BinaryOperator::kPower:
      return RaiseFloat(x, y);
    case BinaryOperator::kDivide:
    case BinaryOperator::kFloorDivide:
    case BinaryOperator::kModulo:
      if (y == 0) return DivisionByZero();
      if (op == BinaryOperator::kDivide) return Value::Float(x / y);
      return Value::Float(op == BinaryOperator::kModulo ? FloatModulo(x, y) : FloatFloorDivide(x, y));
    default:
      return NotOf(op, a, b);
  }
}

absl::Status CheckLength(const Value& kind, int64_t length, const EvaluationLimits& limits) {
  const int64_t most = kind.IsList() ? limits.list_length : limits.string_length;
  if (length <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(kind.IsList() ? absl::StrCat("a list of more than ", most, " values")
                                                  : absl::StrCat("a string of more than ", most, " bytes"));
}

int64_t LengthOf(const Value& value) {
  return static_cast<int64_t>(value.IsList() ? value.list().size() : value.string().size());
}

absl::StatusOr<Value> Repeat(const Value& what, int64_t times, const EvaluationLimits& limits) {
  times = std::max<int64_t>(times, 0);
  if (LengthOf(what) == 0) return what;
  TUNE_RETURN_IF_ERROR(CheckLength(what, times, limits));
  TUNE_RETURN_IF_ERROR(CheckLength(what, LengthOf(what) * times, limits));
  std::string text;
  std::vector<Value> items;
  for (int64_t i = 0; i < times; ++i) {
    if (what.IsList()) {
      items.insert(items.end(), what.list().begin(), what.list().end());
    } else {
      text += what.string();
    }
  }
  return what.IsList() ? Value::List(std::move(items)) : Value::String(std::move(text));
}

absl::StatusOr<Value> Join(const Value& a, const Value& b, const EvaluationLimits& limits) {
  TUNE_RETURN_IF_ERROR(CheckLength(a, LengthOf(a) + LengthOf(b), limits));
  if (a.IsString()) return Value::String(a.string() + b.string());
  std::vector<Value> items = a.list();
  items.insert(items.end(), b.list().begin(), b.list().end());
  return Value::List(std::move(items));
}

}  // namespace

absl::StatusOr<Value> Apply(BinaryOperator op, const Value& a, const Value& b,
                            const EvaluationLimits& limits) {
  if (a.IsWhole() && b.IsWhole()) {
    TUNE_ASSIGN_OR_RETURN(Value result, ApplyToWhole(op, a.whole(), b.whole()));
    const bool logical = IsOfBits(op) && op <= BinaryOperator::kXor && a.IsBoolean() && b.IsBoolean();
    return logical ? Value::Boolean(result.IsTrue()) : result;
  }
  if (a.IsNumber() && b.IsNumber()) return ApplyToNumbers(op, a, b);
  if (op == BinaryOperator::kAdd && a.kind() == b.kind()) return Join(a, b, limits);
  if (op == BinaryOperator::kMultiply && !a.IsNumber() && b.IsWhole()) return Repeat(a, b.whole(), limits);
  if (op == BinaryOperator::kMultiply && a.IsWhole() && !b.IsNumber()) return Repeat(b, a.whole(), limits);
  return NotOf(op, a, b);
}

absl::StatusOr<Value> Apply(UnaryOperator op, const Value& operand) {
  if (op == UnaryOperator::kNot) return Value::Boolean(!operand.IsTrue());
  if (operand.IsWhole()) {
    if (op == UnaryOperator::kPlus) return Value::Integer(operand.whole());
    if (op == UnaryOperator::kInvert) return Value::Integer(~operand.whole());
    return ApplyToWhole(BinaryOperator::kSubtract, 0, operand.whole());
  }
  if (operand.IsFloat() && op == UnaryOperator::kPlus) return operand;
  if (operand.IsFloat() && op == UnaryOperator::kNegate) return Value::Float(-operand.AsDouble());
  static constexpr const char* kSymbols[] = {"-", "+", "~"};
  return absl::InvalidArgumentError(
      absl::StrCat("\"", kSymbols[static_cast<int>(op)], "\" is not defined for ", KindName(operand.kind())));
}

}  // namespace tune
