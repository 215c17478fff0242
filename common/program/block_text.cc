#include "common/program/block_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/program/attribute_printer.h"

namespace tune {
namespace {

class NodePrinter {
 public:
  explicit NodePrinter(int level) : level_(level) {}

  void operator()(const Loop& loop) {
    const std::string iterator = PrintName(loop.iterator);
    Line("for ", iterator, " = ", PrintIndexExpression(loop.first), "; ",
         PrintIndexExpression(loop.condition), "; ", iterator, " += ", PrintIndexExpression(loop.step),
         PrintAttributes(loop));
    Elements("fetch ", loop.fetched);
    Elements("collect ", loop.collected);
    Inside(loop.body);
  }
  void operator()(const Condition& branch) {
    Line("if ", PrintIndexExpression(branch.condition));
    Inside(branch.then);
    if (branch.otherwise.empty()) return;
    Line("else");
    Inside(branch.otherwise);
  }
  void operator()(const Scope& scope) {
    Line("scope");
    Elements("keep ", scope.kept);
    Inside(scope.body);
  }
  void operator()(const Definition& definition) {
    Line("define ", definition.type.empty() ? "" : PrintTypeName(definition.type) + " ",
         PrintName(definition.name), " = ", PrintIndexExpression(definition.value),
         PrintAttributes(definition));
  }
  void operator()(const Instance& instance) {
    const auto append = [](std::string* text, const ElementAccess& access) {
      *text += PrintElementAccess(access);
    };
    Line("run ", PrintLongName(instance.statement), "(", absl::StrJoin(instance.accesses, ", ", append), ")",
         PrintAttributes(instance));
  }
  void operator()(const Transfer& transfer) {
    Line("transfer ", PrintElementAccess(transfer.to), " ", kTransferSymbols[transfer.update], " ",
         PrintElementAccess(transfer.from), PrintAttributes(transfer));
  }
  void operator()(const Fill& fill) {
    Line("fill", PrintAttributes(fill));
    ++level_;
    for (const TileFill& tile : fill.tiles) Line("tile ", PrintElementAccess(tile.to), PrintAttributes(tile));
    --level_;
  }
  void operator()(const Barrier& barrier) {
    Line("barrier ", barrier.of == Barrier::Of::kBlock ? "block" : "grid");
  }
  void operator()(const CommitFills&) { Line("commit"); }
  void operator()(const AwaitFills& await) { Line("await ", await.open); }
  void operator()(const BlockReduction& reduction) {
    Line("reduce ", PrintName(reduction.tile), " along ", reduction.axis, PrintAttributes(reduction));
  }
  void operator()(const Launch& launch) { Line("launch ", launch.kernel, PrintAttributes(launch)); }
  void operator()(const BlockTurns& turns) { Line("turns ", turns.launch.kernel, PrintAttributes(turns)); }
  void operator()(const MergedLaunch& merged) {
    Line("merged ", PrintName(merged.function), PrintAttributes(merged));
    Inside(merged.body);
  }
  void operator()(const Product& product) {
    Line("product", PrintAttributes(product));
    ++level_;
    ProductLine("sum ", product.sum);
    ProductLine("row ", product.row);
    ProductLine("column ", product.column);
    (*this)(product.instance);
    if (!product.plain.empty()) {
      Line("plain");
      Inside(product.plain);
    }
    --level_;
  }

  std::string text;

 private:
  template <typename... Parts>
  void Line(const Parts&... parts) {
    absl::StrAppend(&text, Indentation(level_));
    absl::StrAppend(&text, parts..., "\n");
  }

  // Of a node, one a line before what it holds.
  void Elements(const char* keyword, const std::vector<KeptElement>& elements) {
    ++level_;
    for (const KeptElement& kept : elements)
      Line(keyword, PrintElementAccess(kept.element), PrintAttributes(kept));
    --level_;
  }

  void Inside(const Block& block) { text += PrintBlockAt(block, level_ + 1); }

  void ProductLine(const char* keyword, const ProductLoop& loop) {
    const auto op = loop.inclusive ? IndexExpression::Op::kLessEqual : IndexExpression::Op::kLess;
    Line(keyword, PrintName(loop.iterator), " = ", PrintIndexExpression(loop.first), "; ",
         PrintIndexExpression(IndexExpression::Of(op, {IndexExpression::Name(loop.iterator), loop.last})));
  }

  int level_;
};

}  // namespace

std::string Indentation(int level) { return std::string(2 * level, ' '); }

std::string PrintBlockAt(const Block& block, int level) {
  NodePrinter printer(level);
  for (const Node& node : block) std::visit(printer, node.kind);
  return std::move(printer.text);
}

}  // namespace tune
