// Studies on their way out of one store and into another.
#include "server/exchange/whole_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "common/exchange/archive.h"
#include "common/exchange/study_identity.h"
#include "server/study/study_spec.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

const absl::Time kToday = absl::FromUnixMillis(5000);

class WholeStudyTest : public ::testing::Test {
 protected:
  std::string AddFinished(Store& store) {
    v1::StudySpec spec = SyntheticSpec();
    FillDefaults(&spec);
    v1::Study study = NewStudy(spec, 1000);
    study.set_state(v1::DONE);
    study.set_best_index(0);
    study.mutable_best()->set_median(0.5);
    study.set_finished_unix_ms(2000);
    const std::string id = store.AddStudy(study, spec, "").value().id();
    StudyChange change;
    change.study_id = id;
    for (int index = 0; index < 3; ++index) {
      StoredCandidate stored;
      stored.candidate.set_index(index);
      stored.candidate.set_origin(v1::SEARCH);
      stored.candidate.set_state(index == 2 ? v1::PENDING : v1::EVALUATED);
      if (index < 2) {
        stored.candidate.mutable_evaluation()->set_code("code");
        stored.candidate.mutable_evaluation()->set_outcome(index == 0 ? v1::CORRECT : v1::TIMEOUT);
        if (index == 0) stored.candidate.mutable_evaluation()->mutable_measurement()->set_median(0.5);
      }
      change.candidates.push_back(stored);
    }
    change.extra_samples.push_back({1, "lease", absl::FromUnixMillis(7), {}});
    change.search_state.emplace().set_iteration(4);
    change.inspections.emplace_back().set_failure("it does not compile");
    EXPECT_TRUE(store.Apply(change).ok());
    return id;
  }

  std::unique_ptr<Store> here_ = MakeMemoryStore(), there_ = MakeMemoryStore();
};

TEST_F(WholeStudyTest, GoesThroughAnArchiveUnchanged) {
  const v1::ArchivedStudy archived = ReadWholeStudy(*here_, AddFinished(*here_), false).value();
  EXPECT_EQ(archived.candidates_size(), 2);  // one was not evaluated
  v1::Archive archive;
  *archive.add_studies() = archived;
  const v1::Archive read = ParseArchive(PrintArchive(archive).value()).value();
  const StoredStudy stored = CheckArchivedStudy(read.studies(0), "lab:7410", kToday).value();
  const v1::Study study = there_->AddWholeStudies({stored}).value()[0].study;
  EXPECT_EQ(study.provenance().format(), "archive");
  EXPECT_EQ(study.provenance().server(), "lab:7410");
  EXPECT_EQ(study.provenance().study_id(), "s1");
  EXPECT_EQ(study.provenance().imported_unix_ms(), 5000);
  const v1::ArchivedStudy again = ReadWholeStudy(*there_, study.id(), false).value();
  EXPECT_EQ(again.fingerprint(), archived.fingerprint());
  EXPECT_EQ(again.spec().SerializeAsString(), archived.spec().SerializeAsString());
  EXPECT_EQ(again.candidates(1).candidate().evaluation().code(), "code");
  EXPECT_EQ(again.extra_samples(0).received_unix_ms(), 7);
  EXPECT_EQ(there_->GetSearchState(study.id())->iteration(), 4);
  ASSERT_EQ(there_->ListInspections(study.id())->size(), 1u);
  EXPECT_EQ(there_->ListInspections(study.id())->front().failure(), "it does not compile");
  // On to a third server: where it was made is still known.
  EXPECT_EQ(CheckArchivedStudy(again, "there", kToday)->study.provenance().server(), "lab:7410");
}

TEST_F(WholeStudyTest, WhatAnotherServerSaysOfItsCodeDoesNotCount) {
  v1::ArchivedStudy archived = ReadWholeStudy(*here_, AddFinished(*here_), false).value();
  for (v1::ArchivedCandidate& candidate : *archived.mutable_candidates())
    candidate.mutable_candidate()->mutable_evaluation()->mutable_comparison()->set_same(true);
  EXPECT_EQ(StudyFingerprint(archived), archived.fingerprint()) << "the study is the same";
  const StoredStudy stored = CheckArchivedStudy(archived, "lab:7410", kToday).value();
  ASSERT_EQ(stored.candidates.size(), 2u);
  for (const StoredCandidate& kept : stored.candidates)
    EXPECT_FALSE(kept.candidate.evaluation().has_comparison());
}

TEST_F(WholeStudyTest, AStudyComesHomeAsItself) {
  const std::string id = AddFinished(*here_);
  const v1::ArchivedStudy archived = ReadWholeStudy(*here_, id, true).value();
  EXPECT_EQ(FindOwnCopy(*here_, archived, here_->KeyOf(archived.spec()).value()).value(), id);
  EXPECT_EQ(FindOwnCopy(*there_, archived, there_->KeyOf(archived.spec()).value()).value(), "");
  v1::ArchivedStudy other = archived;
  other.mutable_candidates(0)->mutable_candidate()->mutable_evaluation()->set_outcome(v1::OOM);
  other.set_fingerprint(StudyFingerprint(other));
  EXPECT_EQ(FindOwnCopy(*here_, other, here_->KeyOf(other.spec()).value()).value(), "");
}

TEST_F(WholeStudyTest, WithoutTexts) {
  const v1::ArchivedStudy archived = ReadWholeStudy(*here_, AddFinished(*here_), true).value();
  EXPECT_EQ(archived.candidates(0).candidate().evaluation().code(), "");
}

TEST_F(WholeStudyTest, OnlyWhatHasEndedLeaves) {
  v1::Study study;
  study.set_state(v1::SEARCHING);
  here_->AddStudy(study, {}, "").value();
  const absl::Status status = ReadWholeStudy(*here_, "s1", false).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("searching"));
  EXPECT_TRUE(absl::IsNotFound(ReadWholeStudy(*here_, "s2", false).status()));
}

TEST_F(WholeStudyTest, WhatAServerCannotKeepIsRefused) {
  const v1::ArchivedStudy good = ReadWholeStudy(*here_, AddFinished(*here_), false).value();
  ASSERT_TRUE(CheckArchivedStudy(good, "x", kToday).ok());
  const std::vector<std::pair<std::string, std::function<void(v1::ArchivedStudy&)>>> changes = {
      {"has not ended", [](auto& s) { s.mutable_study()->set_state(v1::SEARCHING); }},
      {"twice", [](auto& s) { s.mutable_candidates(1)->mutable_candidate()->set_index(0); }},
      {"negative", [](auto& s) { s.mutable_candidates(1)->mutable_candidate()->set_index(-1); }},
      {"too large", [](auto& s) { s.mutable_candidates(1)->mutable_candidate()->set_index(INT64_MAX); }},
      {"best candidate 9", [](auto& s) { s.mutable_study()->set_best_index(9); }},
      {"best candidate 0 is missing",
       [](auto& s) { s.mutable_candidates(0)->mutable_candidate()->set_state(v1::PENDING); }},
      {"best candidate 0 is missing",
       [](auto& s) { s.mutable_candidates(0)->mutable_candidate()->clear_evaluation(); }},
      {"best candidate 1 is not correct", [](auto& s) { s.mutable_study()->set_best_index(1); }},
      {"not that of its best", [](auto& s) { s.mutable_study()->mutable_best()->set_median(0.25); }},
      {"no number", [](auto& s) { s.mutable_study()->mutable_best()->set_median(std::nan("")); }},
      {"no number",
       [](auto& s) {
         s.mutable_candidates(1)
             ->mutable_candidate()
             ->mutable_evaluation()
             ->mutable_measurement()
             ->set_median(std::numeric_limits<double>::infinity());
       }},
      {"negative",
       [](auto& s) {
         s.mutable_extra_samples(0)->mutable_evaluation()->mutable_measurement()->add_samples(-1);
       }},
      {"negative",
       [](auto& s) {
         s.mutable_study()->mutable_confirmation()->add_candidates()->mutable_measurement()->set_median(-1);
       }},
      {"no number of instructions",
       [](auto& s) {
         v1::Inspection* inspection = s.add_inspections();
         inspection->set_index(1);
         inspection->add_kernels()->set_instructions(std::nan(""));
       }},
      {"out of order",
       [](auto& s) {
         s.add_inspections()->set_failure("it does not compile");  // both are 0
       }},
      {"no number", [](auto& s) { s.mutable_search_state()->add_edges()->set_pheromone(std::nan("")); }},
      {"summary is too large",
       [](auto& s) { s.mutable_study()->set_failure_log(std::string(5 << 20, 'x')); }},
      {"target", [](auto& s) { s.mutable_study()->set_target(static_cast<v1::Target>(77)); }},
      {"neither scop nor program", [](auto& s) { s.clear_spec(); }},
      {"spec.program", [](auto& s) { s.mutable_spec()->clear_program(); }},
      {"'..'", [](auto& s) { s.mutable_spec()->mutable_program()->mutable_files(0)->set_path("../x"); }}};
  for (const auto& [message, change] : changes) {
    v1::ArchivedStudy bad = good;
    change(bad);
    const absl::Status status = CheckArchivedStudy(bad, "x", kToday).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message));
  }
}

// The confirmation measures again, and its time is the study's.
TEST_F(WholeStudyTest, TheConfirmedTimeIsATimeOfTheBest) {
  v1::ArchivedStudy archived = ReadWholeStudy(*here_, AddFinished(*here_), false).value();
  archived.mutable_study()->mutable_best()->set_median(0.625);
  EXPECT_FALSE(CheckArchivedStudy(archived, "x", kToday).ok());
  v1::ConfirmedCandidate& confirmed = *archived.mutable_study()->mutable_confirmation()->add_candidates();
  confirmed.mutable_measurement()->set_median(0.625);
  EXPECT_TRUE(CheckArchivedStudy(archived, "x", kToday).ok())
      << CheckArchivedStudy(archived, "x", kToday).status();
}

TEST_F(WholeStudyTest, ResultsAloneComeFromAT4File) {
  v1::ArchivedStudy archived = ReadWholeStudy(*here_, AddFinished(*here_), false).value();
  archived.clear_spec();
  archived.mutable_study()->mutable_provenance()->set_format("T4");
  EXPECT_TRUE(CheckArchivedStudy(archived, "x", kToday).ok());
}

}  // namespace
}  // namespace tune
