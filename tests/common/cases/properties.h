// Definition 2 of the paper, on values of all parameters drawn at random.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "common/base/random.h"
#include "common/cases/case_tree.h"

namespace tune {

// Whether the counter is good enough at the point after these strategies.
inline bool CounterHolds(const OptimizationProblem& problem, int counter, const std::set<int>& applied,
                         const Point& point) {
  const CaseCounter& described = problem.counters()[counter];
  const RationalFunction value = problem.Evaluate(counter, applied);
  const __int128 numerator = *value.numerator.Evaluate(point),
                 denominator = *value.denominator.Evaluate(point);
  const __int128 limit = point.at(described.limit);
  return described.kind == CaseCounter::Kind::kResource ? numerator <= limit * denominator
                                                        : limit * denominator <= numerator;
}

// Subsets of the strategies that a counter may still be improved by.
inline std::vector<std::set<int>> Improvements(const CaseCounter& counter, const std::set<int>& applied) {
  std::vector<std::set<int>> subsets = {applied};
  for (const int strategy : counter.strategies) {
    const std::vector<std::set<int>> smaller = subsets;
    for (std::set<int> subset : smaller) {
      subset.insert(strategy);
      subsets.push_back(subset);
    }
  }
  return subsets;
}

// `draw` makes points at which what is given holds. (i): each case has a solution; (iii): with a machine that
// has enough some case holds; (iv): for each counter there is a case that it cannot be improved in. And of
// the tree: at most one case holds, the tree finds it, and all counters are good enough for its program.
// Returns how many points had a case.
inline int CheckProperties(const OptimizationProblem& problem, const std::function<Point(Random&)>& draw,
                           int points, uint64_t seed) {
  ConsistencySolver solver;
  const absl::StatusOr<std::vector<ProgramCase>> cases = OptimizeComprehensively(problem, solver);
  EXPECT_TRUE(cases.ok()) << cases.status();
  if (!cases.ok() || cases->empty()) return 0;
  const CaseTree tree = MakeCaseTree(problem.Given(), *cases, solver);
  for (const ProgramCase& one : *cases) {
    if (one.unknown) continue;
    EXPECT_TRUE(*Holds(problem.Given(), one.solution));
    EXPECT_TRUE(*Holds(one.constraints, one.solution));
  }
  std::vector<bool> optimal(problem.counters().size(), false);
  Random random(seed);
  int covered = 0;
  for (int i = 0; i < points; ++i) {
    const Point point = draw(random);
    EXPECT_TRUE(*Holds(problem.Given(), point));
    int holding = -1;
    for (size_t k = 0; k < cases->size(); ++k) {
      const ProgramCase& one = (*cases)[k];
      const bool holds = *Holds(one.constraints, point);
      EXPECT_EQ(*Holds(one.simplified, point), holds);
      if (!holds) continue;
      EXPECT_EQ(holding, -1) << "two cases at one point";
      holding = static_cast<int>(k);
      for (size_t c = 0; c < problem.counters().size(); ++c)
        EXPECT_TRUE(CounterHolds(problem, static_cast<int>(c), one.applied, point));
    }
    EXPECT_EQ(*tree.Find(point), holding);
    covered += holding >= 0 ? 1 : 0;
    Point rich = point;
    for (const CaseCounter& counter : problem.counters())
      rich[counter.limit] = counter.kind == CaseCounter::Kind::kResource ? int64_t{1} << 62 : 0;
    EXPECT_GE(*tree.Find(rich), 0);
  }
  for (size_t c = 0; c < problem.counters().size(); ++c) {
    const CaseCounter& counter = problem.counters()[c];
    bool found = false;
    for (const ProgramCase& one : *cases) {
      bool best = true;
      Random again(seed);
      for (int i = 0; i < 200 && best; ++i) {
        const Point point = draw(again);
        const auto value = [&](const std::set<int>& applied) {
          const RationalFunction function = problem.Evaluate(static_cast<int>(c), applied);
          return static_cast<double>(*function.numerator.Evaluate(point)) /
                 static_cast<double>(*function.denominator.Evaluate(point));
        };
        for (const std::set<int>& more : Improvements(counter, one.applied)) {
          const double now = value(one.applied), then = value(more);
          best = best && (counter.kind == CaseCounter::Kind::kResource ? now <= then : now >= then);
        }
      }
      found = found || best;
    }
    EXPECT_TRUE(found) << counter.name << " can be improved in each case";
  }
  return covered;
}

}  // namespace tune
