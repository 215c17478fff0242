#include "common/transform/buffers/fill_chain.h"

#include "common/program/loop_condition.h"

namespace tune {
namespace {

bool ReadsTiles(const DeviceKernel& kernel, const Node& node) {
  bool reads = false;
  ForEachNode({node}, [&](const Node& inner) { reads = reads || ReadsSharedTile(kernel, inner); });
  return reads;
}

// Whether the fill is one of each iteration: its instance has the iterator itself as a number, and no other
// number mentions it.
bool IsOfIteration(const Fill& fill, const std::string& iterator) {
  int found = 0;
  for (const IndexExpression& number : fill.origin.iterators) {
    if (number.IsName(iterator)) {
      ++found;
    } else if (Mentions(number, iterator)) {
      return false;
    }
  }
  return found == 1;
}

void FoldAll(std::vector<IndexExpression>* expressions) {
  for (IndexExpression& expression : *expressions) expression = Folded(expression);
}

// Without what may differ from iteration to iteration where nothing else does: guards.
Fill Comparable(Fill fill) {
  FoldAll(&fill.origin.iterators);
  for (TileFill& part : fill.tiles) {
    FoldAll(&part.first);
    FoldAll(&part.to.subscripts);
    part.before.assign(part.before.size(), false);
    part.behind.assign(part.behind.size(), false);
  }
  return fill;
}

// The guards of another fill of the same tiles, too.
void AddGuards(const Fill& other, Fill* fill) {
  for (size_t i = 0; i < fill->tiles.size(); ++i) {
    const auto add = [](const std::vector<bool>& guards, std::vector<bool>* to) {
      for (size_t d = 0; d < to->size(); ++d) (*to)[d] = (*to)[d] || guards[d];
    };
    add(other.tiles[i].before, &fill->tiles[i].before);
    add(other.tiles[i].behind, &fill->tiles[i].behind);
  }
}

// Takes fills that stand in the block itself, away from the loop in one direction, as long as they are those
// of the next iterations.
class Neighbours {
 public:
  Neighbours(const Block& block, const std::string& iterator, FillChain* chain)
      : block_(block), iterator_(iterator), chain_(*chain) {}

  void TakeBefore() {
    for (size_t place = chain_.loop; place-- > 0;) {
      if (!HasFill(block_[place])) continue;
      if (!Takes(place, *chain_.first - 1)) return;
      chain_.before.insert(chain_.before.begin(), place);
      --*chain_.first;
    }
  }
  void TakeBehind() {
    for (size_t place = chain_.loop + 1; place < block_.size(); ++place) {
      if (!HasFill(block_[place])) continue;
      if (!Takes(place, *chain_.last + 1)) return;
      chain_.behind.push_back(place);
      ++*chain_.last;
    }
  }

 private:
  bool Takes(size_t place, int64_t iteration) {
    const auto* const fill = block_[place].As<Fill>();
    if (fill == nullptr) return false;
    const Fill wanted = FillAt(chain_.fill, iterator_, IndexExpression::Constant(iteration));
    if (Comparable(*fill) != Comparable(wanted)) return false;
    AddGuards(*fill, &chain_.fill);
    return true;
  }

  const Block& block_;
  const std::string& iterator_;
  FillChain& chain_;
};

}  // namespace

bool HasFill(const Node& node) {
  bool found = false;
  ForEachNode({node}, [&](const Node& inner) { found = found || inner.As<Fill>() != nullptr; });
  return found;
}

std::optional<size_t> FillOfBody(const DeviceKernel& kernel, const Loop& loop) {
  std::optional<size_t> place;
  for (size_t i = 0; i < loop.body.size(); ++i) {
    const Node& node = loop.body[i];
    if (!place && ReadsTiles(kernel, node)) return {};
    if (!HasFill(node)) continue;
    if (place || node.As<Fill>() == nullptr) return {};
    place = i;
  }
  return place;
}

Fill FillAt(const Fill& fill, const std::string& iterator, const IndexExpression& iteration) {
  Fill at = fill;
  const auto replace = [&](std::vector<IndexExpression>* expressions) {
    for (IndexExpression& expression : *expressions)
      expression = Folded(Replace(expression, iterator, iteration));
  };
  replace(&at.origin.iterators);
  for (TileFill& part : at.tiles) {
    replace(&part.first);
    replace(&part.to.subscripts);
  }
  return at;
}

std::optional<FillChain> ChainOf(const DeviceKernel& kernel, const Block& block, size_t place) {
  const auto* const loop = block[place].As<Loop>();
  if (loop == nullptr || loop->step != IndexExpression::Constant(1)) return {};
  const std::optional<size_t> in_body = FillOfBody(kernel, *loop);
  if (!in_body) return {};
  FillChain chain;
  chain.loop = place;
  chain.fill = *loop->body[*in_body].As<Fill>();
  if (!IsOfIteration(chain.fill, loop->iterator)) return {};
  const IndexExpression first = Folded(loop->first);
  if (first.IsConstant()) chain.first = first.value;
  if (chain.first) chain.last = LastIteration(*loop);
  if (!chain.last) {
    // What reads the tiles of the last iteration behind the loop could not say which one that is.
    for (size_t i = place + 1; i < block.size() && !HasFill(block[i]); ++i) {
      if (ReadsTiles(kernel, block[i])) return {};
    }
  }
  Neighbours neighbours(block, loop->iterator, &chain);
  if (chain.first) neighbours.TakeBefore();
  if (chain.last) neighbours.TakeBehind();
  return chain;
}

}  // namespace tune
