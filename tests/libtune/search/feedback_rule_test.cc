#include "libtune/search/feedback_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "libtune/search/random.h"

namespace libtune {
namespace {

// A product of n x n matrices, split at the part `r` of its rows between a GPU and the host.
class FeedbackRuleTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(space_.AddNominal("platform", {"cpu", "gpu"}).ok());
    ASSERT_TRUE(space_.AddNominal("shared", {"no", "yes"}).ok());
    ASSERT_TRUE(space_.AddReal("r", 0, 1, 0.5).ok());
  }
  // r * n^3
  static Metric Compute() { return Metric({{1, {{false, 2, 1}, {true, 0, 3}}}}); }
  // 2 r n^2 + n^2
  static Metric Memory() { return Metric({{2, {{false, 2, 1}, {true, 0, 2}}}, {1, {{true, 0, 2}}}}); }

  ParameterSpace space_;
};

TEST_F(FeedbackRuleTest, MinComputeIsOfTheLargestPart) {
  const FeedbackRule rule = {TUNE_MIN_COMPUTE, 0, 1, TUNE_DEFAULT_MIN_COMPUTE, Compute(), {}, {2}};
  EXPECT_TRUE(rule.Rejects(space_, {1, 0, 0.5}, {500}));     // 125 million
  EXPECT_FALSE(rule.Rejects(space_, {1, 0, 0.001}, {600}));  // 216 million, whatever r is now
  EXPECT_FALSE(rule.Rejects(space_, {0, 0, 0.5}, {500}));    // not this choice
}

TEST_F(FeedbackRuleTest, ComputeIntensityRejectsWhatMemoryBounds) {
  FeedbackRule rule = {
      TUNE_COMPUTE_INTENSITY, 0, 1, TUNE_DEFAULT_COMPUTE_INTENSITY, Compute(), Memory(), {2}};
  EXPECT_TRUE(rule.Rejects(space_, {1, 0, 0.5}, {5}));   // 125 / 75
  EXPECT_FALSE(rule.Rejects(space_, {1, 0, 0.5}, {7}));  // 343 / 147
  rule.first = Memory();
  EXPECT_TRUE(rule.Rejects(space_, {1, 0, 0.5}, {2000}));  // as many operations as elements
}

TEST_F(FeedbackRuleTest, MinReuseRejectsWhatIsReadOnce) {
  FeedbackRule rule = {
      TUNE_MIN_REUSE, 1, 1, TUNE_DEFAULT_MIN_REUSE, Metric(std::vector<Term>{{1, {}}}), {}, {}};
  EXPECT_TRUE(rule.Rejects(space_, {1, 1, 0.5}, {500}));
  EXPECT_FALSE(rule.Rejects(space_, {1, 0, 0.5}, {500}));
  double user = 1;
  rule.first = Metric(
      [](void* of, const double*, const long* inputs) { return *static_cast<double*>(of) * inputs[0]; },
      &user);
  EXPECT_FALSE(rule.Rejects(space_, {1, 1, 0.5}, {500}));
}

TEST(Metric, MaximumOfLinearMetricsIsThatOfManySamples) {
  ParameterSpace space;
  ASSERT_TRUE(space.AddNominal("p", {"a"}).ok());
  ASSERT_TRUE(space.AddReal("x", -2, 3, 0).ok());
  ASSERT_TRUE(space.AddReal("y", 0, 5, 0).ok());
  Random random(2);
  for (int round = 0; round < 50; ++round) {
    const auto coefficient = [&] { return random.Unit() * 4 - 2; };
    const Metric metric({{coefficient(), {{false, 1, 1}}},
                         {coefficient(), {{false, 2, 1}}},
                         {coefficient(), {{false, 1, 1}, {false, 2, 1}}}});
    double most = -1e9;
    for (int i = 0; i <= 50; ++i) {
      for (int j = 0; j <= 50; ++j) most = std::max(most, metric.At({0, -2 + i / 10.0, j / 10.0}, {}));
    }
    const FeedbackRule above = {TUNE_MIN_COMPUTE, 0, 0, most + 1e-6, metric, {}, {1, 2}};
    const FeedbackRule below = {TUNE_MIN_COMPUTE, 0, 0, most - 1e-6, metric, {}, {1, 2}};
    EXPECT_TRUE(above.Rejects(space, {0, 0, 0}, {}));
    EXPECT_FALSE(below.Rejects(space, {0, 0, 0}, {}));
  }
}

TEST(Metric, FactorsHaveToExist) {
  EXPECT_TRUE(Metric({{1, {{true, 0, 1}, {false, 1, 2}}}}).Check(2, 1).ok());
  EXPECT_FALSE(Metric({{1, {{true, 1, 1}}}}).Check(2, 1).ok());
  EXPECT_FALSE(Metric({{1, {{false, 2, 1}}}}).Check(2, 1).ok());
  EXPECT_FALSE(Metric({{1, {{false, -1, 1}}}}).Check(2, 1).ok());
  EXPECT_FALSE(Metric({{1, {{false, 0, 0}}}}).Check(2, 1).ok());
}

}  // namespace
}  // namespace libtune
