#include "worker/lease/lease_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "absl/synchronization/notification.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// A server in memory that hands out a list of leases, one at a time.
class FakeServer : public Transport {
 public:
  absl::StatusOr<v1::SynchronizeResponse> Synchronize(const v1::SynchronizeRequest& request,
                                                      absl::Duration limit) override {
    absl::MutexLock lock(&mutex_);
    ++calls_;
    if (!errors_.empty()) {
      const absl::Status error = errors_.front();
      errors_.erase(errors_.begin());
      if (!error.ok()) return error;
    }
    v1::SynchronizeResponse response;
    for (const v1::LeaseResult& result : request.results()) {
      if (!results_.count(result.lease_id())) order_.push_back(result.lease_id());
      results_.insert(result.lease_id());
      response.add_acknowledged(result.lease_id());
      if (on_result_) std::thread(std::exchange(on_result_, nullptr)).detach();
    }
    for (const std::string& lease_id : request.returned()) returned_.push_back(lease_id);
    for (const v1::ActiveLease& active : request.active()) {
      if (cancelled_.count(active.lease_id())) response.add_cancelled(active.lease_id());
    }
    if (request.free_slots() > 0 && !waiting_.empty()) {
      v1::Lease* lease = response.add_leases();
      lease->set_lease_id(waiting_.front());
      lease->set_study_id("s1");
      waiting_.erase(waiting_.begin());
    } else if (request.wait_ms() > 0 && request.results_size() == 0) {
      // A long poll; ends with Interrupt only.
      mutex_.Await(absl::Condition(
          +[](bool* interrupted) { return *interrupted; }, &interrupted_));
    }
    if (interrupted_) {
      interrupted_ = false;
      return absl::CancelledError("interrupted");
    }
    response.set_next_synchronization_ms(1);
    return response;
  }
  absl::StatusOr<v1::StudySetup> GetStudySetup(const std::string&) override { return v1::StudySetup(); }
  void Interrupt() override {
    absl::MutexLock lock(&mutex_);
    interrupted_ = true;
  }

  // Called once, from a thread of its own, when a result has come.
  void OnResult(std::function<void()> on_result) { on_result_ = std::move(on_result); }
  void AddLease(const std::string& lease_id) { waiting_.push_back(lease_id); }
  void AddError(const absl::Status& status) { errors_.push_back(status); }
  void CancelLease(const std::string& lease_id) {
    absl::MutexLock lock(&mutex_);
    cancelled_.insert(lease_id);
  }
  std::vector<std::string> order() {
    absl::MutexLock lock(&mutex_);
    return order_;
  }
  std::vector<std::string> returned() {
    absl::MutexLock lock(&mutex_);
    return returned_;
  }

 private:
  absl::Mutex mutex_;
  std::vector<std::string> waiting_, order_, returned_;
  std::function<void()> on_result_;
  std::set<std::string> results_, cancelled_;
  std::vector<absl::Status> errors_;
  bool interrupted_ = false;
  int calls_ = 0;
};

class FakeExecutor : public TaskExecutor {
 public:
  absl::StatusOr<v1::LeaseResult> Execute(const v1::Lease& lease, const TaskControl& control) override {
    control.Enter("run");
    started.push_back(lease.lease_id());
    if (on_start) on_start(lease.lease_id());
    if (lease.lease_id() == "endless") {
      while (!control.cancelled()) std::this_thread::yield();
      return absl::CancelledError("cancelled");
    }
    if (lease.lease_id() == "stubborn") {
      release.WaitForNotification();
      return absl::CancelledError("cancelled");
    }
    if (lease.lease_id() == "gone") return absl::NotFoundError("no such study");
    return v1::LeaseResult();
  }
  std::vector<std::string> started;
  std::function<void(const std::string&)> on_start;
  absl::Notification release;
};

class LeaseLoopTest : public ::testing::Test {
 protected:
  FakeServer server_;
  FakeExecutor executor_;
  // Nothing is abandoned, however slow the machine is: it would outlive the test.
  LeaseLoop loop_{{"w", "session", "0.2.0", {}}, &server_, &executor_, 1, absl::InfiniteDuration()};
};

TEST_F(LeaseLoopTest, WorksThroughLeasesAndDrains) {
  for (const char* id : {"a", "b", "c"}) server_.AddLease(id);
  executor_.on_start = [&](const std::string& id) {
    if (id == "c") loop_.Drain();
  };
  EXPECT_TRUE(loop_.Run().ok());
  EXPECT_THAT(server_.order(), ElementsAre("a", "b", "c"));
  EXPECT_FALSE(loop_.abandoned());
}

TEST_F(LeaseLoopTest, ServerAwayAndBack) {
  for (int i = 0; i < 2; ++i) server_.AddError(absl::UnavailableError("connection refused"));
  server_.AddLease("a");
  executor_.on_start = [&](const std::string&) {
    server_.AddError(absl::UnavailableError("gone again"));
    loop_.Drain();
  };
  EXPECT_TRUE(loop_.Run().ok());
  EXPECT_THAT(server_.order(), ElementsAre("a"));
}

TEST_F(LeaseLoopTest, RefusalIsFinal) {
  server_.AddError(absl::FailedPreconditionError("install the same version"));
  const absl::Status status = loop_.Run();
  EXPECT_EQ(std::string(status.message()), "install the same version");
}

TEST_F(LeaseLoopTest, CancelledLeaseStopsItsWork) {
  server_.AddLease("endless");
  server_.AddLease("b");
  executor_.on_start = [&](const std::string& id) {
    if (id == "endless") server_.CancelLease(id);
    if (id == "b") loop_.Drain();
  };
  EXPECT_TRUE(loop_.Run().ok());
  EXPECT_THAT(executor_.started, ElementsAre("endless", "b"));
  EXPECT_THAT(server_.order(), ElementsAre("b"));
}

TEST_F(LeaseLoopTest, StudyThatIsGone) {
  server_.AddLease("gone");
  server_.AddLease("b");
  executor_.on_start = [&](const std::string& id) {
    if (id == "b") loop_.Drain();
  };
  EXPECT_TRUE(loop_.Run().ok());
  EXPECT_THAT(server_.order(), ElementsAre("b"));
}

TEST_F(LeaseLoopTest, StopReturnsTheLeaseAndKillsItsWork) {
  server_.AddLease("endless");
  executor_.on_start = [&](const std::string&) { loop_.Stop(); };
  EXPECT_TRUE(loop_.Run().ok());
  EXPECT_THAT(server_.returned(), Contains("endless"));
  EXPECT_FALSE(loop_.abandoned());
}

TEST_F(LeaseLoopTest, StopEndsALongPoll) {
  std::thread stopper([&] { loop_.Stop(); });
  EXPECT_TRUE(loop_.Run().ok());
  stopper.join();
}

TEST_F(LeaseLoopTest, StopDoesNotWaitForAnUnreachableServer) {
  for (int i = 0; i < 1000; ++i) server_.AddError(absl::UnavailableError("connection refused"));
  std::thread stopper([&] { loop_.Stop(); });
  EXPECT_TRUE(loop_.Run().ok());
  stopper.join();
}

TEST(LeaseLoopAbandonTest, StopDoesNotWaitForWorkThatDoesNotNotice) {
  // What is abandoned lives on in its thread.
  FakeServer* server = new FakeServer;
  FakeExecutor* executor = new FakeExecutor;
  LeaseLoop* loop = new LeaseLoop({"w", "session", "0.2.0", {}}, server, executor, 1);
  server->AddLease("stubborn");
  executor->on_start = [loop](const std::string&) { loop->Stop(); };
  EXPECT_TRUE(loop->Run().ok());
  EXPECT_TRUE(loop->abandoned());
  EXPECT_THAT(server->returned(), Contains("stubborn"));
  executor->release.Notify();
  // Reachable also when the process ends, so that leak checkers agree.
  static auto* const kept = new std::vector<void*>;
  *kept = {server, executor, loop};
}

// Finishes no lease before all are under way.
class MeetingExecutor : public TaskExecutor {
 public:
  explicit MeetingExecutor(int count) : count_(count) {}
  absl::StatusOr<v1::LeaseResult> Execute(const v1::Lease&, const TaskControl&) override {
    absl::MutexLock lock(&mutex_);
    ++started_;
    const auto all = [this] { return started_ == count_; };
    mutex_.Await(absl::Condition(&all));
    if (on_meeting) on_meeting();
    on_meeting = nullptr;
    return v1::LeaseResult();
  }
  std::function<void()> on_meeting;

 private:
  const int count_;
  absl::Mutex mutex_;
  int started_ = 0;
};

TEST(LeaseLoopSlotsTest, AllSlotsWorkAtOnce) {
  FakeServer server;
  MeetingExecutor executor(3);
  LeaseLoop loop({"w", "session", "0.2.0", {}, 3}, &server, &executor, 1, absl::InfiniteDuration());
  for (const char* id : {"a", "b", "c"}) server.AddLease(id);
  executor.on_meeting = [&] { loop.Drain(); };
  EXPECT_TRUE(loop.Run().ok());
  EXPECT_THAT(server.order(), ::testing::UnorderedElementsAre("a", "b", "c"));
}

// A free slot waits in the server while another one works: the result must not wait with it.
TEST(LeaseLoopSlotsTest, ResultEndsALongPoll) {
  FakeServer server;
  FakeExecutor executor;
  LeaseLoop loop({"w", "session", "0.2.0", {}, 2}, &server, &executor, 1, absl::InfiniteDuration());
  server.AddLease("a");
  server.OnResult([&] { loop.Drain(); });
  EXPECT_TRUE(loop.Run().ok());
  EXPECT_THAT(server.order(), ElementsAre("a"));
}

}  // namespace
}  // namespace tune
