#include "worker/measure/stopping_rule.h"

#include <gtest/gtest.h>

#include "common/base/random.h"

namespace tune {
namespace {

// Samples until the rule is satisfied.
int CountUntilSatisfied(const v1::Sampling& sampling, double noise, uint64_t seed) {
  Random random(seed);
  StoppingRule rule(sampling);
  while (!rule.Satisfied()) rule.Add(1 + noise * (random.Uniform() - 0.5));
  return static_cast<int>(rule.samples().size());
}

TEST(StoppingRuleTest, EqualSamplesStopAtTheMinimum) {
  EXPECT_EQ(CountUntilSatisfied({}, 0, 1), 6);
  v1::Sampling sampling;
  sampling.set_min_samples(9);
  EXPECT_EQ(CountUntilSatisfied(sampling, 0, 1), 9);
}

TEST(StoppingRuleTest, NoiseNeedsMoreSamplesUpToTheMaximum) {
  int quiet = 0, noisy = 0;
  for (int seed = 0; seed < 50; ++seed) {
    quiet += CountUntilSatisfied({}, 0.03, seed);
    noisy += CountUntilSatisfied({}, 0.2, seed);
    EXPECT_EQ(CountUntilSatisfied({}, 1.9, seed), 100);
  }
  EXPECT_LT(quiet, 50 * 10);
  EXPECT_GT(noisy, 2 * quiet);
}

TEST(StoppingRuleTest, ACandidateThatIsSurelySlowerThanTheBestStopsAtTheMinimum) {
  v1::Sampling sampling;
  sampling.set_best_seconds(0.5);
  EXPECT_EQ(CountUntilSatisfied(sampling, 0.9, 1), 6);  // all samples are 0.55 or more
  sampling.set_best_seconds(0.2);
  EXPECT_EQ(CountUntilSatisfied(sampling, 0.9, 1), 3);
  sampling.set_best_seconds(1);
  EXPECT_EQ(CountUntilSatisfied(sampling, 1.9, 1), 100);  // may yet be the best
}

TEST(StoppingRuleTest, OneOutlierDoesNotMatter) {
  StoppingRule rule({});
  rule.Add(50);
  for (int i = 0; i < 8; ++i) rule.Add(1);
  EXPECT_TRUE(rule.Satisfied());  // 9 samples: the interval leaves the extremes out
}

TEST(StoppingRuleTest, HopelessLooksAtTheFirstSample) {
  v1::Sampling sampling;
  EXPECT_FALSE(StoppingRule(sampling).Hopeless());
  sampling.set_best_seconds(1);
  StoppingRule slow(sampling);
  EXPECT_FALSE(slow.Hopeless());
  slow.Add(10.5);
  EXPECT_TRUE(slow.Hopeless());
  StoppingRule fair(sampling);
  fair.Add(9.5);
  fair.Add(100);
  EXPECT_FALSE(fair.Hopeless());
  StoppingRule unknown({});
  unknown.Add(1e9);
  EXPECT_FALSE(unknown.Hopeless());
}

TEST(StoppingRuleTest, AFirstRunCountsWhenItIsSignificant) {
  v1::Sampling sampling;
  sampling.set_best_seconds(1);
  sampling.set_hopeless_factor(3);
  StoppingRule rule(sampling);
  EXPECT_EQ(rule.HopelessReason(4, 5), "");
  EXPECT_EQ(rule.HopelessReason(3, 2), "");
  EXPECT_EQ(rule.HopelessReason(4, 2), "hopeless: 4 s is more than 3 times the best candidate's 1 s");
  rule.Add(3.5);
  EXPECT_EQ(rule.HopelessReason(4, 2), "hopeless: 4 s is more than 3 times the best candidate's 1 s");
  EXPECT_EQ(rule.HopelessReason(4, 5), "hopeless: 3.5 s is more than 3 times the best candidate's 1 s");
  StoppingRule unknown({});
  unknown.Add(1e9);
  EXPECT_EQ(unknown.HopelessReason(1e9, 1), "");
}

TEST(StoppingRuleTest, AnEstimateCountsWhenItsErrorChangesNothing) {
  v1::Sampling sampling;
  sampling.set_best_seconds(1e-3);
  sampling.set_hopeless_factor(10);
  const StoppingRule rule(FillSampling(sampling));
  EXPECT_EQ(rule.HopelessByEstimate(19e-3, 2), "");
  EXPECT_EQ(rule.HopelessByEstimate(21e-3, 2),
            "hopeless: about 0.021 s is more than 10 times the best candidate's 0.001 s");
  EXPECT_EQ(StoppingRule(FillSampling({})).HopelessByEstimate(100, 2), "");
}

}  // namespace
}  // namespace tune
