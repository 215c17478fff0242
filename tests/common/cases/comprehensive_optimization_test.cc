#include "common/cases/comprehensive_optimization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/common/cases/properties.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

Polynomial Named(const std::string& name) { return Polynomial::Name(name); }

struct WrittenProblem : OptimizationProblem {
  std::vector<CaseCounter> all_counters;
  std::vector<CaseStrategy> all_strategies;
  ConstraintSystem given;
  std::function<RationalFunction(int, const std::set<int>&)> evaluate;

  const std::vector<CaseCounter>& counters() const override { return all_counters; }
  const std::vector<CaseStrategy>& strategies() const override { return all_strategies; }
  ConstraintSystem Given() const override { return given; }
  RationalFunction Evaluate(int counter, const std::set<int>& applied) const override {
    return evaluate(counter, applied);
  }
};

// Figure 2: registers of a thread, threads of a block, and one strategy.
WrittenProblem MatrixAddition() {
  WrittenProblem problem;
  problem.all_counters = {{"threads", CaseCounter::Kind::kResource, "T", {}},
                          {"registers", CaseCounter::Kind::kResource, "R", {0}}};
  problem.all_strategies = {{"granularity reduced"}};
  for (const char* name : {"B0", "B1", "R", "T"}) problem.given.push_back(AtMost(1, Named(name)));
  problem.evaluate = [](int counter, const std::set<int>& applied) -> RationalFunction {
    if (counter == 0) return Named("B0") * Named("B1");
    return Polynomial(applied.empty() ? 14 : 10);
  };
  return problem;
}

// Section 5.1: granularity first, then subexpressions twice, then no shared memory.
WrittenProblem Jacobi() {
  WrittenProblem problem;
  problem.all_counters = {{"registers", CaseCounter::Kind::kResource, "R", {1, 2, 0}},
                          {"shared", CaseCounter::Kind::kResource, "Z", {0, 1, 2, 3}}};
  problem.all_strategies = {{"3b", false, false}, {"2", true, true}, {"2", true, true}, {"4b", false, false}};
  for (const char* name : {"B", "s", "R", "Z"}) problem.given.push_back(AtMost(1, Named(name)));
  problem.evaluate = [](int counter, const std::set<int>& applied) -> RationalFunction {
    if (counter == 0) return Polynomial(9);
    if (applied.count(3) > 0) return Polynomial(0);
    const Polynomial points = applied.count(0) > 0 ? Polynomial(1) : Named("s");
    return points * Named("B") + 2;
  };
  return problem;
}

// As the paper writes the decisions of a case.
std::string Abbreviated(const WrittenProblem& problem, const ProgramCase& one) {
  std::vector<std::string> texts;
  for (const CaseDecision& decision : one.decisions) {
    if (decision.kind != CaseDecision::Kind::kAccept) {
      texts.push_back(problem.all_strategies[decision.strategy].name);
    } else if (problem.all_counters[decision.counter].name == "registers") {
      texts.push_back("1");
    } else if (one.applied.count(3) == 0) {
      texts.insert(texts.end(), {"4a", "3a"});
    }
  }
  return absl::StrCat("(", absl::StrJoin(texts, ") ("), ")");
}

std::string Conditions(const ProgramCase& one) {
  return absl::StrJoin(one.simplified, ", ", [](std::string* out, const PolynomialConstraint& constraint) {
    absl::StrAppend(out, constraint.Text());
  });
}

std::vector<ProgramCase> CasesOf(const OptimizationProblem& problem) {
  ConsistencySolver solver;
  return *OptimizeComprehensively(problem, solver);
}

TEST(ComprehensiveOptimization, MatrixAdditionHasThePapersTwoCases) {
  const std::vector<ProgramCase> cases = CasesOf(MatrixAddition());
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(Conditions(cases[0]), "B0*B1 <= T, 14 <= R");
  EXPECT_EQ(Conditions(cases[1]), "B0*B1 <= T, R < 14, 10 <= R");
  EXPECT_THAT(cases[1].applied, ElementsAre(0));
}

TEST(ComprehensiveOptimization, JacobiHasThePapersThreeCasesInItsOrderOfDecisions) {
  const WrittenProblem problem = Jacobi();
  const std::vector<ProgramCase> cases = CasesOf(problem);
  ASSERT_EQ(cases.size(), 3);
  EXPECT_EQ(Abbreviated(problem, cases[0]), "(1) (4a) (3a) (2) (2)");
  EXPECT_EQ(Conditions(cases[0]), "9 <= R, B*s + 2 <= Z");
  EXPECT_EQ(Abbreviated(problem, cases[1]), "(1) (3b) (4a) (3a) (2) (2)");
  EXPECT_EQ(Conditions(cases[1]), "9 <= R, Z < B*s + 2, B + 2 <= Z");
  EXPECT_EQ(Abbreviated(problem, cases[2]), "(1) (3b) (2) (2) (4b)");
  EXPECT_EQ(Conditions(cases[2]), "9 <= R, Z < B + 2");
}

// Without shared memory more registers are needed: these are looked at again.
TEST(ComprehensiveOptimization, CountersThatGetWorseAreEvaluatedAgain) {
  WrittenProblem problem = Jacobi();
  const auto shared = problem.evaluate;
  problem.evaluate = [shared](int counter, const std::set<int>& applied) -> RationalFunction {
    if (counter == 0) return Polynomial(applied.count(3) > 0 ? 12 : 9);
    return shared(counter, applied);
  };
  const std::vector<ProgramCase> cases = CasesOf(problem);
  ASSERT_EQ(cases.size(), 3);
  EXPECT_EQ(Conditions(cases[2]), "Z < B + 2, 12 <= R");
}

// Occupancy in percent of M threads, which smaller blocks cannot reach.
TEST(ComprehensiveOptimization, PerformanceCountersAreRationalFunctions) {
  WrittenProblem problem;
  problem.all_counters = {{"occupancy", CaseCounter::Kind::kPerformance, "P", {0}}};
  problem.all_strategies = {{"two blocks"}};
  problem.given = {AtMost(1, Named("B")), AtMost(1, Named("M")), AtMost(0, Named("P")),
                   AtMost(Named("P"), 100)};
  problem.evaluate = [](int, const std::set<int>& applied) -> RationalFunction {
    return {Polynomial(applied.empty() ? 100 : 200) * Named("B"), Named("M")};
  };
  const std::vector<ProgramCase> cases = CasesOf(problem);
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(Conditions(cases[0]), "M*P <= 100*B");
  EXPECT_EQ(Conditions(cases[1]), "100*B < M*P, M*P <= 200*B");
  const auto draw = [](Random& random) -> Point {
    return {{"B", 1 + static_cast<int64_t>(random.Below(64))},
            {"M", 1 + static_cast<int64_t>(random.Below(64))},
            {"P", static_cast<int64_t>(random.Below(101))}};
  };
  EXPECT_GT(CheckProperties(problem, draw, 10'000, 1), 1000);
}

TEST(ComprehensiveOptimization, HasAllPropertiesAtTenThousandPoints) {
  const auto draw = [](Random& random) -> Point {
    Point point;
    for (const char* name : {"B", "B0", "B1", "s"}) point[name] = 1 + static_cast<int64_t>(random.Below(32));
    point["R"] = 1 + static_cast<int64_t>(random.Below(20));
    point["T"] = 1 + static_cast<int64_t>(random.Below(1024));
    point["Z"] = 1 + static_cast<int64_t>(random.Below(200));
    return point;
  };
  EXPECT_GT(CheckProperties(MatrixAddition(), draw, 10'000, 2), 1000);
  EXPECT_GT(CheckProperties(Jacobi(), draw, 10'000, 3), 1000);
}

// Strategies reduce what they are for and may cost something elsewhere.
TEST(ComprehensiveOptimization, HasAllPropertiesForRandomProblems) {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(seed);
    WrittenProblem problem;
    for (int i = 0; i < 4; ++i)
      problem.all_strategies.push_back({absl::StrCat("o", i), random.Below(2) == 0, random.Below(3) == 0});
    for (int i = 0; i < 2; ++i) {
      CaseCounter counter = {absl::StrCat("r", i), CaseCounter::Kind::kResource, absl::StrCat("R", i), {}};
      for (int strategy = 0; strategy < 4; ++strategy) {
        if (random.Below(2) == 0) counter.strategies.push_back(strategy);
      }
      problem.all_counters.push_back(counter);
    }
    for (const char* name : {"B", "s", "R0", "R1"}) problem.given.push_back(AtMost(1, Named(name)));
    std::vector<std::vector<int64_t>> change(2, std::vector<int64_t>(4));
    for (int i = 0; i < 2; ++i) {
      for (int strategy = 0; strategy < 4; ++strategy) {
        const auto& own = problem.all_counters[i].strategies;
        const bool for_it = std::find(own.begin(), own.end(), strategy) != own.end();
        change[i][strategy] =
            for_it ? -static_cast<int64_t>(random.Below(3)) : static_cast<int64_t>(random.Below(3));
      }
    }
    problem.evaluate = [change](int counter, const std::set<int>& applied) -> RationalFunction {
      int64_t factor = 12;
      for (const int strategy : applied) factor += change[counter][strategy];
      return Polynomial(factor) * Named("B") * (counter == 0 ? Polynomial(1) : Named("s")) + 3;
    };
    const auto draw = [](Random& from) -> Point {
      return {{"B", 1 + static_cast<int64_t>(from.Below(16))},
              {"s", 1 + static_cast<int64_t>(from.Below(8))},
              {"R0", 1 + static_cast<int64_t>(from.Below(250))},
              {"R1", 1 + static_cast<int64_t>(from.Below(900))}};
    };
    EXPECT_GT(CheckProperties(problem, draw, 500, seed), 50) << seed;
  }
}

// Z3 tells nothing within so little work: all cases are kept, and no one is wrong.
TEST(ComprehensiveOptimization, UnknownKeepsTheCase) {
  ConsistencySolver::Limits limits;
  limits.operations = 1;
  ConsistencySolver solver(limits);
  const std::vector<ProgramCase> cases = *OptimizeComprehensively(Jacobi(), solver);
  EXPECT_GE(cases.size(), 3);
  int unknown = 0;
  for (const ProgramCase& one : cases) unknown += one.unknown ? 1 : 0;
  EXPECT_GT(unknown, 0);
}

TEST(ComprehensiveOptimization, ManyCasesAreAnError) {
  ConsistencySolver solver;
  EXPECT_EQ(OptimizeComprehensively(Jacobi(), solver, 2).status(),
            absl::ResourceExhaustedError("there are more than 2 cases"));
}

}  // namespace
}  // namespace tune
