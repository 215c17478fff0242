// Expressions as trees.
#pragma once

#include <string>
#include <vector>

#include "common/expression/value.h"

namespace tune {

enum class Comparison : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kIn,
  kNotIn
};
enum class UnaryOperator : uint8_t { kNegate, kPlus, kInvert, kNot };
enum class BinaryOperator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight
};
enum class Function : uint8_t {
  kAbs,
  kAll,
  kAny,
  kBool,
  kCeil,
  kFloat,
  kFloor,
  kInt,
  kLen,
  kList,
  kLog2,
  kMax,
  kMin,
  kPow,
  kRange,
  kRound,
  kSqrt,
  kStr,
  kSum
};

struct ExpressionNode {
  enum class Kind : uint8_t {
    kLiteral,
    kName,           // of a parameter: `slot`
    kLocal,          // of a comprehension's variable: `slot`
    kUnary,          // one operand
    kBinary,         // two
    kAnd,            // two or more; the first that is false, else the last
    kOr,             // two or more; the first that is true, else the last
    kCompare,        // operands, one more than `comparisons`
    kConditional,    // condition, then, otherwise
    kList,           // items
    kComprehension,  // item, and one operand for each clause
    kSubscript,      // of what, which
    kCall            // arguments of `function`
  };
  // `for variable in operand` or, without a variable, `if operand`.
  struct Clause {
    std::string variable;
    int slot = -1;  // of the variable
    bool is_loop() const { return !variable.empty(); }
  };

  Kind kind = Kind::kLiteral;
  UnaryOperator unary = UnaryOperator::kNegate;
  BinaryOperator binary = BinaryOperator::kAdd;
  Function function = Function::kAbs;
  int column = 1;  // of the operator or the first character, in bytes from 1
  int depth = 1;   // nodes from here to the deepest leaf
  int slot = -1;   // kName, kLocal: where the value stands, once names are resolved
  Value literal;
  std::string name;
  std::vector<Comparison> comparisons;
  std::vector<Clause> clauses;
  std::vector<ExpressionNode> operands;
};

// INVALID_ARGUMENT: "column 8: WHY".
inline absl::Status ExpressionError(int column, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("column ", column, ": ", why));
}

}  // namespace tune
