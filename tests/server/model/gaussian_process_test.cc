#include "server/model/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tune {
namespace {

// A bowl over a grid of nine by nine, without its middle.
GaussianProcess Bowl() {
  std::vector<std::vector<float>> inputs;
  std::vector<double> targets;
  for (int x = 0; x < 9; ++x) {
    for (int y = 0; y < 9; ++y) {
      if (x == 4 && y == 4) continue;
      inputs.push_back({x / 8.0f, y / 8.0f});
      targets.push_back(std::pow(x / 8.0 - 0.5, 2) + std::pow(y / 8.0 - 0.5, 2));
    }
  }
  return GaussianProcess(std::move(inputs), targets);
}

TEST(GaussianProcess, IsWhatTheFormulasSayOfOneSample) {
  const GaussianProcess process({{0.0f}}, {5});
  EXPECT_DOUBLE_EQ(process.Predict({0.0f}).mean, 5);
  EXPECT_DOUBLE_EQ(process.Predict({100.0f}).mean, 5);
  EXPECT_LT(process.Predict({0.0f}).deviation, process.Predict({100.0f}).deviation);
}

TEST(GaussianProcess, InterpolatesBelowEverySample) {
  const GaussianProcess bowl = Bowl();
  const Prediction middle = bowl.Predict({0.5f, 0.5f});
  EXPECT_NEAR(middle.mean, 0, 0.005);
  EXPECT_LT(middle.mean, bowl.Predict({0.5f, 0.375f}).mean) << "the lowest of the samples is here";
  EXPECT_NEAR(bowl.Predict({0.0f, 0.0f}).mean, 0.5, 0.02);
}

TEST(GaussianProcess, IsLessSureAwayFromSamples) {
  const GaussianProcess bowl = Bowl();
  EXPECT_LT(bowl.Predict({0.5f, 0.5f}).deviation, bowl.Predict({2.0f, 2.0f}).deviation);
  EXPECT_LT(bowl.Predict({2.0f, 2.0f}).deviation, bowl.Predict({9.0f, 9.0f}).deviation);
}

TEST(GaussianProcess, AnExpectedInputMakesItsNeighboursSurerAndMovesNoMean) {
  const GaussianProcess before = Bowl();
  GaussianProcess after = before;
  after.Expect({2.0f, 2.0f});
  for (const std::vector<float>& input : {std::vector<float>{2, 2}, {2.1f, 2}, {1, 1}}) {
    EXPECT_DOUBLE_EQ(after.Predict(input).mean, before.Predict(input).mean);
    EXPECT_LT(after.Predict(input).deviation, before.Predict(input).deviation);
  }
  EXPECT_LT(after.Predict({2, 2}).deviation, 0.5 * before.Predict({2, 2}).deviation);
}

TEST(GaussianProcess, EqualTargetsAndRepeatedInputsAreFine) {
  GaussianProcess process({{1, 2}, {1, 2}, {1, 2}}, {3, 3, 3});
  process.Expect({1, 2});
  EXPECT_DOUBLE_EQ(process.Predict({1, 2}).mean, 3);
  EXPECT_GE(process.Predict({1, 2}).deviation, 0);
  EXPECT_TRUE(std::isfinite(process.Predict({5, 5}).deviation));
}

}  // namespace
}  // namespace tune
