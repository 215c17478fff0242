#include "worker/codegen/ast_printer.h"

#include "worker/codegen/point_loops.h"

namespace tune {
namespace {

// So many points are unrolled, each with its condition, although they need not be: loads of all are on their
// way at once.
constexpr int64_t kFewPoints = 8;

}  // namespace

void AstPrinter::PrintNode(const isl::ast_node& node) {
  if (node.isa<isl::ast_node_user>()) {
    PrintUser(node.as<isl::ast_node_user>());
  } else if (node.isa<isl::ast_node_block>()) {
    alone_ = false;
    PrintBlock(node.as<isl::ast_node_block>().children());
  } else if (node.isa<isl::ast_node_if>()) {
    PrintIf(node.as<isl::ast_node_if>());
  } else if (node.isa<isl::ast_node_for>()) {
    PrintFor(node.as<isl::ast_node_for>());
  } else {
    PrintMark(node.as<isl::ast_node_mark>());
  }
}

void AstPrinter::PrintBlock(const isl::ast_node_list& nodes) {
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const bool both = i + 1 < nodes.size() && nodes.at(i).isa<isl::ast_node_if>() &&
                      PrintAsElse(nodes.at(i).as<isl::ast_node_if>(), nodes.at(i + 1));
    if (both) {
      ++i;
    } else {
      PrintNode(nodes.at(i));
    }
  }
}

bool AstPrinter::PrintAsElse(const isl::ast_node_if& node, const isl::ast_node& next) {
  if (node.has_else_node() || !next.isa<isl::ast_node_mark>()) return false;
  const auto mark = next.as<isl::ast_node_mark>();
  const isl::ast_expr exclusion = Exclusion(mark.id().name());
  if (exclusion.is_null()) return false;
  const std::string condition = expressions_.Print(node.cond()).text;
  if (condition != expressions_.Print(exclusion).text) return false;
  Line("if (", condition, ") {");
  PrintInside(node.then_node());
  Line("} else {");
  PrintInside(mark.node());
  Line("}");
  return true;
}

void AstPrinter::PrintInside(const isl::ast_node& node) {
  ++indent_;
  BeginInside();
  alone_ = true;
  PrintNode(node);
  alone_ = false;
  EndInside();
  --indent_;
}

void AstPrinter::PrintMark(const isl::ast_node_mark& node) {
  if (PrintAtMark(node)) return;
  const isl::ast_expr exclusion = Exclusion(node.id().name());
  if (!exclusion.is_null()) {
    Line("if (", UnaryText("!", expressions_.Print(exclusion)).text, ") {");
    PrintInside(node.node());
    return Line("}");
  }
  const std::optional<LoopMark> before = mark_;
  mark_ = MarkBelow(node, before);
  PrintNode(node.node());
  mark_ = before;
}

void AstPrinter::PrintIf(const isl::ast_node_if& node) {
  Line("if (", expressions_.Print(node.cond()).text, ") {");
  PrintInside(node.then_node());
  if (node.has_else_node()) {
    Line("} else {");
    PrintInside(node.else_node());
  }
  Line("}");
}

// Unrolled as a whole where its bounds are constants, where registers need it and where it is short: then it
// is of a constant length, with bounds that are none as conditions inside. A plain loop otherwise.
void AstPrinter::PrintPoints(const isl::ast_node_for& node, const std::string& iterator) {
  const auto condition = node.cond().as<isl::ast_expr_op>();
  const CText first = expressions_.Print(node.init());
  const CText bound = expressions_.Print(condition);
  const bool each = node.inc().isa<isl::ast_expr_int>() && node.inc().as<isl::ast_expr_int>().val().is_one();
  bool guard_first = !node.init().isa<isl::ast_expr_int>();
  bool guard_bound = !condition.arg(1).isa<isl::ast_expr_int>();
  const bool guarded = guard_first || guard_bound;
  const bool plain = guarded && (!each || (mark_->points > kFewPoints && !NeedsConstants(node.body())));
  if (plain) guard_first = guard_bound = false;
  Directive(plain ? "#pragma unroll 1" : "#pragma unroll");
  Line("for (", iterator_type_, " ", iterator, " = ", guard_first ? "0" : first.text, "; ",
       guard_bound ? absl::StrCat(iterator, " < ", mark_->points) : bound.text, "; ", iterator,
       " += ", expressions_.Print(node.inc()).text, ") {");
  CText inside = guard_first ? BinaryText(">=", {iterator}, first) : bound;
  if (guard_first && guard_bound) inside = BinaryText("&&", inside, bound);
  if (guard_first || guard_bound) {
    ++indent_;
    Line("if (", inside.text, ") {");
    PrintInside(node.body());
    Line("}");
    --indent_;
  } else {
    PrintInside(node.body());
  }
  Line("}");
}

void AstPrinter::PrintFor(const isl::ast_node_for& node) {
  const std::string iterator = node.iterator().as<isl::ast_expr_id>().id().name();
  if (node.is_degenerate()) {
    expressions_.SetIterator(iterator, expressions_.Print(node.init()));
    return PrintNode(node.body());
  }
  // Loops beside one another have iterators of one name, and one of them may have had no C loop.
  expressions_.ReleaseIterator(iterator);
  if (mark_ && mark_->points > 0) return PrintPoints(node, iterator);
  BeginFor(node);
  const auto condition = node.cond().as<isl::ast_expr_op>();
  std::string condition_text = expressions_.Print(condition).text;
  const bool block = PrintBeforeFor(node, iterator, condition_text);
  const std::string step = expressions_.Print(node.inc()).text;
  Line("for (", iterator_type_, " ", iterator, " = ", expressions_.Print(node.init()).text, "; ",
       condition_text, "; ", iterator, " += ", step, ") {");
  PrintInside(node.body());
  Line("}");
  if (block) {
    --indent_;
    Line("}");
  }
  EndFor(node);
}

}  // namespace tune
