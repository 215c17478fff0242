#include "common/transform/expansion/expansion_plan.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "common/array/element_type.h"
#include "common/dependence/common_loops.h"
#include "common/isl/bounds.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

struct Bounds {
  int64_t first = 0;
  int64_t last = 0;
};

// Of dimension `position` in `set`; {0, 0} when it is empty.
Bounds BoundsOf(const isl::set& set, int position) {
  if (set.is_empty()) return {};
  const isl::val first = set.dim_min_val(position);
  const isl::val last = set.dim_max_val(position);
  return {first.num_si(), last.num_si()};
}

class ArrayPlanner {
 public:
  ArrayPlanner(const ParsedScop& scop, const Dependences& dependences, const std::string& array,
               const ExpansionLoops& loops, const isl::set& values)
      : scop_(scop),
        flow_(dependences.flow.intersect_params(values)),
        array_(scop.array(array)),
        loops_(loops),
        values_(values) {}

  std::vector<RangeExpansion> Plan(const std::vector<LiveRange>& ranges) {
    std::vector<std::optional<RangeExpansion>> plans(ranges.size());
    std::vector<int> same_shape;  // ranges that no loop gives a dimension
    std::vector<const LiveRange*> kept;
    for (size_t i = 0; i < ranges.size(); ++i) {
      if (ranges[i].undefined) {
        kept.push_back(&ranges[i]);
      } else if (RangeExpansion plan = PlanRange(ranges[i]); !plan.dimensions.empty()) {
        plans[i] = std::move(plan);
      } else {
        same_shape.push_back(static_cast<int>(i));
      }
    }
    // Those that would need most copying are the first to keep the array.
    std::stable_sort(same_shape.begin(), same_shape.end(),
                     [&](int a, int b) { return Copies(ranges[a]) > Copies(ranges[b]); });
    for (const int i : same_shape) {
      const bool hindered = std::any_of(kept.begin(), kept.end(), [&](const LiveRange* other) {
        return SomeLoopCarries(ranges[i], *other);
      });
      if (hindered) {
        plans[i] = Sized({ranges[i], 0, {}, {}, 0});
      } else {
        kept.push_back(&ranges[i]);
      }
    }
    std::vector<RangeExpansion> result;
    for (std::optional<RangeExpansion>& plan : plans) {
      if (plan.has_value()) result.push_back(*std::move(plan));
    }
    return result;
  }

 private:
  static int Copies(const LiveRange& range) { return !range.live_in.is_empty() + !range.live_out.is_empty(); }

  // { S -> S }: of `pairs`, those that are not in order anyway because one value, or one value computed from
  // another, flows between them.
  isl::union_map WithoutFlow(const isl::union_map& pairs) const {
    const isl::union_map left = pairs.intersect_params(values_).subtract(flow_);
    const isl::union_map first = flow_.intersect_domain(left.domain());
    const isl::union_map second = flow_.intersect_range(left.range());
    return left.subtract(first.apply_range(second));
  }

  // Whether `a` with an array of its own no longer hinders `b` in some loop around both.
  bool SomeLoopCarries(const LiveRange& a, const LiveRange& b) const {
    const isl::union_map own =
        NextWrites(scop_.schedule, {&a}).unite(NextWrites(scop_.schedule, {&b}));  // S -> S
    const isl::union_map between = NextWrites(scop_.schedule, {&a, &b}).subtract(own);
    const std::vector<bool> carried =
        Carried(WithoutFlow(between), CommonLoops(scop_.schedule, a.instances.unite(b.instances)));
    return std::find(carried.begin(), carried.end(), true) != carried.end();
  }

  RangeExpansion PlanRange(const LiveRange& range) const {
    RangeExpansion plan{range, 0, {}, {}, 0};
    if (range.writes.is_empty() || (OnlyParallel() && !range.live_in.is_empty())) return plan;
    std::vector<isl::multi_union_pw_aff> loops = CommonLoops(scop_.schedule, range.instances);
    if (static_cast<int>(loops.size()) > loops_.depth) loops.resize(loops_.depth);
    loops.resize(LoopsAround(range.flow, loops));
    if (loops.empty()) return plan;
    const std::vector<bool> carried = Carried(WithoutFlow(NextWrites(scop_.schedule, {&range})), loops);
    const std::vector<bool> serial =
        OnlyParallel() ? CarryFlow(range, loops) : std::vector<bool>(loops.size(), false);
    const bool innermost_is_serial = carried.back() && IsSerialInside(range, loops);
    for (size_t i = 0; i < loops.size(); ++i) {
      if (!carried[i] || serial[i] || (innermost_is_serial && i + 1 == loops.size())) continue;
      plan.depth = static_cast<int>(i) + 1;
      plan.dimensions.push_back(Dimension(range, loops[i]));
    }
    return Sized(std::move(plan));
  }

  // Whether each of the statements waits in the last of the loops, which no other is inside of, for what
  // itself did in iterations before, as those of `c = a[i] > m; m = c ? a[i] : m;`: then no copies let any of
  // them run at the same time.
  bool IsSerialInside(const LiveRange& range, const std::vector<isl::multi_union_pw_aff>& loops) const {
    bool serial = true;
    range.instances.foreach_set([&](const isl::set& instances) {
      const isl::union_set own(instances);
      const isl::union_map from = flow_.intersect_domain(own), to = flow_.intersect_range(own);
      const isl::union_map itself = from.intersect_range(own).unite(from.apply_range(to));  // S -> S
      serial = serial && instances.tuple_dim() == loops.size() && Carried(itself, loops).back();
    });
    return serial;
  }

  bool OnlyParallel() const { return loops_.along != CopiesAlong::kAllLoops; }

  // Of each loop, whether a value flows from one of its iterations to another.
  std::vector<bool> CarryFlow(const LiveRange& range,
                              const std::vector<isl::multi_union_pw_aff>& loops) const {
    if (loops_.along == CopiesAlong::kParallelLoops) return CarriedWithin(loops.back().domain(), loops);
    std::vector<bool> carried;
    for (size_t i = 0; i < loops.size(); ++i) {
      const isl::union_set inside =
          InstancesInside(scop_.schedule, range.instances, static_cast<int>(i) + 1);  // S
      carried.push_back(CarriedWithin(inside, CommonLoops(scop_.schedule, inside))[i]);
    }
    return carried;
  }
  std::vector<bool> CarriedWithin(const isl::union_set& inside,
                                  const std::vector<isl::multi_union_pw_aff>& loops) const {
    return Carried(flow_.intersect_domain(inside).intersect_range(inside), loops);
  }

  // Numbers the iterations of `loop`, S -> [t], from zero. Loops that count down have negated members: the
  // index is the source's value again, so that memory is walked in the source's direction.
  ExpansionDimension Dimension(const LiveRange& range, isl::multi_union_pw_aff loop) const {
    Bounds bounds = BoundsOf(Image(range, loop).intersect_params(values_), 0);
    if (bounds.first < 0 && bounds.last <= 0) {
      loop = loop.neg();
      bounds = {-bounds.last, -bounds.first};
    }
    const isl::map shift = Shift(Image(range, loop), bounds.first);  // [t] -> [t - first]
    const isl::union_map index = isl::union_map::from(loop).apply_range(shift);
    return {index, bounds.last - bounds.first + 1};
  }

  static isl::set Image(const LiveRange& range, const isl::multi_union_pw_aff& loop) {
    const isl::union_set image = range.instances.apply(isl::union_map::from(loop));
    return image.extract_set(loop.space());
  }

  // [t] -> [t - first], where `first` is the smallest t as an affine expression of the parameters when it is
  // one, else the number `value` that it has at the parameter values.
  isl::map Shift(const isl::set& image, int64_t value) const {
    isl::pw_aff first = DimensionMin(image, 0);
    first = first.gist_params(scop_.context).coalesce();
    const isl::aff variable = VariableOn(image.space(), 0);
    isl::pw_aff start = isl::pw_aff(ConstantOn(image.space(), isl::val(image.ctx(), value)));
    if (first.n_piece() == 1) {
      first.foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
        start = isl::pw_aff(piece.at(0)).insert_domain(image.space());
      });
    }
    return isl::pw_aff(variable).sub(start).as_map();
  }

  RangeExpansion Sized(RangeExpansion plan) const {
    for (const ExpansionDimension& dimension : plan.dimensions) plan.extents.push_back(dimension.extent);
    const isl::union_set elements = plan.range.accesses.intersect_params(values_).range();
    std::vector<int64_t> own(array_.extents_size(), 1);
    elements.foreach_set([&](const isl::set& set) {
      for (int i = 0; i < array_.extents_size(); ++i) own[i] = std::max(own[i], BoundsOf(set, i).last + 1);
    });
    plan.extents.insert(plan.extents.end(), own.begin(), own.end());
    plan.bytes = ArrayBytes(array_.name(), array_.element_type(), plan.extents)
                     .value_or(std::numeric_limits<int64_t>::max());
    return plan;
  }

  const ParsedScop& scop_;
  const isl::union_map flow_;  // S -> S
  const v1::Array& array_;
  const ExpansionLoops loops_;
  isl::set values_;  // the parameters at their values
};

}  // namespace

std::vector<RangeExpansion> PlanExpansion(const ParsedScop& scop, const Dependences& dependences,
                                          const std::string& array, const ExpansionLoops& loops,
                                          const isl::set& values) {
  const std::vector<LiveRange> ranges = LiveRanges(scop, dependences, array);
  return ArrayPlanner(scop, dependences, array, loops, values).Plan(ranges);
}

}  // namespace tune
