#include "worker/generate/decision_choosers.h"

#include <gmock/gmock.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

const DecisionPoint kPoint{"unroll", {"1", "2", "4"}, {true, false, true}, 2};

using Settings = std::map<std::string, std::string>;

TEST(DecisionChoosersTest, SettingsReplaceDefaults) {
  EXPECT_EQ(SettingChooser(Settings{}).Choose(kPoint).value(), 2);
  EXPECT_EQ(SettingChooser(Settings{{"unroll", "1"}, {"tile", "8"}}).Choose(kPoint).value(), 0);
}

TEST(DecisionChoosersTest, SettingsMustBePossible) {
  for (const char* option : {"2", "3"}) {
    const absl::Status status = SettingChooser(Settings{{"unroll", option}}).Choose(kPoint).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_THAT(std::string(status.message()), HasSubstr("possible are 1, 4"));
  }
}

TEST(DecisionChoosersTest, RandomOnesFollowFromTheSeedAndAreAllowed) {
  RandomChooser a(7), b(7);
  std::set<int> seen;
  for (int i = 0; i < 50; ++i) {
    const int chosen = a.Choose(kPoint).value();
    EXPECT_EQ(chosen, b.Choose(kPoint).value());
    seen.insert(chosen);
  }
  EXPECT_EQ(seen, (std::set<int>{0, 2}));
}

}  // namespace
}  // namespace tune
