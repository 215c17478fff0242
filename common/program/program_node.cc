#include "common/program/program_node.h"

#include <algorithm>

namespace tune {
namespace {

using Expressions = std::vector<const IndexExpression*>;

void Add(const std::vector<IndexExpression>& expressions, Expressions* all) {
  for (const IndexExpression& expression : expressions) all->push_back(&expression);
}

void Add(const Launch& launch, Expressions* all) {
  Add(launch.host, all);
  Add(launch.first, all);
  Add(launch.count, all);
}

void Add(const Instance& instance, Expressions* all) {
  for (const ElementAccess& access : instance.accesses) Add(access.subscripts, all);
  Add(instance.affine, all);
}

struct Collector {
  void operator()(const Loop& loop) {
    all.insert(all.end(), {&loop.first, &loop.condition, &loop.step});
    for (const KeptElement& fetched : loop.fetched) Add(fetched.element.subscripts, &all);
    for (const KeptElement& collected : loop.collected) Add(collected.element.subscripts, &all);
  }
  void operator()(const Condition& branch) { all.push_back(&branch.condition); }
  void operator()(const Scope& scope) {
    for (const KeptElement& kept : scope.kept) Add(kept.element.subscripts, &all);
  }
  void operator()(const Definition& definition) { all.push_back(&definition.value); }
  void operator()(const Instance& instance) { Add(instance, &all); }
  void operator()(const Transfer& transfer) {
    Add(transfer.to.subscripts, &all);
    Add(transfer.from.subscripts, &all);
  }
  void operator()(const Fill& fill) {
    for (const TileFill& tile : fill.tiles) {
      Add(tile.to.subscripts, &all);
      Add(tile.first, &all);
    }
  }
  void operator()(const Barrier&) {}
  void operator()(const CommitFills&) {}
  void operator()(const AwaitFills&) {}
  void operator()(const BlockReduction&) {}
  void operator()(const Launch& launch) { Add(launch, &all); }
  void operator()(const BlockTurns& turns) { Add(turns.launch, &all); }
  void operator()(const MergedLaunch&) {}
  void operator()(const Product& product) {
    for (const ProductLoop* loop : {&product.sum, &product.row, &product.column})
      all.insert(all.end(), {&loop->first, &loop->last});
    Add(product.instance, &all);
  }
  Expressions all;
};

}  // namespace

bool Fill::IsAsynchronous() const {
  return std::any_of(tiles.begin(), tiles.end(), [](const TileFill& part) { return part.asynchronous; });
}

std::vector<const Block*> Node::blocks() const {
  if (const auto* loop = As<Loop>()) return {&loop->body};
  if (const auto* branch = As<Condition>()) return {&branch->then, &branch->otherwise};
  if (const auto* scope = As<Scope>()) return {&scope->body};
  if (const auto* merged = As<MergedLaunch>()) return {&merged->body};
  if (const auto* product = As<Product>()) return {&product->plain};
  return {};
}

std::vector<Block*> Node::blocks() {
  std::vector<Block*> blocks;
  for (const Block* block : static_cast<const Node*>(this)->blocks())
    blocks.push_back(const_cast<Block*>(block));
  return blocks;
}

std::vector<const IndexExpression*> ExpressionsOf(const Node& node) {
  Collector collector;
  std::visit(collector, node.kind);
  return std::move(collector.all);
}

void CollectNames(const Block& block, std::set<std::string>* names) {
  ForEachNode(block, [&](const Node& node) {
    for (const IndexExpression* expression : ExpressionsOf(node)) CollectNames(*expression, names);
  });
}

ElementAccess Replace(const ElementAccess& access, const std::string& name, const IndexExpression& value) {
  ElementAccess replaced = access;
  for (IndexExpression& subscript : replaced.subscripts) subscript = Replace(subscript, name, value);
  return replaced;
}

}  // namespace tune
