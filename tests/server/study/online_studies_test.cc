#include "server/study/online_studies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "server/study/coordinator.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kRun[] = "0123456789abcdef";

v1::OnlineSearch Search(int64_t first, const std::vector<double>& seconds,
                        v1::OnlineSearch::End end = v1::OnlineSearch::GOES_ON) {
  v1::OnlineSearch search;
  search.set_region("gemm:01");
  search.set_device("a GPU");
  search.add_inputs(1000);
  search.set_first(first);
  for (const double time : seconds) {
    v1::OnlineTry& tried = *search.add_tries();
    tried.set_seconds(time);
    v1::Decision& decision = *tried.mutable_configuration()->add_decisions();
    decision.set_key("tile");
    decision.set_option(absl::StrCat(search.first() + search.tries_size()));
  }
  search.set_end(end);
  return search;
}

v1::ReportTriesRequest ReportOf(const v1::OnlineSearch& search, const std::string& run = kRun) {
  v1::ReportTriesRequest report;
  report.set_run(run);
  *report.add_searches() = search;
  return report;
}

class OnlineStudiesTest : public ::testing::Test {
 protected:
  std::string Report(const v1::OnlineSearch& search, const std::string& run = kRun) {
    const auto response = online_.Report("ada", ReportOf(search, run));
    EXPECT_TRUE(response.ok()) << response.status();
    return response.ok() ? response->study_ids(0) : "";
  }
  v1::Study Study(const std::string& id) { return store_->GetStudy(id).value(); }

  ManualClock clock_;
  std::unique_ptr<Store> store_ = MakeMemoryStore();
  OnlineStudies online_{store_.get(), &clock_};
};

TEST_F(OnlineStudiesTest, ASearchIsAStudyThatGrows) {
  const std::string id = Report(Search(0, {4, 2}));
  EXPECT_EQ(Study(id).state(), v1::SEARCHING);
  EXPECT_EQ(Study(id).owner(), "ada");
  EXPECT_EQ(Study(id).device().model(), "a GPU");
  EXPECT_EQ(Study(id).reference().parameters(0).value(), 1000);
  EXPECT_EQ(Report(Search(2, {1, 3}, v1::OnlineSearch::SETTLED)), id);
  const v1::Study study = Study(id);
  EXPECT_EQ(study.state(), v1::DONE);
  EXPECT_EQ(study.evaluated(), 4);
  EXPECT_EQ(study.best_index(), 2);
  EXPECT_EQ(study.best().median(), 1);
  EXPECT_EQ(study.gain_over_default(), 4);
  const auto candidates = store_->ListCandidates(id, {}).value();
  ASSERT_EQ(candidates.size(), 4u);
  for (size_t i = 0; i < candidates.size(); ++i) {
    EXPECT_EQ(candidates[i].candidate.index(), static_cast<int64_t>(i));
    EXPECT_EQ(candidates[i].candidate.origin(), v1::ONLINE);
  }
  EXPECT_EQ(candidates[3].candidate.configuration().decisions(0).option(), "4");
}

TEST_F(OnlineStudiesTest, WhatIsReportedAgainIsKnown) {
  const std::string id = Report(Search(0, {4, 2}));
  EXPECT_EQ(Report(Search(0, {4, 2})), id);
  EXPECT_EQ(Study(id).evaluated(), 2);
  EXPECT_EQ(Report(Search(1, {2, 5})), id);
  EXPECT_EQ(Study(id).evaluated(), 3);
  EXPECT_THAT(online_.Report("ada", ReportOf(Search(5, {1}))).status().message(),
              HasSubstr("tries 3 to 4 are missing"));
  EXPECT_EQ(Study(id).evaluated(), 3);
}

TEST_F(OnlineStudiesTest, RunsRegionsDevicesAndInputsAreStudiesOfTheirOwn) {
  const std::string id = Report(Search(0, {4}));
  EXPECT_NE(Report(Search(0, {4}), "fedcba9876543210"), id);
  v1::OnlineSearch other = Search(0, {4});
  other.set_inputs(0, 2000);
  EXPECT_NE(Report(other), id);
  other.set_device("another");
  EXPECT_NE(Report(other), id);
  EXPECT_EQ(store_->CountStudies().value(), 4);
}

TEST_F(OnlineStudiesTest, SilenceStopsAndTheNextReportGoesOn) {
  const std::string id = Report(Search(0, {4}));
  clock_.Advance(OnlineStudies::kSilence / 2);
  online_.StopSilent();
  EXPECT_EQ(Study(id).state(), v1::SEARCHING);
  Report(Search(1, {}));  // it goes on, nothing is new
  clock_.Advance(OnlineStudies::kSilence * 2 / 3);
  online_.StopSilent();
  EXPECT_EQ(Study(id).state(), v1::SEARCHING);
  clock_.Advance(OnlineStudies::kSilence);
  online_.StopSilent();
  EXPECT_EQ(Study(id).state(), v1::STOPPED);
  EXPECT_THAT(Study(id).space_note(), HasSubstr("not heard of"));
  Report(Search(1, {3}));
  EXPECT_EQ(Study(id).state(), v1::SEARCHING);
  EXPECT_EQ(Study(id).space_note(), "");
  Report(Search(2, {}, v1::OnlineSearch::RUN_ENDED));
  EXPECT_EQ(Study(id).state(), v1::DONE);
  EXPECT_THAT(Study(id).space_note(), HasSubstr("before the search had settled"));
}

TEST_F(OnlineStudiesTest, WhatIsNoReportIsRefusedAndNothingIsKept) {
  const auto refused = [&](const v1::ReportTriesRequest& report) {
    const absl::Status status = online_.Report("ada", report).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(refused(ReportOf(Search(0, {1}), "short")), HasSubstr("16 to 100 letters"));
  for (const double time : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THAT(refused(ReportOf(Search(0, {1, time}))), HasSubstr("is no time of a try"));
  EXPECT_THAT(refused(ReportOf(Search(-1, {1}))), HasSubstr("at most"));
  v1::OnlineSearch nameless = Search(0, {1});
  nameless.set_region("two\nlines");
  EXPECT_THAT(refused(ReportOf(nameless)), HasSubstr("no plain line"));
  v1::OnlineSearch strange = Search(0, {1});
  strange.mutable_tries(0)->mutable_configuration()->mutable_decisions(0)->set_key("");
  EXPECT_THAT(refused(ReportOf(strange)), HasSubstr("a parameter or a value"));
  EXPECT_EQ(store_->CountStudies().value(), 0);
}

TEST_F(OnlineStudiesTest, NobodyAddsToAnothersRun) {
  Report(Search(0, {4}));
  EXPECT_TRUE(absl::IsPermissionDenied(online_.Report("bob", ReportOf(Search(1, {1}))).status()));
}

TEST_F(OnlineStudiesTest, WatchedWhileTheyGrowAndTakenUpByTheNextServer) {
  auto coordinator = Coordinator::Start(TestOptions(), store_.get(), &clock_, SyntheticFactory({2})).value();
  const std::string id = coordinator->online().Report("ada", ReportOf(Search(0, {4})))->study_ids(0);
  StudyWatch watch = coordinator->Watch(id).value();
  EXPECT_EQ(watch.Next().value()->evaluated(), 1);
  EXPECT_FALSE(watch.Next().value().has_value());
  ASSERT_TRUE(coordinator->online().Report("ada", ReportOf(Search(1, {2}))).ok());
  EXPECT_EQ(watch.Next().value()->evaluated(), 2);
  EXPECT_FALSE(watch.ended());
  EXPECT_TRUE(absl::IsFailedPrecondition(coordinator->Cancel(id).status()));
  coordinator->Shutdown(absl::InfiniteDuration());
  EXPECT_TRUE(absl::IsUnavailable(watch.Next().status()));
  coordinator.reset();

  coordinator = Coordinator::Start(TestOptions(), store_.get(), &clock_, SyntheticFactory({2})).value();
  ASSERT_TRUE(coordinator->online().Report("ada", ReportOf(Search(2, {1}))).ok());
  StudyWatch next = coordinator->Watch(id).value();
  EXPECT_EQ(next.Next().value()->evaluated(), 3);
  clock_.Advance(OnlineStudies::kSilence);
  coordinator->LookAfter(absl::ZeroDuration());
  EXPECT_EQ(next.Next().value()->state(), v1::STOPPED);
  EXPECT_TRUE(next.ended());
}

}  // namespace
}  // namespace tune
