#include "common/schedule/symbolic_sizes.h"

#include <cstdlib>
#include <set>

#include "common/isl/bounds.h"
#include "common/isl/constraint.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/spaces.h"
#include "common/schedule/schedule_copy.h"

namespace tune {
namespace {

constexpr long kSmallest = 16;  // smaller constants are offsets
constexpr long kSpread = 4;     // between the values of one group

// 0 when it is too large to be a size.
long ConstantOf(const Constraint& constraint) {
  const isl::val value = constraint.Constant();
  return value.abs().lt(1 << 30) ? value.num_si() : 0;
}

void CollectConstants(const isl::union_map& relations, std::set<long>* constants) {
  relations.foreach_map([&](const isl::map& map) {
    map.foreach_basic_map([&](const isl::basic_map& piece) {
      if (HasDivs(piece)) return;
      for (const Constraint& constraint : ConstraintsOf(piece)) {
        const long constant = std::abs(ConstantOf(constraint));
        if (constant >= kSmallest) constants->insert(constant);
      }
    });
  });
}

isl::union_map AsRelation(const isl::union_set& set) { return isl::union_map::from_range(set); }  // [] -> S

}  // namespace

SymbolicSizes::SymbolicSizes(const isl::union_set& domain, const isl::union_map& relations)
    : ctx_(domain.ctx()) {
  std::set<long> constants;
  CollectConstants(AsRelation(domain), &constants);
  CollectConstants(relations, &constants);
  for (const long constant : constants) {
    if (!sizes_.empty() && constant - sizes_.back().value <= kSpread) continue;
    sizes_.push_back(
        {absl::StrCat("size#", sizes_.size()), constant});  // no C identifier, so no name of the user's
  }
  isl::set values = isl::set::universe(ParameterSpace(ctx_, sizes_.size()));
  for (size_t i = 0; i < sizes_.size(); ++i) {
    values = WithDimensionName(values, isl_dim_param, i, sizes_[i].name);
    values = tune::Fix(values, isl_dim_param, i, sizes_[i].value);
  }
  values_ = values;
}

SymbolicSizes::SymbolicSizes(isl::ctx ctx) : ctx_(ctx), values_(isl::set::universe(ParameterSpace(ctx, 0))) {}

isl::set SymbolicSizes::context() const {
  isl::set context = isl::set::universe(values_.space());
  for (size_t i = 0; i < sizes_.size(); ++i) {
    context = LowerBound(context, isl_dim_param, i, kSmallest);
  }
  return context;
}

const SymbolicSizes::Size* SymbolicSizes::Find(long constant) const {
  for (const Size& size : sizes_) {
    if (constant >= size.value && constant <= size.value + kSpread) return &size;
  }
  return nullptr;
}

isl::basic_map SymbolicSizes::Generalise(const isl::basic_map& map) const {
  if (HasDivs(map)) return map;
  const isl::basic_map aligned = AlignParameters(map, values_.space());
  isl::basic_map result = UniverseBasicMap(aligned.space());
  for (Constraint& constraint : ConstraintsOf(aligned)) {
    const long constant = ConstantOf(constraint);
    if (const Size* size = Find(std::abs(constant)); size != nullptr) {
      // c = s (size + rest), s = +1 or -1
      const int sign = constant > 0 ? 1 : -1;
      const int position = FindDimension(aligned, isl_dim_param, size->name);
      constraint = constraint.WithCoefficient(isl_dim_param, position, sign)
                       .WithConstant(static_cast<int>(constant - sign * size->value));
    }
    result = constraint.Of(result);
  }
  return result;
}

isl::union_map SymbolicSizes::Generalise(const isl::union_map& relations) const {
  isl::union_map result = isl::union_map::empty(ctx_);
  relations.foreach_map([&](const isl::map& map) {
    map.foreach_basic_map(
        [&](const isl::basic_map& piece) { result = result.unite(isl::map(Generalise(piece))); });
  });
  return result;
}

isl::union_set SymbolicSizes::Generalise(const isl::union_set& domain) const {
  return Generalise(AsRelation(domain)).range();
}

isl::union_map SymbolicSizes::Fix(isl::union_map map) const {
  map = map.intersect_params(values_);
  for (const Size& size : sizes_) {
    const int position = FindDimension(map, isl_dim_param, size.name);
    if (position >= 0) map = ProjectOut(map, isl_dim_param, position, 1);
  }
  return map;
}

isl::schedule SymbolicSizes::Instantiate(const isl::schedule& schedule, const isl::union_set& domain) const {
  return CopySchedule(schedule, domain, [this](const isl::union_map& relation) { return Fix(relation); });
}

}  // namespace tune
