#include "worker/print/loads_ahead_text.h"

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

class Chunks {
 public:
  Chunks(const Loop& loop, const std::string& index_type, const HelperNames& names)
      : loop_(loop), index_type_(index_type), names_(names) {}

  LoopInChunks Make() const {
    LoopInChunks chunks;
    chunks.first = names_.ahead;
    for (size_t i = 0; i < loop_.fetched.size(); ++i) {
      const std::string type(ElementCType(loop_.fetched[i].type));
      for (const std::string& variables : {names_.ahead, names_.next})
        chunks.declarations.push_back(absl::StrCat(type, " ", variables, i, "[", loop_.ahead, "];"));
    }
    chunks.before.push_back({Definition{index_type_, names_.ahead, loop_.first, /*constant=*/false}});
    chunks.condition = Holds(loop_.ahead - 1);
    chunks.before.push_back({Condition{chunks.condition, {{Load(names_.ahead, 0)}}, {}}});
    const IndexExpression has_next = IndexExpression::Name(names_.next);
    chunks.body.push_back({Definition{"bool", names_.next, Holds(2 * loop_.ahead - 1)}});
    chunks.body.push_back({Condition{has_next, {{Load(names_.next, loop_.ahead)}}, {}}});
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

  ElementAccess Variable(const std::string& variables, size_t number) const {
    return {absl::StrCat(variables, number), {IndexExpression::Name(names_.element)}};
  }

  // For each iteration of a chunk.
  Loop ForEach(Block body) const {
    Loop loop;
    loop.iterator = names_.element;
    loop.first = IndexExpression::Constant(0);
    loop.condition = IndexExpression::Of(
        Op::kLess, {IndexExpression::Name(names_.element), IndexExpression::Constant(loop_.ahead)});
    loop.step = IndexExpression::Constant(1);
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

  Loop Load(const std::string& variables, int64_t behind) const {
    Block body = {Iterator(behind)};
    for (size_t i = 0; i < loop_.fetched.size(); ++i) {
      const KeptElement& fetched = loop_.fetched[i];
      body.push_back({Transfer{Variable(variables, i), fetched.element, fetched.type}});
    }
    return ForEach(std::move(body));
  }

  Loop Run() const {
    Block body = loop_.body;
    ForEachNode(body, [&](Node& node) {
      ForEachAccess(node, [&](ElementAccess& access) {
        for (size_t i = 0; i < loop_.fetched.size(); ++i) {
          if (access == loop_.fetched[i].element) {
            access = Variable(names_.ahead, i);
            return;
          }
        }
      });
    });
    body.insert(body.begin(), Iterator(0));
    return ForEach(std::move(body));
  }

  Loop Move() const {
    Block body;
    for (size_t i = 0; i < loop_.fetched.size(); ++i)
      body.push_back({Transfer{Variable(names_.ahead, i), Variable(names_.next, i), loop_.fetched[i].type}});
    return ForEach(std::move(body));
  }

  Loop Rest() const {
    Loop rest = loop_;
    rest.first = First();
    rest.ahead = 0;
    rest.fetched.clear();
    return rest;
  }

  const Loop& loop_;
  const std::string& index_type_;
  const HelperNames& names_;
};

}  // namespace

LoopInChunks InChunks(const Loop& loop, const std::string& index_type, const HelperNames& names) {
  return Chunks(loop, index_type, names).Make();
}

}  // namespace tune
