// The paper's examples: their cases in its order of decisions, and Definition 2 at ten thousand points each.
#include "worker/cases/kernel_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "tests/common/cases/properties.h"
#include "tests/worker/cases/example_programs.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

// Section 5: (1) registers suffice, (2) subexpressions shared, (3a) and (4a) shared memory suffices without
// less coarsening, (3b) one point a thread, (4b) no shared memory.
std::string Abbreviated(const KernelProblem& problem, const ProgramCase& one) {
  static const char* const strategies[] = {"3b", "2", "2", "bounded", "4b"};
  std::vector<std::string> texts;
  for (const CaseDecision& decision : one.decisions) {
    if (decision.kind != CaseDecision::Kind::kAccept) {
      texts.push_back(strategies[decision.strategy]);
    } else if (problem.counters()[decision.counter].limit == kRegistersLimit) {
      texts.push_back("1");
    } else if (problem.counters()[decision.counter].limit == kSharedLimit &&
               problem.Variant(one.applied).cached) {
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

class Examples : public ::testing::TestWithParam<std::string> {};

TEST_P(Examples, HaveAllPropertiesAtTenThousandPoints) {
  const ParametricRegion region = ExampleRegion(GetParam());
  for (const ParametricKernel& kernel : region.kernels) {
    const KernelProblem problem(kernel, region.scop);
    // Machines from too small to large, blocks up to 64 threads along an axis.
    const auto draw = [&](Random& random) {
      Point point = {
          {kThreadsLimit, 1 + static_cast<int64_t>(random.Below(4096))},
          {kRegistersLimit, 1 + static_cast<int64_t>(random.Below(1 << 17))},
          {kSharedLimit, static_cast<int64_t>(random.Below(random.Below(2) == 0 ? 4096 : 1 << 17))}};
      for (const CaseSymbol& symbol : problem.Symbols()) {
        if (!symbol.machine) point[symbol.name] = 1 + static_cast<int64_t>(random.Below(64));
      }
      return point;
    };
    EXPECT_GT(CheckProperties(problem, draw, 10'000, 7), 2000);
    // Every machine that has room for one thread has a case with one thread a block.
    ConsistencySolver solver;
    const std::vector<ProgramCase> cases = *OptimizeComprehensively(problem, solver);
    const CaseTree tree = MakeCaseTree(problem.Given(), cases, solver);
    Random random(8);
    for (int i = 0; i < 10'000; ++i) {
      Point point = draw(random);
      for (const CaseSymbol& symbol : problem.Symbols()) {
        if (!symbol.machine) point[symbol.name] = 1;
      }
      point[kRegistersLimit] += 64;
      EXPECT_GE(*tree.Find(point), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Paper, Examples,
                         ::testing::Values("matrix_addition", "jacobi_1d", "transposition", "product",
                                           "matrix_vector"));

std::vector<std::string> AllAbbreviated(const std::string& name) {
  const ParametricRegion region = ExampleRegion(name);
  const KernelProblem problem(region.kernels.at(0), region.scop);
  ConsistencySolver solver;
  std::vector<std::string> texts;
  const std::vector<ProgramCase> cases = *OptimizeComprehensively(problem, solver);
  for (const ProgramCase& one : cases) texts.push_back(Abbreviated(problem, one));
  return texts;
}

TEST(KernelProblem, TranspositionHasThePapersCases) {
  EXPECT_THAT(AllAbbreviated("transposition"),
              ElementsAre("(1) (4a) (3a) (2) (2)", "(1) (3b) (4a) (3a) (2) (2)", "(1) (3b) (2) (2) (4b)",
                          "(2) (2) (3b) (1) (4a) (3a)", "(2) (2) (3b) (1) (4b)"));
}

// The paper's three, and others where registers are few.
TEST(KernelProblem, JacobiHasThePapersCases) {
  EXPECT_THAT(AllAbbreviated("jacobi_1d"),
              ::testing::IsSupersetOf(
                  {"(1) (4a) (3a) (2) (2)", "(1) (3b) (4a) (3a) (2) (2)", "(1) (3b) (2) (2) (4b)"}));
}

// The paper's decisions, in its order, for what it introduces with: the first case with all strategies kept,
// then with one point a thread, then without shared memory.
TEST(KernelProblem, TheProductHasThePapersDecisionsInTheirOrder) {
  const std::vector<std::string> cases = AllAbbreviated("product");
  ASSERT_GE(cases.size(), 3);
  EXPECT_EQ(cases[0], "(1) (4a) (3a) (2) (2)");
  EXPECT_THAT(cases, ::testing::IsSupersetOf(
                         {"(1) (4a) (3a) (2) (2)", "(1) (3b) (4a) (3a) (2) (2)", "(1) (3b) (2) (2) (4b)"}));
}

TEST(KernelProblem, MatrixAdditionHasThePapersCases) {
  const ParametricRegion region = ExampleRegion("matrix_addition");
  const KernelProblem problem(region.kernels.at(0), region.scop);
  ConsistencySolver solver;
  const std::vector<ProgramCase> cases = *OptimizeComprehensively(problem, solver);
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(Conditions(cases[0]), "B0*B1 <= T, 16*B0*B1 <= R");
  EXPECT_EQ(Conditions(cases[1]), "B0*B1 <= T, R < 16*B0*B1, 14*B0*B1 <= R");
  EXPECT_TRUE(problem.Variant(cases[0].applied).coarsened);
  EXPECT_FALSE(problem.Variant(cases[1].applied).coarsened);
}

TEST(KernelProblem, ThreadsThatShareSumsCount) {
  const ParametricRegion region = ExampleRegion("matrix_vector");
  const KernelProblem problem(region.kernels.at(0), region.scop);
  EXPECT_EQ(problem.Threads().Text(), "B0*B1");
  EXPECT_EQ(problem.SharedBytes(problem.Variant({})).Text(), "8*B0*B1");
  std::vector<std::string> symbols;
  for (const CaseSymbol& symbol : problem.Symbols()) symbols.push_back(symbol.name);
  EXPECT_THAT(symbols, ElementsAre("T", "R", "Z", "B0", "B1"));
}

TEST(KernelProblem, SharedMemoryIsThatOfAllTiles) {
  const ParametricRegion region = ExampleRegion("product");
  const KernelProblem problem(region.kernels.at(0), region.scop);
  KernelVariant variant;
  EXPECT_EQ(problem.SharedBytes(variant).Text(), "8*B0*K*s + 8*B1*K*s");
  variant.coarsened = false;
  EXPECT_EQ(problem.SharedBytes(variant).Text(), "8*B0*K + 8*B1*K");
  variant.cached = false;
  EXPECT_EQ(problem.SharedBytes(variant).Text(), "0");
}

}  // namespace
}  // namespace tune
