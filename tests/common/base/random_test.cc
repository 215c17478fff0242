#include "common/base/random.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(RandomTest, SameSeedSameSequenceAndCopiesContinue) {
  Random a(7), b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.Next(), b.Next());
  Random copy = a;
  EXPECT_EQ(copy.Next(), a.Next());
  EXPECT_NE(Random(7).Next(), Random(8).Next());
  EXPECT_NE(Random(7, 0).Next(), Random(7, 1).Next());
}

// Computed by an independent program: a study's draws must not change with the compiler or the library.
TEST(RandomTest, SequenceIsFixed) {
  Random random(1);
  const uint64_t first = random.Next();
  Random again(1);
  EXPECT_EQ(again.Next(), first);
  EXPECT_EQ(first, 17154914556750032435ULL);
}

TEST(RandomTest, UniformIsInRangeAndSpread) {
  Random random(3);
  int low = 0;
  for (int i = 0; i < 10000; ++i) {
    const double x = random.Uniform();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    low += x < 0.25;
  }
  EXPECT_NEAR(low, 2500, 200);
}

TEST(RandomTest, BelowReachesEveryValue) {
  Random random(5);
  std::vector<int> count(7);
  for (int i = 0; i < 7000; ++i) ++count.at(random.Below(7));
  for (int c : count) EXPECT_NEAR(c, 1000, 150);
}

TEST(RandomTest, DrawFollowsWeights) {
  Random random(9);
  std::vector<int> count(4);
  for (int i = 0; i < 10000; ++i) ++count.at(random.Draw({1, 0, 3, 0}));
  EXPECT_NEAR(count[0], 2500, 200);
  EXPECT_EQ(count[1] + count[3], 0);
  std::vector<int> uniform(2);
  for (int i = 0; i < 1000; ++i) ++uniform.at(random.Draw({0, 0}));
  EXPECT_NEAR(uniform[0], 500, 80);
}

}  // namespace
}  // namespace tune
