#include "server/search/edge_experience.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "server/search/kernel_bests.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TracedDecision Took(const std::string& key, int option) {
  return {{key, {"0", "1", "2"}, {true, true, true}, 0}, option};
}

KernelResult Kernel(const std::string& name, double seconds, double ipc, double hits) {
  return {name, seconds, {{"ipc", ipc}, {"hits", hits}}};
}

TEST(KernelResults, KernelOfAKey) {
  EXPECT_EQ(KernelOfKey("k[S0,S1]@1#2.tile_size_0"), "k[S0,S1]@1#2");
  EXPECT_EQ(KernelOfKey("k[S0]"), "k[S0]");
  EXPECT_EQ(KernelOfKey("schedule.algorithm"), "");
  EXPECT_EQ(KernelOfKey(""), "");
}

TEST(KernelResults, MetricsOfTheKernelOrWeightedByTime) {
  const std::vector<KernelResult> kernels = {Kernel("k[S0]", 3, 0.2, 0.8), Kernel("k[S1]", 1, 0.6, 0.4)};
  EXPECT_THAT(MetricsFor("k[S1].unroll", kernels), UnorderedElementsAre(Pair("ipc", 0.6), Pair("hits", 0.4)));
  const auto all = MetricsFor("schedule.algorithm", kernels);
  EXPECT_NEAR(all.at("ipc"), (3 * 0.2 + 0.6) / 4, 1e-12);
  EXPECT_NEAR(all.at("hits"), (3 * 0.8 + 0.4) / 4, 1e-12);
  EXPECT_NEAR(MetricsFor("k[S7].unroll", kernels).at("ipc"), all.at("ipc"), 1e-12);
  EXPECT_TRUE(MetricsFor("k[S0].unroll", {}).empty());
}

TEST(EdgeExperience, EquationSixByHand) {
  EdgeExperience experience;
  const Trace walk = {Took("k[S0].unroll", 1)};
  for (const double ipc : {0.2, 0.4, 0.6}) experience.Add(walk, true, {Kernel("k[S0]", 1, ipc, 0.5)});
  // Edge: ipc mean 0.4, deviation sqrt(0.08 / 3); hits 0.5, deviation 0. Best so far: ipc 0.3, hits 0.9.
  const double expected = 1 + ((0.4 - 0.3) / (std::sqrt(0.08 / 3) + 1) + (0.5 - 0.9) / 1) / 2;
  EXPECT_NEAR(experience.Desirability("k[S0].unroll", "1", {Kernel("k[S0]", 1, 0.3, 0.9)}), expected, 1e-12);
  EXPECT_EQ(experience.Desirability("k[S0].unroll", "2", {Kernel("k[S0]", 1, 0.3, 0.9)}), 1) << "not walked";
  EXPECT_EQ(experience.Desirability("k[S0].unroll", "1", {}), 1) << "no best so far";
}

TEST(EdgeExperience, FewSamplesDoNotCount) {
  EdgeExperience experience;
  const std::vector<KernelResult> best = {Kernel("k[S0]", 1, 0.9, 0.9)};
  for (int i = 0; i < EdgeExperience::kFewestSamples; ++i) {
    EXPECT_EQ(experience.Desirability("k[S0].unroll", "1", best), 1);
    experience.Add({Took("k[S0].unroll", 1)}, true, {Kernel("k[S0]", 1, 0.1, 0.1)});
  }
  EXPECT_NEAR(experience.Desirability("k[S0].unroll", "1", best), 0.2, 1e-12);
}

TEST(EdgeExperience, OptionsThatOnlyFailLoseReliability) {
  EdgeExperience experience;
  EXPECT_EQ(experience.Reliability("a", "0"), 1);
  for (int i = 0; i < 3; ++i) experience.Add({Took("a", 0)}, false, {});
  experience.Add({Took("a", 1)}, true, {});
  experience.Add({Took("a", 1)}, false, {});
  EXPECT_DOUBLE_EQ(experience.Reliability("a", "0"), 0.25);
  EXPECT_DOUBLE_EQ(experience.Reliability("a", "1"), 2.0 / 3);
  EXPECT_DOUBLE_EQ(experience.Reliability("a", "2"), 1);
}

TEST(KernelBests, KeepsTheBestOfEachKernelAndRecombinesThem) {
  KernelBests bests;
  const Trace first = {Took("schedule.algorithm", 0), Took("k[S0].unroll", 0), Took("k[S1].unroll", 1)};
  const Trace second = {Took("schedule.algorithm", 1), Took("k[S0].unroll", 2), Took("k[S1].unroll", 2)};
  EXPECT_TRUE(bests.Add(first, {Kernel("k[S0]", 5, 0, 0), Kernel("k[S1]", 1, 0, 0)}));
  EXPECT_TRUE(bests.Add(second, {Kernel("k[S0]", 2, 0, 0), Kernel("k[S1]", 3, 0, 0)}));
  EXPECT_FALSE(bests.Add(second, {Kernel("k[S0]", 2, 0, 0), Kernel("k[S1]", 0, 0, 0)})) << "0: not known";
  EXPECT_THAT(bests.Kernels(), ElementsAre("k[S0]", "k[S1]"));
  EXPECT_THAT(bests.Recombine(first),
              UnorderedElementsAre(Pair("schedule.algorithm", "0"), Pair("k[S0].unroll", "2"),
                                   Pair("k[S1].unroll", "1")));
  ASSERT_EQ(bests.DecisionsOf("k[S0]").size(), 1u);
  EXPECT_EQ(bests.DecisionsOf("k[S0]")[0].chosen, 2);
}

}  // namespace
}  // namespace tune
