#include "common/program/block_reader.h"

#include <iterator>
#include <utility>

#include "common/program/attribute_reader.h"
#include "common/program/block_text.h"
#include "common/program/expression_reader.h"

namespace tune {
namespace {

// `iterator = first;`.
absl::Status ReadBegin(TextCursor* line, std::string* iterator, IndexExpression* first) {
  TUNE_ASSIGN_OR_RETURN(*iterator, line->TakeName());
  TUNE_RETURN_IF_ERROR(line->Expect("="));
  TUNE_ASSIGN_OR_RETURN(*first, ReadIndexExpression(line));
  return line->Expect(";");
}

class NodeReader {
 public:
  // Of nodes at this level.
  NodeReader(int level, ProgramLines* lines) : level_(level), lines_(*lines) {}

  absl::StatusOr<Node> Read(TextCursor line) {
    static constexpr std::pair<const char*, ReadKind> kKinds[] = {
        {"for", &NodeReader::ReadLoop},         {"if", &NodeReader::ReadCondition},
        {"scope", &NodeReader::ReadScope},      {"define", &NodeReader::ReadDefinition},
        {"run", &NodeReader::ReadRun},          {"transfer", &NodeReader::ReadTransfer},
        {"fill", &NodeReader::ReadFill},        {"barrier", &NodeReader::ReadBarrier},
        {"commit", &NodeReader::ReadCommit},    {"await", &NodeReader::ReadAwait},
        {"reduce", &NodeReader::ReadReduction}, {"launch", &NodeReader::ReadLaunch},
        {"turns", &NodeReader::ReadTurns},      {"merged", &NodeReader::ReadMerged},
        {"product", &NodeReader::ReadProduct},
    };
    for (const auto& [keyword, read] : kKinds) {
      if (line.TakeWords(keyword)) return (this->*read)(&line);
    }
    return line.Expected(
        "a node: for, if, scope, define, run, transfer, fill, barrier, commit, await, reduce, "
        "launch, turns, merged or product");
  }

 private:
  using ReadKind = absl::StatusOr<Node> (NodeReader::*)(TextCursor* line);

  absl::StatusOr<Block> ReadInside() { return ReadBlockAt(level_ + 1, &lines_); }

  // Of a node, one a line before what it holds.
  absl::StatusOr<std::vector<KeptElement>> ReadElements(const char* keyword) {
    std::vector<KeptElement> elements;
    while (std::optional<TextCursor> part = lines_.TakeTitle(keyword, level_ + 1)) {
      KeptElement& kept = elements.emplace_back();
      TUNE_ASSIGN_OR_RETURN(kept.element, ReadElementAccess(&*part));
      TUNE_RETURN_IF_ERROR(ReadAttributes(&*part, &kept));
    }
    return elements;
  }

  absl::StatusOr<Node> ReadLoop(TextCursor* line) {
    Loop loop;
    TUNE_RETURN_IF_ERROR(ReadBegin(line, &loop.iterator, &loop.first));
    TUNE_ASSIGN_OR_RETURN(loop.condition, ReadIndexExpression(line));
    TUNE_RETURN_IF_ERROR(line->Expect(";"));
    const TextCursor step = *line;
    TUNE_ASSIGN_OR_RETURN(const std::string iterator, line->TakeName());
    if (iterator != loop.iterator) {
      *line = step;
      return line->Expected(absl::StrCat("the loop's iterator ", loop.iterator));
    }
    TUNE_RETURN_IF_ERROR(line->Expect("+="));
    TUNE_ASSIGN_OR_RETURN(loop.step, ReadIndexExpression(line));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &loop));
    TUNE_ASSIGN_OR_RETURN(loop.fetched, ReadElements("fetch"));
    TUNE_ASSIGN_OR_RETURN(loop.collected, ReadElements("collect"));
    TUNE_ASSIGN_OR_RETURN(loop.body, ReadInside());
    return Node{std::move(loop)};
  }

  absl::StatusOr<Node> ReadCondition(TextCursor* line) {
    Condition branch;
    TUNE_ASSIGN_OR_RETURN(branch.condition, ReadIndexExpression(line));
    TUNE_RETURN_IF_ERROR(line->ExpectEnd());
    TUNE_ASSIGN_OR_RETURN(branch.then, ReadInside());
    if (std::optional<TextCursor> otherwise = lines_.TakeTitle("else", level_)) {
      TUNE_RETURN_IF_ERROR(otherwise->ExpectEnd());
      TUNE_ASSIGN_OR_RETURN(branch.otherwise, ReadInside());
    }
    return Node{std::move(branch)};
  }

  absl::StatusOr<Node> ReadScope(TextCursor* line) {
    Scope scope;
    TUNE_RETURN_IF_ERROR(line->ExpectEnd());
    TUNE_ASSIGN_OR_RETURN(scope.kept, ReadElements("keep"));
    TUNE_ASSIGN_OR_RETURN(scope.body, ReadInside());
    return Node{std::move(scope)};
  }

  absl::StatusOr<Node> ReadDefinition(TextCursor* line) {
    TUNE_ASSIGN_OR_RETURN(TypedName typed, TakeTypedName(line));
    Definition definition;
    definition.type = std::move(typed.type);
    definition.name = std::move(typed.name);
    TUNE_RETURN_IF_ERROR(line->Expect("="));
    TUNE_ASSIGN_OR_RETURN(definition.value, ReadIndexExpression(line));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &definition));
    return Node{std::move(definition)};
  }

  absl::StatusOr<Instance> ReadInstance(TextCursor* line) {
    Instance instance;
    TUNE_ASSIGN_OR_RETURN(instance.statement, line->TakeLongName());
    TUNE_RETURN_IF_ERROR(line->Expect("("));
    if (line->AtName()) {
      do {
        TUNE_ASSIGN_OR_RETURN(instance.accesses.emplace_back(), ReadElementAccess(line));
      } while (line->Take(","));
    }
    TUNE_RETURN_IF_ERROR(line->Expect(")"));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &instance));
    return instance;
  }

  absl::StatusOr<Node> ReadRun(TextCursor* line) {
    TUNE_ASSIGN_OR_RETURN(Instance instance, ReadInstance(line));
    return Node{std::move(instance)};
  }

  absl::StatusOr<Node> ReadTransfer(TextCursor* line) {
    Transfer transfer;
    TUNE_ASSIGN_OR_RETURN(transfer.to, ReadElementAccess(line));
    size_t symbol = 0;
    while (symbol < std::size(kTransferSymbols) && !line->Take(kTransferSymbols[symbol])) ++symbol;
    if (symbol == std::size(kTransferSymbols)) return line->Expected("one of =, +=, *=, min=, max=");
    transfer.update = static_cast<v1::UpdateOperator>(symbol);
    TUNE_ASSIGN_OR_RETURN(transfer.from, ReadElementAccess(line));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &transfer));
    return Node{std::move(transfer)};
  }

  absl::StatusOr<Node> ReadFill(TextCursor* line) {
    Fill fill;
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &fill));
    while (lines_.Has(level_ + 1)) {
      TUNE_ASSIGN_OR_RETURN(TextCursor part, lines_.ExpectTitle("tile", level_ + 1));
      TileFill& tile = fill.tiles.emplace_back();
      TUNE_ASSIGN_OR_RETURN(tile.to, ReadElementAccess(&part));
      TUNE_RETURN_IF_ERROR(ReadAttributes(&part, &tile));
    }
    return Node{std::move(fill)};
  }

  absl::StatusOr<Node> ReadBarrier(TextCursor* line) {
    const bool grid = line->TakeWords("grid");
    if (!grid && !line->TakeWords("block")) return line->Expected("block or grid");
    TUNE_RETURN_IF_ERROR(line->ExpectEnd());
    return Node{Barrier{grid ? Barrier::Of::kGrid : Barrier::Of::kBlock}};
  }

  absl::StatusOr<Node> ReadCommit(TextCursor* line) {
    TUNE_RETURN_IF_ERROR(line->ExpectEnd());
    return Node{CommitFills{}};
  }

  absl::StatusOr<Node> ReadAwait(TextCursor* line) {
    AwaitFills await;
    TUNE_ASSIGN_OR_RETURN(await.open, TakeInt(line));
    TUNE_RETURN_IF_ERROR(line->ExpectEnd());
    return Node{await};
  }

  absl::StatusOr<Node> ReadReduction(TextCursor* line) {
    BlockReduction reduction;
    TUNE_ASSIGN_OR_RETURN(reduction.tile, line->TakeName());
    if (!line->TakeWords("along")) return line->Expected("\"along\"");
    TUNE_ASSIGN_OR_RETURN(reduction.axis, TakeInt(line));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &reduction));
    return Node{std::move(reduction)};
  }

  absl::StatusOr<Node> ReadLaunch(TextCursor* line) {
    Launch launch;
    TUNE_ASSIGN_OR_RETURN(launch.kernel, TakeInt(line));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &launch));
    return Node{std::move(launch)};
  }

  absl::StatusOr<Node> ReadTurns(TextCursor* line) {
    BlockTurns turns;
    TUNE_ASSIGN_OR_RETURN(turns.launch.kernel, TakeInt(line));
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &turns));
    return Node{std::move(turns)};
  }

  absl::StatusOr<Node> ReadProduct(TextCursor* line) {
    Product product;
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &product));
    TUNE_ASSIGN_OR_RETURN(product.sum, ReadProductLoop("sum"));
    TUNE_ASSIGN_OR_RETURN(product.row, ReadProductLoop("row"));
    TUNE_ASSIGN_OR_RETURN(product.column, ReadProductLoop("column"));
    TUNE_ASSIGN_OR_RETURN(TextCursor run, lines_.ExpectTitle("run", level_ + 1));
    TUNE_ASSIGN_OR_RETURN(product.instance, ReadInstance(&run));
    if (std::optional<TextCursor> plain = lines_.TakeTitle("plain", level_ + 1)) {
      TUNE_RETURN_IF_ERROR(plain->ExpectEnd());
      TUNE_ASSIGN_OR_RETURN(product.plain, ReadBlockAt(level_ + 2, &lines_));
    }
    if (lines_.Has(level_ + 1)) {
      TUNE_ASSIGN_OR_RETURN(TextCursor more, lines_.ExpectTitle("plain", level_ + 1));
      return more.Expected("no second part of this name");
    }
    return Node{std::move(product)};
  }

  absl::StatusOr<Node> ReadMerged(TextCursor* line) {
    MergedLaunch merged;
    TUNE_ASSIGN_OR_RETURN(merged.function, line->TakeName());
    TUNE_RETURN_IF_ERROR(ReadAttributes(line, &merged));
    TUNE_ASSIGN_OR_RETURN(merged.body, ReadInside());
    return Node{std::move(merged)};
  }

  absl::StatusOr<ProductLoop> ReadProductLoop(const char* keyword) {
    TUNE_ASSIGN_OR_RETURN(TextCursor line, lines_.ExpectTitle(keyword, level_ + 1));
    ProductLoop loop;
    TUNE_RETURN_IF_ERROR(ReadBegin(&line, &loop.iterator, &loop.first));
    const TextCursor begin = line;
    TUNE_ASSIGN_OR_RETURN(IndexExpression condition, ReadIndexExpression(&line));
    TUNE_RETURN_IF_ERROR(line.ExpectEnd());
    loop.inclusive = condition.op == IndexExpression::Op::kLessEqual;
    if ((!loop.inclusive && condition.op != IndexExpression::Op::kLess) ||
        !condition.operands[0].IsName(loop.iterator)) {
      line = begin;
      return line.Expected(absl::StrCat(loop.iterator, " < its bound, or <="));
    }
    loop.last = std::move(condition.operands[1]);
    return loop;
  }

  const int level_;
  ProgramLines& lines_;
};

}  // namespace

absl::StatusOr<Block> ReadBlockAt(int level, ProgramLines* lines) {
  Block block;
  while (lines->Has(level)) {
    TUNE_ASSIGN_OR_RETURN(TextCursor line, lines->Take(level));
    if (level > kMostNodeLevels)
      return line.Refuse(absl::StrCat("a program has no more than ", kMostNodeLevels, " levels"));
    TUNE_ASSIGN_OR_RETURN(Node node, NodeReader(level, lines).Read(line));
    block.push_back(std::move(node));
  }
  return block;
}

}  // namespace tune
