#include "common/transform/buffers/pipeline.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/program/loop_condition.h"
#include "common/program/node_accesses.h"
#include "common/program/rewrite.h"
#include "common/transform/buffers/fill_chain.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

IndexExpression Constant(int64_t value) { return IndexExpression::Constant(value); }

// Makes the pipeline of one chain, in which iteration n reads copy (n - base) mod copies.
class Pipeline {
 public:
  Pipeline(const DeviceKernel& kernel, int64_t copies, FillChain chain, Loop loop)
      : kernel_(kernel), copies_(copies), chain_(std::move(chain)), loop_(std::move(loop)) {
    if (!chain_.first) CountFromZero();
  }

  // The fills of the first iterations.
  Block Prologue() const {
    Block block;
    for (int64_t ahead = 0; ahead + 1 < copies_; ++ahead) AppendFill(Constant(*chain_.first + ahead), &block);
    return block;
  }

  // What stands in place of the fill of an iteration.
  Block Step(const IndexExpression& iteration) const {
    Block block;
    if (chain_.fill.IsAsynchronous()) block.push_back({AwaitFills{copies_ - 2}});
    block.push_back({Barrier{}});
    AppendFill(Folded(iteration + Constant(copies_ - 1)), &block);
    return block;
  }

  Loop MakeLoop() const {
    Loop loop = loop_;
    const size_t place = *FillOfBody(kernel_, loop_);
    const IndexExpression iteration = IndexExpression::Name(loop.iterator);
    for (size_t i = place + 1; i < loop.body.size(); ++i) ChooseCopy(iteration, &loop.body[i]);
    Block step = Step(iteration);
    const auto at = loop.body.erase(loop.body.begin() + static_cast<std::ptrdiff_t>(place));
    loop.body.insert(at, std::make_move_iterator(step.begin()), std::make_move_iterator(step.end()));
    return loop;
  }

  // Waits for the copies that are under way, so that what follows may fill the tiles again. What other parts
  // of the kernel fill only sometimes is then known to be complete either way.
  Block Drain(bool is_only) const {
    Block block;
    if (chain_.fill.IsAsynchronous()) block.push_back({AwaitFills{0}});
    if (chain_.fill.IsAsynchronous() && !is_only) block.push_back({Barrier{}});
    return block;
  }

  // What the node reads of tiles it reads of the copy of that iteration.
  void ChooseCopy(const IndexExpression& iteration, Node* node) const;

  int64_t first() const { return *chain_.first; }

 private:
  // The loop's iterator becomes first + iterator.
  void CountFromZero();

  IndexExpression CopyOf(const IndexExpression& iteration) const {
    const int64_t base = std::min<int64_t>(*chain_.first, 0);
    return Folded(IndexExpression::Of(Op::kRemainder, {iteration + Constant(-base), Constant(copies_)}));
  }

  // Of an iteration that there may not be; the group of its copies, which may be empty.
  void AppendFill(const IndexExpression& iteration, Block* block) const {
    Fill fill = FillAt(chain_.fill, loop_.iterator, iteration);
    fill.ahead = true;
    for (TileFill& part : fill.tiles) part.to.subscripts = {CopyOf(iteration)};
    const IndexExpression exists = Exists(iteration);
    if (!exists.IsConstant()) {
      block->push_back({Condition{exists, {{std::move(fill)}}, {}}});
    } else if (exists.value != 0) {
      block->push_back({std::move(fill)});
    }
    if (chain_.fill.IsAsynchronous()) block->push_back({CommitFills{}});
  }

  // Those before the loop do.
  IndexExpression Exists(const IndexExpression& iteration) const {
    const IndexExpression first = Folded(loop_.first);
    if (iteration.IsConstant() && first.IsConstant() && iteration.value < first.value) return Constant(1);
    if (!chain_.last) return Folded(Replace(loop_.condition, loop_.iterator, iteration));
    return Folded(IndexExpression::Of(Op::kLessEqual, {iteration, Constant(*chain_.last)}));
  }

  const DeviceKernel& kernel_;
  const int64_t copies_;
  FillChain chain_;
  Loop loop_;
};

void Pipeline::CountFromZero() {
  const IndexExpression value = loop_.first + IndexExpression::Name(loop_.iterator);
  ReplaceName(loop_.iterator, value, &loop_.body);
  loop_.condition = Folded(Replace(loop_.condition, loop_.iterator, value));
  chain_.fill = FillAt(chain_.fill, loop_.iterator, value);
  loop_.first = Constant(0);
  chain_.first = 0;
  chain_.last = LastIteration(loop_);
}

// Whether an access, of a fill or of what reads tiles, says of which copy of the tile it is.
bool SaysCopy(const Tile& tile, const ElementAccess& access, bool fills) {
  return fills ? !access.subscripts.empty() : access.subscripts.size() > tile.extents.size();
}

// Chooses the copy of all accesses to tiles in the node, and inside of it, that do not say it yet.
void ChooseCopies(const DeviceKernel& kernel, const IndexExpression& copy, Block* block) {
  const auto choose = [&](ElementAccess* access, bool fills) {
    const Tile* const tile = kernel.FindTile(access->array);
    if (tile != nullptr && tile->shared && !SaysCopy(*tile, *access, fills))
      access->subscripts.insert(access->subscripts.begin(), copy);
  };
  ForEachNode(*block, [&](Node& node) {
    ForEachAccess(node, [&](ElementAccess& access) { choose(&access, false); });
    if (auto* fill = node.As<Fill>()) {
      for (TileFill& part : fill->tiles) choose(&part.to, true);
    }
  });
}

void Pipeline::ChooseCopy(const IndexExpression& iteration, Node* node) const {
  Block block;
  block.push_back(std::move(*node));
  ChooseCopies(kernel_, CopyOf(iteration), &block);
  *node = std::move(block[0]);
}

class Rewriting {
 public:
  Rewriting(const DeviceKernel& kernel, int64_t copies) : kernel_(kernel), copies_(copies) {
    ForEachNode(kernel.body, [&](const Node& node) { fills_ += node.As<Fill>() != nullptr ? 1 : 0; });
  }

  // Whether any loop has become a pipeline.
  bool any() const { return any_; }

  Block Rewrite(Block block) {
    for (size_t i = 0; i < block.size(); ++i) {
      if (std::optional<FillChain> chain = ChainOf(kernel_, block, i))
        return RewriteChain(std::move(block), *std::move(chain));
    }
    for (Node& node : block) RewriteInside(&node);
    return block;
  }

 private:
  void RewriteInside(Node* node) {
    for (Block* inner : node->blocks()) *inner = Rewrite(std::move(*inner));
  }

  Block RewriteChain(Block block, FillChain chain) {
    any_ = true;
    const size_t begin = chain.before.empty() ? chain.loop : chain.before.front();
    const size_t last = chain.behind.empty() ? chain.loop : chain.behind.back();
    const Pipeline pipeline(kernel_, copies_, chain, *block[chain.loop].As<Loop>());
    const bool is_only = fills_ == 1 + chain.before.size() + chain.behind.size();
    Block rewritten;
    const auto append = [&](Block nodes) {
      std::move(nodes.begin(), nodes.end(), std::back_inserter(rewritten));
    };
    for (size_t i = 0; i < begin; ++i) {
      RewriteInside(&block[i]);
      rewritten.push_back(std::move(block[i]));
    }
    append(pipeline.Prologue());
    // Of the iteration whose fill came last; what stands behind the loop and reads tiles needs it to be
    // known.
    int64_t iteration = pipeline.first() - 1;
    size_t i = begin;
    for (; i < block.size() && (i <= last || !HasFill(block[i])); ++i) {
      if (i == chain.loop) {
        rewritten.push_back({pipeline.MakeLoop()});
        if (chain.last) iteration = *chain.last - static_cast<int64_t>(chain.behind.size());
      } else if (HasFill(block[i])) {
        append(pipeline.Step(Constant(++iteration)));
      } else {
        pipeline.ChooseCopy(Constant(iteration), &block[i]);
        rewritten.push_back(std::move(block[i]));
      }
    }
    append(pipeline.Drain(is_only));
    append(Rewrite({std::make_move_iterator(block.begin() + static_cast<std::ptrdiff_t>(i)),
                    std::make_move_iterator(block.end())}));
    return rewritten;
  }

  const DeviceKernel& kernel_;
  const int64_t copies_;
  size_t fills_ = 0;  // of the kernel
  bool any_ = false;
};

}  // namespace

void PipelineFills(int64_t copies, DeviceKernel* kernel) {
  if (copies <= 1) return;
  Rewriting rewriting(*kernel, copies);
  Block body = rewriting.Rewrite(kernel->body);
  if (!rewriting.any()) return;
  ChooseCopies(*kernel, Constant(0), &body);
  kernel->body = std::move(body);
  for (Tile& tile : kernel->tiles) {
    if (tile.shared) tile.copies = copies;
  }
}

}  // namespace tune
