// What others see of a submission whose scop takes long to look at.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/synchronization/notification.h"
#include "server/study/coordinator.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

constexpr absl::Duration kPatience = absl::Minutes(1);  // of a test that fails

v1::StudySpec SpecOf(const std::string& name) {
  v1::StudySpec spec = SyntheticSpec();
  spec.mutable_scop()->set_name(name);
  return spec;
}

class CoordinatorSubmitTest : public ::testing::Test {
 protected:
  ~CoordinatorSubmitTest() override {
    if (!done_.HasBeenNotified()) done_.Notify();
  }

  // The scop "hostile" is looked at until done_; "deadly" ends its process.
  absl::StatusOr<ScopIdentity> Identify(const v1::Scop& scop) {
    if (scop.name() == "deadly") return absl::ResourceExhaustedError("was killed by signal 11");
    if (scop.name() == "hostile") {
      if (looks_.fetch_add(1) == 0) begun_.Notify();
      done_.WaitForNotification();
    }
    return IdentityOfText(scop);
  }

  absl::Notification begun_, done_;
  std::atomic<int> looks_ = 0;
  ManualClock clock_;
  const std::unique_ptr<Store> store_ =
      MakeMemoryStore([this](const v1::Scop& scop) { return Identify(scop); });
  const std::unique_ptr<Coordinator> coordinator_ =
      Coordinator::Start(TestOptions(), store_.get(), &clock_, SyntheticFactory({2, 2})).value();
};

TEST_F(CoordinatorSubmitTest, OthersAreTakenWhileAScopIsLookedAt) {
  std::thread hostile([&] { EXPECT_TRUE(coordinator_->Submit(SpecOf("hostile"), "").ok()); });
  ASSERT_TRUE(begun_.WaitForNotificationWithTimeout(kPatience));
  absl::Notification taken;
  std::thread other([&] {
    EXPECT_TRUE(coordinator_->Submit(SpecOf("good"), "").ok());
    EXPECT_TRUE(coordinator_->ListStudies({}).ok());
    EXPECT_TRUE(coordinator_->Info().ok());
    taken.Notify();
  });
  EXPECT_TRUE(taken.WaitForNotificationWithTimeout(kPatience));
  done_.Notify();
  other.join();
  hostile.join();
  EXPECT_EQ(store_->CountStudies().value(), 2);
}

TEST_F(CoordinatorSubmitTest, AScopThatCannotBeLookedAtIsRefusedAndTheServerGoesOn) {
  const absl::Status status = coordinator_->Submit(SpecOf("deadly"), "").status();
  EXPECT_EQ(status, absl::ResourceExhaustedError("was killed by signal 11"));
  EXPECT_TRUE(coordinator_->Submit(SpecOf("good"), "").ok());
  EXPECT_EQ(store_->CountStudies().value(), 1);
}

TEST_F(CoordinatorSubmitTest, ARequestThatComesTwiceAtTheSameTimeIsOneStudy) {
  std::string ids[2];
  std::thread threads[2];
  for (int i = 0; i < 2; ++i) {
    threads[i] =
        std::thread([&, i] { ids[i] = coordinator_->Submit(SpecOf("hostile"), "request").value().id(); });
  }
  const absl::Time end = absl::Now() + kPatience;
  while (looks_.load() < 2 && absl::Now() < end) std::this_thread::yield();
  EXPECT_EQ(looks_.load(), 2);
  done_.Notify();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ids[0], "s1");
  EXPECT_EQ(ids[1], "s1");
  EXPECT_EQ(store_->CountStudies().value(), 1);
}

}  // namespace
}  // namespace tune
