// Studies while clocks step and processes stand still: they end as undisturbed ones do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/study/harness.h"

namespace tune {
namespace {

constexpr int kTimeEvaluations = 20;

class CoordinatorTimeTest : public ::testing::Test {
 protected:
  CoordinatorTimeTest() {
    CoordinatorOptions options = TestOptions();
    options.tick = absl::Hours(1000);  // the tests say when the server looks at its clock
    coordinator_ = Coordinator::Start(options, store_.get(), &clock_, SyntheticFactory({2, 4, 4, 4})).value();
  }
  std::string Submit() {
    return coordinator_->Submit(SyntheticSpec("ants", 4, kTimeEvaluations), "").value().id();
  }
  FakeWorker Worker(const std::string& name) {
    return FakeWorker(name, [this](const v1::SynchronizeRequest& request) {
      return SynchronizeNow(*coordinator_, request);
    });
  }
  v1::Study View(const std::string& id) { return coordinator_->GetStudy(id).value(); }
  // Calls until there is a lease; false when the study has ended.
  bool Take(FakeWorker& worker, const std::string& id) {
    for (int call = 0; worker.leases.empty() && !IsFinished(View(id).state()); ++call) {
      EXPECT_TRUE(worker.Call(20).ok());
      if (call == 3000) ADD_FAILURE() << "nothing to do for a minute";
      if (call == 3000) return false;
    }
    return !worker.leases.empty();
  }
  // One worker does it all; `disturb` happens while it holds a lease, before each piece of work.
  void RunStudy(
      FakeWorker& worker, const std::string& id, const std::function<void(int piece)>& disturb = [](int) {}) {
    for (int piece = 0; Take(worker, id); ++piece) {
      disturb(piece);
      if (worker.leases.empty()) continue;
      worker.Work();
      ASSERT_TRUE(worker.Call(0).ok());
    }
  }
  std::vector<v1::Candidate> Candidates(const std::string& id) {
    v1::ListCandidatesRequest request;
    request.set_study_id(id);
    const v1::ListCandidatesResponse response = coordinator_->ListCandidates(request).value();
    return {response.candidates().begin(), response.candidates().end()};
  }
  // What an undisturbed study has found.
  void ExpectUndisturbed(const std::string& id, int lost) {
    FakeWorker worker = Worker("undisturbed");
    const std::string calm = Submit();
    RunStudy(worker, calm);
    EXPECT_EQ(View(id).state(), v1::DONE);
    EXPECT_EQ(View(id).best_index(), View(calm).best_index());
    const std::vector<v1::Candidate> found = Candidates(id), expected = Candidates(calm);
    ASSERT_EQ(found.size(), expected.size());
    int counted = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(PrintConfiguration(found[i].configuration()),
                PrintConfiguration(expected[i].configuration()));
      EXPECT_EQ(found[i].evaluation().outcome(), expected[i].evaluation().outcome());
      counted += found[i].lost();
    }
    EXPECT_EQ(counted, lost);
  }

  ManualClock clock_;
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
};

TEST_F(CoordinatorTimeTest, StepsOfTheCalendarLoseNothing) {
  const std::string id = Submit();
  FakeWorker worker = Worker("w");
  RunStudy(worker, id, [&](int piece) {
    clock_.Step(piece % 2 == 0 ? absl::Hours(2) : -absl::Hours(4));
    coordinator_->LookAfter(absl::ZeroDuration());
    ASSERT_EQ(coordinator_->ListWorkers().size(), 1u) << "nobody was silent";
  });
  ExpectUndisturbed(id, 0);
}

// Ten minutes in which the server was stopped, which it sees when it goes on.
TEST_F(CoordinatorTimeTest, APauseOfTheServerLosesNothing) {
  const std::string id = Submit();
  FakeWorker worker = Worker("w");
  RunStudy(worker, id, [&](int) {
    clock_.Advance(absl::Minutes(10));
    coordinator_->LookAfter(absl::Minutes(10));
  });
  ExpectUndisturbed(id, 0);
}

// Ten minutes in which a worker was stopped with a lease: another one takes it over, and what the first one
// brings then is kept beside it.
TEST_F(CoordinatorTimeTest, APauseOfAWorkerCostsItsLease) {
  const std::string id = Submit();
  FakeWorker stopped = Worker("stopped"), other = Worker("other");
  bool stops = false;
  RunStudy(stopped, id, [&](int piece) {
    if (piece != 5) return;
    stops = true;
    clock_.Advance(absl::Minutes(10));
    coordinator_->LookAfter(absl::ZeroDuration());
    ASSERT_TRUE(Take(other, id));
    other.Work();
    other.request().set_free_slots(0);
    ASSERT_TRUE(other.Call(0).ok());
  });
  ASSERT_TRUE(stops);
  const std::vector<ExtraSample> samples = store_->ListExtraSamples(id).value();
  EXPECT_EQ(std::count_if(samples.begin(), samples.end(),
                          [](const ExtraSample& sample) {  // not a check of the other one's work
                            return sample.lease_id.find("probe") == std::string::npos;
                          }),
            1);
  ExpectUndisturbed(id, 1);
}

TEST_F(CoordinatorTimeTest, ABudgetOfTimeEndsTheSearch) {
  v1::StudySpec spec = SyntheticSpec("ants", 4, 100);
  spec.mutable_search()->set_seconds(60);
  const std::string id = coordinator_->Submit(spec, "").value().id();
  FakeWorker worker = Worker("w");
  RunStudy(worker, id, [this](int) { clock_.Advance(absl::Seconds(3)); });
  const v1::Study study = View(id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_GE(study.evaluated(), 10);
  EXPECT_LE(study.evaluated(), 40);
  EXPECT_THAT(study.space_note(), ::testing::HasSubstr("after its budget of 60 s"));
}

}  // namespace
}  // namespace tune
