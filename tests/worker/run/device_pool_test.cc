#include "worker/run/device_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A device that is busy until it is told to finish.
class HeldRunner : public CudaRunner {
 public:
  absl::StatusOr<RunOutcome> Run(const CudaRunRequest&) override {
    absl::MutexLock lock(&mutex_);
    ++running_;
    mutex_.Await(absl::Condition(&released_));
    return RunOutcome();
  }
  void WaitUntilBusy() {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(
        +[](int* running) { return *running > 0; }, &running_));
  }
  void Release() {
    absl::MutexLock lock(&mutex_);
    released_ = true;
  }

 private:
  absl::Mutex mutex_;
  int running_ = 0;
  bool released_ = false;
};

TEST(DevicePoolTest, EachDeviceHasOneJob) {
  auto first = std::make_unique<HeldRunner>(), second = std::make_unique<HeldRunner>();
  HeldRunner *const held_first = first.get(), *const held_second = second.get();
  std::vector<DevicePool::Member> members;
  members.push_back({"cuda:0", 0, std::move(first)});
  members.push_back({"cuda:1", 1, std::move(second)});
  DevicePool pool(std::move(members));
  std::vector<std::string> devices(3);
  std::vector<std::thread> threads;
  const auto run = [&](int i) {
    threads.emplace_back([&devices, &pool, i] { devices[i] = pool.Run({})->device; });
  };
  run(0);
  held_first->WaitUntilBusy();
  run(1);
  held_second->WaitUntilBusy();
  // Both are busy: who is cancelled does not wait for them.
  Cancellation cancellation;
  cancellation.Cancel();
  CudaRunRequest request;
  request.cancellation = &cancellation;
  EXPECT_EQ(pool.Run(request).status().code(), absl::StatusCode::kCancelled);
  held_second->Release();
  run(2);
  threads[1].join();
  threads[2].join();
  EXPECT_EQ(devices[2], "cuda:1");
  held_first->Release();
  threads[0].join();
  EXPECT_EQ(devices[0], "cuda:0");
}

// A device that does with a job what a script says, by the job's name.
class JudgedRunner : public CudaRunner {
 public:
  using Script = std::function<absl::StatusOr<v1::Outcome>(const std::string& job)>;
  explicit JudgedRunner(Script script) : script_(std::move(script)) {}
  absl::StatusOr<RunOutcome> Run(const CudaRunRequest& request) override {
    ++runs;
    TUNE_ASSIGN_OR_RETURN(const v1::Outcome outcome, script_(request.job.arrays_key()));
    RunOutcome result;
    v1::RunnerVerdict& verdict = result.verdicts.emplace_back();
    verdict.set_outcome(outcome);
    if (outcome != v1::CORRECT) verdict.set_message("of the device's making");
    return result;
  }
  int runs = 0;

 private:
  const Script script_;
};

// Device 0 is bad, device 1 is good; no device can do an "impossible" job.
class RetirementTest : public ::testing::Test {
 protected:
  void MakePool(JudgedRunner::Script bad, v1::Outcome impossible) {
    auto first = std::make_unique<JudgedRunner>(std::move(bad));
    auto second =
        std::make_unique<JudgedRunner>([impossible](const std::string& job) -> absl::StatusOr<v1::Outcome> {
          if (job != "impossible") return v1::CORRECT;
          if (impossible != v1::OUTCOME_UNSPECIFIED) return impossible;
          return absl::FailedPreconditionError("no room for the program");
        });
    bad_ = first.get();
    good_ = second.get();
    std::vector<DevicePool::Member> members;
    members.push_back({"cuda:0", 0, std::move(first)});
    members.push_back({"cuda:1", 1, std::move(second)});
    pool_.emplace(std::move(members));
  }
  absl::StatusOr<RunOutcome> Run(const std::string& job) {
    CudaRunRequest request;
    request.job.set_arrays_key(job);
    return pool_->Run(request);
  }
  // The good device takes jobs while it is free, as it was the last one to end one; one that it fails at, and
  // the bad one too, makes the bad one the last.
  void TurnToTheBadDevice(int failures) {
    for (int i = 0; i < failures; ++i) Run("impossible").IgnoreError();
  }

  JudgedRunner *bad_ = nullptr, *good_ = nullptr;
  std::optional<DevicePool> pool_;
};

TEST_F(RetirementTest, ADeviceThatCannotRunWhatAnotherRuns) {
  MakePool([](const std::string&) { return absl::InternalError("CUDA_ERROR_ECC_UNCORRECTABLE"); },
           v1::OUTCOME_UNSPECIFIED);
  auto outcome = Run("a");
  ASSERT_TRUE(outcome.ok()) << outcome.status();  // the job was done all the same
  EXPECT_EQ(outcome->device, "cuda:1");
  EXPECT_THAT(pool_->Retired(), IsEmpty());
  TurnToTheBadDevice(1);
  outcome = Run("b");
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  const std::map<int, std::string> retired = pool_->Retired();
  ASSERT_EQ(retired.size(), 1u);
  EXPECT_THAT(retired.at(0), AllOf(HasSubstr("at what cuda:1 did"), HasSubstr("CUDA_ERROR_ECC_UNCORRECTABLE"),
                                   HasSubstr("restart tune-worker")));
  // From now on it gets nothing, whatever becomes of the other one.
  const int runs = bad_->runs;
  EXPECT_FALSE(Run("impossible").ok());
  EXPECT_EQ(Run("c")->device, "cuda:1");
  EXPECT_EQ(bad_->runs, runs);
}

TEST_F(RetirementTest, ADeviceOnWhichGoodCandidatesFail) {
  MakePool([](const std::string&) { return v1::CORRECTNESS; }, v1::CORRECTNESS);
  EXPECT_EQ(Run("a")->verdicts[0].outcome(), v1::CORRECTNESS);  // candidates do fail
  const auto outcome = Run("b");
  EXPECT_EQ(outcome->verdicts[0].outcome(), v1::CORRECT);
  EXPECT_EQ(outcome->device, "cuda:1");
  TurnToTheBadDevice(2);
  EXPECT_THAT(pool_->Retired(), IsEmpty());
  EXPECT_EQ(Run("c")->verdicts[0].outcome(), v1::CORRECT);
  EXPECT_THAT(pool_->Retired().at(0), HasSubstr("of the device's making"));
}

TEST_F(RetirementTest, BadCandidatesRetireNobody) {
  MakePool([](const std::string&) { return v1::RUNTIME; }, v1::RUNTIME);
  constexpr int kJobs = 100;
  for (int i = 0; i < kJobs; ++i) EXPECT_EQ(Run("impossible")->verdicts[0].outcome(), v1::RUNTIME);
  EXPECT_THAT(pool_->Retired(), IsEmpty());
  EXPECT_LE(bad_->runs + good_->runs, kJobs + 10);  // second opinions become rare
}

TEST_F(RetirementTest, ASuccessClearsADevice) {
  MakePool(
      [](const std::string& job) -> absl::StatusOr<v1::Outcome> {
        if (job == "good") return v1::CORRECT;
        return absl::InternalError("flaky");
      },
      v1::OUTCOME_UNSPECIFIED);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Run("a")->device, "cuda:1");
    TurnToTheBadDevice(1);
    EXPECT_EQ(Run("good")->device, "cuda:0");
  }
  EXPECT_THAT(pool_->Retired(), IsEmpty());
}

TEST(DevicePoolTest, TheOnlyDeviceStays) {
  std::vector<DevicePool::Member> members;
  members.push_back({"cuda:0", 0, std::make_unique<JudgedRunner>([](const std::string&) {
                       return absl::InternalError("broken");
                     })});
  DevicePool pool(std::move(members));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(pool.Run({}).status().message(), "broken");
  EXPECT_THAT(pool.Retired(), IsEmpty());
}

TEST(DevicePoolTest, OneThatIsAskedForIsTaken) {
  std::vector<DevicePool::Member> members;
  for (const int ordinal : {2, 5}) {
    members.push_back({absl::StrCat("cuda:", ordinal), ordinal,
                       std::make_unique<JudgedRunner>([](const std::string&) { return v1::CORRECT; })});
  }
  DevicePool pool(std::move(members));
  int used = 0;
  EXPECT_TRUE(pool.WithDevice(5, nullptr, [&] {
    // The other one is what is left for everybody else.
    EXPECT_TRUE(pool.WithDevice(nullptr, [&](int ordinal) { used = ordinal; }));
    Cancellation cancellation;
    cancellation.Cancel();
    EXPECT_FALSE(pool.WithDevice(5, &cancellation, [] { FAIL() << "it is not free"; }));
  }));
  EXPECT_EQ(used, 2);
  EXPECT_TRUE(pool.WithDevice(5, nullptr, [] {}));
  EXPECT_FALSE(pool.WithDevice(7, nullptr, [] { FAIL() << "there is none"; }));
}

}  // namespace
}  // namespace tune
