#include "tests/program_interpreter/statement_value.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "absl/strings/numbers.h"
#include "common/program/statement_value.h"

namespace tune::testing {
namespace {

Residue OfOperation(const std::string& op, const std::vector<Residue>& operands) {
  if (op == "?:") return operands[0] != 0 ? operands[1] : operands[2];
  if (operands.size() > 2) return std::accumulate(operands.begin(), operands.end(), Residue{0}, Add);
  const Residue a = operands[0];
  if (operands.size() == 1) return op == "-" ? Negative(a) : op == "+" ? a : HashOf(op, a);
  const Residue b = operands[1];
  if (op == "+") return Add(a, b);
  if (op == "-") return Add(a, Negative(b));
  if (op == "*") return Multiply(a, b);
  if (op == "/") return Multiply(a, Inverse(b));
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  return HashOf(op, HashOf("second", b) + a);
}

}  // namespace

Residue ValueOf(const v1::Expression& expression, const ElementReader& read,
                const std::function<int64_t(const v1::Expression&)>& affine) {
  const auto all = [&](const auto& parts) {
    std::vector<Residue> values;
    for (const v1::Expression& part : parts) values.push_back(ValueOf(part, read, affine));
    return values;
  };
  switch (expression.kind_case()) {
    case v1::Expression::kLiteral: {
      double number = 0;
      const bool whole =
          absl::SimpleAtod(expression.literal(), &number) && number == static_cast<int>(number);
      return whole ? FromInteger(static_cast<int>(number)) : HashOf(expression.literal());
    }
    case v1::Expression::kAccess:
      return read(expression.access(), {});
    case v1::Expression::kAffine:
      return FromInteger(affine(expression));
    case v1::Expression::kCast:
      return ValueOf(expression.cast().operand(), read, affine);
    case v1::Expression::kCall: {
      Residue hash = HashOf(expression.call().function());
      for (const Residue argument : all(expression.call().arguments()))
        hash = HashOf("argument", hash + argument);
      return hash;
    }
    default:
      if (expression.operation().op() == kElementOf) {
        std::vector<Residue> subscripts;
        for (int i = 1; i < expression.operation().operands_size(); ++i)
          subscripts.push_back(ValueOf(expression.operation().operands(i), read, affine));
        return read(expression.operation().operands(0).access(), subscripts);
      }
      return OfOperation(expression.operation().op(), all(expression.operation().operands()));
  }
}

Residue Updated(v1::UpdateOperator update, Residue target, Residue value) {
  switch (update) {
    case v1::ADD:
      return Add(target, value);
    case v1::MULTIPLY:
      return Multiply(target, value);
    case v1::MIN:
      return std::min(target, value);
    case v1::MAX:
      return std::max(target, value);
    default:
      return value;
  }
}

Residue IdentityOf(v1::UpdateOperator update) {
  return update == v1::MULTIPLY ? 1 : update == v1::MIN ? kModulus : 0;
}

}  // namespace tune::testing
