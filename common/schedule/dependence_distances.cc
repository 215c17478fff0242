#include "common/schedule/dependence_distances.h"

#include <algorithm>

#include "common/isl/constraint.h"
#include "common/isl/dimensions.h"
#include "common/isl/sets.h"

namespace tune {
namespace {

int64_t CoefficientOf(const Constraint& constraint, int position) {
  return constraint.Coefficient(isl_dim_set, position).num_si();
}

int64_t FloorDivide(int64_t a, int64_t b) {  // b > 0
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

DependenceDistances::DependenceDistances(const isl::union_map& dependences) {
  dependences.foreach_map([&](const isl::map& map) {
    if (map.is_empty()) return;
    AddFacets(map, cones_[{map.domain_tuple_id().name(), map.range_tuple_id().name()}]);
  });
}

void DependenceDistances::AddFacets(const isl::map& map, Cone& cone) {
  const int parameters = Dimensions(map, isl_dim_param);
  const int inputs = Dimensions(map, isl_dim_in);
  const int outputs = Dimensions(map, isl_dim_out);
  const isl::set pairs = RemoveDivs(map.wrap().flatten());  // { [x, y] }
  // { [[c, one of each parameter] -> [of x and y]] }
  const isl::basic_set forms = Coefficients(pairs);
  for (const Constraint& constraint : ConstraintsOf(forms)) {
    Facet facet;
    facet.equality = constraint.IsEquality();
    facet.constant = CoefficientOf(constraint, 0);
    const int begin = 1 + parameters;
    for (int x = 0; x < inputs; ++x) facet.from.push_back(CoefficientOf(constraint, begin + x));
    for (int y = 0; y < outputs; ++y) facet.to.push_back(CoefficientOf(constraint, begin + inputs + y));
    cone.push_back(std::move(facet));
  }
}

std::optional<int64_t> DependenceDistances::Least(const Cone& cone, const Hyperplane& from_row,
                                                  const Hyperplane& to_row, int64_t sign) {
  std::optional<int64_t> least;
  for (const Facet& facet : cone) {
    int64_t value = 0;  // of the form without its constant
    for (size_t i = 0; i < from_row.size(); ++i) value -= sign * facet.from[i] * from_row[i];
    for (size_t i = 0; i < to_row.size(); ++i) value += sign * facet.to[i] * to_row[i];
    // The form is h_T y - h_S x - c: value - facet.constant * c >= 0.
    if (facet.constant == 0) {
      if (value < 0 || (facet.equality && value != 0)) return std::nullopt;
      continue;
    }
    if (facet.constant < 0 || facet.equality) return std::nullopt;
    const int64_t bound = FloorDivide(value, facet.constant);
    least = least ? std::min(*least, bound) : bound;
  }
  return least;
}

DependenceDistances::Range DependenceDistances::Of(const std::string& from, const Hyperplane& from_row,
                                                   const std::string& to, const Hyperplane& to_row) const {
  const Cone& cone = cones_.at({from, to});
  Range range;
  range.least = Least(cone, from_row, to_row, 1);
  range.most = Least(cone, from_row, to_row, -1);
  if (range.most) range.most = -*range.most;
  return range;
}

bool DependenceDistances::CanAgree(const std::string& a, const Hyperplane& a_row, const std::string& b,
                                   const Hyperplane& b_row) const {
  const auto forth = cones_.find({a, b});
  const auto back = cones_.find({b, a});
  std::optional<int64_t> least_forth, least_back;
  if (forth != cones_.end() && !(least_forth = Least(forth->second, a_row, b_row, 1))) return false;
  if (back != cones_.end() && !(least_back = Least(back->second, b_row, a_row, 1))) return false;
  return !least_forth || !least_back || *least_forth + *least_back >= 0;
}

std::optional<HyperplaneShifts> DependenceDistances::Shifts(const Hyperplanes& rows, bool parallel) const {
  struct Edge {  // shift[from] - shift[to] <= slack
    size_t from, to;
    int64_t slack;
  };
  std::vector<Edge> edges;
  size_t from = 0;
  for (const auto& [source, source_row] : rows) {
    size_t to = 0;
    for (const auto& [sink, sink_row] : rows) {
      const auto cone = cones_.find({source, sink});
      if (cone != cones_.end()) {
        const std::optional<int64_t> least = Least(cone->second, source_row, sink_row, 1);
        if (!least) return std::nullopt;
        edges.push_back({from, to, *least});
        const std::optional<int64_t> most =
            parallel ? Least(cone->second, source_row, sink_row, -1) : std::nullopt;
        if (parallel && !most) return std::nullopt;
        if (parallel) edges.push_back({to, from, *most});
      }
      ++to;
    }
    ++from;
  }
  // Bellman and Ford: the largest shifts that are not positive.
  std::vector<int64_t> shift(rows.size(), 0);
  bool changed = true;
  for (size_t round = 0; changed; ++round) {
    if (round > rows.size()) return std::nullopt;
    changed = false;
    for (const Edge& edge : edges) {
      if (shift[edge.from] <= shift[edge.to] + edge.slack) continue;
      shift[edge.from] = shift[edge.to] + edge.slack;
      changed = true;
    }
  }
  const int64_t smallest = *std::min_element(shift.begin(), shift.end());
  if (smallest < -kLargestShift) return std::nullopt;
  HyperplaneShifts shifts;
  size_t next = 0;
  for (const auto& [statement, row] : rows)
    shifts.emplace_hint(shifts.end(), statement, shift[next++] - smallest);
  return shifts;
}

}  // namespace tune
