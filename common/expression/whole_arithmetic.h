// Python's arithmetic on integers of 64 bits.
#pragma once

#include <cstdint>
#include <limits>

#include "common/expression/expression_node.h"

namespace tune {

// Whether the quotient, rounded down, exists and fits.
inline bool DividesWithin(int64_t a, int64_t b) {
  return b != 0 && !(b == -1 && a == std::numeric_limits<int64_t>::min());
}

// Rounded down. Precondition: DividesWithin.
inline int64_t FloorDivide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// With the divisor's sign. Precondition: b != 0.
inline int64_t FloorModulo(int64_t a, int64_t b) {
  if (b == -1) return 0;
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

// False where it does not fit. Precondition: exponent >= 0.
inline bool RaiseWithin(int64_t base, int64_t exponent, int64_t* power) {
  *power = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1 && __builtin_mul_overflow(*power, base, power)) return false;
    if (exponent > 1 && __builtin_mul_overflow(base, base, &base)) return false;
  }
  return true;
}

// False where it does not fit. Precondition: count >= 0.
inline bool ShiftLeftWithin(int64_t value, int64_t count, int64_t* shifted) {
  if (value == 0) return *shifted = 0, true;
  return count < 63 ? !__builtin_mul_overflow(value, int64_t{1} << count, shifted)
                    : value == -1 && count == 63 && (*shifted = std::numeric_limits<int64_t>::min(), true);
}

// a op b as an integer; false where the result is none, does not fit or is an error. Not of `/`.
inline bool ApplyWhole(BinaryOperator op, int64_t a, int64_t b, int64_t* result) {
  switch (op) {
    case BinaryOperator::kAdd:
      return !__builtin_add_overflow(a, b, result);
    case BinaryOperator::kSubtract:
      return !__builtin_sub_overflow(a, b, result);
    case BinaryOperator::kMultiply:
      return !__builtin_mul_overflow(a, b, result);
    case BinaryOperator::kFloorDivide:
      return DividesWithin(a, b) && (*result = FloorDivide(a, b), true);
    case BinaryOperator::kModulo:
      return b != 0 && (*result = FloorModulo(a, b), true);
    case BinaryOperator::kPower:
      return b >= 0 && RaiseWithin(a, b, result);
    case BinaryOperator::kAnd:
      return *result = a & b, true;
    case BinaryOperator::kOr:
      return *result = a | b, true;
    case BinaryOperator::kXor:
      return *result = a ^ b, true;
    case BinaryOperator::kShiftLeft:
      return b >= 0 && ShiftLeftWithin(a, b, result);
    case BinaryOperator::kShiftRight:
      return b >= 0 && (*result = a >> (b < 63 ? b : 63), true);
    case BinaryOperator::kDivide:
      return false;
  }
  return false;
}

}  // namespace tune
