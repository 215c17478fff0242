#include "common/dependence/array_flow.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

// For each array the dimensions in which every access has a constant subscript.
using ConstantDimensions = std::map<std::string, std::set<int>>;

isl::val ConstantSubscript(const isl::map& access, int dimension) {
  return PlainFixedValue(access.range(), isl_dim_set, dimension);
}

ConstantDimensions FindConstantDimensions(const isl::union_map& accesses) {
  ConstantDimensions constant;
  accesses.foreach_map([&](const isl::map& map) {  // I -> A
    std::set<int> here;
    for (int d = 0; d < Dimensions(map, isl_dim_out); ++d) {
      if (!ConstantSubscript(map, d).is_nan()) here.insert(d);
    }
    const auto [known, is_new] = constant.emplace(map.range_tuple_id().name(), here);
    if (is_new) return;
    std::erase_if(known->second, [&](int d) { return here.count(d) == 0; });
  });
  return constant;
}

template <typename Change>
isl::union_map OfEach(const isl::union_map& relations, const Change& change) {
  isl::union_map changed = isl::union_map::empty(relations.ctx());
  relations.foreach_map([&](const isl::map& map) { changed = changed.unite(isl::union_map(change(map))); });
  return changed;
}

// Arrays cut by these subscripts: no element is in two parts. A part is an array of another name, so that isl
// pairs no accesses of different ones, and walks over the schedule once for all.
class ArrayParts {
 public:
  explicit ArrayParts(const isl::union_map& accesses) : constant_(FindConstantDimensions(accesses)) {}

  // { I -> A } to { I -> part }.
  isl::union_map Cut(const isl::union_map& accesses) {
    return OfEach(accesses, [&](const isl::map& map) {
      const std::string array = map.range_tuple_id().name();
      std::string part = array;
      for (const int d : constant_.at(array)) absl::StrAppend(&part, " ", IslText(ConstantSubscript(map, d)));
      arrays_[part] = array;
      return WithTupleName(map, isl_dim_out, part);
    });
  }

  // { I -> part } to { I -> A }.
  isl::union_map Joined(const isl::union_map& accesses) const {
    return OfEach(accesses, [&](const isl::map& map) { return InArray(map); });
  }

  // { I -> [I -> part] } to { I -> [I -> A] }.
  isl::union_map JoinedInRange(const isl::union_map& pairs) const {
    return OfEach(pairs, [&](const isl::map& map) { return InArray(map.uncurry()).curry(); });
  }

 private:
  isl::map InArray(const isl::map& access) const {
    return WithTupleName(access, isl_dim_out, arrays_.at(access.range_tuple_id().name()));
  }

  const ConstantDimensions constant_;
  std::map<std::string, std::string> arrays_;  // by the names of their parts
};

// Of the accesses, { I -> part }, those of parts that `others` access, too, and the rest.
std::pair<isl::union_map, isl::union_map> ByOthers(const isl::union_map& accesses,
                                                   const isl::union_map& others) {
  std::set<std::string> shared;
  others.foreach_map([&](const isl::map& map) { shared.insert(map.range_tuple_id().name()); });
  std::pair by_others(isl::union_map::empty(accesses.ctx()), isl::union_map::empty(accesses.ctx()));
  accesses.foreach_map([&](const isl::map& map) {
    isl::union_map& kind = shared.count(map.range_tuple_id().name()) > 0 ? by_others.first : by_others.second;
    kind = kind.unite(isl::union_map(map));
  });
  return by_others;
}

// The order of the accesses' instances. Statements without any stay in it: isl finds relations of another
// form without them, by which in-place updates are not split.
isl::schedule ScheduleOf(const isl::schedule& schedule, const isl::union_map& accesses, bool everywhere) {
  const isl::union_set references = accesses.domain();
  const isl::union_map tagged = (everywhere ? references.universe() : references).unwrap();  // S -> R
  return tagged.is_empty() ? schedule : schedule.pullback(tagged.domain_map_union_pw_multi_aff());
}

}  // namespace

ArrayFlow ComputeArrayFlow(const isl::schedule& schedule, const FlowAccesses& accesses, bool everywhere) {
  ArrayParts parts(accesses.sinks.unite(accesses.must).unite(accesses.may));
  const isl::union_map all = parts.Cut(accesses.sinks);
  const isl::union_map must = ByOthers(parts.Cut(accesses.must), all).first;
  const isl::union_map may = ByOthers(parts.Cut(accesses.may), all).first;
  const auto [sinks, unwritten] = ByOthers(all, must.unite(may));
  const isl::union_flow flow =
      isl::union_access_info(sinks)
          .set_must_source(must)
          .set_may_source(may)
          .set_schedule(ScheduleOf(schedule, sinks.unite(must).unite(may), everywhere))
          .compute_flow();
  return {flow.may_dependence(), parts.JoinedInRange(flow.full_may_dependence()),
          parts.Joined(flow.may_no_source().unite(unwritten))};
}

}  // namespace tune
