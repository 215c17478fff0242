#include "common/work/point_count.h"

#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "common/isl/bounds.h"
#include "common/isl/constraint.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/sets.h"
#include "common/isl/vertices.h"

namespace tune {
namespace {

int Rank(const isl::basic_set& set) { return Dimensions(set, isl_dim_set); }

isl::basic_set WithoutDimension(const isl::basic_set& set, int dimension) {
  return ProjectOut(set, isl_dim_set, dimension, 1);
}

// fn(constraint, whether it is an equality, its coefficients of the dimensions).
void ForEachConstraint(const isl::basic_set& set,
                       const std::function<void(bool, const std::vector<isl::val>&)>& fn) {
  for (const Constraint& constraint : ConstraintsOf(set)) {
    std::vector<isl::val> coefficients;
    for (int d = 0; d < Rank(set); ++d) coefficients.push_back(constraint.Coefficient(isl_dim_set, d));
    fn(constraint.IsEquality(), coefficients);
  }
}

// Of an equality the dimension with the least coefficient, which the other dimensions determine; -1: there is
// none.
int DeterminedDimension(const isl::basic_set& set) {
  int best = -1;
  isl::val least;
  ForEachConstraint(set, [&](bool equality, const std::vector<isl::val>& coefficients) {
    for (size_t d = 0; equality && d < coefficients.size(); ++d) {
      const isl::val size = coefficients[d].abs();
      if (size.is_zero() || (best >= 0 && size.ge(least))) continue;
      best = static_cast<int>(d);
      least = size;
    }
  });
  return best;
}

// For each dimension those that some constraint binds it to, itself included.
std::vector<std::set<int>> Couplings(const isl::basic_set& set) {
  std::vector<std::set<int>> coupled(Rank(set));
  for (size_t d = 0; d < coupled.size(); ++d) coupled[d].insert(static_cast<int>(d));
  ForEachConstraint(set, [&](bool, const std::vector<isl::val>& coefficients) {
    for (size_t a = 0; a < coefficients.size(); ++a) {
      for (size_t b = 0; b < coefficients.size(); ++b) {
        if (!coefficients[a].is_zero() && !coefficients[b].is_zero()) coupled[a].insert(static_cast<int>(b));
      }
    }
  });
  return coupled;
}

// The dimensions in groups that no constraint couples.
std::vector<std::set<int>> Groups(std::vector<std::set<int>> coupled) {
  std::vector<std::set<int>> groups;
  std::set<int> left;
  for (size_t d = 0; d < coupled.size(); ++d) left.insert(static_cast<int>(d));
  while (!left.empty()) {
    std::set<int> group, border = {*left.begin()};
    while (!border.empty()) {
      const int dimension = *border.begin();
      border.erase(border.begin());
      if (!group.insert(dimension).second) continue;
      left.erase(dimension);
      border.insert(coupled[dimension].begin(), coupled[dimension].end());
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// `set` in the dimensions of `group` alone.
isl::basic_set OnGroup(isl::basic_set set, const std::set<int>& group) {
  for (int d = Rank(set) - 1; d >= 0; --d) {
    if (group.count(d) > 0) continue;
    set = DropConstraintsInvolving(set, isl_dim_set, d, 1);
    set = WithoutDimension(set, d);
  }
  return set;
}

// Where, along one dimension, the slices of a polytope begin or cease to have some vertex, and the period
// with which their vertices come back to the same fractions.
struct Chambers {
  std::set<int64_t> cuts;  // first values of the chambers, and one past the last
  int64_t period = 1;
};

// `set` has no local variables and no equalities.
Chambers ChambersOf(const isl::basic_set& set, int dimension) {
  Chambers chambers;
  for (const Vertex& vertex : VerticesOf(MoveDimensions(set, isl_dim_param, 0, isl_dim_set, dimension, 1))) {
    const isl::set values =
        isl::set(MoveDimensions(BasicSetFromParameters(vertex.domain), isl_dim_set, 0, isl_dim_param, 0, 1));
    if (!values.is_empty()) {
      chambers.cuts.insert(values.dim_min_val(0).num_si());
      chambers.cuts.insert(values.dim_max_val(0).num_si() + 1);
    }
    for (unsigned i = 0; i < vertex.place.size(); ++i) {
      const isl::val slope = Coefficient(vertex.place.at(static_cast<int>(i)), isl_dim_param, 0);
      chambers.period = std::lcm(chambers.period, slope.den_si());
    }
  }
  return chambers;
}

// f(0) + ... + f(count - 1) of a polynomial of degree below that of `values`, its first ones, by Newton's
// forward differences.
isl::val SumOfPolynomial(std::vector<isl::val> values, int64_t count) {
  const isl::ctx ctx = values[0].ctx();
  isl::val sum(ctx, 0L), binomial(ctx, 1L);  // over (count, j + 1)
  for (size_t j = 0; j < values.size(); ++j) {
    binomial = binomial.mul(isl::val(ctx, count - static_cast<long>(j))).div(static_cast<long>(j) + 1);
    sum = sum.add(binomial.mul(values[j]));
    for (size_t i = values.size() - 1; i > j; --i) values[i] = values[i].sub(values[i - 1]);
  }
  return sum;
}

class PointCounter {
 public:
  explicit PointCounter(const isl::ctx& ctx) : ctx_(ctx) {}

  isl::val Count(const isl::set& set) {
    const isl::set disjoint = MakeDisjoint(ComputeDivs(set));
    isl::val count = Number(0);
    disjoint.foreach_basic_set([&](const isl::basic_set& part) {
      // A local variable is the quotient of a division, so it has one value at each point.
      count = count.add(CountPolytope(Lift(part).flatten()));
    });
    return count;
  }

 private:
  isl::val Number(int64_t value) const { return isl::val(ctx_, static_cast<long>(value)); }

  // `set` has no local variables.
  isl::val CountPolytope(isl::basic_set set) {
    set = set.detect_equalities();
    if (set.is_empty()) return Number(0);
    if (const int determined = DeterminedDimension(set); determined >= 0)
      return Count(isl::set(WithoutDimension(set, determined)));
    if (Rank(set) == 0) return Number(1);
    const std::vector<std::set<int>> coupled = Couplings(set);
    const std::vector<std::set<int>> groups = Groups(coupled);
    if (groups.size() == 1) return CountCoupled(set, coupled);
    isl::val count = Number(1);
    for (const std::set<int>& group : groups) count = count.mul(CountPolytope(OnGroup(set, group)));
    return count;
  }

  // Along the dimension that is coupled to most others: without it they may come apart.
  isl::val CountCoupled(const isl::basic_set& set, const std::vector<std::set<int>>& coupled) {
    if (Rank(set) == 1) return isl::set(set).dim_max_val(0).sub(isl::set(set).dim_min_val(0)).add(1);
    size_t along = 0;
    for (size_t d = 1; d < coupled.size(); ++d) {
      if (coupled[d].size() > coupled[along].size()) along = d;
    }
    const Chambers chambers = ChambersOf(set, static_cast<int>(along));
    isl::val count = Number(0);
    for (auto cut = chambers.cuts.begin();
         cut != chambers.cuts.end() && std::next(cut) != chambers.cuts.end(); ++cut)
      count = count.add(CountChamber(set, static_cast<int>(along), *cut, *std::next(cut), chambers.period));
    return count;
  }

  // Slices from `begin` to before `end`.
  isl::val CountChamber(const isl::basic_set& set, int along, int64_t begin, int64_t end, int64_t period) {
    isl::val count = Number(0);
    for (int64_t first = begin; first < std::min(end, begin + period); ++first) {
      const int64_t slices = (end - first + period - 1) / period;
      std::vector<isl::val> values;  // a slice's count is of at most its number of dimensions
      for (int64_t i = 0; i < std::min<int64_t>(slices, Rank(set)); ++i)
        values.push_back(CountSlice(set, along, first + i * period));
      count = count.add(SumOfPolynomial(std::move(values), slices));
    }
    return count;
  }

  isl::val CountSlice(const isl::basic_set& set, int along, int64_t value) {
    const isl::basic_set slice = Fix(set, isl_dim_set, along, Number(value));
    return CountPolytope(WithoutDimension(slice, along));
  }

  const isl::ctx ctx_;
};

}  // namespace

isl::val CountPoints(const isl::set& set) {
  if (set.is_empty()) return isl::val(set.ctx(), 0L);
  if (!IsBounded(set)) return isl::val::infty(set.ctx());
  return PointCounter(set.ctx()).Count(set);
}

}  // namespace tune
