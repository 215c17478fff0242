// What the tests of expansions share: expanding, running, and looking at schedules.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/isl/schedule.h"
#include "common/schedule/scheduler.h"
#include "common/transform/expansion/expansion.h"
#include "tests/worker/codegen/scop_interpreter.h"

namespace tune::testing {

using Values = std::map<std::string, int64_t>;

// A scop with everything that FindExpandable needs.
struct Analysis {
  static absl::StatusOr<std::unique_ptr<Analysis>> Make(const v1::Scop& proto, const Values& values) {
    auto result = std::make_unique<Analysis>();
    result->values = values;
    TUNE_ASSIGN_OR_RETURN(result->scop, ParseScop(result->context, proto));
    TUNE_ASSIGN_OR_RETURN(result->dependences, ComputeDependences(result->context, *result->scop));
    return result;
  }
  absl::StatusOr<std::vector<Expandable>> Find() {
    return FindExpandable(context, *scop, dependences, values);
  }
  absl::StatusOr<v1::Scop> Expand(const std::vector<Expandable>& expansions) {
    return ExpandArrays(context, *scop, dependences, expansions, values);
  }

  IslContext context;
  Values values;
  std::shared_ptr<const ParsedScop> scop;
  Dependences dependences;
};

// "w 2 80; s 1 8": array, depth, bytes.
inline std::string Print(const std::vector<Expandable>& expansions) {
  std::string text;
  for (const Expandable& one : expansions) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", one.array, " ", one.depth, " ", one.bytes);
  }
  return text;
}

// Runs both scops on the same inputs and expects the same bits in every array of the original that outlives
// the region.
inline void ExpectSameResults(const v1::Scop& original, const v1::Scop& expanded, const Values& values) {
  const v1::Reference reference = MakeReference(original, values);
  const Memory inputs = MakeInputs(original, reference, 3);
  Memory expected = inputs, found = inputs;
  ASSERT_TRUE(Interpret(original, reference, expected).ok());
  const absl::Status status = Interpret(expanded, MakeReference(expanded, values), found);
  ASSERT_TRUE(status.ok()) << status;
  for (const auto& [name, memory] : expected) EXPECT_TRUE(found.at(name) == memory) << name;
  EXPECT_EQ(found.size(), expected.size());
}

// Bytes of all arrays that `expanded` has and `original` has not, as large as their accesses need.
inline int64_t NewBytes(const v1::Scop& original, const v1::Scop& expanded, const Values& values) {
  std::map<std::string, int64_t> sizes;
  for (const v1::Array& array : expanded.arrays()) sizes[array.name()] = ElementSize(array.element_type());
  for (const v1::Array& array : original.arrays()) sizes.erase(array.name());
  const v1::Reference reference = MakeReference(expanded, values);
  int64_t bytes = 0;
  for (const v1::ArrayExtents& extents : reference.arrays()) {
    if (sizes.count(extents.name()) == 0) continue;
    int64_t size = sizes[extents.name()];
    for (const int64_t extent : extents.extents()) size *= extent;
    bytes += size;
  }
  return bytes;
}

// Of the outermost band on each branch, in tree order: coincident members of all, "2/3 0/1".
inline std::string OutermostBands(const isl::schedule& schedule) {
  std::string text;
  schedule.root().foreach_descendant_top_down([&](const isl::schedule_node& node) {
    if (!node.isa<isl::schedule_node_band>()) return true;
    const auto band = node.as<isl::schedule_node_band>();
    int coincident = 0;
    for (unsigned i = 0; i < band.n_member(); ++i) coincident += band.member_get_coincident(i);
    absl::StrAppend(&text, text.empty() ? "" : " ", coincident, "/", band.n_member());
    return band.n_member() == 0;
  });
  return text;
}

inline std::string ScheduledBands(Analysis& analysis) {
  const absl::StatusOr<isl::schedule> schedule =
      ComputeSchedule(analysis.context, *analysis.scop, analysis.dependences, ScheduleOptions());
  return schedule.ok() ? OutermostBands(*schedule) : schedule.status().ToString();
}

// The same with the order that isl's scheduler finds; KILLs come first.
inline absl::StatusOr<v1::Scop> Rescheduled(const v1::Scop& scop, const Values& values) {
  TUNE_ASSIGN_OR_RETURN(const auto analysis, Analysis::Make(scop, values));
  TUNE_ASSIGN_OR_RETURN(isl::schedule schedule, ComputeSchedule(analysis->context, *analysis->scop,
                                                                analysis->dependences, ScheduleOptions()));
  const isl::union_set kills = analysis->scop->domain.subtract(schedule.domain());
  if (!kills.is_empty()) {
    isl::schedule first = IntersectDomain(analysis->scop->schedule, kills);
    schedule = ScheduleSequence(first, schedule);
  }
  v1::Scop result = scop;
  result.set_schedule(IslText(schedule));
  return result;
}

// Expands everything, in one step and one array after the other, and expects the same results from both, in
// the original order and in another legal one, and that nothing is left to expand.
// Returns what was expanded.
inline std::string ExpectExpansionsKeepResults(const v1::Scop& proto, const Values& values) {
  const auto analysis = Analysis::Make(proto, values);
  EXPECT_TRUE(analysis.ok()) << analysis.status();
  if (!analysis.ok()) return "";
  const auto found = (*analysis)->Find();
  EXPECT_TRUE(found.ok()) << found.status();
  if (!found.ok() || found->empty()) return "";
  const auto expanded = (*analysis)->Expand(*found);
  EXPECT_TRUE(expanded.ok()) << expanded.status();
  if (!expanded.ok()) return "";
  SCOPED_TRACE(Print(*found));
  ExpectSameResults(proto, *expanded, values);
  int64_t bytes = 0;
  for (const Expandable& one : *found) bytes += one.bytes;
  EXPECT_EQ(NewBytes(proto, *expanded, values), bytes);
  const auto rescheduled = Rescheduled(*expanded, values);
  EXPECT_TRUE(rescheduled.ok()) << rescheduled.status();
  if (!rescheduled.ok()) return "";
  ExpectSameResults(proto, *rescheduled, values);
  v1::Scop chained = proto;
  for (const Expandable& one : *found) {
    const auto step = Analysis::Make(chained, values);
    EXPECT_TRUE(step.ok()) << step.status();
    if (!step.ok()) return "";
    const auto next = (*step)->Expand({one});
    EXPECT_TRUE(next.ok()) << next.status() << PrintScop(chained);
    if (!next.ok()) return "";
    chained = *next;
  }
  EXPECT_EQ(ScopFingerprint(chained), ScopFingerprint(*expanded));
  const auto again = Analysis::Make(*expanded, values);
  EXPECT_TRUE(again.ok()) << again.status();
  if (!again.ok()) return "";
  const auto rest = (*again)->Find();
  EXPECT_TRUE(rest.ok()) << rest.status();
  if (!rest.ok()) return "";
  EXPECT_EQ(Print(*rest), "") << PrintScop(*expanded);
  return Print(*found);
}

}  // namespace tune::testing
