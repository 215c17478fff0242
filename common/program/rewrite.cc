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

// Visits the index expressions of a node, not of those inside.
class NodeExpressions {
 public:
  // `origins`: those that say where a node comes from, too, which are not printed.
  NodeExpressions(const std::function<void(IndexExpression&)>& visit, bool origins)
      : visit_(visit), origins_(origins) {}

  void operator()(Loop& loop) const {
    Visit(&loop.first, &loop.condition, &loop.step);
    for (KeptElement& fetched : loop.fetched) Visit(&fetched.element.subscripts);
    for (KeptElement& collected : loop.collected) Visit(&collected.element.subscripts);
  }
  void operator()(Condition& branch) const { Visit(&branch.condition); }
  void operator()(Definition& definition) const { Visit(&definition.value); }
  void operator()(Instance& instance) const {
    for (ElementAccess& access : instance.accesses) Visit(&access.subscripts);
    Visit(&instance.affine);
    Visit(&instance.origin);
  }
  void operator()(Transfer& transfer) const {
    Visit(&transfer.to.subscripts, &transfer.from.subscripts, &transfer.origin);
  }
  void operator()(Fill& fill) const {
    for (TileFill& tile : fill.tiles) Visit(&tile.to.subscripts, &tile.first);
    Visit(&fill.origin);
  }
  void operator()(BlockReduction& reduction) const { Visit(&reduction.origin); }
  void operator()(Launch& launch) const { Visit(&launch.host, &launch.first, &launch.count); }
  void operator()(BlockTurns& turns) const { (*this)(turns.launch); }
  void operator()(Product& product) const {
    for (ProductLoop* loop : {&product.sum, &product.row, &product.column}) Visit(&loop->first, &loop->last);
    (*this)(product.instance);
  }
  void operator()(Scope& scope) const {
    for (KeptElement& kept : scope.kept) Visit(&kept.element.subscripts);
  }
  void operator()(MergedLaunch&) const {}
  void operator()(Barrier&) const {}
  void operator()(CommitFills&) const {}
  void operator()(AwaitFills&) const {}

 private:
  template <typename... Parts>
  void Visit(Parts*... parts) const {
    (VisitPart(parts), ...);
  }
  void VisitPart(IndexExpression* expression) const { visit_(*expression); }
  void VisitPart(std::vector<IndexExpression>* expressions) const {
    for (IndexExpression& expression : *expressions) visit_(expression);
  }
  void VisitPart(Origin* origin) const {
    if (origins_) VisitPart(&origin->iterators);
  }

  const std::function<void(IndexExpression&)>& visit_;
  const bool origins_;
};

void VisitExpressions(Block* block, const std::function<void(IndexExpression&)>& visit, bool origins) {
  ForEachNode(*block, [&](Node& node) { std::visit(NodeExpressions(visit, origins), node.kind); });
}

}  // namespace

void ReplaceName(const std::string& name, const IndexExpression& value, Block* block) {
  VisitExpressions(
      block, [&](IndexExpression& expression) { expression = Folded(Replace(expression, name, value)); },
      /*origins=*/true);
}

bool Mentions(Block block, const std::string& name) {
  bool found = false;
  VisitExpressions(
      &block, [&](IndexExpression& expression) { found = found || Mentions(expression, name); },
      /*origins=*/false);
  return found;
}

}  // namespace tune
