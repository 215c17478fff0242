// Integer expressions of iterators, coordinates and constants, as data.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tune {

// A value: copies are deep. Operands are as C has them: a comparison is 1 or 0.
struct IndexExpression {
  enum class Op {
    kConstant,  // `value`
    kName,      // `name`: of an iterator, a coordinate, or what CUDA provides ("blockIdx.x")
    kAdd,
    kSubtract,
    kMultiply,
    kQuotient,   // rounded toward zero
    kRemainder,  // of that
    kFloor,      // quotient rounded down; the divisor is positive
    kNegate,
    kMinimum,  // of two or more
    kMaximum,
    kSelect,  // the second where the first holds, else the third
    kAnd,
    kOr,
    kNot,
    kEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kToIndex,  // converted to the type of iterators: of what CUDA has as unsigned
  };
  Op op = Op::kConstant;
  int64_t value = 0;
  std::string name;
  std::vector<IndexExpression> operands;

  static IndexExpression Constant(int64_t value);
  static IndexExpression Name(std::string name);
  static IndexExpression Of(Op op, std::vector<IndexExpression> operands);

  bool IsConstant() const { return op == Op::kConstant; }
  bool IsName(const std::string& wanted) const { return op == Op::kName && name == wanted; }
  bool operator==(const IndexExpression&) const = default;
};

IndexExpression operator+(IndexExpression left, IndexExpression right);
IndexExpression operator-(IndexExpression left, IndexExpression right);
IndexExpression operator*(IndexExpression left, IndexExpression right);

// Whether the name stands in it.
bool Mentions(const IndexExpression& expression, const std::string& name);

// Adds the names that stand in it.
void CollectNames(const IndexExpression& expression, std::set<std::string>* names);

// With `value` in place of the name.
IndexExpression Replace(const IndexExpression& expression, const std::string& name,
                        const IndexExpression& value);

// With its value in place of each part that names nothing, without zeros that are added, and with comparisons
// of what is not on both sides. The preconditions of Evaluate.
IndexExpression Folded(const IndexExpression& expression);

// Its value where names have those that `value_of` tells. Preconditions: no divisor is 0, and nothing
// overflows.
int64_t Evaluate(const IndexExpression& expression,
                 const std::function<int64_t(const std::string& name)>& value_of);

}  // namespace tune
