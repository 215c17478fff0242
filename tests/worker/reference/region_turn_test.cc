#include "worker/reference/region_turn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>

#include "common/base/file.h"
#include "worker/reference/program_record.h"

namespace tune {
namespace {

// In place of a program: what its recorder does with the log, and the subprocess with its options.
class RegionTurnTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ExecutionLog log;
    log.stops = 1;
    ASSERT_TRUE(WriteExecutionLog(path_, log).ok());
  }
  std::unique_ptr<RegionTurn> Open(absl::Duration limit = absl::InfiniteDuration()) {
    return *RegionTurn::Open(path_, limit, &cancellation_);
  }
  void Stop() {
    const int file = open(path_.c_str(), O_WRONLY);
    const int64_t stopped = 1;
    EXPECT_EQ(pwrite(file, &stopped, sizeof(stopped), offsetof(ExecutionLog, stopped)), 8);
    close(file);
  }
  // Until the program may go on, or is ended.
  SubprocessResult Wait(RegionTurn* turn) {
    SubprocessOptions options;
    turn->Watch(&options);
    SubprocessResult result;
    while (!result.cancelled && ReadExecutionLog(path_).goes_on == 0)
      result.cancelled = options.cancelled(options.cancelled_argument);
    return result;
  }

  TemporaryFolder folder_ = *TemporaryFolder::Make();
  const std::string path_ = folder_.path() + "/executions.bin";
  Cancellation cancellation_;
  std::string events_;
};

TEST_F(RegionTurnTest, BeginsAtTheRegionAndEndsWithTheProgram) {
  const auto turn = Open();
  const auto ran = turn->Run(
      [&](const std::function<void()>& run) {
        events_ += " turn";
        run();
        events_ += " over";
      },
      [&]() -> absl::StatusOr<SubprocessResult> {
        events_ += "start";
        Stop();
        const SubprocessResult result = Wait(turn.get());
        events_ += " region";
        return result;
      });
  ASSERT_TRUE(ran.ok()) << ran.status();
  EXPECT_FALSE(ran->cancelled || ran->timed_out);
  EXPECT_EQ(events_, "start turn region over");
}

TEST_F(RegionTurnTest, OfAProgramThatEndsBeforeItIsNotAskedFor) {
  const auto ran = Open()->Run([&](const std::function<void()>&) { events_ += "turn"; },
                               [] { return SubprocessResult(); });
  EXPECT_TRUE(ran.ok()) << ran.status();
  EXPECT_EQ(events_, "");
}

TEST_F(RegionTurnTest, ThatDoesNotComeEndsTheProgram) {
  const auto turn = Open();
  SubprocessResult ended;
  const auto ran = turn->Run([](const std::function<void()>&) {},
                             [&]() -> absl::StatusOr<SubprocessResult> {
                               Stop();
                               return ended = Wait(turn.get());
                             });
  EXPECT_TRUE(absl::IsCancelled(ran.status())) << ran.status();
  EXPECT_TRUE(ended.cancelled);
}

TEST_F(RegionTurnTest, EndsAProgramThatIsLate) {
  const auto turn = Open(-absl::Seconds(1));
  const auto ran = turn->Run([](const std::function<void()>&) {},
                             [&]() -> absl::StatusOr<SubprocessResult> { return Wait(turn.get()); });
  ASSERT_TRUE(ran.ok()) << ran.status();
  EXPECT_TRUE(ran->timed_out);
  EXPECT_FALSE(ran->cancelled);
}

// Whoever has the GPU may keep it for long.
TEST_F(RegionTurnTest, IsWaitedForWithoutALimit) {
  const auto turn = Open(-absl::Seconds(1));
  absl::Notification looked;
  bool ends = true;
  const auto ran = turn->Run(
      [&](const std::function<void()>& run) {
        looked.WaitForNotification();
        run();
      },
      [&]() -> absl::StatusOr<SubprocessResult> {
        SubprocessOptions options;
        turn->Watch(&options);
        Stop();
        ends = options.cancelled(options.cancelled_argument);
        looked.Notify();
        return SubprocessResult();
      });
  ASSERT_TRUE(ran.ok()) << ran.status();
  EXPECT_FALSE(ends);
}

}  // namespace
}  // namespace tune
