#include "client/exchange/pull_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

class PullBudgetTest : public ::testing::Test {
 protected:
  void ExpectOver(const std::string& what) {
    const absl::Status status = budget_.Check();
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(what));
    EXPECT_THAT(std::string(status.message()), HasSubstr("pull again"));
  }

  ManualClock clock_;
  PullBudget budget_{{.bytes = 1000, .requests = 3, .whole = absl::Hours(2), .without_news = absl::Hours(1)},
                     &clock_};
};

TEST_F(PullBudgetTest, Bytes) {
  budget_.CountAnswer(1000);
  EXPECT_TRUE(budget_.Check().ok());
  budget_.CountAnswer(1);
  ExpectOver("has sent 1001 bytes");
}

TEST_F(PullBudgetTest, Requests) {
  for (int i = 0; i < 3; ++i) budget_.CountAnswer(0);
  EXPECT_TRUE(budget_.Check().ok());
  budget_.CountAnswer(0);
  ExpectOver("has been asked 4 times");
}

TEST_F(PullBudgetTest, TimeWithoutNews) {
  clock_.Advance(absl::Minutes(50));
  budget_.CountNews();
  clock_.Advance(absl::Minutes(50));
  EXPECT_TRUE(budget_.Check().ok());
  clock_.Advance(absl::Minutes(11));
  ExpectOver("has told nothing new for 1h1m");
}

TEST_F(PullBudgetTest, TheWholeTime) {
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(absl::Minutes(50));
    budget_.CountNews();
  }
  ExpectOver("has been answering for 2h30m");
}

}  // namespace
}  // namespace tune
