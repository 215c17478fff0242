#include "common/space/cpu_space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "common/decision/configuration.h"
#include "common/transform/loop_tiles/loop_tiles.h"
#include "common/transform/packed_product/packed_product.h"
#include "common/transform/parallel_loop/parallel_loop.h"
#include "common/transform/simd/simd.h"
#include "common/transform/unroll/unroll.h"
#include "tests/common/testing/checked_random_chooser.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<CpuSpace> MakeCpuSpace(const v1::Scop& scop, const std::map<std::string, int64_t>& values,
                                       int hardware_threads = 8) {
  auto space = CpuSpace::Make(WithParameterFacts(scop, values), values, {hardware_threads});
  EXPECT_TRUE(space.ok()) << space.status();
  return *std::move(space);
}

std::map<std::string, int64_t> Large(const testing::SampleScop& sample) {
  std::map<std::string, int64_t> values = sample.small;
  for (auto& [name, value] : values) value = 100;
  return values;
}

// A plan as text, for comparison.
std::string Text(const CpuPlan& plan) {
  std::string text = plan.scheduled->fingerprint;
  for (const HostKernelPlan& kernel : plan.kernels) {
    const ParallelMember& parallel = kernel.Get<ParallelMember>();
    absl::StrAppend(&text, "\n", kernel.name, " parallel ", parallel.member, " threads ", parallel.threads,
                    " unroll ", kernel.Get<UnrollFactor>().factor, " simd ", kernel.Get<SimdLoops>().on,
                    " tiles");
    for (const std::vector<int64_t>& sizes : kernel.Get<BandTiles>().sizes) {
      for (const int64_t size : sizes) absl::StrAppend(&text, " ", size);
      absl::StrAppend(&text, ";");
    }
  }
  return text;
}

// By default, but with a computed schedule.
class ScheduledChooser : public DefaultChooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    return point.key == "loops" ? 1 : DefaultChooser::Choose(point);
  }
};

// By default, but with the region's own loops.
class WrittenChooser : public DefaultChooser {
 public:
  absl::StatusOr<int> Choose(const DecisionPoint& point) override {
    return point.key == "loops" ? 0 : DefaultChooser::Choose(point);
  }
};

TEST(CpuSpaceTest, DefaultOfGemmAsItIsWritten) {
  const auto space = MakeCpuSpace(testing::GemmScop(), {{"ni", 100}, {"nj", 110}, {"nk", 120}});
  WrittenChooser defaults;
  RecordingChooser recording(&defaults);
  const auto plan = space->Walk(recording);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(PrintConfiguration(recording.configuration()),
            "loops = written\n"
            "k[S0,S1].tile_size_0 = 0\n"
            "k[S0,S1].b2.tile_size_0 = 0\n"
            "k[S0,S1].b2.tile_size_1 = 0\n"
            "k[S0,S1].parallel = 0\n"
            "k[S0,S1].threads = 8\n"
            "k[S0,S1].unroll = 1\n"
            "k[S0,S1].simd = on\n");
  ASSERT_EQ(plan->kernels.size(), 1u);
  EXPECT_TRUE(plan->written);
  EXPECT_THAT(plan->kernels[0].Get<BandTiles>().sizes.at(2), ElementsAre(0, 0));
  EXPECT_EQ(plan->kernels[0].Get<ParallelMember>().member, 0);
  EXPECT_EQ(plan->kernels[0].Get<ParallelMember>().threads, 8);
  EXPECT_TRUE(plan->kernels[0].Get<ParallelMember>().all_threads);
  EXPECT_TRUE(plan->kernels[0].Get<SimdLoops>().on);
}

// Configurations that were recorded before there was the decision `loops`.
TEST(CpuSpaceTest, ARecordWithoutLoopsHasAComputedSchedule) {
  const auto space = MakeCpuSpace(testing::GemmScop(), {{"ni", 100}, {"nj", 110}, {"nk", 120}});
  ReplayChooser replay(ParseConfiguration("schedule.algorithm = pluto\n"
                                          "schedule.serialize_sccs = off\n"
                                          "schedule.maximize_band_depth = on\n"
                                          "k[S0,S1].tile_size_0 = 32\n"
                                          "k[S0,S1].tile_size_1 = 32\n"
                                          "k[S0,S1].tile_size_2 = 32\n"
                                          "k[S0,S1].parallel = 0\n"
                                          "k[S0,S1].threads = 8\n"
                                          "k[S0,S1].unroll = 1\n"
                                          "k[S0,S1].simd = on\n")
                           .value());
  const auto plan = space->Walk(replay);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(replay.CheckAllUsed(), absl::OkStatus());
  EXPECT_FALSE(plan->written);
}

TEST(CpuSpaceTest, RandomWalksFitTheKernelsAndReplay) {
  for (const testing::SampleScop& sample : testing::SampleScops()) {
    SCOPED_TRACE(sample.name);
    const auto space = MakeCpuSpace(sample.make(), Large(sample));
    // Another space of the same scop, as the worker has one.
    const auto other = MakeCpuSpace(sample.make(), Large(sample));
    for (uint64_t seed = 0; seed < 30; ++seed) {
      testing::CheckedRandomChooser random(seed);
      RecordingChooser recording(&random);
      const auto plan = space->Walk(recording);
      ASSERT_TRUE(plan.ok()) << plan.status();
      ASSERT_EQ(plan->kernels.size(), plan->scheduled->kernels.size());
      for (size_t k = 0; k < plan->kernels.size(); ++k) {
        const Kernel& kernel = plan->scheduled->kernels[k];
        const HostKernelPlan& decided = plan->kernels[k];
        EXPECT_EQ(decided.name, kernel.name);
        const std::vector<std::vector<int64_t>>& tiles = decided.Get<BandTiles>().sizes;
        ASSERT_EQ(tiles.size(), decided.Get<PackedProduct>().blocks ? 0 : kernel.bands.size());
        for (size_t b = 0; b < tiles.size(); ++b) {
          ASSERT_EQ(tiles[b].size(), kernel.bands[b].coincident.size());
          for (size_t m = 0; m < tiles[b].size(); ++m) {
            const int64_t size = tiles[b][m];
            EXPECT_TRUE(size == 0 || (kernel.bands[b].permutable && size <= kernel.bands[b].trip_counts[m]));
          }
        }
        const ParallelMember& parallel = decided.Get<ParallelMember>();
        if (parallel.member >= 0) {
          EXPECT_TRUE(kernel.bands[0].coincident[parallel.member]);
          EXPECT_GE(parallel.threads, 2);
          EXPECT_LE(parallel.threads, 8);
          EXPECT_EQ(parallel.all_threads, parallel.threads == 8);
        } else {
          EXPECT_EQ(parallel.threads, 1);
        }
      }
      ReplayChooser replay(ParseConfiguration(PrintConfiguration(recording.configuration())).value());
      const auto replayed = other->Walk(replay);
      ASSERT_TRUE(replayed.ok()) << replayed.status();
      EXPECT_EQ(replay.CheckAllUsed(), absl::OkStatus());
      EXPECT_EQ(Text(*replayed), Text(*plan));
    }
  }
}

TEST(CpuSpaceTest, SchedulesAreComputedOnceAndShared) {
  const auto space = MakeCpuSpace(testing::GemmScop(), {{"ni", 100}, {"nj", 100}, {"nk", 100}});
  std::map<std::string, const ScheduledScop*> by_fingerprint;
  for (int round = 0; round < 2; ++round) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      testing::CheckedRandomChooser random(seed);
      const auto plan = space->Walk(random);
      ASSERT_TRUE(plan.ok()) << plan.status();
      const auto [entry, added] = by_fingerprint.emplace(plan->scheduled->fingerprint, plan->scheduled.get());
      EXPECT_EQ(entry->second, plan->scheduled.get());
    }
  }
  EXPECT_GE(by_fingerprint.size(), 2u);
}

TEST(CpuSpaceTest, OneHardwareThreadAsksNothingAboutThreads) {
  const auto space = MakeCpuSpace(testing::GemmScop(), {{"ni", 100}, {"nj", 100}, {"nk", 100}}, 1);
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  ASSERT_TRUE(space->Walk(recording).ok());
  EXPECT_EQ(PrintConfiguration(recording.configuration()).find("parallel"), std::string::npos);
}

TEST(CpuSpaceTest, ThreadCountsArePowersOfTwoAndAllThreads) {
  class ThreadOptions : public DefaultChooser {
   public:
    absl::StatusOr<int> Choose(const DecisionPoint& point) override {
      if (point.key == "k[S1].threads") options = point.options;
      return DefaultChooser::Choose(point);
    }
    std::vector<std::string> options;
  };
  const auto space = MakeCpuSpace(testing::GemmScop(), {{"ni", 100}, {"nj", 100}, {"nk", 100}}, 12);
  ThreadOptions chooser;
  ASSERT_TRUE(space->Walk(chooser).ok());
  EXPECT_THAT(chooser.options, ElementsAre("2", "4", "8", "12"));
}

TEST(CpuSpaceTest, TilesLargerThanTheLoopAreMasked) {
  const auto space = MakeCpuSpace(testing::GemmScop(), {{"ni", 5}, {"nj", 20}, {"nk", 100}});
  for (const std::string member : {"0", "1", "2"}) {
    ScheduledChooser scheduled;
    RecordingChooser recording(&scheduled);
    ASSERT_TRUE(space->Walk(recording).ok());
    v1::Configuration configuration = recording.configuration();
    for (v1::Decision& decision : *configuration.mutable_decisions()) {
      if (decision.key() == "k[S0,S1].tile_size_" + member) decision.set_option("128");
    }
    ReplayChooser replay(configuration);
    EXPECT_TRUE(absl::IsInvalidArgument(space->Walk(replay).status())) << member;
  }
}

TEST(CpuSpaceTest, AFailedScheduleIsACandidatesErrorAndIsRemembered) {
  IslContext::Limits limits;
  limits.operations = 1'000'000;
  const std::map<std::string, int64_t> values = {{"n", 100}};
  auto space = CpuSpace::Make(WithParameterFacts(testing::TriangularScop(), values), values, {8}, limits);
  ASSERT_TRUE(space.ok()) << space.status();
  IslContext& context = (*space)->context();
  DefaultChooser defaults;
  // Leaves so few operations that the walk cannot compute its schedule.
  const absl::Status first = context.Run("test", [&]() -> absl::Status {
    for (int i = 0; i < 999'000; ++i) isl::val(context.ctx(), i);
    return (*space)->Walk(defaults).status();
  });
  ASSERT_TRUE(absl::IsResourceExhausted(first)) << first;
  EXPECT_THAT(std::string(first.message()), HasSubstr("reading the region's loops"));
  EXPECT_EQ((*space)->Walk(defaults).status(), first);
  // Another schedule, under limits of its own.
  ReplayChooser other(
      ParseConfiguration("schedule.algorithm = feautrier\nschedule.serialize_sccs = on\n").value());
  const absl::Status second = (*space)->Walk(other).status();
  EXPECT_TRUE(absl::IsInvalidArgument(second)) << second;
  EXPECT_THAT(std::string(second.message()), HasSubstr("nothing is decided for k["));
}

TEST(CpuSpaceTest, ContradictingParameterValuesAreRefused) {
  const auto space = CpuSpace::Make(testing::DecreasingScop(), {{"n", 0}}, {8});
  ASSERT_TRUE(absl::IsInvalidArgument(space.status())) << space.status();
  EXPECT_THAT(std::string(space.status().message()), HasSubstr("n = 0"));
}

}  // namespace
}  // namespace tune
