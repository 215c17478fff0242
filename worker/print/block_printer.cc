#include "worker/print/block_printer.h"

namespace tune {

void BlockPrinter::PrintBlock(const Block& block) {
  for (const Node& node : block) {
    if (const auto* loop = node.As<Loop>()) {
      PrintLoop(*loop);
    } else if (const auto* branch = node.As<Condition>()) {
      PrintCondition(*branch);
    } else if (const auto* scope = node.As<Scope>()) {
      Line("{");
      PrintInside(scope->body);
      Line("}");
    } else if (const auto* definition = node.As<Definition>()) {
      Line(definition->constant ? "const " : "", definition->type, " ", definition->name, " = ",
           Text(definition->value), ";");
    } else {
      PrintOther(node);
    }
  }
}

void BlockPrinter::PrintInside(const Block& block) {
  ++indent_;
  PrintBlock(block);
  --indent_;
}

void BlockPrinter::PrintLoop(const Loop& loop) {
  PrintPragmas(loop);
  Line("for (", indices_.index_type(), " ", loop.iterator, " = ", Text(loop.first), "; ",
       Text(loop.condition), "; ", loop.iterator, " += ", Text(loop.step), ") {");
  PrintInside(loop.body);
  Line("}");
}

void BlockPrinter::PrintCondition(const Condition& branch) {
  Line("if (", Text(branch.condition), ") {");
  PrintInside(branch.then);
  if (!branch.otherwise.empty()) {
    Line("} else {");
    PrintInside(branch.otherwise);
  }
  Line("}");
}

}  // namespace tune
