#include "server/study/finalist_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kEvaluations = 20;

// What FakeWorker makes.
absl::StatusOr<v1::GenerationAnswer> OwnCodes(const v1::GenerationRequest& request) {
  v1::GenerationAnswer answer;
  for (const v1::Configuration& configuration : request.configurations())
    answer.add_codes()->set_code(PrintConfiguration(configuration));
  return answer;
}

// Its candidates seem to be the fastest.
void SendOtherCode(FakeWorker& worker) {
  worker.evaluate = [honest = worker.evaluate](const v1::EvaluateTask& task) {
    v1::Evaluation evaluation = honest(task);
    evaluation.set_code("{ system(\"true\"); }");
    evaluation.mutable_comparison()->set_same(true);  // nobody asks it
    *evaluation.mutable_measurement() = Samples(0.5 * evaluation.measurement().median());
    return evaluation;
  };
}

class FinalistCheckTest : public ::testing::Test {
 protected:
  void TearDown() override { StopWorkers(); }

  void Start(CodeGeneration generate) {
    CoordinatorOptions options = TestOptions();
    options.generate = std::move(generate);
    coordinator_ = Coordinator::Start(options, store_.get(), &clock_, SyntheticFactory({2, 4, 4, 4})).value();
  }
  std::string Submit() {
    return coordinator_->Submit(SyntheticSpec("ants", 4, kEvaluations), "").value().id();
  }
  FakeWorker Worker(const std::string& name) {
    return FakeWorker(name, [this](const v1::SynchronizeRequest& request) {
      return SynchronizeNow(*coordinator_, request, [this] { return stop_.load(); });
    });
  }
  void RunWorker(const std::string& name, const std::function<void(FakeWorker&)>& setup = nullptr) {
    threads_.emplace_back([this, name, setup] {
      FakeWorker worker = Worker(name);
      if (setup) setup(worker);
      worker.Run(stop_);
    });
  }
  // Does a part of the work on this thread.
  void Work(const std::string& name, int evaluations, const std::function<void(FakeWorker&)>& setup) {
    FakeWorker worker = Worker(name);
    setup(worker);
    worker.Run(stop_, evaluations);
  }
  void StopWorkers() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    stop_ = false;
  }
  // Everything that a user could fetch of the study.
  void ExpectOwnCode(const v1::Study& study) {
    ASSERT_GT(study.confirmation().candidates_size(), 0);
    for (const v1::ConfirmedCandidate& confirmed : study.confirmation().candidates()) {
      const v1::Candidate candidate = coordinator_->GetCandidate(study.id(), confirmed.index()).value();
      EXPECT_EQ(candidate.evaluation().code(), PrintConfiguration(candidate.configuration()));
      EXPECT_TRUE(candidate.evaluation().comparison().same()) << candidate.DebugString();
    }
  }
  v1::WorkerView View(const std::string& name) {
    for (const v1::WorkerView& view : coordinator_->ListWorkers())
      if (view.name() == name) return view;
    return {};
  }

  ManualClock clock_;
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

TEST_F(FinalistCheckTest, CodeThatTheServerMakesItselfIsConfirmed) {
  Start(OwnCodes);
  const std::string id = Submit();
  RunWorker("good");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  ExpectOwnCode(study);
  EXPECT_THAT(study.warnings(), IsEmpty());
  EXPECT_EQ(View("good").state(), v1::WorkerView::IDLE);
}

TEST_F(FinalistCheckTest, OtherCodeIsMeasuredAgainByAnother) {
  Start(OwnCodes);
  const std::string id = Submit();
  Work("bad", 12, SendOtherCode);
  RunWorker("good");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_EQ(study.evaluated(), kEvaluations);
  EXPECT_EQ(study.confirmation().worker(), "good");
  ExpectOwnCode(study);
  EXPECT_THAT(study.warnings(), Contains(HasSubstr("worker bad sent other code for candidate ")));
  const v1::WorkerView bad = View("bad");
  EXPECT_EQ(bad.state(), v1::WorkerView::QUARANTINED);
  EXPECT_THAT(bad.note(), HasSubstr("sent other code"));
  EXPECT_THAT(bad.note(), HasSubstr("built with another isl"));
  EXPECT_THAT(bad.note(), HasSubstr("was away for 1m"));
  // A new session changes nothing.
  FakeWorker again = Worker("bad");
  again.request().set_session("another");
  EXPECT_THAT(again.Call(0).value().quarantine(), HasSubstr("sent other code"));
}

// The summary is that of a study in which the first evaluations had never been.
TEST_F(FinalistCheckTest, WhatIsMeasuredAgainCountsOnce) {
  Start(OwnCodes);
  const std::string honest = Submit();
  RunWorker("good");
  const v1::Study expected = WaitUntilFinished(*coordinator_, honest);
  StopWorkers();
  const std::string id = Submit();
  Work("bad", kEvaluations, [](FakeWorker& worker) {
    worker.evaluate = [honest = worker.evaluate](const v1::EvaluateTask& task) {
      v1::Evaluation evaluation = honest(task);
      evaluation.set_code("{ other(); }");  // true times: the search goes the same way
      return evaluation;
    };
  });
  RunWorker("good");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.best_index(), expected.best_index());
  EXPECT_EQ(study.evaluated(), expected.evaluated());
  EXPECT_EQ(study.duplicates(), expected.duplicates());
  EXPECT_DOUBLE_EQ(study.gain_over_default(), expected.gain_over_default());
  ASSERT_EQ(study.outcomes_size(), expected.outcomes_size());
  for (int i = 0; i < study.outcomes_size(); ++i)
    EXPECT_EQ(study.outcomes(i).count(), expected.outcomes(i).count());
  ExpectOwnCode(study);
}

// Nobody else is there: the study waits, over a restart of the server as well.
TEST_F(FinalistCheckTest, WaitsForAnotherWorkerOverARestart) {
  Start(OwnCodes);
  const std::string id = Submit();
  RunWorker("bad", SendOtherCode);
  const v1::Study waiting = WaitUntil(*coordinator_, id, [](const v1::Study& study) {
    return study.evaluated() < kEvaluations && study.warnings_size() > 0;
  });
  EXPECT_EQ(waiting.state(), v1::SEARCHING);
  StopWorkers();
  coordinator_.reset();
  Start(OwnCodes);
  RunWorker("good");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.evaluated(), kEvaluations);
  // The restarted server knows of no one set aside, and finds out again what is wrong.
  ExpectOwnCode(study);
}

// Whether the worker has left when the study ends.
class BiasedWorkerTest : public FinalistCheckTest, public ::testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(Leaves, BiasedWorkerTest, ::testing::Bool());

// One of three claims times that nobody else finds. It is found out, and nothing that it measured is
// confirmed without another's measurement.
TEST_P(BiasedWorkerTest, TheBestOfAWorkerWithABiasAreMeasuredAgain) {
  Start(OwnCodes);
  const std::string id = coordinator_->Submit(SyntheticSpec("random", 4, 128), "").value().id();
  std::vector<FakeWorker> workers = {Worker("fast"), Worker("good"), Worker("better")};
  workers[0].evaluate = [honest = workers[0].evaluate](const v1::EvaluateTask& task) {
    v1::Evaluation evaluation = honest(task);
    *evaluation.mutable_measurement() = Samples(0.05 * evaluation.measurement().median());
    return evaluation;
  };
  const auto is_set_aside = [&] { return View("fast").state() == v1::WorkerView::QUARANTINED; };
  for (int round = 0; round < 50 && !is_set_aside(); ++round) {
    for (FakeWorker& worker : workers) {
      while (worker.leases.empty() && !is_set_aside()) ASSERT_TRUE(worker.Call(0).ok());
      if (worker.leases.empty()) break;
      worker.Work();
      ASSERT_TRUE(worker.Call(0).ok());
    }
  }
  ASSERT_TRUE(is_set_aside());
  if (GetParam()) {
    clock_.Advance(absl::Minutes(5));
    coordinator_->LookAtClock();
    ASSERT_EQ(View("fast").name(), "") << "it is forgotten, what it did is not";
  }
  for (const char* name : {"good", "better"}) {
    RunWorker(name, [](FakeWorker& worker) { worker.request().set_session("second"); });
  }
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.evaluated(), 128);
  EXPECT_THAT(study.warnings(), Contains(HasSubstr("worker fast was set aside: what it measured")));
  for (const v1::ConfirmedCandidate& confirmed : study.confirmation().candidates()) {
    EXPECT_NE(coordinator_->GetCandidate(id, confirmed.index())->evaluation().worker(), "fast");
  }
}

TEST_F(FinalistCheckTest, WhatCannotBeComparedSaysWhy) {
  Start([](const v1::GenerationRequest&) -> absl::StatusOr<v1::GenerationAnswer> {
    return absl::NotFoundError("tune-generate is not there");
  });
  const std::string id = Submit();
  RunWorker("good");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_THAT(study.warnings(),
              ElementsAre(HasSubstr(
                  "was not compared with what this server makes of it: tune-generate is not there")));
  const v1::CodeComparison comparison =
      coordinator_->GetCandidate(id, study.best_index())->evaluation().comparison();
  EXPECT_FALSE(comparison.same());
  EXPECT_EQ(comparison.note(), "tune-generate is not there");
}

}  // namespace
}  // namespace tune
