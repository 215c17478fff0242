// The worker's side of a device's clock, on a program that writes down what it is told.
#include "worker/run/clock_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>

#include "common/base/file.h"
#include "worker/run/cuda_runner.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kScript[] = R"(#!/bin/sh
while read line; do
  echo "$line" >> LOG
  case "$line" in
    list) echo "ok 2000 1500";;
    "set 7") echo "refused the device has no graphics clock of 7 MHz; it has 2000, 1500";;
    "set 13") exit 1;;
    *) echo ok;;
  esac
done
echo end >> LOG
)";

class ClockKeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::signal(SIGPIPE, SIG_IGN);  // as tune-worker does
    folder_.emplace(*TemporaryFolder::Make());
    program_ = folder_->path() + "/program";
    std::string script = kScript;
    for (size_t at; (at = script.find("LOG")) != std::string::npos;)
      script.replace(at, 3, folder_->path() + "/log");
    ASSERT_TRUE(WriteFile(program_, script).ok());
    ASSERT_EQ(chmod(program_.c_str(), 0755), 0);
  }
  std::string Log() const { return ReadFile(folder_->path() + "/log").value_or(""); }

  std::optional<TemporaryFolder> folder_;
  std::string program_;
};

TEST_F(ClockKeeperTest, SetsAndSetsBack) {
  {
    ClockKeeper keeper(program_, 0);
    EXPECT_TRUE(keeper.Reset().ok());
    EXPECT_EQ(Log(), "") << "nothing is started for nothing";
    EXPECT_THAT(*keeper.Supported(), ElementsAre(2000, 1500));
    EXPECT_TRUE(keeper.Set(1500).ok());
    EXPECT_TRUE(keeper.Reset().ok());
    EXPECT_TRUE(keeper.Reset().ok());
    const absl::Status refused = keeper.Set(7);
    EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_EQ(refused.message(), "device 0: the device has no graphics clock of 7 MHz; it has 2000, 1500");
  }
  EXPECT_EQ(Log(), "list\nset 1500\nreset\nset 7\nend\n") << "its end is waited for";
}

TEST_F(ClockKeeperTest, AProcessThatHasEndedIsStartedAgain) {
  ClockKeeper keeper(program_, 0);
  EXPECT_THAT(std::string(keeper.Set(13).message()), HasSubstr("has ended"));
  EXPECT_TRUE(keeper.Set(1500).ok());
  EXPECT_FALSE(ClockKeeper(folder_->path() + "/none", 0).Set(1500).ok());
}

TEST_F(ClockKeeperTest, ClocksAreCheckedBeforeAStudy) {
  ProcessCudaRunner runner(program_, 0);
  EXPECT_TRUE(runner.CheckClocks({2000, 1500}).ok());
  EXPECT_EQ(Log(), "list\nset 2000\nreset\n") << "whether any can be set";
  EXPECT_THAT(std::string(runner.CheckClocks({2000, 7}).message()), HasSubstr("no graphics clock of 7 MHz"));
}

}  // namespace
}  // namespace tune
