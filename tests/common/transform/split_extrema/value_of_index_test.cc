#include "common/transform/split_extrema/value_of_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/transform/split_extrema/running_extremum.h"
#include "tests/common/transform/split_extrema/extremum_programs.h"

namespace tune {
namespace {

std::optional<v1::Scop> WithValues(const v1::Scop& scop) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto result = context.Run(
      "test", [&]() -> absl::StatusOr<std::optional<v1::Scop>> { return WithValuesOfIndices(*parsed); });
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(std::nullopt);
}

size_t CountExtrema(const v1::Scop& scop) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto dependences = ComputeDependences(context, *parsed).value();
  return context
      .Run("test",
           [&]() -> absl::StatusOr<size_t> { return FindRunningExtrema(*parsed, dependences).size(); })
      .value();
}

struct Indices {
  std::string name, text;
  size_t extrema;  // 0: it is none
};
std::ostream& operator<<(std::ostream& out, const Indices& indices) { return out << indices.name; }

// What they compute: tests/tuned_builds/programs/indirect_maxima.c.
class ValueOfIndexFormTest : public ::testing::TestWithParam<Indices> {};

TEST_P(ValueOfIndexFormTest, IsKeptBesideIt) {
  const v1::Scop scop = testing::RegionScop(GetParam().text);
  EXPECT_EQ(CountExtrema(scop), 0u);
  const auto kept = WithValues(scop);
  ASSERT_EQ(kept.has_value(), GetParam().extrema > 0) << GetParam().text;
  if (kept) {
    EXPECT_EQ(CountExtrema(*kept), GetParam().extrema);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Indices, ValueOfIndexFormTest,
    ::testing::Values(
        Indices{"First", "k = 0; for (int i = 1; i < n; i++) if (g[i] > g[k]) k = i;", 1},
        Indices{"LastLeast", "k = n - 1; for (int i = n - 1; i >= 0; i--) if (g[k] >= g[i]) k = i;", 1},
        Indices{"Choice", "k = 2; for (int i = 3; i < n - 1; i++) k = t[i + 1] < t[k] ? i + 1 : k;", 1},
        Indices{
            "Two",
            "k = 0; l = 1; for (int i = 0; i < n; i++) { if (g[i] > g[k]) k = i; if (g[i] < g[l]) l = i; }",
            2},
        Indices{"WithOthers", "k = 0; for (int i = 0; i < n; i++) { b[i] = g[i]; if (g[i] > g[k]) k = i; }",
                1},
        Indices{"OtherIndex", "k = 0; for (int i = 0; i < n - 1; i++) if (g[i] > g[k]) k = i + 1;", 0},
        Indices{"OtherArray", "k = 0; for (int i = 0; i < n; i++) if (t[i] > g[k]) k = i;", 0},
        Indices{"Beside", "k = 0; for (int i = 0; i < n; i++) if (p[i] > 0 && g[i] > g[k]) k = i;", 0},
        Indices{"Narrow", "s = 0; for (int i = 0; i < n; i++) if (g[i] > g[s]) s = i;", 0},
        Indices{"ElementsChange", "k = 0; for (int i = 0; i < n; i++) { if (g[i] > g[k]) k = i; g[i] = 0; }",
                0},
        Indices{"IndexIsRead", "k = 0; for (int i = 0; i < n; i++) { if (g[i] > g[k]) k = i; b[i] = k; }", 0},
        Indices{"Rows",
                "for (int r = 0; r < n; r++) { k = r; for (int i = 0; i < n; i++) if (g[i] > g[k]) k = i; "
                "b[r] = k; }",
                0},
        Indices{"NotLess", "k = 0; for (int i = 0; i < n; i++) if (!(g[i] <= g[k])) k = i;", 0}),
    [](const ::testing::TestParamInfo<Indices>& info) { return info.param.name; });

// Where it does not, k may be no index at all.
TEST(ValueOfIndexTest, IsReadWhereTheNestRuns) {
  const auto kept =
      WithValues(testing::RegionScop("if (n < 9) for (int i = 0; i < n; i++) if (g[i] > g[k]) k = i;"));
  ASSERT_TRUE(kept.has_value());
  IslContext context;
  const auto parsed = ParseScop(context, *kept).value();
  const auto runs = context.Run("test", [&]() -> absl::StatusOr<bool> {
    const isl::set nest(parsed->domain.ctx(), "[n] -> { : 0 < n < 9 }");
    return std::all_of(parsed->statements.begin(), parsed->statements.end(), [&](const auto& statement) {
      return statement.proto->iterators_size() > 0 || statement.kind != v1::Statement::ASSIGN ||
             statement.domain.params().is_subset(nest);
    });
  });
  EXPECT_EQ(runs.value(), true);
}

}  // namespace
}  // namespace tune
