#include "worker/print/block_printer.h"

#include "common/array/element_type.h"
#include "common/program/node_accesses.h"

namespace tune {

void BlockPrinter::PrintBlock(const Block& block) {
  for (const Node& node : block) {
    if (const auto* loop = node.As<Loop>()) {
      PrintLoop(*loop);
    } else if (const auto* branch = node.As<Condition>()) {
      PrintCondition(*branch);
    } else if (const auto* scope = node.As<Scope>()) {
      PrintScope(*scope);
    } else if (const auto* definition = node.As<Definition>()) {
      Line(definition->constant ? "const " : "", definition->type, " ", definition->name, " = ",
           Text(definition->value), ";");
    } else {
      PrintOther(node);
    }
  }
}

// What is kept has a variable of its own in the body, which is touched in its place.
void BlockPrinter::PrintScope(const Scope& scope) {
  Line("{");
  ++indent_;
  Block body = scope.body;
  std::vector<std::string> names;
  for (const KeptElement& kept : scope.kept) {
    names.push_back(absl::StrCat(names_.reduction, names.size()));
    Line(ElementCType(kept.type), " ", names.back(), " = ", indices_.PrintAccess(kept.element).text, ";");
    ForEachNode(body, [&](Node& node) {
      ForEachAccess(node, [&](ElementAccess& access) {
        if (access == kept.element) access = {names.back(), {}};
      });
    });
  }
  PrintBlock(body);
  for (size_t i = 0; i < names.size(); ++i)
    Line(indices_.PrintAccess(scope.kept[i].element).text, " = ", names[i], ";");
  --indent_;
  Line("}");
}

void BlockPrinter::PrintInside(const Block& block) {
  ++indent_;
  PrintBlock(block);
  --indent_;
}

void BlockPrinter::PrintUnrollPragma(const Loop& loop) {
  if (loop.unroll == Loop::kCompilerDecides) return;
  Directive(loop.unroll == Loop::kWhole ? "#pragma unroll" : absl::StrCat("#pragma unroll ", loop.unroll));
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
