#include "common/carving/pareto_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;
using Other = std::optional<size_t>;

bool Surpasses(const TradeOff& other, const TradeOff& one, double margin) {
  return other.efficiency > one.efficiency * (1 + margin) &&
         other.utilization > one.utilization * (1 + margin);
}

// The definition, word for word.
Other Best(const std::vector<TradeOff>& points, size_t one, double margin) {
  Other best;
  for (size_t i = 0; i < points.size(); ++i) {
    if (!Surpasses(points[i], points[one], margin)) continue;
    const auto key = [&](size_t at) { return std::pair(points[at].utilization, points[at].efficiency); };
    if (!best.has_value() || key(i) > key(*best)) best = i;
  }
  return best;
}

TEST(ParetoFrontTest, IsWhatItsDefinitionSays) {
  std::mt19937 random(20080526);
  for (int round = 0; round < 400; ++round) {
    const size_t size = random() % 60;
    const unsigned values = 2 + random() % 30;  // few: many ties
    std::vector<TradeOff> points;
    for (size_t i = 0; i < size; ++i)
      points.push_back({static_cast<double>(random() % values), static_cast<double>(random() % values)});
    for (const double margin : {0.0, 0.1, 0.5, 2.0}) {
      const std::vector<Other> by = SurpassedBy(points, margin);
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(by[i], Best(points, i, margin))
            << "round " << round << ", point " << i << ", margin " << margin;
        if (by[i].has_value()) {
          ASSERT_FALSE(by[*by[i]].has_value());
        }
      }
    }
  }
}

TEST(ParetoFrontTest, EqualOnesStayTogether) {
  EXPECT_THAT(SurpassedBy({{2, 2}, {2, 2}, {1, 1}}, 0),
              ElementsAre(std::nullopt, std::nullopt, Optional(size_t{0})));
}

TEST(ParetoFrontTest, WhatIsBestInOneStays) {
  EXPECT_THAT(SurpassedBy({{3, 1}, {3, 2}, {1, 2}}, 0),
              ElementsAre(std::nullopt, std::nullopt, std::nullopt));
}

TEST(ParetoFrontTest, AWiderMarginKeepsMore) {
  const std::vector<TradeOff> points = {{1, 1}, {1.4, 1.4}, {2, 2}};
  EXPECT_THAT(SurpassedBy(points, 0), ElementsAre(Optional(size_t{2}), Optional(size_t{2}), std::nullopt));
  EXPECT_THAT(SurpassedBy(points, 0.5), ElementsAre(Optional(size_t{2}), std::nullopt, std::nullopt));
  EXPECT_THAT(SurpassedBy(points, 1), ElementsAre(std::nullopt, std::nullopt, std::nullopt));
}

TEST(ParetoFrontTest, OfNoneIsNone) { EXPECT_TRUE(SurpassedBy({}, 0).empty()); }

}  // namespace
}  // namespace tune
