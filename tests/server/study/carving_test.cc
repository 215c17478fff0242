// Studies that look at configurations before they measure them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "server/study/inspection_views.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class CarvingStudyTest : public ::testing::Test {
 protected:
  void SetUp() override { Start(); }
  void TearDown() override { StopWorker(); }

  void Start() { coordinator_ = Coordinator::Start(TestOptions(), store_.get(), &clock_, factory_).value(); }
  void StartWorker(const std::function<void(FakeWorker&)>& setup = nullptr) {
    thread_ = std::thread([this, setup] {
      FakeWorker worker("w", [this](const v1::SynchronizeRequest& request) {
        return SynchronizeNow(*coordinator_, request, [this] { return stop_.load(); });
      });
      worker.request().mutable_devices(0)->set_target(v1::CUDA);
      if (setup) setup(worker);
      worker.Run(stop_);
      inspections_ += worker.inspections;
      evaluations_ += worker.evaluations;
    });
  }
  void StopWorker() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    stop_ = false;
  }
  static v1::StudySpec Spec(const std::string& strategy, int evaluations, int inspections) {
    v1::StudySpec spec = SyntheticSpec(strategy, 3, evaluations);
    spec.mutable_search()->mutable_carve()->set_inspections(inspections);
    return spec;
  }
  v1::Study Run(const v1::StudySpec& spec, const std::function<void(FakeWorker&)>& setup = nullptr) {
    const auto submitted = coordinator_->Submit(spec, "");
    EXPECT_TRUE(submitted.ok()) << submitted.status();
    if (!submitted.ok()) return {};
    StartWorker(setup);
    const v1::Study study = WaitUntilFinished(*coordinator_, submitted->id());
    StopWorker();
    EXPECT_EQ(study.state(), v1::DONE) << study.failure();
    return study;
  }
  std::vector<v1::InspectionView> Views(const std::string& id, const v1::CarveOptions* options = nullptr) {
    v1::ListInspectionsRequest request;
    request.set_study_id(id);
    if (options != nullptr) *request.mutable_carve() = *options;
    const auto response = ListInspections(*store_, request);
    EXPECT_TRUE(response.ok()) << response.status();
    if (!response.ok()) return {};
    return {response->inspections().begin(), response->inspections().end()};
  }
  std::vector<v1::Candidate> Candidates(const std::string& id, v1::Outcome outcome) {
    std::vector<v1::Candidate> found;
    const std::vector<StoredCandidate> all = store_->ListCandidates(id, {}).value();
    for (const StoredCandidate& stored : all) {
      if (stored.candidate.evaluation().outcome() == outcome) found.push_back(stored.candidate);
    }
    return found;
  }

  ManualClock clock_;
  SpaceFactory factory_ = SyntheticFactory({2, 4, 4});
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::unique_ptr<Coordinator> coordinator_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
  int inspections_ = 0, evaluations_ = 0;
};

// The best has both metrics better than all others, so that nothing else stays.
TEST_F(CarvingStudyTest, OfASmallSpaceOnlyWhatIsLeftIsMeasured) {
  for (const char* strategy : {"carving", "ants", "uniform", "tree"}) {
    inspections_ = evaluations_ = 0;
    const v1::Study study = Run(Spec(strategy, 30, 100));
    EXPECT_EQ(inspections_, 2 * 4 * 4) << strategy;
    EXPECT_EQ(evaluations_, 2) << "the default and the best; " << strategy;
    EXPECT_EQ(study.evaluated(), 2);
    EXPECT_NEAR(study.best().median(), 1, 0.01);
    EXPECT_EQ(study.inspections().planned(), 32);
    EXPECT_TRUE(study.inspections().whole_space());
    EXPECT_EQ(study.inspections().inspected(), 32);
    EXPECT_EQ(study.inspections().removed(), 31);
    EXPECT_EQ(study.space_note(), "all that carving left was measured");
    EXPECT_EQ(study.target(), v1::CUDA);
    for (const v1::Candidate& candidate : Candidates(study.id(), v1::CARVED))
      EXPECT_THAT(candidate.evaluation().message(), HasSubstr("times as much efficiency")) << strategy;
  }
}

TEST_F(CarvingStudyTest, EachRemovedConfigurationSaysWhy) {
  const v1::Study study = Run(Spec("carving", 0, 100));
  EXPECT_EQ(study.budget(), 100);
  const std::vector<v1::InspectionView> views = Views(study.id());
  ASSERT_EQ(views.size(), 32u);
  int kept = 0;
  for (const v1::InspectionView& view : views) {
    kept += !view.removed();
    EXPECT_EQ(view.on_front(), !view.removed());
    EXPECT_EQ(view.by_plus_one() > 0, view.removed());
    EXPECT_GT(view.efficiency(), 0);
    EXPECT_GT(view.utilization(), 0);
    EXPECT_EQ(view.inspection().worker(), "w");
    EXPECT_THAT(view.reason(), HasSubstr(absl::StrCat("inspection ", view.inspection().index(), " is ")));
    const int64_t by = view.by_plus_one() > 0 ? view.by_plus_one() - 1 : view.inspection().index();
    EXPECT_FALSE(views[by].removed() && view.by_plus_one() > 0);
    EXPECT_EQ(view.seconds() > 0, view.candidate_plus_one() > 0);
  }
  EXPECT_EQ(kept, 1);
  v1::CarveOptions wide;
  wide.set_margin(1000);
  for (const v1::InspectionView& view : Views(study.id(), &wide)) EXPECT_FALSE(view.removed());
}

TEST_F(CarvingStudyTest, OfALargeSpaceASampleChooses) {
  factory_ = SyntheticFactory({10, 10, 10});
  coordinator_.reset();
  Start();
  const v1::Study study = Run(Spec("uniform", 8, 100));
  EXPECT_EQ(study.inspections().planned(), 50);
  EXPECT_FALSE(study.inspections().whole_space());
  EXPECT_LE(study.inspections().inspected(), 100);
  EXPECT_EQ(study.evaluated(), 8);
  EXPECT_FALSE(Candidates(study.id(), v1::CARVED).empty());
  EXPECT_THAT(study.space_note(), HasSubstr("after the limit of 100 inspections"));
}

TEST_F(CarvingStudyTest, WithoutCarvingWhatIsMeasuredIsInspected) {
  v1::StudySpec spec = Spec("uniform", 100, 100);
  spec.mutable_search()->mutable_carve()->set_keep_all(true);
  const v1::Study study = Run(spec);
  EXPECT_EQ(study.evaluated(), 32);
  EXPECT_EQ(inspections_, 32);
  EXPECT_TRUE(Candidates(study.id(), v1::CARVED).empty());
  int removed = 0;
  for (const v1::InspectionView& view : Views(study.id())) {
    removed += view.removed();
    EXPECT_GT(view.seconds(), 0);
  }
  EXPECT_EQ(removed, 31) << "by the paper's rule";
}

TEST_F(CarvingStudyTest, FiguresThatAreNoneAreRefused) {
  const std::vector<std::function<void(v1::InspectedKernel*)>> lies = {
      [](auto* kernel) { kernel->set_instructions(std::nan("")); },
      [](auto* kernel) { kernel->set_regions(-1); },
      [](auto* kernel) { kernel->set_threads(std::numeric_limits<double>::infinity()); },
      [](auto* kernel) { kernel->set_warps_per_block(-8); },
      [](auto* kernel) { kernel->set_moved_bytes(1e300); },
      [](auto* kernel) { kernel->set_function("a\nb"); }};
  const v1::Study study = Run(Spec("carving", 100, 100), [&](FakeWorker& worker) {
    worker.inspect = [honest = worker.inspect, &lies, i = 0](const v1::InspectTask& task) mutable {
      v1::Inspection inspection = honest(task);
      lies[i++ % lies.size()](inspection.mutable_kernels(0));
      return inspection;
    };
  });
  EXPECT_EQ(study.inspections().removed(), 0);
  EXPECT_EQ(study.evaluated(), 32) << "nothing is known of any";
  for (const v1::InspectionView& view : Views(study.id())) {
    EXPECT_EQ(view.inspection().unknown(), "the worker sent figures that are none");
    EXPECT_EQ(view.inspection().kernels_size(), 0);
    EXPECT_THAT(view.reason(), HasSubstr("is kept: nothing is known of it"));
  }
}

TEST_F(CarvingStudyTest, WhatCannotBeBuiltIsNotMeasured) {
  const v1::Study study = Run(Spec("uniform", 100, 100), [&](FakeWorker& worker) {
    worker.inspect = [honest = worker.inspect](const v1::InspectTask& task) {
      if (SyntheticSeconds(task.configuration()) > 2) return honest(task);
      v1::Inspection inspection;
      inspection.set_failure("ptxas: too much shared memory");
      return inspection;
    };
  });
  EXPECT_GT(study.inspections().failed(), 0);
  EXPECT_GT(study.best().median(), 2);
  bool told = false;
  for (const v1::Candidate& candidate : Candidates(study.id(), v1::CARVED))
    told = told || candidate.evaluation().message().find("cannot be built: ptxas") != std::string::npos;
  EXPECT_TRUE(told);
}

TEST_F(CarvingStudyTest, GoesOnAfterARestart) {
  const std::string id = coordinator_->Submit(Spec("carving", 0, 100), "")->id();
  StartWorker([](FakeWorker& worker) { worker.request().set_free_slots(1); });
  WaitUntil(*coordinator_, id, [](const v1::Study& study) { return study.inspections().inspected() >= 5; });
  StopWorker();
  const int before = inspections_;
  coordinator_.reset();
  Start();
  StartWorker();
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  StopWorker();
  EXPECT_EQ(study.state(), v1::DONE) << study.failure();
  EXPECT_EQ(study.inspections().inspected(), 32);
  // Those whose results were under way are inspected again.
  EXPECT_LE(inspections_ - before, 32 - 5 + 1);
  std::set<std::string> configurations;
  const std::vector<v1::Inspection> inspections = store_->ListInspections(id).value();
  for (const v1::Inspection& inspection : inspections)
    configurations.insert(PrintConfiguration(inspection.configuration()));
  EXPECT_EQ(configurations.size(), 32u);
  EXPECT_EQ(study.evaluated(), 2);
}

TEST_F(CarvingStudyTest, IsRefusedWhereItHasNoMeaning) {
  v1::StudySpec spec = Spec("ants", 10, 10);
  spec.set_target(v1::CPU);
  EXPECT_THAT(coordinator_->Submit(spec, "").status().message(), HasSubstr("the target is cpu"));
  spec = Spec("carving", 10, 10);
  spec.mutable_search()->mutable_carve()->set_keep_all(true);
  EXPECT_THAT(coordinator_->Submit(spec, "").status().message(), HasSubstr("keep_all"));
  for (const auto& [field, change] :
       std::vector<std::pair<std::string, std::function<void(v1::CarveOptions*)>>>{
           {"margin", [](auto* carve) { carve->set_margin(-1); }},
           {"margin", [](auto* carve) { carve->set_margin(std::nan("")); }},
           {"uncoalesced", [](auto* carve) { carve->set_uncoalesced(2); }},
           {"bandwidth", [](auto* carve) { carve->set_bandwidth(0); }},
           {"bytes", [](auto* carve) { carve->set_bytes(0.5); }},
           {"inspections", [](auto* carve) { carve->set_inspections(-1); }}}) {
    spec = Spec("ants", 10, 10);
    change(spec.mutable_search()->mutable_carve());
    EXPECT_THAT(coordinator_->Submit(spec, "").status().message(), HasSubstr("search.carve." + field));
  }
  const std::string plain = coordinator_->Submit(SyntheticSpec(), "")->id();
  v1::ListInspectionsRequest request;
  request.set_study_id(plain);
  EXPECT_TRUE(absl::IsFailedPrecondition(ListInspections(*store_, request).status()));
}

TEST_F(CarvingStudyTest, ABandwidthOfADeviceThatTellsNoneEndsTheStudy) {
  v1::StudySpec spec = Spec("carving", 10, 100);
  spec.mutable_search()->mutable_carve()->set_bandwidth(1);
  const std::string id = coordinator_->Submit(spec, "")->id();
  StartWorker();
  const v1::Study study = WaitUntilFinished(*coordinator_, id);
  StopWorker();
  EXPECT_EQ(study.state(), v1::FAILED);
  EXPECT_THAT(study.failure(), HasSubstr("--carve-bandwidth"));
}

}  // namespace
}  // namespace tune
