// Expressions that tuning files hold, in Python's syntax; nothing of them is executed as a program.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/expression/expression_node.h"

namespace tune {

// What is longer or deeper is refused: what works on expressions calls itself for what they hold.
inline constexpr size_t kMostExpressionLength = 65536;  // bytes
inline constexpr int kMostExpressionNesting = 100;      // parentheses, lists, calls and unary operators
inline constexpr int kMostTreeDepth = 500;              // also what a chain `a + b + ...` makes

// Integers (decimal, 0x, 0o, 0b, with underscores) of 64 bits, floats, strings, True, False, lists, tuples,
// comprehensions with several `for` and `if`, conditional expressions, `and or not`, chained comparisons,
// `in`, `not in`, arithmetic, bits, subscripts, names, and calls of the functions of function_names.h, four
// of which may have `math.` before them. Also C's `&&` and `||`, which are `and` and `or`, and `!`, which
// binds as C's does and is `not` otherwise. Operators of bits bind as in Python: more tightly than
// comparisons. Immutable.
class Expression {
 public:
  // INVALID_ARGUMENT with the column, and what was expected there.
  static absl::StatusOr<Expression> Parse(absl::string_view text);

  const std::string& text() const { return text_; }
  const ExpressionNode& root() const { return root_; }
  // The names that it uses, variables of comprehensions apart; each once, in the order of their first places.
  std::vector<std::string> Names() const;

 private:
  Expression(absl::string_view text, ExpressionNode root) : text_(text), root_(std::move(root)) {}

  std::string text_;
  ExpressionNode root_;
};

}  // namespace tune
