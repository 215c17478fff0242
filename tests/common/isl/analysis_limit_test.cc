#include "common/isl/analysis_limit.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "common/isl/isl.h"

namespace tune {
namespace {

// In a process of its own: the environment is asked once.
class AnalysisLimitTest : public ::testing::TestWithParam<std::pair<const char*, int>> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(AnalysisLimitTest, IsWhatTheEnvironmentSays) {
  const auto [text, limit] = GetParam();
  const auto leave = [&, text = text] {
    setenv(kAnalysisLimitVariable, text, 1);
    std::exit(AnalysisLimit() % 256);
  };
  EXPECT_EXIT(leave(), ::testing::ExitedWithCode(limit % 256), "") << text;
}

INSTANTIATE_TEST_SUITE_P(Texts, AnalysisLimitTest,
                         ::testing::Values(std::pair("7", 7), std::pair("1000", 1000), std::pair("1001", 1),
                                           std::pair("0", 1), std::pair("-3", 1), std::pair("many", 1)));

TEST(AnalysisLimitOfContexts, IsAFactorOfTheirLimits) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // 0: the sets were subtracted; 1: the limit was reached, which names the next one.
  const auto leave = [](const char* limit) {
    setenv(kAnalysisLimitVariable, limit, 1);
    IslContext context(IslContext::Limits{.operations = 2'000});
    const absl::Status status = context.Run("subtracting", [&]() -> absl::Status {
      isl::set rest(context.ctx(), "{ A[a, b] : 0 <= a, b <= 100 }");
      for (int i = 0; i < 10; ++i) {
        const std::string k = std::to_string(i);
        rest = rest.subtract(isl::set(context.ctx(), "{ A[a, b] : a + " + k + " b > 50 }")).coalesce();
      }
      return absl::OkStatus();
    });
    std::fprintf(stderr, "%s", std::string(status.message()).c_str());
    std::exit(status.ok() ? 0 : 1);
  };
  EXPECT_EXIT(leave("2"), ::testing::ExitedWithCode(1), "limit of 4000 isl operations.*--analysis-limit 8 ");
  EXPECT_EXIT(leave("1000"), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tune
