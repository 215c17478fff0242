#include "server/search/peaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;

// One decision a letter, d0, d1, ..., whose option is the letter.
Trace Walk(const std::string& options) {
  Trace trace;
  for (const char option : options) {
    trace.push_back({{absl::StrCat("d", trace.size()), {std::string(1, option)}, {true}, 0}, 0});
  }
  return trace;
}

std::vector<int64_t> IndicesOf(const Peaks& peaks) {
  std::vector<int64_t> indices;
  for (const Peaks::Peak& peak : peaks.all()) indices.push_back(peak.index);
  return indices;
}

TEST(Distance, CountsDecisionsThatDiffer) {
  EXPECT_EQ(Distance(Walk("abcd"), Walk("abcd")), 0);
  EXPECT_EQ(Distance(Walk("abcd"), Walk("abxy")), 2);
  EXPECT_EQ(Distance(Walk("abcd"), Walk("xb")), 3);
  EXPECT_EQ(Distance({}, Walk("ab")), 2);
}

TEST(Distance, DecisionsMeetByTheirKeys) {
  Trace longer = Walk("abcd");
  longer.insert(longer.begin() + 1, TracedDecision{{"extra", {"x"}, {true}, 0}, 0});
  EXPECT_EQ(Distance(Walk("abcd"), longer), 1);
  EXPECT_EQ(Distance(longer, Walk("abcy")), 2);
}

TEST(Peaks, NeighboursOfAFasterOneAreNone) {
  Peaks peaks;
  peaks.Add(0, 2, Walk("aaaa"));
  peaks.Add(1, 3, Walk("aaab"));  // 1 of 4 differs
  peaks.Add(2, 4, Walk("aabb"));  // 2 of 4: not less than half
  peaks.Add(3, 2, Walk("aaac"));  // as fast as 0, and later
  EXPECT_THAT(IndicesOf(peaks), ElementsAre(0, 2));
}

TEST(Peaks, AFasterOneEndsThoseCloseToIt) {
  Peaks peaks;
  peaks.Add(0, 4, Walk("aaaa"));
  peaks.Add(1, 5, Walk("aabb"));
  peaks.Add(2, 6, Walk("cccc"));
  peaks.Add(3, 3, Walk("aaab"));  // close to 0 and 1
  EXPECT_THAT(IndicesOf(peaks), ElementsAre(3, 2));
  EXPECT_EQ(peaks.all()[0].seconds, 3);
  EXPECT_EQ(Distance(peaks.all()[0].trace, Walk("aaab")), 0);
}

TEST(Peaks, TheFastestAreKept) {
  Peaks peaks;
  for (int i = 0; i < 6; ++i) peaks.Add(i, 10 - i % 3, Walk(std::string(3, static_cast<char>('a' + i))));
  // Seconds 10, 9, 8, 10, 9, 8: the first two of 8 and of 9, in the order added.
  EXPECT_THAT(IndicesOf(peaks), ElementsAre(2, 5, 1, 4));
}

}  // namespace
}  // namespace tune
