#include "common/program/rewrite.h"

#include <iterator>

namespace tune {

void ReplaceNodes(Block* block, const std::function<std::optional<Block>(Node& node)>& replace) {
  Block replaced;
  replaced.reserve(block->size());
  for (Node& node : *block) {
    for (Block* inner : node.blocks()) ReplaceNodes(inner, replace);
    if (std::optional<Block> nodes = replace(node)) {
      std::move(nodes->begin(), nodes->end(), std::back_inserter(replaced));
    } else {
      replaced.push_back(std::move(node));
    }
  }
  *block = std::move(replaced);
}

namespace {

class NameReplacement {
 public:
  NameReplacement(const std::string& name, const IndexExpression& value) : name_(name), value_(value) {}

  void operator()(Loop& loop) const {
    Replace(&loop.first, &loop.condition, &loop.step);
    for (KeptElement& fetched : loop.fetched) Replace(&fetched.element.subscripts);
    for (KeptElement& collected : loop.collected) Replace(&collected.element.subscripts);
  }
  void operator()(Condition& branch) const { Replace(&branch.condition); }
  void operator()(Definition& definition) const { Replace(&definition.value); }
  void operator()(Instance& instance) const {
    for (ElementAccess& access : instance.accesses) Replace(&access.subscripts);
    Replace(&instance.affine, &instance.origin.iterators);
  }
  void operator()(Transfer& transfer) const {
    Replace(&transfer.to.subscripts, &transfer.from.subscripts, &transfer.origin.iterators);
  }
  void operator()(Fill& fill) const {
    for (TileFill& tile : fill.tiles) Replace(&tile.to.subscripts, &tile.first);
    Replace(&fill.origin.iterators);
  }
  void operator()(BlockReduction& reduction) const { Replace(&reduction.origin.iterators); }
  void operator()(Launch& launch) const { Replace(&launch.host, &launch.first, &launch.count); }
  void operator()(BlockTurns& turns) const { (*this)(turns.launch); }
  void operator()(Product& product) const {
    for (ProductLoop* loop : {&product.sum, &product.row, &product.column})
      Replace(&loop->first, &loop->last);
    (*this)(product.instance);
  }
  void operator()(Scope& scope) const {
    for (KeptElement& kept : scope.kept) Replace(&kept.element.subscripts);
  }
  void operator()(MergedLaunch&) const {}
  void operator()(Barrier&) const {}
  void operator()(CommitFills&) const {}
  void operator()(AwaitFills&) const {}

 private:
  template <typename... Parts>
  void Replace(Parts*... parts) const {
    (ReplaceIn(parts), ...);
  }
  void ReplaceIn(IndexExpression* expression) const {
    *expression = Folded(tune::Replace(*expression, name_, value_));
  }
  void ReplaceIn(std::vector<IndexExpression>* expressions) const {
    for (IndexExpression& expression : *expressions) ReplaceIn(&expression);
  }

  const std::string& name_;
  const IndexExpression& value_;
};

}  // namespace

void ReplaceName(const std::string& name, const IndexExpression& value, Block* block) {
  ForEachNode(*block, [&](Node& node) { std::visit(NameReplacement(name, value), node.kind); });
}

}  // namespace tune
