#include "common/program/neighbour_access.h"

#include <algorithm>
#include <optional>

#include "common/array/element_type.h"
#include "common/program/known_factor.h"

namespace tune {
namespace {

// `subscript` without the name, where that is added to the rest once.
std::optional<IndexExpression> WithoutTerm(const IndexExpression& subscript, const std::string& name) {
  if (subscript.IsName(name)) return IndexExpression::Constant(0);
  if (subscript.op != IndexExpression::Op::kAdd) return std::nullopt;
  for (size_t i = 0; i < subscript.operands.size(); ++i) {
    const std::optional<IndexExpression> rest = WithoutTerm(subscript.operands[i], name);
    if (!rest) continue;
    IndexExpression without = subscript;
    without.operands[i] = *rest;
    return Mentions(without, name) ? std::nullopt : std::optional<IndexExpression>(without);
  }
  return std::nullopt;
}

}  // namespace

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
