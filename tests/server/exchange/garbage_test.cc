// Retention: what a policy gives up, and what it never does.
#include "server/exchange/garbage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const absl::Time kNow = absl::FromUnixSeconds(2'000'000'000);

class GarbageTest : public ::testing::Test {
 protected:
  // Ended `age_days` ago; candidate i took i + best seconds, and as much less energy, candidate 3 failed, 5
  // is a copy of 4.
  std::string Put(int age_days, double best, v1::StudyState state = v1::DONE,
                  const std::string& objective = "") {
    StoredStudy whole;
    whole.study.mutable_search()->set_objective(objective);
    whole.study.mutable_best()->set_joules(10 - best);
    whole.study.set_state(state);
    whole.study.set_best_index(best > 0 ? 1 : -1);
    whole.study.mutable_best()->set_median(best);
    whole.study.mutable_device()->set_model("device");
    whole.study.mutable_reference();
    whole.study.set_finished_unix_ms(absl::ToUnixMillis(kNow - absl::Hours(24) * age_days - absl::Hours(1)));
    *whole.spec.mutable_scop() = testing::GemmScop();
    for (int index = 0; index < 7; ++index) {
      StoredCandidate stored;
      stored.candidate.set_index(index);
      stored.candidate.set_state(v1::EVALUATED);
      v1::Evaluation& evaluation = *stored.candidate.mutable_evaluation();
      evaluation.set_outcome(index == 3 ? v1::COMPILE : v1::CORRECT);
      evaluation.mutable_measurement()->set_median(best + index);
      evaluation.mutable_measurement()->set_joules(10 - best - index);
      evaluation.set_code("0123456789");
      if (index == 5) evaluation.set_duplicate_of_plus_one(4 + 1);
      whole.candidates.push_back(stored);
    }
    return store_->AddWholeStudies({whole}).value()[0].study.id();
  }

  v1::CollectGarbageResponse Collect(int keep_days, int keep_best, int remove_days, bool dry_run = false) {
    v1::CollectGarbageRequest policy;
    policy.set_keep_days(keep_days);
    policy.set_keep_best(keep_best);
    policy.set_remove_days(remove_days);
    policy.set_dry_run(dry_run);
    const auto response = CollectGarbage(
        *store_, policy, kNow, [&](const std::string& id) { return id == active_; },
        [&](const std::string& id) -> absl::StatusOr<bool> {
          TUNE_RETURN_IF_ERROR(store_->RemoveStudy(id));
          return true;
        });
    EXPECT_TRUE(response.ok()) << response.status();
    return response.ok() ? *response : v1::CollectGarbageResponse();
  }

  std::vector<int64_t> WithCode(const std::string& id) const {
    std::vector<int64_t> indices;
    const auto candidates = store_->ListCandidates(id, {0, INT64_MAX, true}).value();
    for (const StoredCandidate& stored : candidates) {
      if (!stored.candidate.evaluation().code().empty()) indices.push_back(stored.candidate.index());
    }
    return indices;
  }

  std::unique_ptr<Store> store_ = MakeMemoryStore();
  std::string active_;
};

TEST_F(GarbageTest, TextsOfFailedAndSlowCandidatesGoFirst) {
  const std::string old = Put(40, 1), young = Put(10, 2);
  const v1::CollectGarbageResponse response = Collect(30, 2, 0);
  EXPECT_THAT(WithCode(old), ElementsAre(0, 1));
  EXPECT_THAT(WithCode(young), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_EQ(response.texts(), 5);
  EXPECT_EQ(response.text_bytes(), 50);
  EXPECT_THAT(response.removed_studies(), IsEmpty());
}

TEST_F(GarbageTest, TheDefaultAndTheBestStayInEveryCase) {
  const std::string old = Put(40, 1);
  Collect(30, 0, 0);
  EXPECT_THAT(WithCode(old), ElementsAre(0, 1));
}

TEST_F(GarbageTest, WhatIsBestByTheObjectiveStays) {
  const std::string old = Put(40, 1, v1::DONE, "energy");
  Collect(30, 2, 0);
  EXPECT_THAT(WithCode(old), ElementsAre(0, 1, 4, 5, 6))
      << "6 and 5, the thriftiest, and 4, whose code 5 has";
  const std::string slow = Put(400, 3, v1::DONE, "energy"), fast = Put(400, 2, v1::DONE, "energy"),
                    for_time = Put(400, 4);
  EXPECT_THAT(Collect(30, 0, 300).removed_studies(), ElementsAre(fast)) << "slow is thriftier";
  EXPECT_TRUE(store_->GetStudy(slow).ok());
  EXPECT_TRUE(store_->GetStudy(for_time).ok()) << "the only one by time";
}

TEST_F(GarbageTest, CodeThatOthersCopyStaysWithThem) {
  const std::string old = Put(40, 1);
  v1::Study study = store_->GetStudy(old).value();
  study.mutable_confirmation()->add_candidates()->set_index(5);
  StudyChange change;
  change.study_id = old;
  change.study = study;
  ASSERT_TRUE(store_->Apply(change).ok());
  Collect(30, 0, 0);
  EXPECT_THAT(WithCode(old), ElementsAre(0, 1, 4, 5));
}

TEST_F(GarbageTest, OldStudiesGoUnlessTheyAreTheBestOfTheirKey) {
  const std::string slow = Put(400, 3), best = Put(500, 1), equal = Put(450, 1), failed = Put(400, 0),
                    young = Put(100, 5);
  const v1::CollectGarbageResponse told = Collect(1000, 10, 365, /*dry_run=*/true);
  EXPECT_EQ(store_->CountStudies().value(), 5);
  const v1::CollectGarbageResponse response = Collect(1000, 10, 365);
  EXPECT_THAT(response.removed_studies(), ElementsAre(slow, equal, failed));
  EXPECT_THAT(told.removed_studies(), ElementsAre(slow, equal, failed));
  EXPECT_EQ(response.removed_candidates(), 21);
  EXPECT_TRUE(store_->GetStudy(best).ok());
  EXPECT_TRUE(store_->GetStudy(young).ok());
  EXPECT_THAT(Collect(1000, 10, 365).removed_studies(), IsEmpty());
}

TEST_F(GarbageTest, WhatIsWorkedOnStays) {
  const std::string running = Put(400, 3, v1::SEARCHING);
  active_ = Put(400, 2);
  Put(400, 1);
  EXPECT_THAT(Collect(1000, 10, 1).removed_studies(), IsEmpty());
  EXPECT_EQ(Collect(10, 0, 0, /*dry_run=*/true).texts(), 5);
  EXPECT_EQ(WithCode(running).size(), 7u);
  EXPECT_EQ(WithCode(active_).size(), 7u);
}

// A replay of an old study is not old.
TEST_F(GarbageTest, NewReplaysKeepTheirTexts) {
  const std::string old = Put(40, 1);
  StudyChange change;
  change.study_id = old;
  for (const int age_days : {20, 35}) {
    StoredCandidate replay;
    replay.candidate.set_index(1'000'000 + age_days);
    replay.candidate.set_origin(v1::REPLAY);
    replay.candidate.set_state(v1::EVALUATED);
    replay.candidate.set_evaluated_unix_ms(absl::ToUnixMillis(kNow - absl::Hours(24) * age_days));
    replay.candidate.mutable_evaluation()->set_code("replayed");
    change.candidates.push_back(replay);
  }
  ASSERT_TRUE(store_->Apply(change).ok());
  Collect(30, 0, 0);
  EXPECT_THAT(WithCode(old), ElementsAre(0, 1, 1'000'020));
}

TEST_F(GarbageTest, NegativeNumbersAreRefused) {
  v1::CollectGarbageRequest policy;
  policy.set_keep_best(-1);
  const auto never = [](const std::string&) { return false; };
  const auto no_removal = [](const std::string&) -> absl::StatusOr<bool> { return false; };
  EXPECT_TRUE(absl::IsInvalidArgument(CollectGarbage(*store_, policy, kNow, never, no_removal).status()));
}

}  // namespace
}  // namespace tune
