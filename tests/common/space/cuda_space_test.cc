#include "common/space/cuda_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using testing::Add;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Literal;
using testing::Multiply;
using testing::Read;
using testing::ScopBuilder;

const std::map<std::string, int64_t> kValues = {{"n", 300}};

// Answers those of `settings`, defaults for other keys.
class SomeChooser : public DefaultChooser {
 public:
  explicit SomeChooser(std::map<std::string, std::string> settings) : settings_(std::move(settings)) {}
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    const auto setting = settings_.find(point.key);
    if (setting == settings_.end()) return DefaultChooser::Choose(point);
    const auto option = std::find(point.options.begin(), point.options.end(), setting->second);
    EXPECT_NE(option, point.options.end()) << point.key << " = " << setting->second;
    return static_cast<int>(option - point.options.begin());
  }

 private:
  std::map<std::string, std::string> settings_;
};

struct Walked {
  std::vector<std::string> first;  // "key = option" before the schedule's
  std::vector<std::string> kernels;
  std::vector<std::string> arrays;
};

Walked Walk(CudaSpace& space, const std::map<std::string, std::string>& settings = {}) {
  SomeChooser chooser(settings);
  RecordingChooser recording(&chooser);
  const CudaPlan plan = space.Walk(recording).value();
  Walked walked;
  for (const v1::Decision& decision : recording.configuration().decisions()) {
    if (decision.key() == "schedule.algorithm") break;
    walked.first.push_back(absl::StrCat(decision.key(), " = ", decision.option()));
  }
  for (const Kernel& kernel : plan.scheduled->kernels) walked.kernels.push_back(kernel.name);
  for (const v1::Array& array : plan.schedules->scop().proto.arrays()) walked.arrays.push_back(array.name());
  return walked;
}

std::unique_ptr<CudaSpace> MakeSpace(const v1::Scop& scop) {
  return CudaSpace::Make(WithParameterFacts(scop, kValues), kValues, testing::H200Options()).value();
}

ScopBuilder Loops() {
  ScopBuilder builder("loops", {"n"}, "n >= 4");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"}).Array("t", {}, /*declared_inside=*/true);
  builder.Begin("k", "0 <= k < n").Begin("i", "0 <= i < n").Begin("j", "0 <= j < n");
  return builder;
}

TEST(CudaSpaceTest, PivotsAndThenIndexSetsAreAskedForWhereSomethingIsSplit) {
  const auto space = MakeSpace(Loops()
                                   .Assign({"A", "i, j"}, {{"A", "i, j"}, {"A", "i, k"}, {"A", "k, j"}},
                                           Add(Read(0), Multiply(Read(1), Read(2))))
                                   .Build());
  const Walked blocked = Walk(*space);
  EXPECT_EQ(blocked.first.front(), "pivot_blocks = on");
  EXPECT_EQ(blocked.kernels.size(), 16u);
  const Walked split = Walk(*space, {{"pivot_blocks", "off"}});
  EXPECT_THAT(split.first, ElementsAre("pivot_blocks = off", "index_sets = split"));
  EXPECT_EQ(split.kernels.size(), 9u);
  const Walked whole = Walk(*space, {{"pivot_blocks", "off"}, {"index_sets", "whole"}});
  EXPECT_THAT(whole.first, ElementsAre("pivot_blocks = off", "index_sets = whole"));
  EXPECT_EQ(whole.kernels.size(), 1u);
}

// The form that is asked for last is the default; that its loops have pivots is seen in the one schedule of
// the original. Others are made when a walk wants them, and once.
TEST(CudaSpaceTest, WalksComputeWhatTheyNeedAndOnce) {
  const auto space = MakeSpace(Loops()
                                   .Assign({"A", "i, j"}, {{"A", "i, j"}, {"A", "i, k"}, {"A", "k, j"}},
                                           Add(Read(0), Multiply(Read(1), Read(2))))
                                   .Build());
  EXPECT_EQ(space->work().schedules, 0);
  Walk(*space);
  const CudaSpace::Work first = space->work();
  Walk(*space, {{"pivot_blocks", "off"}, {"index_sets", "whole"}});
  EXPECT_EQ(space->work().schedules, first.schedules) << "the original's is known";
  Walk(*space, {{"pivot_blocks", "off"}});
  const CudaSpace::Work all = space->work();
  EXPECT_EQ(all.schedules, first.schedules + 1);
  Walk(*space, {{"pivot_blocks", "off"}});
  Walk(*space);
  EXPECT_EQ(space->work().schedules, all.schedules);
  EXPECT_EQ(space->work().forms, all.forms);
}

// Nothing of the chain of other forms is computed where tiles of time, of the last ones, are taken.
TEST(CudaSpaceTest, FormsThatNoWalkTakesAreNotMade) {
  ScopBuilder builder("smooth", {"n"}, "n >= 4");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"});
  const auto step = [&](const std::string& to, const std::string& from) {
    builder.Begin("i", "1 <= i < n - 1").Begin("j", "1 <= j < n - 1");
    builder.Assign({to, "i, j"}, {{from, "i - 1, j"}, {from, "i, j"}, {from, "i, j + 1"}},
                   Add(Read(0), Add(Read(1), Read(2))));
    builder.End().End();
  };
  builder.Begin("t", "0 <= t < n");
  step("B", "A");
  step("A", "B");
  const auto space = MakeSpace(builder.End().Build());
  const std::vector<std::string> first = Walk(*space).first;
  ASSERT_GE(first.size(), 2);
  EXPECT_EQ(first[0], "streamed_tiles = off");
  EXPECT_EQ(first[1], "time_tiles = on");
  EXPECT_EQ(space->work().forms, 1);
  EXPECT_EQ(space->work().schedules, 1);
}

// Steps of one array, of which the schedule has no parallel loop outermost: tiles of time are looked for
// once.
TEST(CudaSpaceTest, WavefrontsGiveWayToTilesOfTime) {
  const std::map<std::string, int64_t> values = {{"steps", 16}, {"n", 261}};
  const auto space =
      CudaSpace::Make(WithParameterFacts(testing::Jacobi1dScop(), values), values, testing::H200Options())
          .value();
  for (const char* tiles : {"on", "off"}) {
    for (const std::string& decision : Walk(*space, {{"time_tiles", tiles}}).first)
      EXPECT_EQ(decision.find("wavefront_tiles"), std::string::npos) << decision;
  }
}

// With one t for all iterations no loop of any piece is parallel: the statements with copies of t are split.
TEST(CudaSpaceTest, WhatIsExpandedIsSplit) {
  const auto space = MakeSpace(Loops()
                                   .Assign({"t", ""}, {{"B", "i, j"}}, Multiply(Read(0), Read(0)))
                                   .Assign({"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}, {"t", ""}},
                                           Add(Multiply(Read(0), Read(1)), Read(2)))
                                   .Build());
  const Walked split = Walk(*space);
  EXPECT_THAT(split.first, ElementsAre("index_sets = split"));
  EXPECT_GE(split.kernels.size(), 9u);
  EXPECT_THAT(split.arrays, ElementsAre("A", "B", "t_copies"));
  EXPECT_THAT(Walk(*space, {{"index_sets", "whole"}}).first,
              ElementsAre("index_sets = whole", "expansion = on"));
}

TEST(CudaSpaceTest, WhatIsTooMuchWorkToSplitStaysWhole) {
  const v1::Scop scop = WithParameterFacts(
      Loops().Assign({"A", "i, j"}, {{"A", "i, k"}, {"A", "k, j"}}, Multiply(Read(0), Read(1))).Build(),
      kValues);
  IslContext::Limits limits;
  limits.operations = 100'000;
  const auto space = CudaSpace::Make(scop, kValues, testing::H200Options(), limits);
  ASSERT_TRUE(space.ok()) << space.status();
  EXPECT_THAT(Walk(**space).first, ElementsAre());
  EXPECT_THAT(Walk(*CudaSpace::Make(scop, kValues, testing::H200Options()).value()).first,
              ElementsAre("index_sets = split"));
}

TEST(CudaSpaceTest, OtherwiseTheyAreNotAskedFor) {
  const auto space = MakeSpace(Loops().Update(v1::ADD, {"A", "i, j"}, {{"A", "i, k"}}, Read(0)).Build());
  EXPECT_THAT(Walk(*space).first, ElementsAre());
}

// c = a > m; m = c ? a : m; k = c ? b : k;
void KeepLargest(ScopBuilder& builder, const std::string& subscripts) {
  const auto choice = [] { return testing::Operation("?:", {Read(0), Read(1), Read(2)}); };
  builder.Assign({"c", ""}, {{"a", subscripts}, {"m", ""}}, testing::Operation(">", {Read(0), Read(1)}));
  builder.Assign({"m", ""}, {{"c", ""}, {"a", subscripts}, {"m", ""}}, choice());
  builder.Assign({"k", ""}, {{"c", ""}, {"b", "i"}, {"k", ""}}, choice());
}

// Of the members of the root's band that are parallel.
int64_t ParallelIterations(const Kernel& kernel) {
  int64_t all = 1;
  for (int m = 0; m < kernel.bands[0].member_count(); ++m)
    all *= kernel.bands[0].coincident[m] ? kernel.bands[0].trip_counts[m] : 1;
  return all;
}

TEST(CudaSpaceTest, ALargestElementIsLookedForInParts) {
  ScopBuilder builder("largest", {"n"}, "n >= 4");
  builder.Array("a", {"n"}).Array("b", {"n"}).Array("m", {}).Array("k", {});
  KeepLargest(builder.Array("c", {}, /*declared_inside=*/true).Begin("i", "0 <= i < n"), "i");
  const v1::Scop scop = builder.End().Build();
  const std::map<std::string, int64_t> values = {{"n", 100000}};
  for (const bool exact : {false, true}) {
    CudaSpaceOptions options = testing::H200Options();
    options.exact = exact;
    const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, options).value();
    const Walked parts = Walk(*space);
    EXPECT_THAT(parts.first, ElementsAre("split_extrema = on"));
    DefaultChooser standard;
    const CudaPlan plan = space->Walk(standard).value();
    ASSERT_FALSE(plan.scheduled->kernels.empty());
    EXPECT_GT(ParallelIterations(plan.scheduled->kernels[0]), 1000);
    const Walked written = Walk(*space, {{"split_extrema", "off"}});
    EXPECT_THAT(written.first, ElementsAre("split_extrema = off"));
    EXPECT_EQ(written.kernels.size(), 1u);
  }
}

// Rows run at the same time, and no iteration of theirs has a condition of its own in memory.
TEST(CudaSpaceTest, LargestElementsOfRows) {
  ScopBuilder builder("largest", {"n"}, "n >= 4");
  builder.Array("a", {"n", "n"}).Array("b", {"n"}).Array("out", {"n"}).Array("at", {"n"});
  builder.Array("m", {}, /*declared_inside=*/true).Array("k", {}, /*declared_inside=*/true);
  builder.Array("c", {}, /*declared_inside=*/true).Begin("i", "0 <= i < n");
  builder.Assign({"m", ""}, {}, Literal("0.0")).Assign({"k", ""}, {}, Literal("1.0"));
  KeepLargest(builder.Begin("j", "0 <= j < n"), "i, j");
  builder.End().Assign({"out", "i"}, {{"m", ""}}, Read(0)).Assign({"at", "i"}, {{"k", ""}}, Read(0));
  const auto space = MakeSpace(builder.End().Build());
  DefaultChooser standard;
  const CudaPlan plan = space->Walk(standard).value();
  ASSERT_EQ(plan.scheduled->kernels.size(), 1u);
  EXPECT_EQ(ParallelIterations(plan.scheduled->kernels[0]), 300);
  EXPECT_EQ(plan.scheduled->kernels[0].host_depth, 0);
  for (const v1::Array& array : plan.schedules->scop().proto.arrays()) {
    if (array.declared_inside()) {
      EXPECT_LE(array.extents_size(), 1) << array.name();
    }
  }
}

constexpr char kGemmDomain[] =
    "domain: \"[ni, nj, nk] -> { S0[i, j] : 0 <= i < ni and 0 <= j < nj; "
    "S1[i, k, j] : 0 <= i < ni and 0 <= k < nk and 0 <= j < nj }\"\n";

// A schedule that was printed, and one that a person changed.
TEST(CudaSpaceTest, WalksWithAScheduleFromElsewhere) {
  const auto space =
      CudaSpace::Make(testing::GemmScop(), {{"ni", 200}, {"nj", 210}, {"nk", 220}}, testing::H200Options())
          .value();
  DefaultChooser chooser;
  const CudaPlan plan = space->Walk(chooser).value();
  const std::string tree = IndentedText(plan.scheduled->tree);
  const auto read = space->WalkWithSchedule(tree, chooser);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->scheduled->fingerprint, plan.scheduled->fingerprint);
  ASSERT_EQ(read->kernels.size(), 1);
  EXPECT_EQ(read->kernels[0].threads.axes, plan.kernels[0].threads.axes);

  // Columns outside: x, along which threads are neighbours, is then the rows.
  const std::string by_columns = absl::StrCat(kGemmDomain, R"(child:
  schedule: "[ni, nj, nk] -> [{ S0[i, j] -> [(j)]; S1[i, k, j] -> [(j)] }, { S0[i, j] -> [(i)]; S1[i, k, j] -> [(i)] }]"
  permutable: 1
  coincident: [ 1, 1 ]
  child:
    sequence:
    - filter: "[ni, nj, nk] -> { S0[i, j] }"
    - filter: "[ni, nj, nk] -> { S1[i, k, j] }"
      child:
        schedule: "[ni, nj, nk] -> [{ S1[i, k, j] -> [(k)] }]"
)");
  const auto columns = space->WalkWithSchedule(by_columns, chooser);
  ASSERT_TRUE(columns.ok()) << columns.status();
  EXPECT_EQ(columns->kernels.size(), 1);
  EXPECT_NE(columns->scheduled->fingerprint, plan.scheduled->fingerprint);
}

TEST(CudaSpaceTest, SchedulesThatAreWrongAreRefused) {
  const auto space =
      CudaSpace::Make(testing::GemmScop(), {{"ni", 200}, {"nj", 210}, {"nk", 220}}, testing::H200Options())
          .value();
  DefaultChooser chooser;
  EXPECT_EQ(space->WalkWithSchedule("{ domain: ", chooser).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(space->WalkWithSchedule(R"({ domain: "{ S7[i] }" })", chooser).status().message()),
              HasSubstr("instances that the region has not"));
  // The update before the product's first value is scaled.
  const auto turned = space->WalkWithSchedule(absl::StrCat(kGemmDomain, R"(child:
  sequence:
  - filter: "[ni, nj, nk] -> { S1[i, k, j] }"
    child:
      schedule: "[ni, nj, nk] -> [{ S1[i, k, j] -> [(i)] }, { S1[i, k, j] -> [(j)] }, { S1[i, k, j] -> [(k)] }]"
  - filter: "[ni, nj, nk] -> { S0[i, j] }"
    child:
      schedule: "[ni, nj, nk] -> [{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]"
)"),
                                              chooser);
  EXPECT_EQ(turned.status().code(), absl::StatusCode::kFailedPrecondition) << turned.status();
}

}  // namespace
}  // namespace tune
