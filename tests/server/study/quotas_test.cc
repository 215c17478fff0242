#include "server/study/quotas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace tune {
namespace {

using ::testing::HasSubstr;

TEST(QuotasTest, EachHasItsEndAndSaysSo) {
  const Quotas quotas{3, 100, 1000, 60};
  EXPECT_TRUE(CheckQuotas(quotas, "alice", {2, 50, 500, 59}, {1, 50, 500, 0}).ok());
  const std::pair<Usage, const char*> refused[] = {{{3, 0, 0, 0}, "3 studies at once"},
                                                   {{0, 51, 0, 0}, "100 evaluations"},
                                                   {{0, 0, 501, 0}, "1000 bytes"},
                                                   {{0, 0, 0, 60}, "60 seconds of devices"}};
  for (const auto& [has, what] : refused) {
    const absl::Status status = CheckQuotas(quotas, "alice", has, {1, 50, 500, 0});
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << what;
    EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("the quota of alice is ", what)));
  }
}

TEST(QuotasTest, NoneAndNoOverflow) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(CheckQuotas({0, 0, 0, 0}, "alice", {kMost, kMost, kMost, kMost}, {1, 1, 1, 1}).ok());
  EXPECT_FALSE(CheckQuotas({10, 0, 0, 0}, "alice", {5, 0, 0, 0}, {kMost, 0, 0, 0}).ok());
}

}  // namespace
}  // namespace tune
