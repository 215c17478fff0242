#include "worker/print/row_pieces_text.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"
#include "common/program/node_accesses.h"
#include "common/program/row_access.h"

namespace tune {
namespace {

using Op = IndexExpression::Op;

IndexExpression Number(int64_t value) { return IndexExpression::Constant(value); }

// The element that the access is to so many iterations later.
ElementAccess Later(const ElementAccess& access, const std::string& iterator, int64_t iterations) {
  if (iterations == 0) return access;
  const IndexExpression name = IndexExpression::Name(iterator);
  return Replace(access, iterator, iterations > 0 ? name + Number(iterations) : name - Number(-iterations));
}

}  // namespace

std::string RowPieces::Declaration(const KeptElement& kept, const std::string& variables) const {
  return absl::StrCat(kept.width > 1 ? "__align__(16) " : "", ElementCType(kept.type), " ", variables, "[",
                      loop_.ahead, "];");
}

ElementAccess RowPieces::Variable(const KeptElement& kept, const std::string& variables,
                                  const IndexExpression& iteration) const {
  const bool back = kept.width > 1 && DirectionInRow(kept.element, loop_.iterator) < 0;
  return {variables, {back ? Number(loop_.ahead - 1) - iteration : iteration}};
}

Transfer RowPieces::Load(const KeptElement& kept, const std::string& variables,
                         const IndexExpression& iteration) const {
  // The piece begins with the last iteration's where the row is walked back.
  const bool back = DirectionInRow(kept.element, loop_.iterator) < 0;
  const int64_t first = back ? kept.width - 1 : 0;
  Transfer load{Variable(kept, variables, first > 0 ? iteration + Number(first) : iteration),
                Later(kept.element, loop_.iterator, first), kept.type};
  load.width = kept.width;
  return load;
}

std::string RowPieces::Collected(size_t number) const { return absl::StrCat(names_.collected, number); }

std::vector<std::string> RowPieces::CollectedDeclarations() const {
  std::vector<std::string> declarations;
  for (size_t i = 0; i < loop_.collected.size(); ++i)
    declarations.push_back(Declaration(loop_.collected[i], Collected(i)));
  return declarations;
}

int64_t RowPieces::MostBehind(const KeptElement& collected) const {
  int64_t most = 0;
  for (const Node& node : loop_.body) {
    ForEachAccess(node, [&](const ElementAccess& access) {
      most = std::max(most, IterationsBehind(access, collected.element, loop_.iterator).value_or(0));
    });
  }
  return most;
}

// Iterations of the chunk before, of which the variables are those of the same numbers.
Block RowPieces::CollectedBefore() const {
  Block block;
  for (size_t i = 0; i < loop_.collected.size(); ++i) {
    const KeptElement& kept = loop_.collected[i];
    for (int64_t behind = 1; behind <= MostBehind(kept); ++behind) {
      const ElementAccess element =
          Replace(kept.element, loop_.iterator, IndexExpression::Name(names_.ahead) - Number(behind));
      const ElementAccess variable = Variable(kept, Collected(i), Number(loop_.ahead - behind));
      block.push_back({Transfer{{variable.array, {Folded(variable.subscripts[0])}}, element, kept.type}});
    }
  }
  return block;
}

bool RowPieces::ReplaceCollected(ElementAccess* access) const {
  for (size_t i = 0; i < loop_.collected.size(); ++i) {
    const KeptElement& kept = loop_.collected[i];
    const std::optional<int64_t> behind = IterationsBehind(*access, kept.element, loop_.iterator);
    if (!behind) continue;
    IndexExpression iteration = IndexExpression::Name(names_.element);
    if (*behind > 0) {
      iteration = IndexExpression::Of(Op::kRemainder,
                                      {iteration + Number(loop_.ahead - *behind), Number(loop_.ahead)});
    }
    *access = Variable(kept, Collected(i), iteration);
    return true;
  }
  return false;
}

Transfer RowPieces::Store(size_t number) const {
  const KeptElement& kept = loop_.collected[number];
  // Where the row is walked back the piece begins with the last iteration's.
  const bool back = DirectionInRow(kept.element, loop_.iterator) < 0;
  const int64_t behind = back ? 0 : kept.width - 1;
  const IndexExpression iteration = IndexExpression::Name(names_.element);
  Transfer store{Later(kept.element, loop_.iterator, -behind),
                 Variable(kept, Collected(number), behind > 0 ? iteration - Number(behind) : iteration),
                 kept.type};
  store.width = kept.width;
  return store;
}

Block RowPieces::Stores() const {
  std::map<int64_t, Block> stores;  // by the iterations of a piece
  for (size_t i = 0; i < loop_.collected.size(); ++i) stores[loop_.collected[i].width].push_back({Store(i)});
  Block block;
  for (auto& [width, of_width] : stores) {
    const IndexExpression number =
        IndexExpression::Of(Op::kRemainder, {IndexExpression::Name(names_.element), Number(width)});
    const IndexExpression last = IndexExpression::Of(Op::kEqual, {number, Number(width - 1)});
    block.push_back({Condition{last, std::move(of_width), {}}});
  }
  return block;
}

}  // namespace tune
