#include "common/dependence/array_flow.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"

namespace tune {
namespace {

// For each array the dimensions in which every access has a constant subscript.
using ConstantDimensions = std::map<std::string, std::set<int>>;
using MapsOfParts = std::map<std::string, isl::union_map>;

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

// The accesses by array, and by its constant subscripts: no element is in two parts.
MapsOfParts ByPart(const isl::union_map& accesses, const ConstantDimensions& constant) {
  MapsOfParts parts;
  accesses.foreach_map([&](const isl::map& map) {  // I -> A
    std::string part = map.range_tuple_id().name();
    for (const int d : constant.at(part)) absl::StrAppend(&part, " ", IslText(ConstantSubscript(map, d)));
    const auto [known, is_new] = parts.emplace(part, map);
    if (!is_new) known->second = known->second.unite(isl::union_map(map));
  });
  return parts;
}

isl::union_map Of(const MapsOfParts& parts, const std::string& part, isl::ctx ctx) {
  const auto known = parts.find(part);
  return known == parts.end() ? isl::union_map::empty(ctx) : known->second;
}

// The order of the accesses' instances. Statements without any stay in it: isl finds relations of another
// form without them, by which in-place updates are not split.
isl::schedule ScheduleOf(const isl::schedule& schedule, const isl::union_map& accesses) {
  const isl::union_map tagged = accesses.domain().unwrap();  // S -> R
  return tagged.is_empty() ? schedule : schedule.pullback(tagged.domain_map_union_pw_multi_aff());
}

void AddFlow(const isl::schedule& schedule, const FlowAccesses& of_part, ArrayFlow* all) {
  const isl::union_map accesses = of_part.sinks.unite(of_part.must).unite(of_part.may);
  const isl::union_flow flow = isl::union_access_info(of_part.sinks)
                                   .set_must_source(of_part.must)
                                   .set_may_source(of_part.may)
                                   .set_schedule(ScheduleOf(schedule, accesses))
                                   .compute_flow();
  all->dependences = all->dependences.unite(flow.may_dependence());
  all->full_dependences = all->full_dependences.unite(flow.full_may_dependence());
  all->no_source = all->no_source.unite(flow.may_no_source());
}

}  // namespace

ArrayFlow ComputeArrayFlow(const isl::schedule& schedule, const FlowAccesses& accesses) {
  const isl::ctx ctx = accesses.sinks.ctx();
  const ConstantDimensions constant =
      FindConstantDimensions(accesses.sinks.unite(accesses.must).unite(accesses.may));
  const MapsOfParts must = ByPart(accesses.must, constant), may = ByPart(accesses.may, constant);
  ArrayFlow all = {isl::union_map::empty(ctx), isl::union_map::empty(ctx), isl::union_map::empty(ctx)};
  for (const auto& [part, sinks] : ByPart(accesses.sinks, constant)) {
    if (must.count(part) + may.count(part) == 0) {
      all.no_source = all.no_source.unite(sinks);
    } else {
      AddFlow(schedule, {sinks, Of(must, part, ctx), Of(may, part, ctx)}, &all);
    }
  }
  return all;
}

}  // namespace tune
