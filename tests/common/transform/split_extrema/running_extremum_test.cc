#include "common/transform/split_extrema/running_extremum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "tests/common/transform/split_extrema/extremum_programs.h"

namespace tune {
namespace {

// "S0 > S1 S2": condition, comparison and the statements that keep something.
std::string Found(const v1::Scop& scop) {
  IslContext context;
  const auto parsed = ParseScop(context, scop).value();
  const auto dependences = ComputeDependences(context, *parsed).value();
  const auto found = context.Run("test", [&]() -> absl::StatusOr<std::vector<std::string>> {
    std::vector<std::string> all;
    for (const RunningExtremum& extremum : FindRunningExtrema(*parsed, dependences)) {
      all.push_back(absl::StrCat(extremum.condition, " ", extremum.comparison.op, " ", extremum.value,
                                 extremum.others.empty() ? "" : " ", absl::StrJoin(extremum.others, " "), "/",
                                 extremum.times.size()));
    }
    return all;
  });
  EXPECT_TRUE(found.ok()) << found.status();
  return absl::StrJoin(found.value_or(std::vector<std::string>()), "; ");
}

using testing::Region;

class RunningExtremumTest : public ::testing::TestWithParam<Region> {};

TEST_P(RunningExtremumTest, IsWhatIsProven) {
  EXPECT_EQ(Found(testing::RegionScop(GetParam().text)), GetParam().found) << GetParam().text;
}

std::string RegionName(const ::testing::TestParamInfo<Region>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Found, RunningExtremumTest, ::testing::ValuesIn(testing::ExtremumRegions()),
                         RegionName);

const Region kNot[] = {
    {"OtherValue", "for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i] + 1; k = i; }", ""},
    {"OtherElement", "for (int i = 1; i < n; i++) if (a[i] > m) { m = a[i - 1]; k = i; }", ""},
    {"OtherVariable", "for (int i = 0; i < n; i++) if (a[i] > e) { m = a[i]; k = i; }", ""},
    {"PositionIsRead", "for (int i = 0; i < n; i++) { if (a[i] > m) { m = a[i]; k = i; } b[i] = k; }", ""},
    {"ExtremumIsRead", "for (int i = 0; i < n; i++) { if (a[i] > m) { m = a[i]; k = i; } b[i] = m; }", ""},
    {"ExtremumIsWritten", "for (int i = 0; i < n; i++) { if (a[i] > m) { m = a[i]; k = i; } m = m / 2; }",
     ""},
    {"PositionOfPosition", "for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; k = k + i; }", ""},
    {"PositionOfAnother", "for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; l = k; k = i; }", ""},
    {"PositionOfExtremum", "for (int i = 0; i < n; i++) if (a[i] > m) { e = m; m = a[i]; k = i; }", ""},
    {"ElementOfPosition", "for (int i = 0; i < n; i++) if (a[i] + k > m) { m = a[i] + k; k = i; }", ""},
    {"ElementIsChanged", "for (int i = 0; i < n; i++) if (a[i] > m) { a[i] = 0; m = a[i]; k = i; }", ""},
    {"ElementIsChangedBefore",
     "for (int i = 0; i < n; i++) if (a[i] > m) { b[i] = 0; m = a[i]; k = i; q = q + 1; }", ""},
    {"Counted", "for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; k = i; q++; }", ""},
    {"OfRunningSum",
     "for (int i = 0; i < n; i++) { e = e * 0.5 + a[i]; float t = e; if (t > m) { m = t; k = i; } }", ""},
    {"Else", "for (int i = 0; i < n; i++) if (a[i] > m) { m = a[i]; k = i; } else l = i;", ""},
    {"EitherCondition", "for (int i = 0; i < n; i++) if (p[i] > 0 || a[i] > m) { m = a[i]; k = i; }", ""},
    {"NotGreaterOfFloats", "for (int i = 0; i < n; i++) if (!(a[i] <= m)) { m = a[i]; k = i; }", ""},
    {"Equal", "for (int i = 0; i < n; i++) if (a[i] == m) { m = a[i]; k = i; }", ""},
    {"Rounded", "for (int i = 0; i < n; i++) if (d[0][i] > m) { m = d[0][i]; k = i; }", ""},
    {"Truncated", "for (int i = 0; i < n; i++) if (a[i] > q) { q = a[i]; k = i; }", ""},
    {"Cut", "for (int i = 0; i < n; i++) if (c[i] * c[i] > s) { s = c[i] * c[i]; k = i; }", ""},
    {"Signs", "for (int i = 0; i < n; i++) if (u[i] > q) { q = u[i]; k = i; }", ""},
    {"SomeIterations", "for (int i = 0; i < n; i++) if (a[i] > m) { if (i > 3) m = a[i]; k = i; }", ""},
    {"Rows",
     "for (int i = 0; i < n; i++) { m = 0; k = 0; for (int j = 0; j < n; j++) if (d[i][j] > m) { m = "
     "d[i][j]; "
     "k = j; } b[i] = m + k; }",
     ""},
    {"OfRows",
     "for (int i = 0; i < n; i++) { e = 0; k = 0; for (int j = 0; j < n; j++) if (d[i][j] > e) { e = "
     "d[i][j]; "
     "k = j; } b[i] = e + k; }",
     ""},
    {"Element", "for (int i = 1; i < n; i++) if (a[i] > a[0]) { a[0] = a[i]; k = i; }", ""},
    {"NoPosition", "for (int i = 0; i < n; i++) if (a[i] > m) m = a[i];", ""},
};

INSTANTIATE_TEST_SUITE_P(Not, RunningExtremumTest, ::testing::ValuesIn(kNot), RegionName);

}  // namespace
}  // namespace tune
