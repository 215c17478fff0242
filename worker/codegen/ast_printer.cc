#include "worker/codegen/ast_printer.h"

namespace tune {

void AstPrinter::PrintNode(const isl::ast_node& node) {
  if (node.isa<isl::ast_node_user>()) {
    PrintUser(node.as<isl::ast_node_user>());
  } else if (node.isa<isl::ast_node_block>()) {
    alone_ = false;
    const isl::ast_node_list children = node.as<isl::ast_node_block>().children();
    for (unsigned i = 0; i < children.size(); ++i) PrintNode(children.at(i));
  } else if (node.isa<isl::ast_node_if>()) {
    PrintIf(node.as<isl::ast_node_if>());
  } else if (node.isa<isl::ast_node_for>()) {
    PrintFor(node.as<isl::ast_node_for>());
  } else {
    PrintMark(node.as<isl::ast_node_mark>());
  }
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
  const std::string name = node.id().name();
  const std::optional<LoopMark> before = mark_;
  if (name == kLoopMarkEnd) {
    mark_.reset();
  } else if (const std::optional<LoopMark> mark = ParseLoopMark(name)) {
    mark_ = mark;
  }
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

void AstPrinter::PrintFor(const isl::ast_node_for& node) {
  const std::string iterator = node.iterator().as<isl::ast_expr_id>().id().name();
  if (node.is_degenerate()) {
    expressions_.SetIterator(iterator, expressions_.Print(node.init()));
    return PrintNode(node.body());
  }
  const auto condition = node.cond().as<isl::ast_expr_op>();
  std::string condition_text = expressions_.Print(condition).text;
  const bool block = PrintBeforeFor(iterator, condition, condition_text);
  const std::string step = expressions_.Print(node.inc()).text;
  Line("for (", iterator_type_, " ", iterator, " = ", expressions_.Print(node.init()).text, "; ",
       condition_text, "; ", iterator, " += ", step, ") {");
  PrintInside(node.body());
  Line("}");
  if (!block) return;
  --indent_;
  Line("}");
}

}  // namespace tune
