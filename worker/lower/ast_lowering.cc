#include "worker/lower/ast_lowering.h"

namespace tune {
namespace {

// The mark that stands for what is below a mark node of that name, where `mark` stands for what is above.
std::optional<LoopMark> MarkBelow(const std::string& name, const std::optional<LoopMark>& mark) {
  if (name == kLoopMarkEnd) return std::nullopt;
  const std::optional<LoopMark> own = ParseLoopMark(name);
  return own ? own : mark;
}

void ApplyMark(const LoopMark& mark, Loop* loop) {
  loop->parallel = mark.parallel;
  loop->threads = mark.threads;
  loop->simd = mark.simd;
  loop->unroll = mark.unroll > 1 ? mark.unroll : Loop::kCompilerDecides;
  loop->points = mark.points;
  loop->local = mark.local;
  loop->last = mark.last;
}

}  // namespace

Block AstLowering::Lower(const isl::ast_node& root) { return Inside(root); }

Block AstLowering::Inside(const isl::ast_node& node) {
  Block block;
  Append(node, &block);
  return block;
}

void AstLowering::Append(const isl::ast_node& node, Block* block) {
  if (node.isa<isl::ast_node_user>()) {
    for (Node& lowered : LowerUser(node.as<isl::ast_node_user>())) block->push_back(std::move(lowered));
  } else if (node.isa<isl::ast_node_block>()) {
    AppendAll(node.as<isl::ast_node_block>().children(), block);
  } else if (node.isa<isl::ast_node_if>()) {
    const auto branch = node.as<isl::ast_node_if>();
    Condition condition{expressions_.Lower(branch.cond()), Inside(branch.then_node()), {}};
    if (branch.has_else_node()) condition.otherwise = Inside(branch.else_node());
    block->push_back({std::move(condition)});
  } else if (node.isa<isl::ast_node_for>()) {
    AppendLoop(node.as<isl::ast_node_for>(), block);
  } else if (const isl::ast_expr* exclusion = ExclusionOf(node)) {
    IndexExpression runs = IndexExpression::Of(IndexExpression::Op::kNot, {expressions_.Lower(*exclusion)});
    block->push_back({Condition{std::move(runs), Inside(node.as<isl::ast_node_mark>().node()), {}}});
  } else {
    AppendMark(node.as<isl::ast_node_mark>(), block);
  }
}

void AstLowering::AppendAll(const isl::ast_node_list& nodes, Block* block) {
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const isl::ast_node node = nodes.at(i);
    const isl::ast_expr* const exclusion = ExclusionOf(node);
    const bool after_if = i > 0 && nodes.at(i - 1).isa<isl::ast_node_if>();
    Condition* const before = after_if ? block->back().As<Condition>() : nullptr;
    if (exclusion != nullptr && before != nullptr && before->otherwise.empty() &&
        before->condition == expressions_.Lower(*exclusion)) {
      before->otherwise = Inside(node.as<isl::ast_node_mark>().node());
    } else {
      Append(node, block);
    }
  }
}

const isl::ast_expr* AstLowering::ExclusionOf(const isl::ast_node& node) const {
  if (!node.isa<isl::ast_node_mark>()) return nullptr;
  const auto found = exclusions_.find(node.as<isl::ast_node_mark>().id().name());
  return found == exclusions_.end() ? nullptr : &found->second;
}

void AstLowering::AppendMark(const isl::ast_node_mark& node, Block* block) {
  const std::string name = node.id().name();
  const std::optional<LoopMark> before = mark_;
  mark_ = MarkBelow(name, before);
  Block below = Inside(node.node());
  mark_ = before;
  if (std::optional<Node> own = LowerMark(name, below)) return block->push_back(*std::move(own));
  for (Node& lowered : below) block->push_back(std::move(lowered));
}

void AstLowering::AppendLoop(const isl::ast_node_for& node, Block* block) {
  const std::string iterator = node.iterator().as<isl::ast_expr_id>().id().name();
  if (node.is_degenerate()) {
    expressions_.Set(iterator, expressions_.Lower(node.init()));
    expressions_.EnterLoop(iterator);
    Append(node.body(), block);
    return expressions_.LeaveLoop();
  }
  // Loops beside one another have iterators of one name, and one of them may have had one iteration.
  expressions_.Release(iterator);
  Loop loop;
  loop.iterator = iterator;
  loop.first = expressions_.Lower(node.init());
  loop.condition = expressions_.Lower(node.cond());
  loop.step = expressions_.Lower(node.inc());
  if (mark_) ApplyMark(*mark_, &loop);
  expressions_.EnterLoop(iterator);
  loop.body = Inside(node.body());
  expressions_.LeaveLoop();
  block->push_back({std::move(loop)});
}

}  // namespace tune
