#include "worker/codegen/point_loops.h"

namespace tune {
namespace {

class Examination {
 public:
  explicit Examination(const std::function<bool(const isl::ast_node_user&)>& uses_registers)
      : uses_registers_(uses_registers) {}

  void Visit(const isl::ast_node& node, const std::optional<LoopMark>& mark) {
    if (node.isa<isl::ast_node_user>()) {
      found.registers = found.registers || uses_registers_(node.as<isl::ast_node_user>());
    } else if (node.isa<isl::ast_node_block>()) {
      const isl::ast_node_list children = node.as<isl::ast_node_block>().children();
      for (unsigned i = 0; i < children.size(); ++i) Visit(children.at(i), mark);
    } else if (node.isa<isl::ast_node_if>()) {
      const auto branch = node.as<isl::ast_node_if>();
      Visit(branch.then_node(), mark);
      if (branch.has_else_node()) Visit(branch.else_node(), mark);
    } else if (node.isa<isl::ast_node_for>()) {
      VisitFor(node.as<isl::ast_node_for>(), mark);
    } else {
      const auto inner = node.as<isl::ast_node_mark>();
      Visit(inner.node(), MarkBelow(inner, mark));
    }
  }

  PointLoops found;

 private:
  void VisitFor(const isl::ast_node_for& loop, const std::optional<LoopMark>& mark) {
    if (!loop.is_degenerate() && mark && mark->points > 0) {
      const bool constant = loop.init().isa<isl::ast_expr_int>() &&
                            loop.cond().as<isl::ast_expr_op>().arg(1).isa<isl::ast_expr_int>();
      found.partial = found.partial || !constant;
    }
    Visit(loop.body(), mark);
  }

  const std::function<bool(const isl::ast_node_user&)>& uses_registers_;
};

}  // namespace

PointLoops ExaminePointLoops(const isl::ast_node& node, std::optional<LoopMark> mark,
                             const std::function<bool(const isl::ast_node_user&)>& uses_registers) {
  Examination examination(uses_registers);
  examination.Visit(node, mark);
  return examination.found;
}

std::optional<LoopMark> MarkBelow(const isl::ast_node_mark& node, const std::optional<LoopMark>& mark) {
  const std::string name = node.id().name();
  if (name == kLoopMarkEnd) return std::nullopt;
  const std::optional<LoopMark> own = ParseLoopMark(name);
  return own ? own : mark;
}

}  // namespace tune
