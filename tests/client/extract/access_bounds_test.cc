// How far accesses reach, as C text.
#include "client/extract/arrays/access_bounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/isl/isl.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;

// AssembledScop::reached, of a scop without conditions in values.
std::map<std::string, std::string> ReachedIn(const v1::Scop& scop) {
  IslContext context;
  std::map<std::string, isl::set> elements;
  for (const v1::Statement& statement : scop.statements()) {
    const isl::set domain(context.ctx(), statement.domain());
    for (const v1::Access& access : statement.accesses()) {
      const isl::set range = isl::map(context.ctx(), access.relation()).intersect_domain(domain).range();
      const auto [known, is_new] = elements.emplace(access.array(), range);
      if (!is_new) known->second = known->second.unite(range);
    }
  }
  std::map<std::string, std::string> reached;
  for (const auto& [array, set] : elements) reached[array] = IslText(set);
  return reached;
}

AccessBounds BoundsOfA(const v1::Scop& scop) {
  const absl::StatusOr<AccessBounds> bounds = FindAccessBounds(scop, ReachedIn(scop), {"A"}, {});
  EXPECT_TRUE(bounds.ok()) << bounds.status();
  return bounds.ok() ? *bounds : AccessBounds();
}

TEST(AccessBounds, AreOneMoreThanTheLargestSubscripts) {
  const AccessBounds bounds = BoundsOfA(
      ScopOf("void f(int n, double A[100][100], double *x)",
             "for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) { A[i + 1][2 * j] = 1; x[i] = 2; }"));
  EXPECT_EQ(bounds.condition, "1");
  EXPECT_THAT(bounds.ends.at("A"), ElementsAre("n <= 0 ? 0 : n + 1", "n <= 0 ? 0 : 7"));
  EXPECT_EQ(bounds.first_extents.count("A"), 0u);
  EXPECT_NE(bounds.first_extents.at("x"), "");
}

TEST(AccessBounds, SubscriptsBelowZeroAreNotSound) {
  const v1::Scop scop =
      ScopOf("void f(int n, int m, double A[100][100])", "for (int i = 0; i < n; i++) A[i][m] = 1;");
  EXPECT_EQ(BoundsOfA(scop).condition, "n <= 0 || m >= 0");
}

// Rows before the first one that loops reach need not be there where its number is a parameter.
TEST(AccessBounds, FirstRowsAreKnown) {
  const auto condition = [](const std::string& begin) {
    return BoundsOfA(ScopOf("void f(int n, int lo, double A[100][100])",
                            "for (int i = " + begin + "; i < n; i++) A[i][0] = 1;"))
        .condition;
  };
  EXPECT_EQ(condition("3"), "1");
  EXPECT_EQ(condition("lo"), "(lo >= 2 && lo >= n) || (lo <= -1 && lo >= n) || (lo >= 0 && lo <= 1)");
}

TEST(AccessBounds, ExecutionIsThatOfAllStatements) {
  const v1::Scop scop =
      ScopOf("void f(int n, int m, double A[100][100])",
             "for (int i = 0; i < n; i++) { A[i][0] = 1; for (int j = 0; j < m; j++) A[i][j] = 2; }");
  EXPECT_EQ(FindExecution(scop, {}).value(), "n >= 1 && m >= 1");
  EXPECT_EQ(FindExecution(scop, {"m"}).value(), "n >= 1");
}

TEST(AccessBounds, ParametersAreLongs) {
  const v1::Scop scop =
      ScopOf("void f(int n, int m, double A[100][100])", "for (int i = 0; i < n * m; i++) A[i][n] = 1;");
  EXPECT_EQ(InLongs("n >= 1 ? max(n, n_2) : floord(m, 2)", scop, {{"m", "other"}}),
            "(long)n >= 1 ? TUNE_MAX((long)n, n_2) : TUNE_FLOORD((long)other, 2)");
  EXPECT_EQ(InLongs("tune_product_n_m + 1", scop, {}), "(long)((long long)(n) * (m)) + 1");
  EXPECT_TRUE(NeedsBoundMacros("TUNE_MIN(1, 2)"));
  EXPECT_FALSE(NeedsBoundMacros("tune_row_a"));
}

}  // namespace
}  // namespace tune::testing
