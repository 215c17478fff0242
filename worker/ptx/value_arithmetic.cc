#include "worker/ptx/value_arithmetic.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace tune {
namespace {

constexpr int64_t kMostFactor = int64_t{1} << 40;

bool Divides(int64_t a, int64_t b) {
  return b != 0 && !(a == std::numeric_limits<int64_t>::min() && b == -1);
}

std::optional<int64_t> ShiftedLeft(int64_t a, int64_t b) {
  int64_t shifted = 0;
  if (b < 0 || b > 62 || __builtin_mul_overflow(a, int64_t{1} << b, &shifted)) return std::nullopt;
  return shifted;
}

}  // namespace

std::optional<int64_t> Compute(ValueOperation operation, int64_t a, int64_t b, int64_t c) {
  int64_t product = 0;
  switch (operation) {
    case ValueOperation::kMultiply:
      if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
      return product;
    case ValueOperation::kDivide:
      if (!Divides(a, b)) return std::nullopt;
      return a / b;
    case ValueOperation::kRemainder:
      if (!Divides(a, b)) return std::nullopt;
      return a % b;
    case ValueOperation::kMinimum:
      return std::min(a, b);
    case ValueOperation::kMaximum:
      return std::max(a, b);
    case ValueOperation::kShiftLeft:
      return ShiftedLeft(a, b);
    case ValueOperation::kShiftRight:
      return b < 0 ? std::nullopt : std::optional(a >> std::min<int64_t>(b, 63));
    case ValueOperation::kAnd:
      return a & b;
    case ValueOperation::kOr:
      return a | b;
    case ValueOperation::kXor:
      return a ^ b;
    case ValueOperation::kSelect:
      return a != 0 ? b : c;
    case ValueOperation::kEqual:
      return a == 0;
    case ValueOperation::kUnequal:
      return a != 0;
    case ValueOperation::kLess:
      return a < 0;
    case ValueOperation::kLessEqual:
      return a <= 0;
    case ValueOperation::kGreater:
      return a > 0;
    case ValueOperation::kGreaterEqual:
      return a >= 0;
  }
  return std::nullopt;
}

std::optional<LinearForm> ComputeLinear(ValueOperation operation, const std::vector<LinearForm>& of) {
  if (operation == ValueOperation::kShiftLeft && of[1].IsConstant() && of[1].constant >= 0 &&
      of[1].constant < 40)
    return Sum({}, of[0], int64_t{1} << of[1].constant);
  if (operation != ValueOperation::kMultiply) return std::nullopt;
  for (const size_t constant : {0, 1}) {
    if (of[constant].IsConstant() && std::abs(of[constant].constant) < kMostFactor)
      return Sum({}, of[1 - constant], of[constant].constant);
  }
  return std::nullopt;
}

int IntegerBits(const PtxInstruction& instruction) {
  int bits = 0;
  const std::string& type = instruction.opcode.back();
  if (type == "pred") return 1;
  if (type.size() < 2 || !absl::StrContains("sub", type[0]) || !absl::SimpleAtoi(type.substr(1), &bits))
    return 0;
  return bits;
}

std::optional<ValueOperation> BinaryOperation(const PtxInstruction& instruction) {
  static const std::map<std::string, ValueOperation> kOperations = {
      {"mul", ValueOperation::kMultiply},  {"mul24", ValueOperation::kMultiply},
      {"div", ValueOperation::kDivide},    {"rem", ValueOperation::kRemainder},
      {"min", ValueOperation::kMinimum},   {"max", ValueOperation::kMaximum},
      {"shl", ValueOperation::kShiftLeft}, {"shr", ValueOperation::kShiftRight},
      {"and", ValueOperation::kAnd},       {"or", ValueOperation::kOr},
      {"xor", ValueOperation::kXor}};
  const auto found = kOperations.find(instruction.opcode[0]);
  if (found == kOperations.end() || (instruction.Has("hi") && !instruction.Is("shl"))) return std::nullopt;
  return found->second;
}

std::optional<ValueOperation> ComparisonOf(const PtxInstruction& instruction) {
  static const std::map<std::string, ValueOperation> kComparisons = {
      {"eq", ValueOperation::kEqual},   {"ne", ValueOperation::kUnequal},
      {"lt", ValueOperation::kLess},    {"le", ValueOperation::kLessEqual},
      {"gt", ValueOperation::kGreater}, {"ge", ValueOperation::kGreaterEqual},
      {"lo", ValueOperation::kLess},    {"ls", ValueOperation::kLessEqual},
      {"hi", ValueOperation::kGreater}, {"hs", ValueOperation::kGreaterEqual}};
  const auto found =
      instruction.opcode.size() < 2 ? kComparisons.end() : kComparisons.find(instruction.opcode[1]);
  if (found == kComparisons.end()) return std::nullopt;
  return found->second;
}

bool IsComparison(ValueOperation operation) { return operation >= ValueOperation::kEqual; }

}  // namespace tune
