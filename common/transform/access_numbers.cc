#include "common/transform/access_numbers.h"

#include <algorithm>
#include <set>

#include "common/scop/expression_parts.h"

namespace tune {
namespace {

void CollectAccesses(const v1::Expression& expression, std::set<int>* accesses) {
  if (expression.kind_case() == v1::Expression::kAccess) accesses->insert(expression.access());
  ForEachPart(expression, [&](const v1::Expression& part) { CollectAccesses(part, accesses); });
}

void NumberByPlace(const std::vector<int>& accesses, v1::Expression* expression) {
  if (expression->kind_case() == v1::Expression::kAccess) {
    const auto place = std::find(accesses.begin(), accesses.end(), expression->access());
    expression->set_access(static_cast<int>(place - accesses.begin()));
  }
  ForEachPart(expression, [&](v1::Expression* part) { NumberByPlace(accesses, part); });
}

}  // namespace

std::vector<int> AccessesOf(const v1::Expression& expression) {
  std::set<int> accesses;
  CollectAccesses(expression, &accesses);
  return {accesses.begin(), accesses.end()};
}

v1::Expression WithAccesses(v1::Expression expression, const std::vector<int>& accesses) {
  NumberByPlace(accesses, &expression);
  return expression;
}

}  // namespace tune
