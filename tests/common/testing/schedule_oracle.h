// Schedules compared with dependences instance by instance.
#pragma once

#include <gtest/gtest.h>

#include "common/isl/schedule_node.h"
#include "common/schedule/legality.h"
#include "tests/common/testing/enumeration.h"

namespace tune::testing {

// A scop with everything that a schedule is checked against.
struct Subject {
  explicit Subject(const v1::Scop& proto) : scop(ParseScop(context, proto).value()) {
    dependences = ComputeDependences(context, *scop).value();
  }
  IslContext context;
  std::shared_ptr<const ParsedScop> scop;
  Dependences dependences;
};

// Every memory dependence of the original order must go forward in time, compared number by number.
inline void ExpectRespects(const std::map<Tuple, std::vector<int64_t>>& times, const Pairs& memory) {
  for (const auto& [source, sink] : memory) {
    if (source == sink) continue;
    ASSERT_TRUE(times.count(source) && times.count(sink)) << source.first << " -> " << sink.first;
    ASSERT_LT(times.at(source), times.at(sink)) << source.first << " -> " << sink.first;
  }
}

// At each band: no member of a permutable band goes backward, and none that is marked coincident moves, on a
// dependence that the nodes above leave undecided.
inline void ExpectBandFlags(const isl::schedule& schedule, const Pairs& memory, const isl::set& values) {
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    const auto band = node.as<isl::schedule_node_band>();
    const isl::union_set domain = NodeDomain(band);
    const auto prefix = Times(band.prefix_schedule_union_map().intersect_domain(domain), values);
    const auto own = Times(isl::union_map::from(band.partial_schedule()).intersect_domain(domain), values);
    for (const auto& [source, sink] : memory) {
      if (source == sink || !own.count(source) || !own.count(sink)) continue;
      if (prefix.at(source) != prefix.at(sink)) continue;
      for (unsigned m = 0; m < band.n_member(); ++m) {
        const int64_t distance = own.at(sink)[m] - own.at(source)[m];
        if (band.permutable()) {
          EXPECT_GE(distance, 0) << "member " << m << " of " << IslText(band.partial_schedule());
        }
        if (band.member_get_coincident(static_cast<int>(m))) {
          EXPECT_EQ(distance, 0) << "member " << m << " of " << IslText(band.partial_schedule());
        }
      }
    }
    return true;
  });
}

// By the exact check of the tree and by enumeration at `values`; `memory`: of Interpreter.
inline void ExpectLegal(IslContext& context, const ParsedScop& scop, const Dependences& dependences,
                        const isl::schedule& schedule, const Pairs& memory, const isl::set& values) {
  EXPECT_EQ(CheckLegal(context, schedule, scop, dependences), absl::OkStatus());
  ExpectRespects(Times(schedule.map().intersect_domain(schedule.domain()), values), memory);
  ExpectBandFlags(schedule, memory, values);
}

}  // namespace tune::testing
