#include "common/transform/thread_tiles/thread_points.h"

#include <algorithm>
#include <optional>

#include "common/program/bound_name.h"
#include "common/program/loop_condition.h"
#include "common/program/rewrite.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

constexpr int64_t kUnrollAtBoundary = 4;
// So many points are unrolled, each with its condition, although they need not be: loads of all are on their
// way at once.
constexpr int64_t kFewPoints = 8;

bool HasConstantEnd(const Loop& loop) {
  return loop.condition.operands.size() == 2 && loop.condition.operands[1].IsConstant();
}

bool HasPartialPoints(const Block& block) {
  bool found = false;
  ForEachNode(block, [&](const Node& node) {
    const auto* loop = node.As<Loop>();
    found = found || (loop != nullptr && loop->points > 0 && !HasConstantBounds(*loop));
  });
  return found;
}

// An array in registers cannot be indexed by what is no constant once loops are unrolled.
bool UsesRegisters(const Block& block, const DeviceKernel& kernel) {
  bool found = false;
  ForEachNode(block, [&](const Node& node) {
    found = found || node.As<Transfer>() != nullptr || node.As<BlockReduction>() != nullptr;
    const auto* instance = node.As<Instance>();
    if (instance == nullptr) return;
    for (const ElementAccess& access : instance->accesses) {
      const Tile* const tile = kernel.FindTile(access.array);
      found = found || (tile != nullptr && !tile->shared);
    }
  });
  return found;
}

bool HasDivision(const IndexExpression& expression) {
  return expression.op == Op::kFloor || expression.op == Op::kQuotient || expression.op == Op::kRemainder ||
         std::any_of(expression.operands.begin(), expression.operands.end(), HasDivision);
}

// Makes each loop over points one that is unrolled, or not.
class Unrolling {
 public:
  Unrolling(const HelperNames& names, const DeviceKernel& kernel) : names_(names), kernel_(kernel) {}

  void All(Block* block) const {
    Block unrolled;
    for (Node& node : *block) {
      Block definitions;
      auto* const loop = node.As<Loop>();
      if (loop != nullptr && loop->points > 0) {
        Unroll(loop, &definitions);
        loop->points = 0;
      }
      for (Block* inner : node.blocks()) All(inner);
      if (definitions.empty()) {
        unrolled.push_back(std::move(node));
        continue;
      }
      definitions.push_back(std::move(node));
      unrolled.push_back({Scope{std::move(definitions)}});
    }
    *block = std::move(unrolled);
  }

 private:
  // `definitions`: what has to stand before it.
  void Unroll(Loop* loop, Block* definitions) const {
    const bool each = loop->step == IndexExpression::Constant(1);
    const bool guard_first = !loop->first.IsConstant(), guard_bound = !HasConstantEnd(*loop);
    if ((guard_first || guard_bound) &&
        (!each || (loop->points > kFewPoints && !UsesRegisters(loop->body, kernel_)))) {
      loop->unroll = Loop::kNever;
      return;
    }
    loop->unroll = Loop::kWhole;
    if (!guard_first && !guard_bound) return;
    Name(BoundName(names_, names_.least, loop->iterator), &loop->first, definitions);
    if (IsCanonical(*loop))
      Name(BoundName(names_, names_.bound, loop->iterator), &loop->condition.operands[1], definitions);
    const IndexExpression iterator = IndexExpression::Name(loop->iterator);
    IndexExpression inside =
        guard_first ? IndexExpression::Of(Op::kGreaterEqual, {iterator, loop->first}) : loop->condition;
    if (guard_first && guard_bound) inside = IndexExpression::Of(Op::kAnd, {inside, loop->condition});
    if (guard_first) loop->first = IndexExpression::Constant(0);
    if (guard_bound)
      loop->condition = IndexExpression::Of(Op::kLess, {iterator, IndexExpression::Constant(loop->points)});
    Condition guarded{std::move(inside), std::move(loop->body), {}};
    loop->body = {{std::move(guarded)}};
  }

  void Name(const std::string& name, IndexExpression* bound, Block* definitions) const {
    if (!HasDivision(*bound)) return;
    definitions->push_back({Definition{kernel_.index_type, name, *bound}});
    *bound = IndexExpression::Name(name);
  }

  const HelperNames& names_;
  const DeviceKernel& kernel_;
};

bool AreInstances(const Block& block) {
  return std::all_of(block.begin(), block.end(),
                     [](const Node& node) { return node.As<Instance>() != nullptr; });
}

// The loop of points inside of the loop of points, whose bounds do not depend on it; null: there is none.
const Loop* ColumnsOf(const Loop& rows) {
  const IndexExpression one = IndexExpression::Constant(1);
  if (rows.points == 0 || rows.step != one || HasConstantBounds(rows) || !IsCanonical(rows)) return nullptr;
  const auto* const columns = rows.body.size() == 1 ? rows.body[0].As<Loop>() : nullptr;
  if (columns == nullptr || columns->points == 0 || columns->step != one || !AreInstances(columns->body))
    return nullptr;
  const bool depends = Mentions(columns->first, rows.iterator) || Mentions(columns->condition, rows.iterator);
  return depends ? nullptr : columns;
}

// The loops over points from `rows` inwards, all of which are there, around nothing but instances; empty: it
// is no such nest of two or more.
std::vector<const Loop*> NestOfPoints(const Loop& rows) {
  std::vector<const Loop*> nest = {&rows};
  while (nest.back()->body.size() == 1 && nest.back()->body[0].As<Loop>() != nullptr)
    nest.push_back(nest.back()->body[0].As<Loop>());
  const bool all_there = std::all_of(nest.begin(), nest.end(), [](const Loop* loop) {
    return loop->points > 0 && FixedIterations(*loop) && loop->first.value == 0;
  });
  if (nest.size() < 2 || !all_there || !AreInstances(nest.back()->body)) return {};
  return nest;
}

bool SumsTermsOfTiles(const Block& block, const DeviceKernel& kernel) {
  return UsesRegisters(block, kernel) && std::all_of(block.begin(), block.end(), [&](const Node& node) {
           return ReadsSharedTile(kernel, node);
         });
}

// The nest inside of `rows` with the iterators' values replaced.
Block Columns(const std::vector<const Loop*>& nest, const IndexExpression& row, bool backward) {
  Block columns = nest[0]->body;
  ReplaceName(nest[0]->iterator, row, &columns);
  Block* inside = &columns;
  for (size_t i = 1; i < nest.size(); ++i) inside = &(*inside)[0].As<Loop>()->body;
  for (size_t i = 1; i < nest.size() && backward; ++i) {
    const std::string& iterator = nest[i]->iterator;
    ReplaceName(iterator,
                IndexExpression::Constant(*LastIteration(*nest[i])) - IndexExpression::Name(iterator),
                inside);
  }
  return columns;
}

// The nest with two rows in each iteration; nothing where they cannot be counted by twos.
std::optional<Loop> PairsOfRows(const DeviceKernel& kernel, const Loop& rows) {
  const std::vector<const Loop*> nest = NestOfPoints(rows);
  if (nest.empty() || !SumsTermsOfTiles(nest.back()->body, kernel)) return std::nullopt;
  const int64_t count = *FixedIterations(rows);
  if (count % 2 != 0) return std::nullopt;
  const IndexExpression number = IndexExpression::Name(rows.iterator);
  const IndexExpression even = IndexExpression::Constant(2) * number;
  Loop pairs = rows;
  pairs.condition = IndexExpression::Of(Op::kLess, {number, IndexExpression::Constant(count / 2)});
  pairs.points = count / 2;
  pairs.body = Columns(nest, even, /*backward=*/false);
  for (Node& column : Columns(nest, even + IndexExpression::Constant(1), /*backward=*/true))
    pairs.body.push_back(std::move(column));
  return pairs;
}

// Of nests inside one another the outermost ones.
void TurnRows(const DeviceKernel& kernel, Block* block) {
  for (Node& node : *block) {
    auto* const loop = node.As<Loop>();
    if (std::optional<Loop> pairs = loop == nullptr ? std::nullopt : PairsOfRows(kernel, *loop)) {
      *loop = *std::move(pairs);
      continue;
    }
    for (Block* inner : node.blocks()) TurnRows(kernel, inner);
  }
}

}  // namespace

void TurnAtRowEnds(DeviceKernel* kernel) { TurnRows(*kernel, &kernel->body); }

void RunWholeColumns(DeviceKernel* kernel) {
  ReplaceNodes(&kernel->body, [](Node& node) -> std::optional<Block> {
    const auto* const rows = node.As<Loop>();
    const Loop* const columns = rows == nullptr ? nullptr : ColumnsOf(*rows);
    if (columns == nullptr) return std::nullopt;
    const IndexExpression last = IndexExpression::Constant(rows->points - 1);
    IndexExpression all = IndexExpression::Of(
        Op::kAnd, {IndexExpression::Of(Op::kLessEqual, {rows->first, IndexExpression::Constant(0)}),
                   Replace(rows->condition, rows->iterator, last)});
    Loop inside = *rows, outside = *columns;
    inside.first = IndexExpression::Constant(0);
    inside.condition = IndexExpression::Of(Op::kLessEqual, {IndexExpression::Name(rows->iterator), last});
    inside.body = columns->body;
    outside.body = {{std::move(inside)}};
    return Block{{Condition{std::move(all), {{std::move(outside)}}, {{*rows}}}}};
  });
}

void UnrollBoundaryLoopsLess(DeviceKernel* kernel) {
  ForEachNode(kernel->body, [](Node& node) {
    auto* const loop = node.As<Loop>();
    if (loop == nullptr || loop->unroll <= kUnrollAtBoundary || !HasPartialPoints(loop->body)) return;
    loop->unroll = kUnrollAtBoundary;
  });
}

void UnrollPoints(const HelperNames& names, DeviceKernel* kernel) {
  Unrolling(names, *kernel).All(&kernel->body);
}

}  // namespace tune
