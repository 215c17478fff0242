#include "common/transform/pivot_blocks/pivot_pieces.h"

#include <algorithm>
#include <map>
#include <utility>

#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/transform/blocked_loops/loop_time.h"
#include "common/transform/plain_subscripts.h"

namespace tune {
namespace {

// The iterator whose value is the time; nothing for another time.
std::optional<int> OwnIterator(const isl::pw_aff& time) {
  const std::optional<LoopTime> form = LoopTimeOf(time);
  if (!form || form->sign < 0) return std::nullopt;
  const isl::aff zero = ConstantOn(form->rest.domain().space(), isl::val(time.ctx(), 0));
  if (!form->rest.as_map().is_equal(zero.as_map())) return std::nullopt;
  return form->iterator;
}

// Dimensions of S that are subscripts along pivots' dimensions.
std::set<int> PivotIterators(const ParsedStatement& statement, const PivotDimensions& pivots) {
  std::set<int> iterators;
  for (const ParsedAccess& access : statement.accesses) {
    const std::vector<std::optional<int>> subscripts = PlainSubscripts(access.relation);
    for (size_t d = 0; d < subscripts.size(); ++d) {
      if (subscripts[d] && pivots.count({access.array, static_cast<int>(d)}) > 0)
        iterators.insert(*subscripts[d]);
    }
  }
  return iterators;
}

// Adds the dimensions along which the statement reads elements of its own iteration.
void AddReadAt(const ParsedStatement& statement, int own, PivotDimensions* pivots) {
  for (const ParsedAccess& access : statement.accesses) {
    const std::vector<std::optional<int>> subscripts = PlainSubscripts(access.relation);
    for (size_t d = 0; d < subscripts.size(); ++d) {
      if (access.reads() && subscripts[d] == own) pivots->emplace(access.array, static_cast<int>(d));
    }
  }
}

// Where a loop's statements write, along a pivots' dimension: below the time, and above it.
struct WrittenSides {
  bool below = false;
  bool above = false;
};

void AddWrites(const ParsedStatement& statement, int own, const PivotDimensions& pivots,
               std::map<std::pair<std::string, int>, WrittenSides>* sides) {
  if (statement.kind != v1::Statement::ASSIGN) return;
  const isl::space space = statement.domain.space();
  const std::vector<std::optional<int>> subscripts = PlainSubscripts(statement.target().relation);
  for (size_t d = 0; d < subscripts.size(); ++d) {
    const std::pair<std::string, int> dimension = {statement.target().array, static_cast<int>(d)};
    if (!subscripts[d] || subscripts[d] == own || pivots.count(dimension) == 0) continue;
    const isl::pw_aff value(VariableOn(space, *subscripts[d])), time(VariableOn(space, own));
    WrittenSides& written = (*sides)[dimension];
    written.below = written.below || !statement.domain.intersect(value.lt_set(time)).is_empty();
    written.above = written.above || !statement.domain.intersect(value.gt_set(time)).is_empty();
  }
}

struct Part {
  isl::set instances;
  std::set<int> inside;
};

using Cut = std::pair<isl::set, bool>;  // whether inside of the block

// The parts between the cuts.
std::vector<Part> CutAlong(const std::vector<Part>& parts, int iterator, const std::vector<Cut>& cuts) {
  std::vector<Part> finer;
  for (const Part& part : parts) {
    for (const auto& [where, inside] : cuts) {
      Part piece{part.instances.intersect(where).coalesce(), part.inside};
      if (piece.instances.is_empty()) continue;
      if (inside) piece.inside.insert(iterator);
      finer.push_back(piece);
    }
  }
  return finer;
}

// Before, inside of, and behind the block's iterations.
std::vector<Cut> AtBlock(const isl::space& space, int iterator, int64_t size) {
  const isl::pw_aff value(VariableOn(space, iterator));
  const isl::aff first = VariableOn(space, 0).scale(isl::val(space.ctx(), size));  // S[b, x] -> [size b]
  const isl::pw_aff begin(first), end(first.add_constant(isl::val(space.ctx(), size)));
  return {{value.lt_set(begin), false},
          {value.ge_set(begin).intersect(value.lt_set(end)), true},
          {value.ge_set(end), false}};
}

// Up to the time, and after it.
std::vector<Cut> AtTime(const isl::space& space, int iterator, int own) {
  const isl::pw_aff value(VariableOn(space, iterator)), time(VariableOn(space, own));
  return {{value.le_set(time), true}, {value.gt_set(time), true}};
}

bool IsBounded(const Part& part) {
  return static_cast<int>(part.inside.size()) + 1 == Dimensions(part.instances, isl_dim_set);
}

std::vector<Part> PartsOf(const ParsedStatement& statement, int own, const PivotDimensions& pivots,
                          int64_t size) {
  const isl::space space = statement.domain.space();
  const std::set<int> iterators = PivotIterators(statement, pivots);
  std::vector<Part> parts = {{statement.domain, {own}}}, finer;
  for (const int iterator : iterators) {
    if (iterator != own) parts = CutAlong(parts, iterator, AtBlock(space, iterator, size));
  }
  for (const Part& part : parts) {
    std::vector<Part> pieces = {part};
    for (const int iterator : iterators) {
      if (iterator != own && part.inside.count(iterator) > 0)
        pieces = CutAlong(pieces, iterator, AtTime(space, iterator, own));
    }
    finer.insert(finer.end(), pieces.begin(), pieces.end());
  }
  return finer;
}

}  // namespace

std::optional<PivotLoop> FindPivots(const SerialLoop& loop, const ParsedScop& scop) {
  PivotLoop found{loop, {}};
  for (const auto& [name, time] : loop.times) {
    const std::optional<int> own = OwnIterator(time);
    if (!own) return std::nullopt;
    AddReadAt(scop.statement(name), *own, &found.pivots);
  }
  std::map<std::pair<std::string, int>, WrittenSides> sides;
  for (const auto& [name, time] : loop.times)
    AddWrites(scop.statement(name), *OwnIterator(time), found.pivots, &sides);
  const bool both = std::any_of(sides.begin(), sides.end(),
                                [](const auto& side) { return side.second.below && side.second.above; });
  if (!both) return std::nullopt;
  return found;
}

PivotCut CutAtPivots(const ParsedScop& scop, const std::vector<PivotLoop>& loops, int64_t size) {
  PivotCut cut;
  int statements = static_cast<int>(scop.statements.size());
  for (size_t i = 0; i < scop.statements.size(); ++i) {
    const ParsedStatement& statement = scop.statements[i];  // S[b, x]
    for (size_t l = 0; l < loops.size(); ++l) {
      const auto time = loops[l].loop.times.find(statement.name);
      if (time == loops[l].loop.times.end()) continue;
      const int own = *OwnIterator(time->second) + 1;
      StatementSplit split{static_cast<int>(i), {}};
      for (const Part& part : PartsOf(statement, own, loops[l].pivots, size)) {
        const std::string name = split.pieces.empty() ? statement.name : absl::StrCat("S", statements++);
        cut.pieces.push_back({name, statement.name, l, own, part.inside, IsBounded(part)});
        split.pieces.push_back(part.instances);
      }
      if (split.pieces.size() > 1) cut.splits.push_back(split);
    }
  }
  return cut;
}

}  // namespace tune
