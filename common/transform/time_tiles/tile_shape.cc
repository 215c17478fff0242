#include "common/transform/time_tiles/tile_shape.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// Time steps beyond which a tile is not worth looking at.
constexpr int64_t kMostSteps = 64;

// Of the distances { [d] } from dimension `skip` on; nothing where there is no bound.
std::optional<Halo> HaloOf(const isl::set& distances, int skip, int dimensions) {
  Halo halo;
  for (int i = 0; i < dimensions; ++i) {
    const isl::val least = distances.dim_min_val(skip + i), most = distances.dim_max_val(skip + i);
    if (!least.is_int() || !most.is_int()) return std::nullopt;
    halo.before.push_back(std::max<int64_t>(0, most.num_si()));
    halo.after.push_back(std::max<int64_t>(0, -least.num_si()));
  }
  return halo;
}

// To the larger of both, along each dimension.
void Extend(const Halo& other, Halo* halo) {
  for (size_t i = 0; i < other.before.size(); ++i) {
    halo->before[i] = std::max(halo->before[i], other.before[i]);
    halo->after[i] = std::max(halo->after[i], other.after[i]);
  }
}

Halo Sum(Halo halo, const Halo& other, int64_t times = 1) {
  for (size_t i = 0; i < other.before.size(); ++i) {
    halo.before[i] += times * other.before[i];
    halo.after[i] += times * other.after[i];
  }
  return halo;
}

// Empty: for so many dimensions there are no tiles.
std::vector<int64_t> ExtentsWithin(const TileLimits& limits, const StencilLoop& loop,
                                   const ParsedScop& scop) {
  if (loop.dimensions > 2) return {};
  std::vector<int64_t> extents = loop.dimensions == 1 ? limits.line : limits.plane;
  std::set<std::string> written;
  for (const StencilStatement& statement : loop.statements)
    written.insert(scop.statements[statement.index].target().array);
  int64_t bytes = 0;
  for (const std::string& array : written)
    bytes += static_cast<int64_t>(ElementSize(scop.array(array).element_type()));
  for (const int64_t extent : extents) bytes *= extent;
  for (; bytes > limits.bytes; bytes /= 2) extents[0] /= 2;
  return extents;
}

}  // namespace

TileShapes::TileShapes(const StencilLoop& loop, const ParsedScop& scop) : loop_(loop), scop_(scop) {
  isl::set elements;  // { [t, e] } that are written
  for (const StencilStatement& statement : loop.statements) {
    written_.insert(scop.statements[statement.index].target().array);
    const isl::set own = statement.place.range();
    elements = elements.is_null() ? own : elements.unite(own);
  }
  for (int i = 0; i < loop.dimensions; ++i) {
    first_.push_back(elements.dim_min_val(1 + i).num_si());
    last_.push_back(elements.dim_max_val(1 + i).num_si());
  }
}

std::optional<TileShapes> TileShapes::Find(const StencilLoop& loop, const ParsedScop& scop,
                                           const Dependences& dependences, const isl::set& values) {
  TileShapes shapes(loop, scop);
  if (!shapes.FindDistances(dependences.flow, values)) return std::nullopt;
  return shapes;
}

// False where something is read from any distance.
bool TileShapes::FindDistances(const isl::union_map& flow, const isl::set& values) {
  for (size_t from = 0; from < loop_.statements.size(); ++from) {
    for (size_t to = 0; to < loop_.statements.size(); ++to) {
      if (!AddDistances(flow, values, from, to)) return false;
    }
  }
  for (const StencilStatement& statement : loop_.statements) {
    if (!AddReads(statement, values)) return false;
  }
  return true;
}

bool TileShapes::AddDistances(const isl::union_map& flow, const isl::set& values, size_t from, size_t to) {
  const isl::map &source = loop_.statements[from].place, &sink = loop_.statements[to].place;
  const isl::union_map pairs = isl::union_map(source.reverse())
                                   .apply_range(flow.intersect_params(values))
                                   .apply_range(isl::union_map(sink))
                                   .project_out_all_params();  // { [t, e] -> [t', e'] }
  if (pairs.is_empty()) return true;
  const isl::set distances = pairs.as_map().deltas();
  for (int64_t steps = 0; steps < kMostSteps; ++steps) {
    const isl::set own = Fix(distances, isl_dim_set, 0, static_cast<int>(steps));
    if (own.is_empty()) continue;
    const std::optional<Halo> halo = HaloOf(own, 1, loop_.dimensions);
    const bool at_once = steps == 0 && loop_.statements[from].phase >= loop_.statements[to].phase;
    if (!halo || at_once) return false;
    distances_.push_back({from, to, steps, *halo});
  }
  return true;
}

// Of arrays that the loop writes, beyond the element that the statement writes.
bool TileShapes::AddReads(const StencilStatement& statement, const isl::set& values) {
  Halo all = None();
  for (const ParsedAccess& access : scop_.statements[statement.index].accesses) {
    if (written_.count(access.array) == 0) continue;
    const isl::map read = access.relation.intersect_params(values).project_out_all_params();  // S -> A
    const isl::map element = ProjectOut(statement.place, isl_dim_out, 0, 1);                  // S -> [e]
    const isl::map pairs = WithoutTupleId(read, isl_dim_out).apply_domain(element);           // [e] -> [e']
    const std::optional<Halo> halo = HaloOf(pairs.reverse().deltas(), 0, loop_.dimensions);
    if (!halo) return false;
    Extend(*halo, &all);
  }
  reads_.push_back(all);
  return true;
}

Halo TileShapes::None() const {
  return {std::vector<int64_t>(loop_.dimensions, 0), std::vector<int64_t>(loop_.dimensions, 0)};
}

// How far each statement reaches with one step more behind it than the last one that was added: as far as
// what is computed of its values, in the same step by later statements.
void TileShapes::AddReach() {
  const auto behind = static_cast<int64_t>(reach_.size());
  reach_.emplace_back(loop_.statements.size(), None());
  for (size_t left = loop_.statements.size(); left-- > 0;) {
    for (const StencilDistance& distance : distances_) {
      if (distance.from != left || distance.steps > behind) continue;
      Extend(Sum(reach_[behind - distance.steps][distance.to], distance.halo), &reach_[behind][left]);
    }
  }
}

Halo TileShapes::Beyond() const {
  Halo beyond = None();
  for (const Halo& read : reads_) Extend(read, &beyond);
  return beyond;
}

int64_t TileShapes::WholeExtent(int dimension) const {
  const Halo beyond = Beyond();
  return beyond.before[dimension] + Elements(dimension) + beyond.after[dimension];
}

bool TileShapes::JoinsStatements() const {
  return std::any_of(distances_.begin(), distances_.end(),
                     [](const StencilDistance& distance) { return distance.steps == 0; });
}

Halo TileShapes::Growth(int64_t steps) {
  while (static_cast<int64_t>(reach_.size()) < steps) AddReach();
  Halo growth = None();
  for (int64_t k = 1; k < steps; ++k) {
    for (size_t s = 0; s < reads_.size(); ++s) Extend(Sum(reach_[k][s], reach_[k - 1][s], -1), &growth);
  }
  return growth;
}

Halo TileShapes::Margin(int64_t steps) {
  const Halo growth = Growth(steps);
  Halo margin = None();
  for (size_t s = 0; s < reads_.size(); ++s)
    Extend(Sum(Sum(reach_[0][s], reads_[s]), growth, steps - 1), &margin);
  return margin;
}

std::optional<TileShape> TileShapes::Of(int64_t steps, const std::vector<int64_t>& extents) {
  TileShape shape;
  shape.steps = steps;
  shape.extents = extents;
  shape.first = first_;
  shape.growth = Growth(steps);
  shape.halos = reach_[0];
  shape.reads = reads_;
  shape.margin = Margin(steps);
  const Halo beyond = Beyond();
  for (int i = 0; i < loop_.dimensions; ++i) {
    if (extents[i] == WholeExtent(i)) {
      shape.margin.before[i] = beyond.before[i];
      shape.margin.after[i] = beyond.after[i];
    } else if (4 * (shape.margin.before[i] + shape.margin.after[i]) > extents[i]) {
      return std::nullopt;
    }
    shape.size.push_back(extents[i] - shape.margin.before[i] - shape.margin.after[i]);
    shape.count.push_back((Elements(i) - 1) / shape.size.back() + 1);
  }
  return shape;
}

std::optional<TileShape> LongestTiles(const std::vector<int64_t>& extents, const StencilLoop& loop,
                                      TileShapes* shapes) {
  std::optional<TileShape> best;
  for (int64_t steps = 2; steps <= kMostSteps && 2 * steps <= loop.last - loop.first + 1; steps *= 2) {
    std::optional<TileShape> shape = shapes->Of(steps, extents);
    if (!shape || *std::min_element(shape->count.begin(), shape->count.end()) < 2) break;
    best = std::move(shape);
  }
  return best;
}

std::optional<TileShape> ChooseTileShape(const StencilLoop& loop, const ParsedScop& scop,
                                         const Dependences& dependences, const isl::set& values,
                                         const TileLimits& limits) {
  const std::vector<int64_t> extents = ExtentsWithin(limits, loop, scop);
  if (extents.empty()) return std::nullopt;
  std::optional<TileShapes> shapes = TileShapes::Find(loop, scop, dependences, values);
  if (!shapes) return std::nullopt;
  return LongestTiles(extents, loop, &*shapes);
}

}  // namespace tune
