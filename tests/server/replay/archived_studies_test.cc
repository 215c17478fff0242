// Archives of own studies as recorded spaces.
#include "server/replay/archived_studies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "common/base/file.h"
#include "common/decision/configuration.h"
#include "common/exchange/archive.h"
#include "common/exchange/study_identity.h"
#include "server/replay/recorded_file.h"
#include "server/replay/space_replay.h"
#include "server/search/search_options.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

v1::ArchivedStudy OwnStudy(const std::string& id) {
  v1::ArchivedStudy archived;
  archived.mutable_study()->set_id(id);
  archived.mutable_study()->set_name("gemm");
  archived.mutable_study()->set_state(v1::DONE);
  archived.mutable_study()->set_target(v1::CUDA);
  archived.mutable_study()->mutable_device()->set_model("a GPU");
  v1::ParameterValue* size = archived.mutable_study()->mutable_reference()->add_parameters();
  size->set_name("n");
  size->set_value(1000);
  return archived;
}

// One kernel, which takes all the time.
v1::Candidate* AddEvaluated(v1::ArchivedStudy* archived, const std::string& decisions, v1::Outcome outcome,
                            double seconds) {
  const int64_t index = archived->candidates_size();
  v1::Candidate* candidate = archived->add_candidates()->mutable_candidate();
  candidate->set_index(index);
  candidate->set_origin(v1::SEARCH);
  candidate->set_state(v1::EVALUATED);
  *candidate->mutable_configuration() = ParseConfiguration(decisions).value();
  v1::Evaluation* evaluation = candidate->mutable_evaluation();
  evaluation->set_outcome(outcome);
  evaluation->set_code("the code");
  evaluation->set_log("the log");
  if (outcome != v1::CORRECT) return candidate;
  evaluation->mutable_measurement()->set_median(seconds);
  evaluation->mutable_measurement()->add_samples(seconds);
  v1::KernelEvaluation* kernel = evaluation->add_kernels();
  kernel->set_name("k[S0]");
  kernel->set_seconds(seconds);
  v1::Metric* metric = kernel->add_metrics();
  metric->set_name("achieved_occupancy");
  metric->set_normalised(0.5);
  return candidate;
}

v1::ArchivedStudy SmallStudy(const std::string& id) {
  v1::ArchivedStudy archived = OwnStudy(id);
  AddEvaluated(&archived, "schedule = pluto\nk[S0].tile = 8\nk[S0].block = 64", v1::CORRECT, 4);
  AddEvaluated(&archived, "schedule = pluto\nk[S0].tile = 8\nk[S0].block = 32", v1::CORRECT, 2);
  AddEvaluated(&archived, "schedule = pluto\nk[S0].tile = 16\nk[S0].block = 32", v1::TIMEOUT, 0);
  AddEvaluated(&archived, "schedule = pluto\nk[S0].tile = 4\nk[S0].block = 128", v1::WORKER_LOST, 0);
  AddEvaluated(&archived, "schedule = pluto\nk[S0].tile = 4\nk[S0].block = 32", v1::CANCELLED, 0);
  AddEvaluated(&archived, "schedule = pluto\nk[S0].tile = 2\nk[S0].block = 32", v1::CORRECT, 1)
      ->set_origin(v1::REPLAY);
  archived.set_fingerprint(StudyFingerprint(archived));
  return archived;
}

v1::Archive ArchiveOf(const std::vector<v1::ArchivedStudy>& studies) {
  v1::Archive archive;
  for (const v1::ArchivedStudy& study : studies) *archive.add_studies() = study;
  return archive;
}

TEST(CandidatesOfArchive, KeepWhatTheSearchLearnsFrom) {
  const auto candidates = CandidatesOfArchive(ArchiveOf({SmallStudy("s1")}), {});
  ASSERT_TRUE(candidates.ok()) << candidates.status();
  ASSERT_EQ(candidates->size(), 4u) << "neither the cancelled one nor the replay";
  const RecordedCandidate& second = (*candidates)[1];
  EXPECT_THAT(second.decisions,
              ElementsAre(Pair("schedule", "pluto"), Pair("k[S0].tile", "8"), Pair("k[S0].block", "32")));
  EXPECT_DOUBLE_EQ(second.evaluation.measurement().median(), 2);
  ASSERT_EQ(second.evaluation.kernels_size(), 1);
  EXPECT_EQ(second.evaluation.kernels(0).name(), "k[S0]");
  EXPECT_DOUBLE_EQ(second.evaluation.kernels(0).seconds(), 2);
  EXPECT_DOUBLE_EQ(second.evaluation.kernels(0).metrics(0).normalised(), 0.5);
  EXPECT_EQ(second.evaluation.code() + second.evaluation.log(), "") << "nobody needs the texts";
  EXPECT_EQ((*candidates)[2].evaluation.outcome(), v1::TIMEOUT);
  EXPECT_TRUE((*candidates)[0].is_default);
  EXPECT_FALSE(second.is_default);
}

TEST(CandidatesOfArchive, BecomeASpaceWhoseDefaultIsCandidateZero) {
  const auto space =
      RecordedSpace::Make(CandidatesOfArchive(ArchiveOf({SmallStudy("s1")}), {}).value()).value();
  EXPECT_EQ(space->size(), 4u);
  EXPECT_EQ(space->correct(), 2);
  EXPECT_EQ(space->with_kernel_times(), 2);
  EXPECT_EQ(space->with_metrics(), 2);
  DefaultChooser defaults;
  RecordingChooser recording(&defaults);
  ASSERT_TRUE(space->Walk(recording).ok());
  EXPECT_EQ(PrintConfiguration(recording.configuration()), "k[S0].tile = 8\nk[S0].block = 64\n")
      << "the schedule is no decision here; 16 would be in the middle of the tiles";
}

TEST(CandidatesOfArchive, StudiesOfOneSpaceAreOne) {
  v1::ArchivedStudy second = OwnStudy("s2");
  AddEvaluated(&second, "schedule = pluto\nk[S0].tile = 8\nk[S0].block = 32", v1::CORRECT, 3);
  AddEvaluated(&second, "schedule = pluto\nk[S0].tile = 4\nk[S0].block = 128", v1::CORRECT, 0.5);
  AddEvaluated(&second, "schedule = pluto\nk[S0].tile = 32\nk[S0].block = 32", v1::CORRECT, 5);
  const v1::Archive archive = ArchiveOf({SmallStudy("s1"), second});
  const auto both = CandidatesOfArchive(archive, {}).value();
  ASSERT_EQ(both.size(), 5u);
  EXPECT_DOUBLE_EQ(both[1].evaluation.measurement().median(), 2) << "the first time counts";
  EXPECT_DOUBLE_EQ(both[3].evaluation.measurement().median(), 0.5) << "but not that of a lost worker";
  EXPECT_TRUE(both[0].is_default);
  EXPECT_EQ(CandidatesOfArchive(archive, {"s2"})->size(), 3u);
  EXPECT_TRUE(absl::IsNotFound(CandidatesOfArchive(archive, {"s3"}).status()));
}

TEST(CandidatesOfArchive, RefusesStudiesOfSeveralSpaces) {
  const auto refusal = [](const v1::ArchivedStudy& other) {
    return std::string(CandidatesOfArchive(ArchiveOf({SmallStudy("s1"), other}), {}).status().message());
  };
  v1::ArchivedStudy other = SmallStudy("s2");
  EXPECT_EQ(refusal(other), "");
  other.mutable_study()->mutable_device()->set_model("another GPU");
  EXPECT_THAT(refusal(other), HasSubstr("s2 (gemm) of the archive have not one space: their device differs"));
  other = SmallStudy("s2");
  other.mutable_spec()->mutable_search()->set_level(2);
  EXPECT_THAT(refusal(other), HasSubstr("their level differs"));
  other = SmallStudy("s2");
  other.mutable_study()->mutable_reference()->mutable_parameters(0)->set_value(7);
  EXPECT_THAT(refusal(other), HasSubstr("their parameter values differ"));
}

TEST(CandidatesOfArchive, AreJudgedByTheirStudysObjective) {
  v1::ArchivedStudy thrifty = OwnStudy("s2");
  thrifty.mutable_study()->mutable_search()->set_objective("energy");
  AddEvaluated(&thrifty, "schedule = pluto\nk[S0].tile = 8\nk[S0].block = 32", v1::CORRECT, 3)
      ->mutable_evaluation()
      ->mutable_measurement()
      ->set_joules(12);
  v1::SearchOptions search;
  const auto candidates = CandidatesOfArchive(ArchiveOf({thrifty}), {}, &search).value();
  EXPECT_DOUBLE_EQ(candidates[0].evaluation.measurement().median(), 12);
  EXPECT_EQ(candidates[0].evaluation.kernels(0).seconds(), 0);
  EXPECT_EQ(search.objective(), "energy");
  const v1::Archive both = ArchiveOf({SmallStudy("s1"), thrifty});
  EXPECT_THAT(std::string(CandidatesOfArchive(both, {}).status().message()),
              HasSubstr("s1 and s2 of the archive are tuned for time and energy; name the one"));
  search.set_objective("time");
  EXPECT_DOUBLE_EQ(CandidatesOfArchive(both, {}, &search).value()[1].evaluation.measurement().median(), 2);
}

class RecordedFile : public ::testing::Test {
 protected:
  std::string Write(const std::string& content) {
    const std::string path = folder_.path() + "/file";
    EXPECT_TRUE(WriteFile(path, content).ok());
    return path;
  }
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(RecordedFile, IsAnArchiveOrJson) {
  const std::string archive = PrintArchive(ArchiveOf({SmallStudy("s1")})).value();
  EXPECT_EQ(ReadRecordedFile(Write(archive), {"s1"})->size(), 4u);
  const std::string json = R"({"tune_params_keys": ["x"], "cache": {"1": {"x": 1, "time": 2.0}}})";
  EXPECT_EQ(ReadRecordedFile(Write(json), {})->size(), 1u);
  EXPECT_THAT(std::string(ReadRecordedFile(Write(json), {"s1"}).status().message()), HasSubstr("--study"));
  const absl::Status damaged = ReadRecordedFile(Write(archive.substr(0, archive.size() - 1)), {}).status();
  EXPECT_TRUE(absl::IsDataLoss(damaged)) << damaged;
  EXPECT_THAT(std::string(damaged.message()), HasSubstr(folder_.path()));
}

// Two kernels with three decisions each, whose times add up: the best of both is known long before it is
// tried.
v1::ArchivedStudy TwoKernelStudy() {
  v1::ArchivedStudy archived = OwnStudy("s1");
  constexpr int kOptions = 3, kDecisions = 6;
  for (int number = 0; number < std::pow(kOptions, kDecisions); ++number) {
    std::string decisions;
    double seconds[2] = {1, 1};
    for (int i = 0, rest = number; i < kDecisions; ++i, rest /= kOptions) {
      const int option = rest % kOptions;
      absl::StrAppend(&decisions, "k[S", i / 3, "].d", i, " = ", option, "\n");
      seconds[i / 3] += option == (i * 7 + 1) % kOptions ? 0 : 1;
    }
    v1::Candidate* candidate = AddEvaluated(&archived, decisions, v1::CORRECT, seconds[0] + seconds[1]);
    candidate->mutable_evaluation()->clear_kernels();
    for (int k = 0; k < 2; ++k) {
      v1::KernelEvaluation* kernel = candidate->mutable_evaluation()->add_kernels();
      kernel->set_name(absl::StrCat("k[S", k, "]"));
      kernel->set_seconds(seconds[k]);
    }
  }
  return archived;
}

// Evaluations until the optimum, sum over eight seeds; 200 where it is not found.
int EvaluationsUntilBest(bool kernel_updates, RecordedSpace* space) {
  int sum = 0;
  for (int seed = 1; seed <= 8; ++seed) {
    v1::SearchOptions options;
    options.set_evaluations(200);
    options.set_seed(seed);
    options.set_no_kernel_updates(!kernel_updates);
    options.set_no_tree(true);
    FillDefaults(&options);
    const std::vector<double> best = ReplaySpace(options, space)->best_so_far;
    sum += static_cast<int>(std::find(best.begin(), best.end(), space->best_seconds()) - best.begin()) + 1;
  }
  return sum;
}

TEST(ReplayOfAnArchive, UpdatesByKernelFindTheBestSooner) {
  const auto space =
      RecordedSpace::Make(CandidatesOfArchive(ArchiveOf({TwoKernelStudy()}), {}).value()).value();
  ASSERT_EQ(space->size(), 729u);
  EXPECT_LT(1.5 * EvaluationsUntilBest(true, space.get()), EvaluationsUntilBest(false, space.get()));
}

}  // namespace
}  // namespace tune
