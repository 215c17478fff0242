#include "worker/print/loads_ahead_text.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "common/program/node_accesses.h"
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
    for (size_t i = 0; i < loop_.fetched.size(); ++i) {
      for (const std::string& variables : {names_.ahead, names_.next})
        chunks.declarations.push_back(pieces_.Declaration(loop_.fetched[i], absl::StrCat(variables, i)));
    }
    for (const std::string& declaration : pieces_.CollectedDeclarations())
      chunks.declarations.push_back(declaration);
    const IndexExpression first = FirstOfPieces(loop_);
    chunks.before.push_back({Definition{index_type_, names_.ahead, first, /*constant=*/false}});
    if (first != loop_.first) chunks.before.push_back({BeforePieces()});
    chunks.condition = Holds(loop_.ahead - 1);
    Block loads = pieces_.CollectedBefore();
    AppendLoads(names_.ahead, 0, &loads);
    chunks.before.push_back({Condition{chunks.condition, std::move(loads), {}}});
    const IndexExpression has_next = IndexExpression::Name(names_.next);
    chunks.body.push_back({Definition{"bool", names_.next, Holds(2 * loop_.ahead - 1)}});
    Block next_loads;
    AppendLoads(names_.next, loop_.ahead, &next_loads);
    chunks.body.push_back({Condition{has_next, std::move(next_loads), {}}});
    chunks.body.push_back({Run()});
    chunks.body.push_back({Condition{has_next, {{Move()}}, {}}});
    chunks.rest.push_back({Rest()});
    return chunks;
  }

 private:
  IndexExpression First() const { return IndexExpression::Name(names_.ahead); }

  // Whether there is the iteration so many behind the chunk's first one.
  IndexExpression Holds(int64_t behind) const {
    return Replace(loop_.condition, loop_.iterator, First() + IndexExpression::Constant(behind));
  }

  // Of the iteration `names_.element` of a chunk.
  ElementAccess Variable(const std::string& variables, size_t number) const {
    return pieces_.Variable(loop_.fetched[number], absl::StrCat(variables, number),
                            IndexExpression::Name(names_.element));
  }

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

  // Of the chunk so many iterations behind, a loop for the elements that are loaded alike.
  void AppendLoads(const std::string& variables, int64_t behind, Block* loads) const {
    std::set<int64_t> widths;
    for (const KeptElement& fetched : loop_.fetched) widths.insert(fetched.width);
    for (const int64_t width : widths) {
      Block body = {Iterator(behind)};
      for (size_t i = 0; i < loop_.fetched.size(); ++i) {
        const KeptElement& fetched = loop_.fetched[i];
        if (fetched.width != width) continue;
        body.push_back(
            {pieces_.Load(fetched, absl::StrCat(variables, i), IndexExpression::Name(names_.element))});
      }
      loads->push_back({ForEach(std::move(body), width)});
    }
  }

  Loop Run() const {
    Block body = loop_.body;
    ForEachNode(body, [&](Node& node) {
      ForEachAccess(node, [&](ElementAccess& access) {
        if (pieces_.ReplaceCollected(&access)) return;
        for (size_t i = 0; i < loop_.fetched.size(); ++i) {
          if (access == loop_.fetched[i].element) {
            access = Variable(names_.ahead, i);
            return;
          }
        }
      });
    });
    body.insert(body.begin(), Iterator(0));
    for (Node& store : pieces_.Stores()) body.push_back(std::move(store));
    return ForEach(std::move(body));
  }

  Loop Move() const {
    Block body;
    for (size_t i = 0; i < loop_.fetched.size(); ++i)
      body.push_back({Transfer{Variable(names_.ahead, i), Variable(names_.next, i), loop_.fetched[i].type}});
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
