#include "worker/print/loads_ahead_text.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "common/program/node_accesses.h"
#include "common/program/rewrite.h"
#include "common/program/row_access.h"
#include "worker/print/row_pieces_text.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

class Chunks {
 public:
  Chunks(const Loop& loop, const std::string& index_type, const HelperNames& names)
      : loop_(loop), index_type_(index_type), names_(names), pieces_(loop, names) {}

  LoopInChunks Make() const {
    LoopInChunks chunks;
    chunks.first = names_.ahead;
    for (size_t i = 0; i < loop_.fetched.size(); ++i)
      chunks.declarations.push_back(pieces_.Declaration(loop_.fetched[i], Variables(i)));
    for (const std::string& declaration : pieces_.CollectedDeclarations())
      chunks.declarations.push_back(declaration);
    const IndexExpression first = FirstOfPieces(loop_);
    chunks.before.push_back({Definition{index_type_, names_.ahead, first, /*constant=*/false}});
    if (first != loop_.first) chunks.before.push_back({BeforePieces()});
    chunks.condition = Holds(loop_.ahead - 1);
    Block loads = pieces_.CollectedBefore();
    AppendFirstLoads(&loads);
    chunks.before.push_back({Condition{chunks.condition, std::move(loads), {}}});
    chunks.body.push_back({Definition{"bool", names_.next, Holds(2 * loop_.ahead - 1)}});
    chunks.body.push_back({Run()});
    chunks.rest.push_back({Rest()});
    return chunks;
  }

 private:
  IndexExpression First() const { return IndexExpression::Name(names_.ahead); }

  // Whether there is the iteration so many behind the chunk's first one.
  IndexExpression Holds(int64_t behind) const {
    return Replace(loop_.condition, loop_.iterator, First() + IndexExpression::Constant(behind));
  }

  std::string Variables(size_t number) const { return absl::StrCat(names_.ahead, number); }

  // The iterations that are there before those that begin pieces.
  Loop BeforePieces() const {
    Loop before = Plain();
    const IndexExpression behind =
        IndexExpression::Of(Op::kLess, {IndexExpression::Name(loop_.iterator), First()});
    before.condition = IndexExpression::Of(Op::kAnd, {before.condition, behind});
    return before;
  }

  // For each iteration of a chunk, or for the first of each `step` of them.
  Loop ForEach(Block body, int64_t step = 1) const {
    Loop loop;
    loop.iterator = names_.element;
    loop.first = IndexExpression::Constant(0);
    loop.condition = IndexExpression::Of(
        Op::kLess, {IndexExpression::Name(names_.element), IndexExpression::Constant(loop_.ahead)});
    loop.step = IndexExpression::Constant(step);
    loop.unroll = Loop::kWhole;
    loop.body = std::move(body);
    return loop;
  }

  // The loop's iterator, so many iterations behind those of the chunk.
  Node Iterator(int64_t behind) const {
    IndexExpression value = First();
    if (behind > 0) value = value + IndexExpression::Constant(behind);
    return {Definition{index_type_, loop_.iterator, value + IndexExpression::Name(names_.element)}};
  }

  // Widths of pieces, in iterations.
  std::set<int64_t> Widths() const {
    std::set<int64_t> widths;
    for (const KeptElement& fetched : loop_.fetched) widths.insert(fetched.width);
    return widths;
  }

  // Of all pieces of this width, each of which begins with the iteration `first` of the chunk; the iterator
  // says which iteration that is.
  Block LoadsOf(int64_t width, const IndexExpression& first) const {
    Block loads;
    for (size_t i = 0; i < loop_.fetched.size(); ++i) {
      if (loop_.fetched[i].width == width)
        loads.push_back({pieces_.Load(loop_.fetched[i], Variables(i), first)});
    }
    return loads;
  }

  // Of the first chunk, a loop for the elements that are loaded alike.
  void AppendFirstLoads(Block* loads) const {
    for (const int64_t width : Widths()) {
      Block body = LoadsOf(width, IndexExpression::Name(names_.element));
      body.insert(body.begin(), Iterator(0));
      loads->push_back({ForEach(std::move(body), width)});
    }
  }

  // Behind an iteration, the piece that ends with it: what the next chunk reads takes its place.
  void AppendNextLoads(Block* block) const {
    const IndexExpression element = IndexExpression::Name(names_.element);
    for (const int64_t width : Widths()) {
      const IndexExpression back = IndexExpression::Constant(width - 1);
      Block loads = LoadsOf(width, width > 1 ? element - back : element);
      loads.insert(loads.begin(), Iterator(loop_.ahead - width + 1));
      IndexExpression condition = IndexExpression::Name(names_.next);
      if (width > 1) {
        const IndexExpression number =
            IndexExpression::Of(Op::kRemainder, {element, IndexExpression::Constant(width)});
        condition = IndexExpression::Of(
            Op::kAnd, {IndexExpression::Of(Op::kEqual, {number, back}), std::move(condition)});
      }
      block->push_back({Condition{std::move(condition), std::move(loads), {}}});
    }
  }

  Loop Run() const {
    Block body = loop_.body;
    ForEachNode(body, [&](Node& node) {
      ForEachAccess(node, [&](ElementAccess& access) {
        if (pieces_.ReplaceCollected(&access)) return;
        for (size_t i = 0; i < loop_.fetched.size(); ++i) {
          if (access == loop_.fetched[i].element) {
            access = pieces_.Variable(loop_.fetched[i], Variables(i), IndexExpression::Name(names_.element));
            return;
          }
        }
      });
    });
    for (Node& store : pieces_.Stores()) body.push_back(std::move(store));
    if (Mentions(body, loop_.iterator)) body.insert(body.begin(), Iterator(0));
    AppendNextLoads(&body);
    return ForEach(std::move(body));
  }

  Loop Rest() const {
    Loop rest = Plain();
    rest.first = First();
    return rest;
  }

  // The loop without loads ahead.
  Loop Plain() const {
    Loop plain = loop_;
    plain.ahead = plain.phase = 0;
    plain.fetched.clear();
    plain.collected.clear();
    return plain;
  }

  const Loop& loop_;
  const std::string& index_type_;
  const HelperNames& names_;
  const RowPieces pieces_;
};

}  // namespace

LoopInChunks InChunks(const Loop& loop, const std::string& index_type, const HelperNames& names) {
  return Chunks(loop, index_type, names).Make();
}

}  // namespace tune
