#include "common/carving/carving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/carving/efficiency.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

StaticMetrics WithKernel(const std::string& name, KernelMetrics kernel) {
  kernel.kernel = "k";
  return {name, {kernel}};
}

// Whose efficiency is 1 / instructions and whose utilisation is `instructions` * (blocks - 1).
StaticMetrics Simple(const std::string& name, double instructions, int64_t blocks) {
  KernelMetrics kernel;
  kernel.instructions = instructions;
  kernel.threads = 1;
  kernel.blocks_per_multiprocessor = blocks;
  return WithKernel(name, kernel);
}

StaticMetrics Accessing(const std::string& name, double uncoalesced, double bytes) {
  StaticMetrics metrics = Simple(name, 100, 2);
  metrics.kernels[0].global_accesses = 8;
  metrics.kernels[0].uncoalesced_accesses = uncoalesced;
  metrics.kernels[0].moved_bytes = bytes;
  return metrics;
}

FailsThreshold Failure(const Carving& carving, size_t index) {
  return std::get<FailsThreshold>(*carving.removed[index]);
}

TEST(CarvingTest, WhatSurpassesIsNamedWithByHowMuch) {
  const std::vector<StaticMetrics> all = {Simple("slow", 200, 2), Simple("good", 100, 9),
                                          Simple("few", 50, 2)};
  const absl::StatusOr<Carving> carving = Carve(all, {});
  ASSERT_TRUE(carving.ok()) << carving.status();
  EXPECT_THAT(carving->Kept(), ElementsAre(1, 2));
  EXPECT_EQ(std::get<IsSurpassed>(*carving->removed[0]), (IsSurpassed{1, 2, 4}));
  EXPECT_EQ(Explain(*carving, all, 0),
            "slow is removed: good has both 2 times as much efficiency (0.01 to 0.005) and 4 times as much "
            "utilisation (800 to 200)");
  EXPECT_EQ(Explain(*carving, all, 1),
            "good is kept: efficiency 0.01 and utilisation 800 are both surpassed by no configuration that "
            "is left");
}

TEST(CarvingTest, OneOfEachPointIsMeasuredFirst) {
  // Products of both metrics: 8, 8, 1, 1; no utilisation at all.
  const absl::StatusOr<Carving> carving =
      Carve({Simple("a", 50, 2), Simple("b", 100, 9), Simple("c", 100, 9), Simple("a again", 50, 2)}, {});
  ASSERT_TRUE(carving.ok()) << carving.status();
  EXPECT_THAT(BestFirst(*carving), ElementsAre(1, 0, 2, 3));
}

TEST(CarvingTest, WithoutUtilisationTheOtherHasMore) {
  const std::vector<StaticMetrics> all = {Simple("one", 200, 1), Simple("two", 100, 2)};
  const absl::StatusOr<Carving> carving = Carve(all, {});
  ASSERT_TRUE(carving.ok());
  EXPECT_THAT(Explain(*carving, all, 0), HasSubstr("and more utilisation (100 to 0)"));
}

TEST(CarvingTest, TheMarginKeepsWhatIsNear) {
  const std::vector<StaticMetrics> all = {Simple("near", 105, 9), Simple("best", 100, 11)};
  EXPECT_THAT(Carve(all, {})->Kept(), ElementsAre(1));
  CarvingOptions options;
  options.margin = 0.1;
  EXPECT_THAT(Carve(all, options)->Kept(), ElementsAre(0, 1));
}

TEST(CarvingTest, BlocksThatDoNotFitAreRemovedEvenWhenAllAre) {
  const std::vector<StaticMetrics> all = {Simple("a", 1, 0), Simple("b", 1, 0)};
  const absl::StatusOr<Carving> carving = Carve(all, {});
  ASSERT_TRUE(carving.ok());
  EXPECT_THAT(carving->Kept(), ElementsAre());
  EXPECT_EQ(Failure(*carving, 1), (FailsThreshold{Threshold::kFits, 0, 1, "k"}));
  EXPECT_EQ(Explain(*carving, all, 1),
            "b is removed: a multiprocessor has no room for a block of its kernel k");
}

TEST(CarvingTest, UncoalescedOnesGoWhereOthersAreCoalesced) {
  const std::vector<StaticMetrics> all = {Accessing("rows", 0, 8), Accessing("columns", 2, 64)};
  const absl::StatusOr<Carving> carving = Carve(all, {});
  ASSERT_TRUE(carving.ok());
  EXPECT_EQ(Failure(*carving, 1), (FailsThreshold{Threshold::kCoalesced, 0.25, 0, "k"}));
  EXPECT_EQ(
      Explain(*carving, all, 1),
      "columns is removed: 25% of its accesses to global memory are not coalesced, most in kernel k; others "
      "have at most 0%");
  EXPECT_THAT(carving->Kept(), ElementsAre(0));
  EXPECT_THAT(Carve({all[1], all[1]}, {})->Kept(), ElementsAre(0, 1)) << "none is coalesced";
  CarvingOptions off;
  off.most_uncoalesced.reset();
  EXPECT_THAT(Carve(all, off)->Kept(), ElementsAre(0, 1));
}

TEST(CarvingTest, BandwidthIsWhatItWouldNeedWithoutWaits) {
  const std::vector<StaticMetrics> all = {Accessing("reuses", 0, 100), Accessing("streams", 0, 1000)};
  CarvingOptions options;
  options.most_bandwidth = 1;
  EXPECT_THAT(Carve(all, options).status().message(), HasSubstr("needs the device's instructions"));
  options.device_instructions_per_second = 1e12;  // 1e12 and 1e13 bytes a second
  options.device_bytes_per_second = 2e12;
  const absl::StatusOr<Carving> carving = Carve(all, options);
  ASSERT_TRUE(carving.ok());
  EXPECT_EQ(Failure(*carving, 1), (FailsThreshold{Threshold::kBandwidth, 5, 1, "k"}));
  EXPECT_THAT(Explain(*carving, all, 1), HasSubstr("need 500% of the memory bandwidth"));
  EXPECT_FALSE(carving->removed[0].has_value());
}

TEST(CarvingTest, BytesAreComparedWithTheLeast) {
  const std::vector<StaticMetrics> all = {Accessing("a", 0, 100), Accessing("b", 0, 149),
                                          Accessing("c", 0, 151)};
  CarvingOptions options;
  options.most_bytes = 1.5;
  const absl::StatusOr<Carving> carving = Carve(all, options);
  ASSERT_TRUE(carving.ok());
  EXPECT_THAT(carving->Kept(), ElementsAre(0, 1));
  EXPECT_EQ(Failure(*carving, 2), (FailsThreshold{Threshold::kBytes, 151, 150, "k"}));
  EXPECT_THAT(Explain(*carving, all, 2), HasSubstr("it moves 151 bytes"));
}

TEST(CarvingTest, WhatAThresholdRemovedSurpassesNothing) {
  std::vector<StaticMetrics> all = {Simple("good", 200, 2), Accessing("uncoalesced", 1, 8)};
  all[1].kernels[0].blocks_per_multiprocessor = 9;
  EXPECT_THAT(Carve(all, {})->Kept(), ElementsAre(0));
}

TEST(CarvingTest, TheWorstKernelIsNamed) {
  StaticMetrics two = Accessing("two", 1, 8);
  two.kernels.push_back(two.kernels[0]);
  two.kernels[1].kernel = "worse";
  two.kernels[1].uncoalesced_accesses = 4;
  const absl::StatusOr<Carving> carving = Carve({two, Accessing("one", 0, 8)}, {});
  ASSERT_TRUE(carving.ok());
  EXPECT_EQ(Failure(*carving, 0), (FailsThreshold{Threshold::kCoalesced, 5.0 / 16, 0, "worse"}));
}

TEST(CarvingTest, WhatIsNoCountIsRefused) {
  StaticMetrics metrics = Simple("x", -1, 1);
  EXPECT_EQ(Carve({metrics}, {}).status().message(), "carving: configuration x, kernel k: -1 is no count");
  CarvingOptions options;
  options.margin = -0.5;
  EXPECT_THAT(Carve({}, options).status().message(), HasSubstr("the margin is -0.5"));
  options = {};
  options.most_bytes = 0.5;
  EXPECT_THAT(Carve({}, options).status().message(), HasSubstr("from 1"));
}

TEST(CarvingTest, OfNothingNothingIsLeft) { EXPECT_THAT(Carve({}, {})->Kept(), ElementsAre()); }

}  // namespace
}  // namespace tune
