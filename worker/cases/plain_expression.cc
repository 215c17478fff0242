#include "worker/cases/plain_expression.h"

#include <map>

#include "common/base/c_identifier.h"
#include "common/scop/parameter_product.h"
#include "worker/print/index_text.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

IndexExpression WithoutMacros(IndexExpression expression) {
  for (IndexExpression& operand : expression.operands) operand = WithoutMacros(operand);
  const bool minimum = expression.op == Op::kMinimum;
  if (minimum || expression.op == Op::kMaximum) {
    IndexExpression extreme = expression.operands[0];
    for (size_t i = 1; i < expression.operands.size(); ++i) {
      const IndexExpression& other = expression.operands[i];
      IndexExpression better = IndexExpression::Of(minimum ? Op::kLess : Op::kGreater, {extreme, other});
      extreme = IndexExpression::Of(Op::kSelect, {std::move(better), extreme, other});
    }
    return extreme;
  }
  if (expression.op != Op::kFloor) return expression;
  const IndexExpression &number = expression.operands[0], &divisor = expression.operands[1];
  const auto quotient = [&](IndexExpression of) {
    return IndexExpression::Of(Op::kQuotient, {std::move(of), divisor});
  };
  const IndexExpression up =
      IndexExpression::Of(Op::kNegate, {number}) + divisor - IndexExpression::Constant(1);
  return IndexExpression::Of(Op::kSelect,
                             {IndexExpression::Of(Op::kLess, {number, IndexExpression::Constant(0)}),
                              IndexExpression::Of(Op::kNegate, {quotient(up)}), quotient(number)});
}

}  // namespace

std::string PlainText(const IndexExpression& expression) {
  return IndexPrinter(HelperNames(), "long long").Print(WithoutMacros(expression)).text;
}

std::string UserText(const IndexExpression& expression, const v1::Scop& scop) {
  std::map<std::string, std::string> written;
  for (const v1::Parameter& parameter : scop.parameters())
    if (!parameter.factors().empty()) written[parameter.name()] = ParameterText(parameter);
  const std::string text = PlainText(expression);
  std::string result;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    const bool name = IsNameCharacter(text[begin]);
    for (end = begin; end < text.size() && IsNameCharacter(text[end]) == name;) ++end;
    const std::string word = text.substr(begin, end - begin);
    const auto product = written.find(word);
    result += product == written.end() ? word : product->second;
  }
  return result;
}

}  // namespace tune
