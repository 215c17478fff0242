#include "libtune/wisdom/wisdom.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "libtune/search/random.h"

namespace libtune {
namespace {

TEST(Wisdom, TheFasterEntryStays) {
  Wisdom wisdom;
  const WisdomKey key = {"gemm", "gpu", {10}};
  EXPECT_TRUE(wisdom.Add(key, {2, {{"t", "1"}}}));
  EXPECT_FALSE(wisdom.Add(key, {3, {{"t", "2"}}}));
  EXPECT_EQ(wisdom.Find(key)->values.at("t"), "1");
  EXPECT_TRUE(wisdom.Add(key, {1, {{"t", "3"}}}));
  EXPECT_EQ(wisdom.Find(key)->values.at("t"), "3");
}

TEST(Wisdom, NearestIsOfTheSameRegionAndDeviceAlone) {
  Wisdom wisdom;
  wisdom.Add({"gemm", "gpu A", {100}}, {1, {}});
  wisdom.Add({"gemm", "gpu B", {100}}, {1, {}});
  wisdom.Add({"syrk", "gpu A", {100}}, {1, {}});
  ASSERT_NE(wisdom.FindNearest({"gemm", "gpu A", {120}}), nullptr);
  EXPECT_EQ(wisdom.FindNearest({"gemm", "gpu A", {120}})->first.device, "gpu A");
  EXPECT_EQ(wisdom.FindNearest({"gemm", "gpu C", {100}}), nullptr);
  EXPECT_EQ(wisdom.FindNearest({"mvt", "gpu A", {100}}), nullptr);
  EXPECT_EQ(wisdom.FindNearest({"gemm", "gpu A", {100, 100}}), nullptr);
}

TEST(Wisdom, NearestFollowsTheRuleOfTheHeader) {
  Random random(6);
  const auto draw = [&] { return static_cast<long>(random.Below(40)) - 2; };
  for (int round = 0; round < 300; ++round) {
    Wisdom wisdom;
    for (int i = 0; i < 20; ++i) wisdom.Add({"r", "d", {draw(), draw()}}, {1, {}});
    const Inputs wanted = {draw(), draw()};
    // In lexicographic order, all of them, with the words of tune.h.
    const Inputs* expected = nullptr;
    double least = 0;
    for (const auto& [key, entry] : wisdom.entries()) {
      bool near = true;
      double sum = 0;
      for (int i = 0; i < 2; ++i) {
        const double a = static_cast<double>(wanted[i]);
        const double b = static_cast<double>(key.inputs[i]);
        if (a < 1 || b < 1) {
          near &= a == b;
        } else {
          near &= b <= 2 * a && b >= a / 2;
          sum += std::fabs(std::log2(a / b));
        }
      }
      if (near && (expected == nullptr || sum < least)) {
        expected = &key.inputs;
        least = sum;
      }
    }
    const auto* found = wisdom.FindNearest({"r", "d", wanted});
    ASSERT_EQ(found == nullptr, expected == nullptr);
    if (found != nullptr) {
      EXPECT_EQ(found->first.inputs, *expected);
    }
  }
}

class EntryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(space_.AddNominal("platform", {"cpu", "gpu"}).ok());
    ASSERT_TRUE(space_.AddPowers("block", 1, 32, 2, 1).ok());
    ASSERT_TRUE(space_.AddReal("split", 0, 1, 0.5).ok());
    ASSERT_TRUE(space_.AddCondition(1, 0, 1).ok());
  }
  ParameterSpace space_;
};

TEST_F(EntryTest, HoldsWhatExists) {
  EXPECT_THAT(EntryOf(space_, {0, 1, 0.25}, 1).values,
              testing::ElementsAre(testing::Pair("platform", "cpu"), testing::Pair("split", "0.25")));
  EXPECT_EQ(EntryOf(space_, {1, 16, 0.25}, 1).values.at("block"), "16");
}

TEST_F(EntryTest, ReadsBack) {
  for (const Values& values : {Values{0, 1, 0.1}, Values{1, 8, 1.0 / 3}}) {
    EXPECT_EQ(ValuesOf(space_, EntryOf(space_, values, 1)), values);
  }
}

TEST_F(EntryTest, OfOtherParametersSaysNothing) {
  EXPECT_EQ(ValuesOf(space_, {1, {{"platform", "fpga"}, {"split", "0.5"}}}), std::nullopt);
  EXPECT_EQ(ValuesOf(space_, {1, {{"platform", "gpu"}, {"split", "0.5"}}}), std::nullopt);
  EXPECT_EQ(ValuesOf(space_, {1, {{"platform", "gpu"}, {"split", "0.5"}, {"block", "3"}}}), std::nullopt);
  EXPECT_EQ(ValuesOf(space_, {1, {{"platform", "cpu"}, {"split", "1.5"}}}), std::nullopt);
  EXPECT_EQ(ValuesOf(space_, {1, {{"platform", "cpu"}, {"split", "half"}}}), std::nullopt);
  EXPECT_NE(ValuesOf(space_, {1, {{"platform", "cpu"}, {"split", "0.5"}, {"gone", "1"}}}), std::nullopt);
}

}  // namespace
}  // namespace libtune
