#include "common/program/neighbour_access.h"

#include <algorithm>
#include <optional>

#include "common/array/element_type.h"
#include "common/program/known_factor.h"

namespace tune {
namespace {

bool IsTerm(const IndexExpression& expression, const std::string& name, int64_t factor) {
  if (factor == 1) return expression.IsName(name);
  return expression.op == IndexExpression::Op::kMultiply && expression.operands.size() == 2 &&
         expression.operands[0] == IndexExpression::Constant(factor) && expression.operands[1].IsName(name);
}

}  // namespace

std::optional<IndexExpression> WithoutTerm(const IndexExpression& subscript, const std::string& name,
                                           int64_t factor) {
  if (IsTerm(subscript, name, factor)) return IndexExpression::Constant(0);
  if (subscript.op != IndexExpression::Op::kAdd) return std::nullopt;
  for (size_t i = 0; i < subscript.operands.size(); ++i) {
    const std::optional<IndexExpression> rest = WithoutTerm(subscript.operands[i], name, factor);
    if (!rest) continue;
    IndexExpression without = subscript;
    without.operands[i] = *rest;
    return Mentions(without, name) ? std::nullopt : std::optional<IndexExpression>(without);
  }
  return std::nullopt;
}

int64_t ElementsOfLoad(v1::ElementType type, int64_t iterations) {
  return std::min(iterations, kMostBytesOfLoad / static_cast<int64_t>(ElementSize(type)));
}

bool AreNeighbours(const ElementAccess& access, const DeviceArray& array, const std::string& iterator,
                   int64_t iterations) {
  if (access.subscripts.empty() || access.subscripts.size() != array.extents.size()) return false;
  const int64_t at_once = ElementsOfLoad(array.type, iterations);
  for (size_t i = 0; i + 1 < access.subscripts.size(); ++i) {
    if (Mentions(access.subscripts[i], iterator)) return false;
  }
  const std::optional<IndexExpression> first = WithoutTerm(access.subscripts.back(), iterator);
  const bool rows = array.extents.size() > 1;
  return first && KnownFactor(*first) % at_once == 0 && (!rows || array.extents.back() % at_once == 0);
}

ElementAccess AccessAt(const ElementAccess& access, const std::string& iterator, int64_t iteration) {
  ElementAccess at = access;
  for (IndexExpression& subscript : at.subscripts)
    subscript = Folded(Replace(subscript, iterator, IndexExpression::Constant(iteration)));
  return at;
}

}  // namespace tune
