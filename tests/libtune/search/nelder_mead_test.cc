#include "libtune/search/nelder_mead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "libtune/search/random.h"

namespace libtune {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

struct Minimum {
  std::vector<double> best;
  int measurements = 0;
};

Minimum Minimise(NelderMead* search, const Function& function) {
  Minimum run;
  while (!search->Converged() && run.measurements < 2000) {
    search->Observe(function(search->Next()));
    ++run.measurements;
  }
  EXPECT_TRUE(search->Converged());
  run.best = search->Next();
  return run;
}

TEST(NelderMead, FindsTheMinimumOfABowl) {
  NelderMead search({NumericScale::Real(-10, 10), NumericScale::Real(0, 5)}, {8, 4.5});
  const Minimum run = Minimise(&search, [](const std::vector<double>& at) {
    return 1 + std::pow(at[0] - 3, 2) + 4 * std::pow(at[1] - 1, 2);
  });
  EXPECT_NEAR(run.best[0], 3, 0.5);
  EXPECT_NEAR(run.best[1], 1, 0.2);
  EXPECT_LT(run.measurements, 60);
}

TEST(NelderMead, NoDimensionIsOneMeasurement) {
  NelderMead search({}, {});
  const Minimum run = Minimise(&search, [](const std::vector<double>&) { return 1.0; });
  EXPECT_EQ(run.measurements, 1);
  EXPECT_TRUE(run.best.empty());
}

TEST(NelderMead, AFlatFunctionConvergesWithTheFirstSimplex) {
  NelderMead search({NumericScale::Real(0, 1), NumericScale::Real(0, 1), NumericScale::Real(0, 1)},
                    {0, 0, 0});
  EXPECT_EQ(Minimise(&search, [](const std::vector<double>&) { return 2.0; }).measurements, 4);
}

TEST(NelderMead, NoPointOfIntegersIsMeasuredTwice) {
  NelderMead search({NumericScale::Steps(1, 8, 1), NumericScale::Powers(1, 32, 2)}, {4, 4});
  std::vector<std::vector<double>> seen;
  Minimise(&search, [&](const std::vector<double>& at) {
    seen.push_back(at);
    return 10 + std::fabs(at[0] - 7) + std::fabs(std::log2(at[1]) - 1);
  });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

// Against all points of the grid: separable bowls with seeded minima, along whose axes no start is stuck.
TEST(NelderMead, IsCloseToTheBestPointOfGrids) {
  Random random(7);
  int exact = 0;
  for (int round = 0; round < 200; ++round) {
    const double x = static_cast<double>(random.Below(12));
    const double y = static_cast<double>(random.Below(12));
    const Function function = [&](const std::vector<double>& at) {
      return 1 + std::pow(at[0] - x, 2) + std::pow(at[1] - y, 2);
    };
    double worst_of_grid = 0;
    for (double i : {0., 11.}) {
      for (double j : {0., 11.}) worst_of_grid = std::max(worst_of_grid, function({i, j}));
    }
    NelderMead search({NumericScale::Steps(0, 11, 1), NumericScale::Steps(0, 11, 1)}, {5, 5});
    const double found = function(Minimise(&search, function).best);
    EXPECT_LT(found - 1, 0.1 * worst_of_grid);
    exact += found == 1 ? 1 : 0;
  }
  EXPECT_GT(exact, 100);
}

TEST(NelderMead, EndsOnNoise) {
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    NelderMead search(
        {NumericScale::Real(0, 1), NumericScale::Steps(1, 100, 1), NumericScale::Powers(1, 64, 2)},
        {0.5, 50, 8});
    Minimise(&search, [&](const std::vector<double>&) { return 1 + random.Unit(); });
  }
}

TEST(NelderMead, GoesAroundWhatIsRejected) {
  // The left half cannot be run, and the best of the right one is at its border.
  NelderMead search({NumericScale::Real(0, 1), NumericScale::Real(0, 1)}, {0.9, 0.9});
  int rejected = 0;
  for (int i = 0; i < 500 && !search.Converged(); ++i) {
    const std::vector<double>& at = search.Next();
    if (at[0] < 0.5) {
      search.Reject();
      ++rejected;
    } else {
      search.Observe(1 + at[0] + at[1]);
    }
  }
  ASSERT_TRUE(search.Converged());
  EXPECT_GT(rejected, 0);
  EXPECT_GE(search.Next()[0], 0.5);
  EXPECT_LT(search.Next()[0] + search.Next()[1], 0.9);
}

TEST(NelderMead, AllRejectedEnds) {
  NelderMead search({NumericScale::Real(0, 1), NumericScale::Real(0, 1)}, {0.5, 0.5});
  for (int i = 0; i < 2000 && !search.Converged(); ++i) search.Reject();
  EXPECT_TRUE(search.Converged());
}

}  // namespace
}  // namespace libtune
