#include "server/study/coordinator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/random.h"
#include "server/search/search_options.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CoordinatorTest : public ::testing::Test {
 protected:
  void SetUp() override { Start(); }
  void TearDown() override { StopWorkers(); }

  void Start() { coordinator_ = Coordinator::Start(TestOptions(), store_.get(), &clock_, factory_).value(); }
  // The server's process ends, however: only the store remains.
  void Restart() {
    StopWorkers();
    coordinator_.reset();
    Start();
  }
  FakeWorker::Transport Transport() {
    return [this](const v1::SynchronizeRequest& request) {
      return SynchronizeNow(*coordinator_, request, [this] { return stop_.load(); });
    };
  }
  FakeWorker Worker(const std::string& name) { return FakeWorker(name, Transport()); }
  void RunWorker(const std::string& name, const std::function<void(FakeWorker&)>& setup = nullptr,
                 int limit = 1'000'000) {
    threads_.emplace_back([this, name, setup, limit] {
      FakeWorker worker = Worker(name);
      if (setup) setup(worker);
      worker.Run(stop_, limit);
    });
  }
  void StopWorkers() {
    stop_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    stop_ = false;
  }
  std::string Submit(const v1::StudySpec& spec) {
    const auto study = coordinator_->Submit(spec, "");
    EXPECT_TRUE(study.ok()) << study.status();
    return study.ok() ? study->id() : "";
  }
  absl::StatusOr<int64_t> Replay(const std::string& id, const v1::Configuration& configuration) {
    v1::ReplayRequest request;
    request.set_study_id(id);
    *request.mutable_configuration() = configuration;
    return coordinator_->Replay(request);
  }
  std::vector<v1::Candidate> Candidates(const std::string& id) {
    v1::ListCandidatesRequest request;
    request.set_study_id(id);
    request.set_page_size(10'000);
    const v1::ListCandidatesResponse response = coordinator_->ListCandidates(request).value();
    return {response.candidates().begin(), response.candidates().end()};
  }
  std::vector<std::string> Configurations(const std::string& id) {
    std::vector<std::string> texts;
    for (const v1::Candidate& candidate : Candidates(id)) {
      texts.push_back(PrintConfiguration(candidate.configuration()));
    }
    return texts;
  }
  static int Count(const v1::Study& study, v1::Outcome outcome) {
    for (const v1::OutcomeCount& count : study.outcomes()) {
      if (count.outcome() == outcome) return count.count();
    }
    return 0;
  }

  ManualClock clock_;
  SpaceFactory factory_ = SyntheticFactory({2, 4, 4, 4});
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
  std::atomic<bool> stop_{false};
  std::vector<std::thread> threads_;
};

TEST_F(CoordinatorTest, AStudyFromSubmissionToResult) {
  const std::string id = Submit(SyntheticSpec());
  EXPECT_EQ(coordinator_->GetStudy(id).value().state(), v1::QUEUED);
  RunWorker("w");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE) << study.failure();
  EXPECT_EQ(study.name(), "a.c:kernel");
  EXPECT_EQ(study.evaluated(), 50);
  EXPECT_EQ(study.budget(), 50);
  EXPECT_EQ(Count(study, v1::CORRECT), 50);
  EXPECT_EQ(study.device().model(), "test cpu");
  EXPECT_EQ(study.search().ants(), 10);
  EXPECT_EQ(study.reference().sequential_seconds(), 20);
  EXPECT_FALSE(study.beside_others());
  const std::vector<v1::Candidate> candidates = Candidates(id);
  ASSERT_EQ(candidates.size(), 50u);
  double best = 1e9;
  for (const v1::Candidate& candidate : candidates) {
    EXPECT_EQ(candidate.state(), v1::EVALUATED);
    EXPECT_EQ(candidate.attempts(), 1);
    EXPECT_EQ(candidate.evaluation().worker(), "w");
    EXPECT_EQ(candidate.evaluation().log(), "");
    best = std::min(best, candidate.evaluation().measurement().median());
  }
  EXPECT_EQ(study.best().median(), best);
  EXPECT_EQ(candidates[study.best_index()].evaluation().measurement().median(), best);
  // Three best and the default, which is as good as the confirmed numbers say.
  EXPECT_THAT(study.confirmation().candidates_size(), ::testing::AnyOf(3, 4));
  EXPECT_EQ(study.confirmation().worker(), "w");
  EXPECT_DOUBLE_EQ(study.gain_over_default(), study.default_measurement().median() / best);
  EXPECT_DOUBLE_EQ(study.gain_over_sequential(), Samples(30).median() / best);
  EXPECT_EQ(coordinator_->GetCandidate(id, 3).value().evaluation().log(), "a log");
}

// What is nearest to 5.3 seconds, which the fastest is not.
TEST_F(CoordinatorTest, TheObjectiveMayBeAMetric) {
  for (const bool maximise : {false, true}) {
    v1::StudySpec spec = SyntheticSpec("ants", 2, 100);
    v1::MetricDefinition* metric = spec.add_metrics();
    metric->set_name("off");
    metric->set_expression(maximise ? "1 / (1 + abs(time - 5.3))" : "1 + abs(time - 5.3)");
    spec.mutable_search()->set_objective("off");
    spec.mutable_search()->set_maximise(maximise);
    const std::string id = Submit(spec);
    RunWorker("w");
    const v1::Study study = WaitUntilFinished(*coordinator_, id);
    StopWorkers();
    ASSERT_EQ(study.state(), v1::DONE) << study.failure();
    double least = 1e9, fastest = 1e9;
    for (const v1::Candidate& candidate : Candidates(id)) {
      const v1::Evaluation& evaluation = candidate.evaluation();
      const double off = 1 + std::abs(evaluation.measurement().median() - 5.3);
      ASSERT_EQ(evaluation.metrics_size(), 1);
      EXPECT_DOUBLE_EQ(evaluation.metrics(0).value(), maximise ? 1 / off : off);
      least = std::min(least, off);
      fastest = std::min(fastest, evaluation.measurement().median());
    }
    ASSERT_EQ(study.best_metrics_size(), 1);
    EXPECT_DOUBLE_EQ(study.best_metrics(0).value(), maximise ? 1 / least : least);
    EXPECT_GT(study.best().median(), fastest);
    EXPECT_GT(study.confirmation().candidates_size(), 0);
  }
}

TEST_F(CoordinatorTest, ManyWorkersProposeWhatOneDoes) {
  for (const char* strategy : {"ants", "random", "tree", "portfolio"}) {
    const std::string alone = Submit(SyntheticSpec(strategy, 4));
    RunWorker("one");
    WaitUntilFinished(*coordinator_, alone);
    StopWorkers();
    const std::string together = Submit(SyntheticSpec(strategy, 4));
    for (const char* name : {"a", "b", "c", "d"}) RunWorker(name);
    WaitUntilFinished(*coordinator_, together);
    StopWorkers();
    EXPECT_EQ(Configurations(together), Configurations(alone)) << strategy;
  }
}

TEST_F(CoordinatorTest, SeveralStudiesAtOnce) {
  std::vector<std::string> ids;
  for (int i = 0; i < 12; ++i) ids.push_back(Submit(SyntheticSpec("ants", i, 20)));
  for (const char* name : {"a", "b"}) RunWorker(name);
  for (const std::string& id : ids) {
    const v1::Study study = WaitUntilFinished(*coordinator_, id);
    EXPECT_EQ(study.state(), v1::DONE);
    EXPECT_EQ(study.evaluated(), 20);
  }
}

// Stopped after each number of evaluations and taken up again, the study goes the way of the undisturbed one.
TEST_F(CoordinatorTest, GoesOnAfterARestartAsIfNothingHadBeen) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  for (const char* strategy : {"ants", "random", "tree", "portfolio"}) {
    const std::string undisturbed = Submit(SyntheticSpec(strategy, 17, 30));
    RunWorker("w");
    WaitUntilFinished(*coordinator_, undisturbed);
    const std::vector<std::string> expected = Configurations(undisturbed);
    coordinator_->Shutdown(absl::InfiniteDuration());
    StopWorkers();
    coordinator_.reset();
    const std::string path = folder.path() + "/" + strategy;
    std::string id;
    Random random(3);
    for (bool finished = false; !finished;) {
      store_.reset();
      store_ = OpenSqliteStore(path).value();
      Start();
      if (id.empty()) id = Submit(SyntheticSpec(strategy, 17, 30));
      FakeWorker worker = Worker("w");
      worker.request().set_session(absl::StrCat(random.Next()));
      const int left = 30 - coordinator_->GetStudy(id).value().evaluated();
      worker.Run(stop_, std::min(left, static_cast<int>(random.Below(6))));
      finished = coordinator_->GetStudy(id).value().evaluated() == 30;
      if (finished) {
        RunWorker("w");  // a new session: what the old one still holds is handed out again
        EXPECT_EQ(WaitUntilFinished(*coordinator_, id).state(), v1::DONE);
        EXPECT_EQ(Configurations(id), expected) << strategy;
        StopWorkers();
      }
      coordinator_.reset();
    }
    store_ = MakeMemoryStore();
    Start();
  }
}

TEST_F(CoordinatorTest, AWorkerGoesOnWithItsLeaseOverARestart) {
  const std::string id = Submit(SyntheticSpec("ants", 1, 5));
  FakeWorker worker = Worker("w");
  ASSERT_TRUE(worker.Call(0).ok());
  worker.Work();
  ASSERT_TRUE(worker.Call(0).ok());
  while (worker.leases.empty()) ASSERT_TRUE(worker.Call(60'000).ok());
  const std::string lease = worker.leases[0].lease_id();
  worker.request().set_free_slots(0);
  Restart();
  ASSERT_TRUE(worker.Call(0).ok());
  ASSERT_EQ(worker.leases.size(), 1u);  // not cancelled
  EXPECT_EQ(worker.leases[0].lease_id(), lease);
  worker.Work();
  Restart();  // the result comes first to the next server
  ASSERT_TRUE(worker.Call(0).ok());
  const v1::Candidate candidate = coordinator_->GetCandidate(id, 0).value();
  EXPECT_EQ(candidate.state(), v1::EVALUATED);
  EXPECT_THAT(store_->ListExtraSamples(id).value(), IsEmpty());
  // Sent again: acknowledged, and nothing more.
  worker.request().clear_results();
  v1::LeaseResult* again = worker.request().add_results();
  again->set_lease_id(lease);
  again->mutable_evaluate();
  ASSERT_TRUE(worker.Call(0).ok());
  EXPECT_THAT(worker.request().results(), IsEmpty());
  EXPECT_THAT(store_->ListExtraSamples(id).value(), IsEmpty());
}

TEST_F(CoordinatorTest, ALateResultIsAnExtraSample) {
  const std::string id = Submit(SyntheticSpec("ants", 1, 5));
  FakeWorker slow = Worker("slow");
  ASSERT_TRUE(slow.Call(0).ok());
  slow.Work();
  while (slow.leases.empty()) ASSERT_TRUE(slow.Call(60'000).ok());
  clock_.Advance(absl::Minutes(2));
  RunWorker("fast");
  WaitUntilFinished(*coordinator_, id);
  StopWorkers();
  EXPECT_EQ(coordinator_->GetCandidate(id, 0).value().evaluation().worker(), "fast");
  slow.Work();
  ASSERT_TRUE(slow.Call(0).ok());
  EXPECT_THAT(slow.request().results(), IsEmpty());  // acknowledged
  const std::vector<ExtraSample> samples = store_->ListExtraSamples(id).value();
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0].candidate_index, 0);
  EXPECT_EQ(samples[0].evaluation.worker(), "slow");
}

TEST_F(CoordinatorTest, LostWithTwoWorkersACandidateIsPoisonedAndTheSearchGoesOn) {
  const std::string id = Submit(SyntheticSpec("ants", 1, 5));
  for (const char* name : {"a", "b"}) {
    FakeWorker worker = Worker(name);
    while (worker.leases.empty() || !worker.leases[0].has_evaluate()) {
      if (!worker.leases.empty()) worker.Work();
      ASSERT_TRUE(worker.Call(60'000).ok());
    }
    EXPECT_EQ(worker.leases[0].evaluate().candidate_index(), 0);
    clock_.Advance(absl::Minutes(2));
    coordinator_->LookAtClock();
  }
  RunWorker("c");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_EQ(Count(study, v1::WORKER_LOST), 1);
  EXPECT_EQ(Count(study, v1::CORRECT), 4);
  EXPECT_FALSE(study.has_default_measurement());
  EXPECT_EQ(study.gain_over_default(), 0);
  const v1::Candidate candidate = coordinator_->GetCandidate(id, 0).value();
  EXPECT_EQ(candidate.state(), v1::POISONED);
  EXPECT_EQ(candidate.lost(), 2);
  EXPECT_THAT(candidate.evaluation().message(), HasSubstr("lost its worker 2 times"));
}

TEST_F(CoordinatorTest, AReferenceThatLosesItsWorkersFailsTheStudy) {
  const std::string id = Submit(SyntheticSpec());
  for (const char* name : {"a", "b"}) {
    FakeWorker worker = Worker(name);
    ASSERT_TRUE(worker.Call(0).ok());
    ASSERT_EQ(worker.leases.size(), 1u);
    EXPECT_EQ(coordinator_->GetStudy(id).value().state(), v1::REFERENCE);
    clock_.Advance(absl::Minutes(2));
    coordinator_->LookAtClock();
  }
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::FAILED);
  EXPECT_THAT(study.failure(), HasSubstr("the reference run lost its worker"));
}

TEST_F(CoordinatorTest, AReferenceBesideOtherWorkSaysSo) {
  const std::string id = Submit(SyntheticSpec("random", 1, 2));
  RunWorker("w", [](FakeWorker& worker) {
    worker.reference = [] {
      v1::ReferenceResult result;
      result.mutable_reference()->set_sequential_seconds(20);
      result.set_beside_others(true);
      return result;
    };
  });
  EXPECT_TRUE(WaitUntilFinished(*coordinator_, id).beside_others());
}

TEST_F(CoordinatorTest, AReferenceThatFailsFailsTheStudy) {
  const std::string id = Submit(SyntheticSpec());
  RunWorker("w", [](FakeWorker& worker) {
    worker.reference = [] {
      v1::ReferenceResult result;
      result.set_failure("a.c: crashed by signal 11; run it under a debugger");
      result.set_log("Segmentation fault");
      return result;
    };
  });
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::FAILED);
  EXPECT_THAT(study.failure(), HasSubstr("crashed by signal 11"));
  EXPECT_EQ(study.failure_log(), "Segmentation fault");
  EXPECT_GT(study.finished_unix_ms(), 0);
}

TEST_F(CoordinatorTest, ASpaceThatCannotBeMadeFailsTheStudy) {
  coordinator_.reset();
  factory_ = [](const v1::StudySpec&, const v1::Reference&, const v1::Device&) {
    return absl::StatusOr<std::unique_ptr<Space>>(
        absl::ResourceExhaustedError("dependences: too many operations"));
  };
  Start();
  const std::string id = Submit(SyntheticSpec());
  RunWorker("w");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::FAILED);
  EXPECT_THAT(study.failure(), HasSubstr("dependences: too many operations"));
}

TEST_F(CoordinatorTest, WalksThatFailAreCandidatesThatDoNotCompile) {
  coordinator_.reset();
  factory_ = [](const v1::StudySpec&, const v1::Reference&, const v1::Device&) {
    auto space = std::make_unique<SyntheticSpace>(std::vector<int>{2, 2, 2});
    space->failing = true;
    return absl::StatusOr<std::unique_ptr<Space>>(std::move(space));
  };
  Start();
  const std::string id = Submit(SyntheticSpec());
  RunWorker("w");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_EQ(study.evaluated(), 7);
  EXPECT_EQ(Count(study, v1::COMPILE), 1);
  EXPECT_THAT(study.space_note(), HasSubstr("7 configurations"));
  for (const v1::Candidate& candidate : Candidates(id)) {
    if (candidate.evaluation().outcome() == v1::COMPILE) {
      EXPECT_THAT(candidate.evaluation().message(), HasSubstr("no schedule for d0 = d1 = 1"));
    }
  }
}

TEST_F(CoordinatorTest, TellsOfKnownConfigurationsThatAreOfAnotherSpace) {
  v1::StudySpec spec = SyntheticSpec("ants", 1, 12);
  v1::Decision* decision = spec.add_seeds()->add_decisions();
  decision->set_key("elsewhere");
  decision->set_option("8");
  const std::string id = Submit(spec);
  RunWorker("w");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_THAT(study.space_note(),
              HasSubstr("1 of 1 known configurations is not of this space and was left out"));
}

TEST_F(CoordinatorTest, NothingCorrectIsAResultToo) {
  const std::string id = Submit(SyntheticSpec("random", 1, 12));
  RunWorker("w", [](FakeWorker& worker) {
    worker.evaluate = [](const v1::EvaluateTask& task) {
      v1::Evaluation evaluation;
      evaluation.set_outcome(task.candidate_index() % 2 == 0 ? v1::CORRECTNESS : v1::OUTCOME_UNSPECIFIED);
      return evaluation;
    };
  });
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_EQ(study.best_index(), -1);
  EXPECT_EQ(Count(study, v1::CORRECTNESS), 6);
  EXPECT_THAT(study.warnings(), ::testing::Contains(::testing::HasSubstr("--float-tolerance")));
  EXPECT_EQ(Count(study, v1::RUNTIME), 6);  // what a worker leaves out is not believed
  EXPECT_FALSE(study.has_confirmation());
  ASSERT_EQ(study.warnings_size(), 2);
}

TEST_F(CoordinatorTest, DuplicatesAreCopies) {
  const std::string id = Submit(SyntheticSpec("random", 1, 40));
  RunWorker("w", [](FakeWorker& worker) {
    const auto evaluate = worker.evaluate;
    worker.evaluate = [evaluate](const v1::EvaluateTask& task) {
      v1::Evaluation evaluation = evaluate(task);
      // d3 does not matter for the code.
      evaluation.set_code_fingerprint(Fingerprint(absl::StrCat(task.configuration().decisions(0).option(),
                                                               task.configuration().decisions(1).option(),
                                                               task.configuration().decisions(2).option())));
      for (int i = 0; i < task.known_codes_size(); ++i) {
        if (task.known_codes(i) != FirstBits(evaluation.code_fingerprint())) continue;
        evaluation.set_duplicate_of_plus_one(task.known_candidates(i) + 1);
        evaluation.clear_measurement();
        evaluation.clear_outcome();
      }
      return evaluation;
    };
  });
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_GT(study.duplicates(), 0);
  EXPECT_EQ(Count(study, v1::CORRECT) + Count(study, v1::RUNTIME), 40);
  const std::vector<v1::Candidate> candidates = Candidates(id);
  int duplicates = 0;
  for (const v1::Candidate& candidate : candidates) {
    const v1::Evaluation& evaluation = candidate.evaluation();
    if (evaluation.duplicate_of_plus_one() == 0) continue;
    ++duplicates;
    const v1::Evaluation& original = candidates[evaluation.duplicate_of_plus_one() - 1].evaluation();
    EXPECT_EQ(original.duplicate_of_plus_one(), 0);
    EXPECT_EQ(original.code_fingerprint(), evaluation.code_fingerprint());
    EXPECT_EQ(original.measurement().median(), evaluation.measurement().median());
    EXPECT_EQ(original.outcome(), evaluation.outcome());
  }
  EXPECT_EQ(duplicates, study.duplicates());
  for (const v1::ConfirmedCandidate& confirmed : study.confirmation().candidates()) {
    EXPECT_EQ(candidates[confirmed.index()].evaluation().duplicate_of_plus_one(), 0);
  }
}

TEST_F(CoordinatorTest, CancelStopsAtOnceAndKeepsWhatWasFound) {
  const std::string id = Submit(SyntheticSpec());
  FakeWorker worker = Worker("w");
  while (worker.evaluations < 4) {
    ASSERT_TRUE(worker.Call(60'000).ok());
    if (!worker.leases.empty()) worker.Work();
  }
  while (worker.leases.empty()) ASSERT_TRUE(worker.Call(60'000).ok());
  const v1::Study stopped = coordinator_->Cancel(id).value();
  EXPECT_EQ(stopped.state(), v1::STOPPED);
  EXPECT_EQ(stopped.evaluated(), 4);
  EXPECT_GE(stopped.best_index(), 0);
  EXPECT_GT(Count(stopped, v1::CANCELLED), 0);
  ASSERT_TRUE(worker.Call(0).ok());
  EXPECT_THAT(worker.leases, IsEmpty());  // told to stop
  EXPECT_EQ(coordinator_->Cancel(id).value().state(), v1::STOPPED);
  EXPECT_TRUE(absl::IsNotFound(coordinator_->Cancel("s99").status()));
  for (const v1::Candidate& candidate : Candidates(id)) EXPECT_EQ(candidate.state(), v1::EVALUATED);
  Restart();
  EXPECT_EQ(coordinator_->GetStudy(id).value().state(), v1::STOPPED);
}

TEST_F(CoordinatorTest, ACancellationReachesAWaitingWorker) {
  const std::string id = Submit(SyntheticSpec());
  FakeWorker worker = Worker("w");
  worker.request().set_free_slots(1);
  ASSERT_TRUE(worker.Call(0).ok());
  ASSERT_EQ(worker.leases.size(), 1u);
  worker.request().set_free_slots(0);
  std::thread cancel([&] { EXPECT_TRUE(coordinator_->Cancel(id).ok()); });
  while (!worker.leases.empty()) ASSERT_TRUE(worker.Call(600'000).ok());
  cancel.join();
}

TEST_F(CoordinatorTest, ADiagnosisReachesTheWorker) {
  const std::string id = Submit(SyntheticSpec("ants", 1, 10));
  FakeWorker worker = Worker("w");
  ASSERT_TRUE(worker.Call(0).ok());
  worker.Work();
  ASSERT_TRUE(worker.Call(0).ok());
  v1::ReplayRequest request;
  request.set_study_id(id);
  *request.mutable_configuration() = ParseConfiguration("d0 = 1\nd1 = 3\nd2 = 0\nd3 = 1\n").value();
  request.mutable_diagnosis()->set_check_mapping(true);
  request.mutable_diagnosis()->add_stages("tiles");
  const int64_t index = coordinator_->Replay(request).value();
  bool seen = false;
  while (!seen) {
    for (const v1::Lease& lease : worker.leases) {
      if (lease.evaluate().candidate_index() != index) {
        EXPECT_FALSE(lease.evaluate().has_diagnosis());
        continue;
      }
      seen = true;
      EXPECT_TRUE(lease.evaluate().diagnosis().check_mapping());
      EXPECT_EQ(lease.evaluate().diagnosis().stages(0), "tiles");
    }
    if (!worker.leases.empty()) worker.Work();
    ASSERT_TRUE(worker.Call(0).ok());
  }
}

TEST_F(CoordinatorTest, ReplaysRunBesideTheSearchAndAfterIt) {
  const std::string id = Submit(SyntheticSpec("ants", 1, 10));
  v1::Configuration configuration = ParseConfiguration("d3 = 1\nd0 = 1\nd1 = 3\nd2 = 0\n").value();
  EXPECT_TRUE(absl::IsFailedPrecondition(Replay(id, configuration).status()));
  FakeWorker first = Worker("w");
  ASSERT_TRUE(first.Call(0).ok());
  first.Work();
  ASSERT_TRUE(first.Call(0).ok());
  const int64_t early = Replay(id, configuration).value();
  EXPECT_EQ(early, kFirstReplayIndex);
  RunWorker("w");
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.evaluated(), 10);
  const auto evaluated = [&](int64_t index) {
    while (coordinator_->GetCandidate(id, index).value().state() != v1::EVALUATED) std::this_thread::yield();
    return coordinator_->GetCandidate(id, index).value();
  };
  EXPECT_EQ(evaluated(early).evaluation().measurement().median(), Samples(5).median());
  EXPECT_EQ(PrintConfiguration(evaluated(early).configuration()), "d0 = 1\nd1 = 3\nd2 = 0\nd3 = 1\n");
  // Of a finished study, also after a restart.
  const int64_t late = Replay(id, configuration).value();
  EXPECT_EQ(late, kFirstReplayIndex + 1);
  EXPECT_EQ(evaluated(late).origin(), v1::REPLAY);
  Restart();
  const int64_t later = Replay(id, configuration).value();
  EXPECT_EQ(later, kFirstReplayIndex + 2);
  Restart();  // before it was evaluated
  RunWorker("w");
  EXPECT_EQ(evaluated(later).evaluation().outcome(), v1::CORRECT);
  EXPECT_EQ(coordinator_->GetStudy(id).value().evaluated(), 10);
  EXPECT_EQ(coordinator_->GetStudy(id).value().state(), v1::DONE);
  // Not of the space.
  configuration.mutable_decisions(0)->set_option("9");
  EXPECT_TRUE(absl::IsInvalidArgument(Replay(id, configuration).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(Replay(id, {}).status()));
  EXPECT_TRUE(absl::IsNotFound(Replay("s9", configuration).status()));
}

// What the search ended with, what a study that lacks it is asked for, and what a restart finds are the same.
TEST_F(CoordinatorTest, WhatASearchHasLearnedIsStoredAtItsEnd) {
  RunWorker("w");
  const std::string id = Submit(SyntheticSpec("ants", 1, 40));
  EXPECT_EQ(WaitUntilFinished(*coordinator_, id).state(), v1::DONE);
  const v1::Explanation stored = store_->GetSearchState(id).value();
  EXPECT_EQ(stored.iteration(), 7);  // of ten evaluations, then of five
  EXPECT_GT(stored.edges_size(), 0);
  EXPECT_NE(stored.tree(), "");
  Restart();
  v1::ExplainRequest request;
  request.set_study_id(id);
  EXPECT_EQ(coordinator_->Explain(request)->ShortDebugString(), stored.ShortDebugString());

  StoredStudy copy;
  copy.study = store_->GetStudy(id).value();
  copy.spec = store_->GetSpec(id).value();
  copy.candidates = store_->ListCandidates(id, {}).value();
  copy.study.mutable_provenance()->set_fingerprint("elsewhere");
  request.set_study_id(store_->AddWholeStudies({copy}).value()[0].study.id());
  EXPECT_TRUE(absl::IsNotFound(store_->GetSearchState(request.study_id()).status()));
  EXPECT_EQ(coordinator_->Explain(request)->ShortDebugString(), stored.ShortDebugString());
  EXPECT_EQ(store_->GetSearchState(request.study_id())->ShortDebugString(), stored.ShortDebugString());
}

TEST_F(CoordinatorTest, TheSameRequestSubmitsOnce) {
  const std::string first = coordinator_->Submit(SyntheticSpec(), "request").value().id();
  EXPECT_EQ(coordinator_->Submit(SyntheticSpec("random"), "request").value().id(), first);
  Restart();
  EXPECT_EQ(coordinator_->Submit(SyntheticSpec(), "request").value().id(), first);
  EXPECT_EQ(coordinator_->Info().value().studies(), 1);
}

TEST_F(CoordinatorTest, StoredSpecsNameEveryDefault) {
  const v1::StudySpec spec = coordinator_->GetSpec(Submit(SyntheticSpec())).value();
  EXPECT_EQ(spec.search().rho(), 0.1);
  EXPECT_EQ(spec.limits().memory_bytes(), int64_t{8} << 30);
  EXPECT_EQ(spec.limits().file_bytes(), int64_t{4} << 30);
  EXPECT_EQ(spec.limits().compile_seconds(), 60);
  EXPECT_EQ(spec.tolerance().double_relative(), 1e-8);
  EXPECT_EQ(spec.target(), v1::TARGET_UNSPECIFIED);  // the worker decides
  EXPECT_EQ(spec.generator(), "builtin");
}

TEST_F(CoordinatorTest, WorkersGetTheSetup) {
  v1::StudySpec spec = SyntheticSpec("ants", 99);
  spec.set_rounding(v1::ROUNDING_EXACT);
  const std::string id = Submit(spec);
  const v1::StudySetup setup = coordinator_->GetStudySetup(id).value();
  EXPECT_EQ(setup.seed(), 99u);
  EXPECT_EQ(setup.rounding(), v1::ROUNDING_EXACT);
  EXPECT_FALSE(setup.has_program());  // the store has it
  EXPECT_FALSE(setup.has_reference());
  EXPECT_FALSE(setup.has_device());
  EXPECT_EQ(setup.target(), v1::TARGET_UNSPECIFIED);
  EXPECT_TRUE(absl::IsNotFound(coordinator_->GetStudySetup("s77").status()));
}

// A worker with a GPU that builds several candidates while one is measured.
void MakeGpuWorker(FakeWorker& worker, int slots) {
  v1::Device* device = worker.request().add_devices();
  device->set_target(v1::CUDA);
  device->set_model("test gpu");
  device->set_cores(132);
  device->set_slots(slots);
  worker.request().set_free_slots(slots);
  const auto evaluate = worker.evaluate;
  worker.evaluate = [evaluate](const v1::EvaluateTask& task) {
    v1::Evaluation evaluation = evaluate(task);
    *evaluation.mutable_measurement() = Samples(1e-6 * evaluation.measurement().median());
    evaluation.set_device_file("__global__ void k() {}");
    evaluation.add_kernels()->set_name("k[S0]");
    return evaluation;
  };
  const auto confirm = worker.confirm;
  worker.confirm = [confirm](const v1::ConfirmTask& task) {
    v1::Confirmation confirmation = confirm(task);
    for (v1::ConfirmedCandidate& candidate : *confirmation.mutable_candidates()) {
      *candidate.mutable_measurement() = Samples(1e-6 * candidate.measurement().median());
    }
    return confirmation;
  };
}

TEST_F(CoordinatorTest, AnOpenStudyIsBoundToTheGpuAndKeepsItsSpec) {
  const std::string id = Submit(SyntheticSpec("random", 3, 40));
  EXPECT_EQ(coordinator_->GetStudy(id).value().target(), v1::TARGET_UNSPECIFIED);
  FakeWorker worker = Worker("gpu");
  MakeGpuWorker(worker, 4);
  ASSERT_TRUE(worker.Call(0).ok());
  ASSERT_EQ(worker.leases.size(), 1u);
  worker.Work();
  ASSERT_TRUE(worker.Call(0).ok());
  const v1::StudySetup setup = coordinator_->GetStudySetup(id).value();
  EXPECT_EQ(setup.target(), v1::CUDA);
  EXPECT_EQ(setup.device().model(), "test gpu");
  EXPECT_EQ(setup.device().cores(), 132);
  EXPECT_EQ(coordinator_->GetSpec(id).value().target(), v1::TARGET_UNSPECIFIED);
  Restart();  // what binds it is in the store
  EXPECT_EQ(coordinator_->GetStudySetup(id).value().target(), v1::CUDA);
  RunWorker("cpu");  // has no part in it
  RunWorker("gpu", [](FakeWorker& again) { MakeGpuWorker(again, 4); });
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  EXPECT_EQ(study.state(), v1::DONE) << study.failure();
  EXPECT_EQ(study.target(), v1::CUDA);
  EXPECT_EQ(study.device().model(), "test gpu");
  EXPECT_EQ(study.evaluated(), 40);
  EXPECT_NEAR(study.best().median(), 2e-6, 1e-6);
  EXPECT_DOUBLE_EQ(study.gain_over_sequential(), Samples(30).median() / study.best().median());
  EXPECT_DOUBLE_EQ(study.gain_over_default(), study.default_measurement().median() / study.best().median());
  for (const v1::Candidate& candidate : Candidates(id)) {
    EXPECT_EQ(candidate.evaluation().worker(), "gpu");
    EXPECT_EQ(candidate.evaluation().kernels_size(), 1);
    EXPECT_EQ(candidate.evaluation().device_file(), "");
  }
  EXPECT_EQ(coordinator_->GetCandidate(id, 0).value().evaluation().device_file(), "__global__ void k() {}");
}

TEST_F(CoordinatorTest, AWorkerHoldsAsManyLeasesAsItsDeviceHasSlots) {
  const std::string id = Submit(SyntheticSpec("random", 3, 40));
  FakeWorker worker = Worker("gpu");
  MakeGpuWorker(worker, 4);
  ASSERT_TRUE(worker.Call(0).ok());
  worker.Work();
  size_t most = 0;
  while (coordinator_->GetStudy(id).value().state() != v1::CONFIRMING) {
    ASSERT_TRUE(worker.Call(60'000).ok());
    most = std::max(most, worker.leases.size());
    worker.request().set_free_slots(100);
    if (!worker.leases.empty()) worker.Work();
  }
  EXPECT_EQ(most, 4u);
}

TEST_F(CoordinatorTest, ManySlotsProposeWhatOneDoes) {
  for (const char* strategy : {"ants", "random", "portfolio"}) {
    const std::string alone = Submit(SyntheticSpec(strategy, 4));
    RunWorker("one", [](FakeWorker& worker) { MakeGpuWorker(worker, 1); });
    WaitUntilFinished(*coordinator_, alone);
    StopWorkers();
    const std::string ahead = Submit(SyntheticSpec(strategy, 4));
    RunWorker("one", [](FakeWorker& worker) { MakeGpuWorker(worker, 8); });
    WaitUntilFinished(*coordinator_, ahead);
    StopWorkers();
    EXPECT_EQ(Configurations(alone), Configurations(ahead));
  }
}

TEST_F(CoordinatorTest, AReferenceThatDiffersLaterFailsTheStudy) {
  const std::string id = Submit(SyntheticSpec());
  FakeWorker worker = Worker("w");
  ASSERT_TRUE(worker.Call(0).ok());
  worker.Work();
  while (worker.leases.empty()) ASSERT_TRUE(worker.Call(60'000).ok());
  v1::LeaseResult* result = worker.request().add_results();
  result->set_lease_id(worker.leases[0].lease_id());
  result->mutable_reference()->set_failure("the program gives other outputs each time it runs");
  worker.leases.clear();
  ASSERT_TRUE(worker.Call(0).ok());
  const v1::Study study = coordinator_->GetStudy(id).value();
  EXPECT_EQ(study.state(), v1::FAILED);
  EXPECT_THAT(study.failure(), HasSubstr("other outputs"));
}

TEST_F(CoordinatorTest, EqualOnesAreCalledEqual) {
  const std::string id = Submit(SyntheticSpec("ants", 1, 20));
  RunWorker("w", [](FakeWorker& worker) {
    const auto evaluate = worker.evaluate;
    worker.evaluate = [evaluate](const v1::EvaluateTask& task) {
      v1::Evaluation evaluation = evaluate(task);
      if (task.candidate_index() == 0) *evaluation.mutable_measurement() = Samples(100);
      return evaluation;
    };
    worker.confirm = [](const v1::ConfirmTask& task) {
      v1::Confirmation confirmation;
      for (int i = 0; i < task.candidates_size(); ++i) {
        v1::ConfirmedCandidate* confirmed = confirmation.add_candidates();
        confirmed->set_index(task.candidates(i).index());
        // The second turns out fastest and equal to the first, the third failed, the rest is slow.
        std::vector<double> samples;
        for (int s = 0; s < 10; ++s)
          samples.push_back(i == 0 ? 1.0 + 0.01 * (s % 3) : i == 1 ? 1.0 + 0.01 * (s % 2) : 3);
        if (i == 2) {
          confirmed->set_message("crashed");
        } else {
          *confirmed->mutable_measurement() = MakeMeasurement(samples);
        }
      }
      return confirmation;
    };
  });
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  const v1::Confirmation& confirmation = study.confirmation();
  ASSERT_EQ(confirmation.candidates_size(), 4);
  EXPECT_EQ(study.best_index(), confirmation.candidates(0).index());
  EXPECT_EQ(confirmation.candidates(3).message(), "crashed");
  EXPECT_THAT(confirmation.equal_to_best(), ElementsAre(confirmation.candidates(1).index()));
}

TEST_F(CoordinatorTest, ShutdownEndsEveryWaitAtOnce) {
  v1::StudySpec spec = SyntheticSpec();
  spec.set_target(v1::CPU);
  const std::string id = Submit(spec);
  StudyWatch watch = coordinator_->Watch(id).value();
  EXPECT_TRUE(watch.Next().value().has_value());
  EXPECT_FALSE(watch.Next().value().has_value());
  std::thread waiting([&] {
    FakeWorker worker = Worker("other");
    worker.request().mutable_devices(0)->set_model("no study for this");
    worker.request().mutable_devices(0)->set_target(v1::CUDA);
    EXPECT_TRUE(worker.Call(600'000).ok());
  });
  while (coordinator_->ListWorkers().empty()) std::this_thread::yield();
  EXPECT_TRUE(coordinator_->Shutdown(absl::InfiniteDuration()));
  EXPECT_TRUE(absl::IsUnavailable(watch.Next().status()));
  waiting.join();
}

TEST_F(CoordinatorTest, StudiesAreListedInPages) {
  for (int i = 0; i < 5; ++i) Submit(SyntheticSpec());
  v1::ListStudiesRequest request;
  request.set_page_size(2);
  std::vector<std::string> ids;
  do {
    const v1::ListStudiesResponse page = coordinator_->ListStudies(request).value();
    for (const v1::Study& study : page.studies()) ids.push_back(study.id());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_THAT(ids, ElementsAre("s5", "s4", "s3", "s2", "s1"));
  request.set_page_token("x");
  EXPECT_TRUE(absl::IsInvalidArgument(coordinator_->ListStudies(request).status()));
}

}  // namespace
}  // namespace tune
