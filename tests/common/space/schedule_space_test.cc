#include "common/space/schedule_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/decision/all_walks.h"
#include "common/decision/configuration.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/space/cuda_space.h"
#include "tests/common/testing/checked_random_chooser.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/random_scops.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/common/testing/schedule_oracle.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using testing::ScopBuilder;

constexpr ScheduleLevel kNewLevels[] = {ScheduleLevel::kO2, ScheduleLevel::kO3};

std::unique_ptr<ScheduleSpace> MakeSpace(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  auto space =
      ScheduleSpace::Make(WithParameterFacts(scop, values), values, {}, InnerReductions::kAreKernels);
  EXPECT_TRUE(space.ok()) << space.status();
  return *std::move(space);
}

// What the generator sees of the kernels, by their statements.
std::set<std::string> KernelFacts(const ScheduledScop& scheduled) {
  std::set<std::string> facts;
  for (const Kernel& kernel : scheduled.kernels) {
    const std::set<std::string> statements(kernel.statements.begin(), kernel.statements.end());
    std::string text = absl::StrCat("@", kernel.host_depth);
    for (const std::string& statement : statements) absl::StrAppend(&text, " ", statement);
    for (const KernelBand& band : kernel.bands) {
      absl::StrAppend(&text, ";");
      for (int m = 0; m < band.member_count(); ++m)
        absl::StrAppend(&text, " ", band.trip_counts[m], band.coincident[m] ? "p" : "");
    }
    facts.insert(text);
  }
  return facts;
}

void ExpectRandomWalksLegal(const v1::Scop& scop, const std::map<std::string, int64_t>& values, int seeds) {
  const auto space = MakeSpace(scop, values);
  const isl::set fixed = ParameterValues(space->context(), values);
  const testing::Pairs memory = testing::Interpreter(space->scop(), fixed).Run().memory;
  for (const ScheduleLevel level : kNewLevels) {
    for (int seed = 0; seed < seeds; ++seed) {
      testing::CheckedRandomChooser chooser(seed);
      RecordingChooser recording(&chooser);
      const auto walked = space->Walk(recording, level);
      SCOPED_TRACE(PrintConfiguration(recording.configuration()));
      ASSERT_TRUE(walked.ok()) << walked.status();
      testing::ExpectLegal(space->context(), space->scop(), space->dependences(), (*walked)->tree, memory,
                           fixed);
    }
  }
}

TEST(ScheduleSpaceTest, RandomSchedulesOfTheSamplesAreLegal) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    ExpectRandomWalksLegal(sample.make(), sample.small, 8);
  }
}

TEST(ScheduleSpaceTest, RandomSchedulesOfRandomScopsAreLegal) {
  for (uint64_t seed = 2000; seed < 2008; ++seed) {
    SCOPED_TRACE(seed);
    ExpectRandomWalksLegal(testing::MakeRandomScop(seed), {{"n", 4}}, 4);
  }
}

TEST(ScheduleSpaceTest, DefaultsOfAllLevelsMakeTheSameKernels) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const auto space = MakeSpace(sample.make(), sample.small);
    testing::SettingChooser defaults(
        {{"schedule.parallel_reductions", "off"}, {"schedule.join_consumers", "off"}});
    const auto first = space->Walk(defaults);
    ASSERT_TRUE(first.ok()) << first.status();
    for (const ScheduleLevel level : kNewLevels) {
      const auto walked = space->Walk(defaults, level);
      ASSERT_TRUE(walked.ok()) << walked.status();
      EXPECT_EQ(KernelFacts(**walked), KernelFacts(**first));
    }
  }
}

// What was decided, "" where it was not asked, in the default walk at level O1.
std::string DefaultReductions(const v1::Scop& scop, InnerReductions reductions, size_t* kernels,
                              int64_t value = 20) {
  std::map<std::string, int64_t> values;
  for (const v1::Parameter& parameter : scop.parameters()) values[parameter.name()] = value;
  const auto space = ScheduleSpace::Make(WithParameterFacts(scop, values), values, {}, reductions).value();
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  *kernels = space->Walk(recording).value()->kernels.size();
  for (const v1::Decision& decision : recording.configuration().decisions())
    if (decision.key() == "schedule.parallel_reductions") return decision.option();
  return "";
}

// y[i][j] += y[i][j - 1], z[i][j] = y[i][j], with a y of the region's own or not.
TEST(ScheduleSpaceTest, ConsumersJoinTheLoopsOfWhatTheyAloneRead) {
  for (const bool own : {true, false}) {
    const auto space = MakeSpace(testing::ScopBuilder("rows", {"n"}, "n >= 4")
                                     .Array("y", {"n", "n"}, own)
                                     .Array("z", {"n", "n"})
                                     .Begin("i", "0 <= i < n")
                                     .Begin("j", "1 <= j < n")
                                     .Assign({"y", "i, j"}, {{"y", "i, j - 1"}, {"z", "i, j"}},
                                             testing::Add(testing::Read(0), testing::Read(1)))
                                     .End()
                                     .End()
                                     .Begin("i", "0 <= i < n")
                                     .Begin("j", "1 <= j < n")
                                     .Assign({"z", "i, j"}, {{"y", "i, j"}}, testing::Read(0))
                                     .End()
                                     .End()
                                     .Build(),
                                 {{"n", 20}});
    DefaultChooser defaults;
    EXPECT_EQ(space->Walk(defaults).value()->kernels.size(), own ? 1u : 2u);
    testing::SettingChooser apart({{"schedule.join_consumers", "off"}, {"schedule.serialize_sccs", "off"}});
    EXPECT_EQ(space->Walk(apart).value()->kernels.size(), 2u);
  }
}

TEST(ScheduleSpaceTest, ReductionsCountAsParallelWhereOthersFuseThen) {
  const v1::Scop gemver = testing::UpdateAndProductScop();
  size_t kernels = 0;
  EXPECT_EQ(DefaultReductions(gemver, InnerReductions::kAreKernels, &kernels), "on");
  EXPECT_EQ(kernels, 1u);
  // Where threads do not share them, they are not.
  EXPECT_EQ(DefaultReductions(gemver, InnerReductions::kInKernels, &kernels), "");
  EXPECT_EQ(kernels, 2u);
  // s = 0; s += x[i] * x[i]; r = sqrt(s) in one kernel leaves the sum to one block.
  EXPECT_EQ(DefaultReductions(testing::ZeroDimScop(), InnerReductions::kAreKernels, &kernels, 5000), "on");
  EXPECT_EQ(kernels, 1u);
  EXPECT_EQ(DefaultReductions(testing::ZeroDimScop(), InnerReductions::kAreKernels, &kernels, 1000000),
            "off");
  EXPECT_EQ(kernels, 3u);
  // Where that changes nothing, it is not asked.
  EXPECT_EQ(DefaultReductions(testing::GemmScop(), InnerReductions::kAreKernels, &kernels), "");
}

// As a worker does with what a server recorded.
TEST(ScheduleSpaceTest, RecordedDecisionsMakeTheSameScheduleElsewhere) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const auto server = MakeSpace(sample.make(), sample.small);
    const auto worker = MakeSpace(sample.make(), sample.small);
    std::vector<std::pair<v1::Configuration, std::string>> recorded;  // with the schedule's fingerprint
    for (const ScheduleLevel level : kNewLevels) {
      for (uint64_t seed = 0; seed < 4; ++seed) {
        testing::CheckedRandomChooser chooser(seed);
        RecordingChooser recording(&chooser);
        const auto walked = server->Walk(recording, level);
        ASSERT_TRUE(walked.ok()) << walked.status();
        ASSERT_EQ(ScheduleLevelOf(recording.configuration()), level);
        recorded.emplace_back(recording.configuration(), (*walked)->fingerprint);
      }
    }
    std::reverse(recorded.begin(), recorded.end());  // nothing depends on what was walked before
    for (const auto& [configuration, fingerprint] : recorded) {
      SCOPED_TRACE(PrintConfiguration(configuration));
      ReplayChooser replay(configuration);
      const auto replayed = worker->Walk(replay, ScheduleLevelOf(configuration));
      ASSERT_TRUE(replayed.ok()) << replayed.status();
      EXPECT_EQ((*replayed)->fingerprint, fingerprint);
      EXPECT_EQ(replay.CheckAllUsed(), absl::OkStatus());
    }
  }
}

// Section 5.2: two parallel loops stay, whatever rows are chosen and whatever is fused.
TEST(ScheduleSpaceTest, HyperplanesKeepTwoParallelLoops) {
  const auto space = MakeSpace(testing::GemmScop(), {{"ni", 50}, {"nj", 50}, {"nk", 50}});
  std::set<std::string> schedules;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    testing::CheckedRandomChooser chooser(seed);
    RecordingChooser recording(&chooser);
    const auto walked = space->Walk(recording, ScheduleLevel::kO3);
    SCOPED_TRACE(PrintConfiguration(recording.configuration()));
    ASSERT_TRUE(walked.ok()) << walked.status();
    schedules.insert((*walked)->fingerprint);
    for (const Kernel& kernel : (*walked)->kernels) {
      long parallel = 0;
      for (const KernelBand& band : kernel.bands)
        parallel += std::count(band.coincident.begin(), band.coincident.end(), true);
      EXPECT_GE(parallel, 2) << kernel.name;
    }
  }
  EXPECT_GT(schedules.size(), 20u);
}

TEST(ScheduleSpaceTest, LevelsOfConfigurationsAndSpecs) {
  EXPECT_EQ(ScheduleLevelOf(ParseConfiguration("schedule.algorithm = pluto").value()), ScheduleLevel::kO1);
  EXPECT_EQ(ScheduleLevelOf(ParseConfiguration("schedule.level = O3").value()), ScheduleLevel::kO3);
  EXPECT_EQ(ParseScheduleLevel(0).value(), ScheduleLevel::kO1);
  EXPECT_EQ(ParseScheduleLevel(1).value(), ScheduleLevel::kO1);
  EXPECT_EQ(ParseScheduleLevel(3).value(), ScheduleLevel::kO3);
  EXPECT_THAT(std::string(ParseScheduleLevel(4).status().message()), HasSubstr("use 1, 2 or 3"));
}

// The statements of the nodes below the outermost one, when that is a sequence or set, else of all; sorted.
std::set<std::set<std::string>> OuterParts(const isl::schedule& schedule) {
  isl::schedule_node node = schedule.root().child(0);
  std::set<std::set<std::string>> parts;
  const auto add = [&](const isl::schedule_node& part) {
    std::set<std::string> names;
    const isl::union_set domain = NodeDomain(part);
    domain.foreach_set([&](const isl::set& set) { names.insert(TupleName(set)); });
    parts.insert(names);
  };
  if (!node.isa<isl::schedule_node_sequence>() && !node.isa<isl::schedule_node_set>()) {
    add(node);
    return parts;
  }
  for (unsigned i = 0; i < node.n_children(); ++i) add(node.child(static_cast<int>(i)).child(0));
  return parts;
}

using Partitions = std::set<std::set<std::set<std::string>>>;

Partitions AllOuterPartitions(const v1::Scop& scop, int* walks) {
  const auto space = MakeSpace(scop, {{"n", 20}});
  Partitions partitions;
  *walks = ForAllWalks([&](Chooser& chooser) {
    const auto walked = space->Walk(chooser, ScheduleLevel::kO2);
    ASSERT_TRUE(walked.ok()) << walked.status();
    partitions.insert(OuterParts((*walked)->tree));
  });
  return partitions;
}

// x = 1 in loops of their own.
v1::Scop ThreeLoops(const std::vector<std::string>& second_reads) {
  ScopBuilder builder("loops", {"n"}, "n >= 1");
  builder.Array("A", {"n + 2"}).Array("B", {"n + 2"}).Array("C", {"n + 2"});
  std::vector<testing::Element> reads;
  v1::Expression sum = testing::Literal("1");
  for (const std::string& subscript : second_reads) {
    sum = testing::Add(sum, testing::Read(static_cast<int>(reads.size())));
    reads.push_back({"A", subscript});
  }
  return builder.Begin("i", "1 <= i <= n")
      .Assign({"A", "i"}, {}, testing::Literal("1"))
      .End()
      .Begin("i", "1 <= i <= n")
      .Assign({"B", "i"}, reads, sum)
      .End()
      .Begin("i", "1 <= i <= n")
      .Assign({"C", "i"}, {}, testing::Literal("1"))
      .End()
      .Build();
}

// Coding Ants, figure 4: six orders of three statements, each parted in four ways; five sets of parts.
TEST(PartitionsTest, FigureFour) {
  int walks = 0;
  EXPECT_EQ(AllOuterPartitions(ThreeLoops({}), &walks).size(), 5u);
  EXPECT_EQ(walks, 24);
}

// The second loop reads what the first makes: three orders. Fused they stay parallel.
TEST(PartitionsTest, DependentLoopsThatStayParallel) {
  int walks = 0;
  EXPECT_EQ(AllOuterPartitions(ThreeLoops({"i"}), &walks).size(), 5u);
  EXPECT_EQ(walks, 12);
}

// A stencil of the first loop would need a shift, and the common loop would not be parallel: never fused. Of
// the three orders S0 S1 S2 allows {S1, S2}, S0 S2 S1 both pairs with S2, S2 S0 S1 {S0, S2}.
TEST(PartitionsTest, FusionNeverLosesParallelism) {
  int walks = 0;
  const Partitions partitions = AllOuterPartitions(ThreeLoops({"i - 1", "i", "i + 1"}), &walks);
  const Partitions expected = {{{"S0"}, {"S1"}, {"S2"}}, {{"S0", "S2"}, {"S1"}}, {{"S0"}, {"S1", "S2"}}};
  EXPECT_EQ(partitions, expected);
  EXPECT_EQ(walks, 2 + 3 + 2);
}

// Both levels of parallelism count: a loop nest with two parallel loops and one with one are not fused,
// unless isl's own schedule does.
TEST(PartitionsTest, DifferentLevelsOfParallelismStayApart) {
  const v1::Scop scop = ScopBuilder("levels", {"n"}, "n >= 1")
                            .Array("A", {"n", "n"})
                            .Array("x", {"n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"A", "i, j"}, {}, testing::Literal("1"))
                            .End()
                            .End()
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Update(v1::ADD, {"x", "i"}, {}, testing::Literal("1"))
                            .End()
                            .End()
                            .Build();
  int walks = 0;
  EXPECT_EQ(AllOuterPartitions(scop, &walks), (Partitions{{{"S0"}, {"S1"}}}));
  EXPECT_EQ(walks, 2);
}

// Fused in the first parallel loop, they share the second, too.
TEST(PartitionsTest, SecondParallelLoopsAreFusedAsTheFirstAre) {
  const v1::Scop scop = ScopBuilder("pair", {"n"}, "n >= 1")
                            .Array("A", {"n", "n"})
                            .Array("B", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Assign({"A", "i, j"}, {}, testing::Literal("1"))
                            .End()
                            .Begin("j", "0 <= j < n")
                            .Assign({"B", "i, j"}, {{"A", "i, j"}}, testing::Read(0))
                            .End()
                            .End()
                            .Build();
  const auto space = MakeSpace(scop, {{"n", 20}});
  const int walks = ForAllWalks([&](Chooser& chooser) {
    const auto walked = space->Walk(chooser, ScheduleLevel::kO2);
    ASSERT_TRUE(walked.ok()) << walked.status();
    for (const Kernel& kernel : (*walked)->kernels) {
      ASSERT_FALSE(kernel.bands.empty());
      EXPECT_EQ(kernel.bands[0].coincident, std::vector<bool>({true, true})) << kernel.name;
    }
  });
  EXPECT_EQ(walks, 2);
}

// Two kernels, S0 and S1, S2 and S3, that do not depend on each other.
v1::Scop FigureNineScop() {
  ScopBuilder builder("figure_nine", {"n"}, "n >= 1");
  for (const char* array : {"A", "B", "C", "D"}) builder.Array(array, {"n", "n"});
  for (const auto& [first, second] : {std::pair("A", "B"), std::pair("C", "D")}) {
    builder.Begin("i", "0 <= i < n")
        .Begin("j", "0 <= j < n")
        .Assign({first, "i, j"}, {}, testing::Literal("1"))
        .End()
        .End()
        .Begin("i", "0 <= i < n")
        .Begin("j", "0 <= j < n")
        .Assign({second, "i, j"}, {{first, "i, j"}}, testing::Read(0))
        .End()
        .End();
  }
  return builder.Build();
}

// Whether the decision is inside kernel 1 (S0, S1), inside kernel 2 (S2, S3), or above both (0).
int KernelOf(const std::string& key) {
  if (key.find("@0") != std::string::npos || key.find('[') == std::string::npos) return 0;
  return key.find("S0") != std::string::npos || key.find("S1") != std::string::npos ? 1 : 2;
}

// Coding Ants, figure 9: whichever kernel comes first, its decisions are the same nodes; edges lead from
// kernel 1 to kernel 2 and back, and a node has several edges in.
TEST(GraphTest, FigureNine) {
  const std::map<std::string, int64_t> values = {{"n", 100}};
  CudaSpaceOptions options = testing::H200Options();
  options.level = ScheduleLevel::kO3;
  const auto space = CudaSpace::Make(WithParameterFacts(FigureNineScop(), values), values, options).value();
  std::set<std::pair<std::string, std::string>> edges;  // node -> node
  std::vector<std::set<std::string>> inside;            // nodes of the kernels, by walk
  for (const auto& order : {std::vector<std::string>{"S0", "S1", "S2"}, {"S2", "S3", "S0"}}) {
    std::map<std::string, std::string> settings = {{"schedule[S0-S3]@0.partitions", "2"},
                                                   {"schedule[S0-S3]@0.size_S0", "2"},
                                                   {"schedule[S0-S3]@0.size_S2", "2"}};
    for (size_t i = 0; i < order.size(); ++i)
      settings[absl::StrCat("schedule[S0-S3]@0.order_", i)] = order[i];
    testing::SettingChooser chooser(settings);
    RecordingChooser recording(&chooser);
    const auto plan = space->Walk(recording);
    ASSERT_TRUE(plan.ok()) << plan.status();
    ASSERT_EQ(plan->kernels.size(), 2u);
    EXPECT_EQ(plan->kernels[0].name, order[0] == "S0" ? "k[S0,S1]" : "k[S2,S3]");
    std::set<std::string>& nodes = inside.emplace_back();
    const auto& decisions = recording.configuration().decisions();
    for (int i = 0; i < decisions.size(); ++i) {
      if (KernelOf(decisions[i].key()) != 0) nodes.insert(decisions[i].key());
      if (i > 0) edges.insert({decisions[i - 1].key(), decisions[i].key()});
    }
    EXPECT_TRUE(nodes.count("k[S0,S1].tile_size_0") && nodes.count("schedule[S0]@1.kind_S0"))
        << PrintConfiguration(recording.configuration());
  }
  EXPECT_EQ(inside[0], inside[1]);
  std::set<std::pair<int, int>> between;  // kernels
  std::map<std::string, int> edges_in;
  for (const auto& [from, to] : edges) {
    between.insert({KernelOf(from), KernelOf(to)});
    ++edges_in[to];
  }
  EXPECT_TRUE(between.count({1, 2}) && between.count({2, 1})) << "no cycle between the kernels";
  EXPECT_EQ(edges_in["k[S0,S1].tile_size_1"] + edges_in["k[S2,S3].tile_size_1"], 4)
      << "each kernel is entered from two sides";
}

}  // namespace
}  // namespace tune
