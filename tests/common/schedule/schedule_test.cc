
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/schedule/band_order.h"
#include "common/schedule/scheduler.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/schedule_oracle.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using testing::Pairs;
using testing::Subject;

std::vector<ScheduleOptions> AllOptions() {
  std::vector<ScheduleOptions> all;
  for (const auto algorithm : {ScheduleOptions::Algorithm::kPluto, ScheduleOptions::Algorithm::kFeautrier}) {
    all.push_back({algorithm, true, true});
    all.push_back({algorithm, false, true});
    all.push_back({algorithm, false, false});
  }
  return all;
}

// Schedules under all options; returns how many there were.
int ExpectAllSchedulesLegal(const v1::Scop& proto, const std::map<std::string, int64_t>& values) {
  Subject subject(proto);
  const isl::set fixed = ParameterValues(subject.context, values);
  const Pairs memory = testing::Interpreter(*subject.scop, fixed).Run().memory;
  int computed = 0;
  for (const ScheduleOptions& options : AllOptions()) {
    const auto schedule = ComputeSchedule(subject.context, *subject.scop, subject.dependences, options);
    if (!schedule.ok()) {
      EXPECT_EQ(options.algorithm, ScheduleOptions::Algorithm::kFeautrier) << schedule.status();
      EXPECT_TRUE(absl::IsInternal(schedule.status())) << schedule.status();
      continue;
    }
    ++computed;
    testing::ExpectLegal(subject.context, *subject.scop, subject.dependences, *schedule, memory, fixed);
    EXPECT_EQ(CheckLegal(subject.context, schedule->map(), *subject.scop, subject.dependences),
              absl::OkStatus());
    const auto ordered = OrderBandMembers(subject.context, *schedule, *subject.scop);
    EXPECT_TRUE(ordered.ok()) << ordered.status();
    if (!ordered.ok()) continue;
    testing::ExpectLegal(subject.context, *subject.scop, subject.dependences, *ordered, memory, fixed);
  }
  return computed;
}

TEST(SchedulerTest, AllSchedulesOfTheSamplesAreLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(ExpectAllSchedulesLegal(sample.make(), sample.small), 6);
  }
}

TEST(SchedulerTest, AllSchedulesWithParameterFactsAreLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    EXPECT_EQ(ExpectAllSchedulesLegal(WithParameterFacts(sample.make(), sample.small), sample.small), 6);
  }
}

TEST(SchedulerTest, AllSchedulesOfRandomScopsAreLegal) {
  for (uint64_t seed = 1000; seed < 1012; ++seed) {
    SCOPED_TRACE(seed);
    EXPECT_GE(ExpectAllSchedulesLegal(testing::MakeRandomScop(seed), {{"n", 4}}), 3);
  }
}

TEST(SchedulerTest, GemmHasOneParallelTilableBand) {
  Subject subject(testing::GemmScop());
  const auto schedule = ComputeSchedule(subject.context, *subject.scop, subject.dependences, {});
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  const isl::schedule_node node = schedule->root().child(0);
  ASSERT_TRUE(node.isa<isl::schedule_node_band>()) << IslText(*schedule);
  const auto band = node.as<isl::schedule_node_band>();
  EXPECT_EQ(band.n_member(), 3u);
  EXPECT_TRUE(band.permutable());
  EXPECT_TRUE(band.member_get_coincident(0));
}

TEST(SchedulerTest, SerializedComponentsDoNotShareLoops) {
  Subject subject(testing::GemmScop());
  ScheduleOptions options;
  options.serialize_sccs = true;
  const auto schedule = ComputeSchedule(subject.context, *subject.scop, subject.dependences, options);
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  EXPECT_TRUE(schedule->root().child(0).isa<isl::schedule_node_sequence>()) << IslText(*schedule);
}

TEST(SchedulerTest, OptionsOfTheContextAreRestored) {
  Subject subject(testing::GemmScop());
  isl_ctx* const ctx = subject.context.get();
  isl_options_set_schedule_outer_coincidence(ctx, 0);
  isl_options_set_schedule_serialize_sccs(ctx, 0);
  isl_options_set_schedule_algorithm(ctx, ISL_SCHEDULE_ALGORITHM_ISL);
  for (const ScheduleOptions& options : AllOptions()) {
    EXPECT_TRUE(ComputeSchedule(subject.context, *subject.scop, subject.dependences, options).ok());
  }
  EXPECT_EQ(isl_options_get_schedule_outer_coincidence(ctx), 0);
  EXPECT_EQ(isl_options_get_schedule_serialize_sccs(ctx), 0);
  EXPECT_EQ(isl_options_get_schedule_algorithm(ctx), ISL_SCHEDULE_ALGORITHM_ISL);
}

TEST(SchedulerTest, LimitIsAnErrorAndTheContextStaysUsable) {
  IslContext::Limits limits;
  limits.operations = 1'000'000;
  IslContext context(limits);
  const auto scop = ParseScop(context, testing::SeidelScop());
  ASSERT_TRUE(scop.ok()) << scop.status();
  const auto dependences = ComputeDependences(context, **scop);
  ASSERT_TRUE(dependences.ok()) << dependences.status();
  const int outer_coincidence = isl_options_get_schedule_outer_coincidence(context.get());
  const absl::Status status = context.Run("test", [&]() -> absl::Status {
    for (int i = 0; i < 999'000; ++i) isl::val(context.ctx(), i);
    return ComputeSchedule(context, **scop, *dependences, {}).status();
  });
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(isl_options_get_schedule_outer_coincidence(context.get()), outer_coincidence);
  EXPECT_TRUE(ComputeSchedule(context, **scop, *dependences, {}).ok());
}

// Both checks must refuse `schedule` with a message that has `part`.
void ExpectIllegal(Subject& subject, const isl::schedule& schedule, const std::string& part) {
  const absl::Status tree = CheckLegal(subject.context, schedule, *subject.scop, subject.dependences);
  EXPECT_TRUE(absl::IsFailedPrecondition(tree)) << tree;
  EXPECT_THAT(std::string(tree.message()), HasSubstr(part));
  const absl::Status map = CheckLegal(subject.context, schedule.map().intersect_domain(schedule.domain()),
                                      *subject.scop, subject.dependences);
  EXPECT_TRUE(absl::IsFailedPrecondition(map)) << map;
}

TEST(LegalityTest, TheOriginalOrderIsLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    Subject subject(sample.make());
    EXPECT_EQ(CheckLegal(subject.context, subject.scop->schedule, *subject.scop, subject.dependences),
              absl::OkStatus());
    EXPECT_EQ(CheckLegal(subject.context, subject.scop->schedule.map(), *subject.scop, subject.dependences),
              absl::OkStatus());
  }
}

// The schedule of norm with its parts replaced.
isl::schedule NormSchedule(Subject& subject, const std::string& child) {
  return isl::schedule(
      subject.context.ctx(),
      "{ domain: \"[n] -> { S0[] : n >= 0; S1[i] : 0 <= i < n; S2[] : n >= 0 }\", child: " + child + " }");
}

TEST(LegalityTest, WrongOrderIsRefused) {
  Subject subject(testing::ZeroDimScop());
  const std::string loop = "child: { schedule: \"[n] -> [{ S1[i] -> [(i)] }]\" }";
  const auto sequence = [&](const std::string& a, const std::string& b, const std::string& c) {
    const auto filter = [&](const std::string& s) {
      return s == "S1" ? "{ filter: \"[n] -> { S1[i] }\", " + loop + " }"
                       : "{ filter: \"[n] -> { " + s + "[] }\" }";
    };
    return "[ " + filter(a) + ", " + filter(b) + ", " + filter(c) + " ]";
  };
  EXPECT_EQ(
      CheckLegal(subject.context, NormSchedule(subject, "{ sequence: " + sequence("S0", "S1", "S2") + " }"),
                 *subject.scop, subject.dependences),
      absl::OkStatus());
  ExpectIllegal(subject, NormSchedule(subject, "{ sequence: " + sequence("S0", "S2", "S1") + " }"),
                "S1 -> S2");
  ExpectIllegal(subject, NormSchedule(subject, "{ sequence: " + sequence("S1", "S0", "S2") + " }"),
                "S0 -> S1");
  // The children of a set run in any order, whatever the text's.
  const absl::Status set =
      CheckLegal(subject.context, NormSchedule(subject, "{ set: " + sequence("S0", "S1", "S2") + " }"),
                 *subject.scop, subject.dependences);
  EXPECT_TRUE(absl::IsFailedPrecondition(set)) << set;
}

TEST(LegalityTest, BackwardLoopIsRefusedWithAPair) {
  Subject subject(testing::DecreasingScop());
  const isl::schedule upwards(subject.context.ctx(),
                              "{ domain: \"[n] -> { S0[i, j] : 0 <= i < j < n; S1[i] : 0 <= i < n }\", "
                              "child: { schedule: \"[n] -> [{ S0[i, j] ->"
                              " [(i)]; S1[i] -> [(i)] }]\", child: { sequence: [ { filter: \"{ S0[i, j] }\", "
                              "child: { schedule: \"[{ S0[i, j] ->"
                              " [(j)] }]\" } }, { filter: \"{ S1[i] }\" } ] } } }");
  ExpectIllegal(subject, upwards, "for example");
}

TEST(LegalityTest, MissingInstancesAreRefused) {
  Subject subject(testing::DecreasingScop());
  const isl::schedule part(subject.context.ctx(),
                           "{ domain: \"[n] -> { S0[i, j] : 0 <= i < j < n; S1[i] : 0 <= i < n - 1 }\" }");
  ExpectIllegal(subject, part, "instances of S1 are not scheduled");
}

TEST(LegalityTest, SameTimeIsRefused) {
  Subject subject(testing::LocalKillScop());
  const isl::schedule together(
      subject.context.ctx(),
      "{ domain: \"[n] -> { S1[i] : 0 <= i < n; S2[i] : 0 <= i < n }\", child: { schedule: \"[n] -> [{"
      " S1[i] -> [(i)]; S2[i] -> [(i)] }]\" } }");
  ExpectIllegal(subject, together, "at a leaf");
}

TEST(BandOrderTest, UnitStrideGoesInnermost) {
  Subject subject(testing::GemmScop());
  const auto schedule = ComputeSchedule(subject.context, *subject.scop, subject.dependences, {});
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  const auto ordered = OrderBandMembers(subject.context, *schedule, *subject.scop);
  ASSERT_TRUE(ordered.ok()) << ordered.status();
  const auto band = ordered->root().child(0).as<isl::schedule_node_band>();
  const isl::union_map last = isl::union_map(band.partial_schedule().at(2).as_union_map());
  const isl::union_map wanted(subject.context.ctx(),
                              "[ni, nj, nk] -> { S0[i, j] -> [j]; S1[i, k, j] -> [j] }");
  EXPECT_TRUE(last.intersect_domain(ordered->domain()).is_equal(wanted.intersect_domain(ordered->domain())))
      << IslText(band.partial_schedule());
  EXPECT_TRUE(band.permutable());
  EXPECT_TRUE(band.member_get_coincident(0));
  EXPECT_FALSE(band.member_get_coincident(1));
  EXPECT_TRUE(band.member_get_coincident(2));
}

// Where reads or writes go across rows, writes go along them.
TEST(BandOrderTest, WritesGoAlongRows) {
  Subject subject(testing::ScopBuilder("f", {"n", "m"}, "n >= 0 and m >= 0")
                      .Array("a", {"n", "m"})
                      .Array("c", {"m", "n"})
                      .Begin("i", "0 <= i < n")
                      .Begin("j", "0 <= j < m")
                      .Assign({"c", "j, i"}, {{"a", "i, j"}}, testing::Read(0))
                      .End()
                      .End()
                      .Build());
  const auto schedule = ComputeSchedule(subject.context, *subject.scop, subject.dependences, {});
  ASSERT_TRUE(schedule.ok()) << schedule.status();
  const auto ordered = OrderBandMembers(subject.context, *schedule, *subject.scop);
  ASSERT_TRUE(ordered.ok()) << ordered.status();
  const auto band = ordered->root().child(0).as<isl::schedule_node_band>();
  const isl::union_map last = isl::union_map(band.partial_schedule().at(1).as_union_map());
  const isl::union_map wanted(subject.context.ctx(), "[n, m] -> { S0[i, j] -> [i] }");
  EXPECT_TRUE(last.intersect_domain(ordered->domain()).is_equal(wanted.intersect_domain(ordered->domain())))
      << IslText(band.partial_schedule());
}

// Along t a wavefront of seidel steps back within a row, along i it goes to another one.
TEST(BandOrderTest, ElementsOfOneRowAreNearerThanThoseOfAnother) {
  Subject subject(testing::SeidelScop());
  const auto wavefront = [](const std::string& members) {
    return absl::StrCat("domain: \"[steps, n] -> { S0[t, i, j] : 0 <= t < steps and 0 < i < n - 1 and ",
                        "0 < j < n - 1 }\"\nchild:\n  schedule: \"[steps, n] -> [{ S0[t, i, j] -> ",
                        "[(4t + 2i + j)] }]\"\n  child:\n    schedule: \"[steps, n] -> [", members,
                        "]\"\n    permutable: 1\n    coincident: [ 1, 1 ]\n");
  };
  const std::string t = "{ S0[t, i, j] -> [(t)] }", i = "{ S0[t, i, j] -> [(i)] }";
  const isl::schedule schedule(subject.context.ctx(), wavefront(t + ", " + i));
  const auto ordered = OrderBandMembers(subject.context, schedule, *subject.scop);
  ASSERT_TRUE(ordered.ok()) << ordered.status();
  const isl::schedule wanted(subject.context.ctx(), wavefront(i + ", " + t));
  EXPECT_EQ(isl_schedule_plain_is_equal(ordered->get(), wanted.get()), isl_bool_true) << IslText(*ordered);
}

}  // namespace
}  // namespace tune
