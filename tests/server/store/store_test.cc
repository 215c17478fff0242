// The contract of Store, run on every implementation.
#include "server/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "common/base/file.h"

namespace tune {
namespace {

v1::Study SomeStudy(const std::string& name, v1::StudyState state = v1::QUEUED) {
  v1::Study study;
  study.set_name(name);
  study.set_state(state);
  return study;
}

v1::StudySpec SomeSpec(const std::string& name) {
  v1::StudySpec spec;
  spec.set_name(name);
  spec.mutable_scop()->set_name(name);
  return spec;
}

StoredCandidate SomeCandidate(int64_t index, v1::CandidateState state) {
  StoredCandidate stored;
  stored.candidate.set_index(index);
  stored.candidate.set_state(state);
  stored.candidate.set_origin(v1::SEARCH);
  v1::Decision* decision = stored.candidate.mutable_configuration()->add_decisions();
  decision->set_key("k");
  decision->set_option(absl::StrCat(index));
  if (state == v1::EVALUATED) {
    stored.lease_id = absl::StrCat("lease", index);
    v1::Evaluation* evaluation = stored.candidate.mutable_evaluation();
    evaluation->set_outcome(v1::CORRECT);
    evaluation->set_log(std::string("log \0 with zero", 15));
    evaluation->set_code("for (;;) {}");
    evaluation->set_device_file("__global__ void k() {}");
    evaluation->mutable_measurement()->set_median(0.5);
  }
  return stored;
}

class StoreTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { Open(); }
  bool persistent() const { return GetParam(); }
  void Open() {
    store_.reset();
    if (!persistent()) {
      store_ = MakeMemoryStore();
      return;
    }
    auto opened = OpenSqliteStore(folder_.path() + "/t.db");
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  // What a restart of the server sees; a store in memory does not restart.
  void Reopen() {
    if (persistent()) Open();
  }
  std::string Add(const std::string& name, v1::StudyState state = v1::QUEUED) {
    return store_->AddStudy(SomeStudy(name, state), SomeSpec(name), "").value().id();
  }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(All, StoreTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Sqlite" : "Memory"; });

TEST_P(StoreTest, RunsAreCounted) {
  EXPECT_EQ(store_->BeginRun(absl::Now()).value(), 1);
  Reopen();
  EXPECT_EQ(store_->BeginRun(absl::Now()).value(), 2);
}

TEST_P(StoreTest, StudiesAreNumberedAndKept) {
  EXPECT_EQ(Add("a"), "s1");
  EXPECT_EQ(Add("b"), "s2");
  Reopen();
  EXPECT_EQ(Add("c"), "s3");
  EXPECT_EQ(store_->GetStudy("s2").value().name(), "b");
  EXPECT_EQ(store_->GetStudy("s2").value().id(), "s2");
  EXPECT_EQ(store_->GetSpec("s1").value().scop().name(), "a");
  EXPECT_EQ(store_->CountStudies().value(), 3);
}

TEST_P(StoreTest, TheKeyOfLeasesStays) {
  const std::string key = store_->LeaseKey().value();
  EXPECT_GE(key.size(), 32u);
  EXPECT_EQ(store_->LeaseKey().value(), key);
  if (persistent()) Open();
  EXPECT_EQ(store_->LeaseKey().value(), key);
}

TEST_P(StoreTest, BytesAreCharged) {
  v1::StudySpec spec = SomeSpec("a");
  spec.mutable_program()->set_standard_input(std::string(100'000, 'x'));
  spec.set_owner("alice");
  const std::string id = store_->AddStudy(SomeStudy("a"), spec, "").value().id();
  ASSERT_TRUE(store_->AddStudy(SomeStudy("a"), spec, "").ok());
  const int64_t bytes = store_->BytesOf("alice").value();
  EXPECT_GE(bytes, 200'000);
  EXPECT_LT(bytes, 201'000);
  EXPECT_EQ(store_->BytesOf("bob").value(), 0);
  StoredStudy imported;
  imported.study = SomeStudy("b", v1::DONE);
  imported.study.mutable_provenance()->set_fingerprint("f");
  imported.spec = spec;
  imported.charged_to = "bob";
  ASSERT_TRUE(store_->AddWholeStudies({imported}).ok());
  EXPECT_EQ(store_->BytesOf("alice").value(), bytes);
  EXPECT_GE(store_->BytesOf("bob").value(), 100'000);
  ASSERT_TRUE(store_->RemoveStudy(id).ok());
  EXPECT_LT(store_->BytesOf("alice").value(), bytes);
}

TEST_P(StoreTest, ProgramsAreReadInPieces) {
  v1::StudySpec spec = SomeSpec("large");
  spec.mutable_program()->add_sources("a.c");
  spec.mutable_program()->add_files()->set_path("a.c");
  spec.mutable_program()->mutable_files(0)->set_content(std::string((5 << 20) / 2, 'x'));
  spec.add_seeds()->add_decisions()->set_key("k");
  const std::string id = store_->AddStudy(SomeStudy("large"), spec, "").value().id();
  const std::string small = store_->AddStudy(SomeStudy("none"), SomeSpec("none"), "").value().id();
  EXPECT_EQ(store_->GetSpec(id).value().SerializeAsString(), spec.SerializeAsString());
  v1::StudySpec rest = spec;
  rest.clear_program();
  EXPECT_EQ(store_->GetSpecWithoutProgram(id).value().SerializeAsString(), rest.SerializeAsString());
  std::string program;
  std::vector<size_t> pieces;
  const auto take = [&](std::string piece) {
    pieces.push_back(piece.size());
    program += piece;
    return absl::OkStatus();
  };
  ASSERT_TRUE(store_->ReadProgram(id, take).ok());
  EXPECT_EQ(program, spec.program().SerializeAsString());
  EXPECT_EQ(pieces.size(), 3u);
  EXPECT_LE(*std::max_element(pieces.begin(), pieces.end()), size_t{kProgramPieceBytes});
  EXPECT_EQ(store_->ProgramBytes(id).value(), static_cast<int64_t>(program.size()));
  // A reader that has had enough ends it.
  int taken = 0;
  EXPECT_TRUE(absl::IsCancelled(store_->ReadProgram(
      id, [&](std::string) { return ++taken < 2 ? absl::OkStatus() : absl::CancelledError("enough"); })));
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(store_->ProgramBytes(small).value(), 0);
  EXPECT_TRUE(store_->ReadProgram(small, [](std::string) { return absl::InternalError("none"); }).ok());
  EXPECT_TRUE(absl::IsNotFound(store_->ReadProgram("s99", take)));
  ASSERT_TRUE(store_->RemoveStudy(id).ok());
  EXPECT_TRUE(absl::IsNotFound(store_->ProgramBytes(id).status()));
}

TEST_P(StoreTest, UnknownStudiesAreNotFound) {
  Add("a");
  for (const char* id : {"s2", "s0", "", "1", "s01", "x", "s99999999999999999999"}) {
    EXPECT_TRUE(absl::IsNotFound(store_->GetStudy(id).status())) << id;
    EXPECT_TRUE(absl::IsNotFound(store_->GetSpec(id).status())) << id;
    EXPECT_TRUE(absl::IsNotFound(store_->ListCandidates(id, {}).status())) << id;
    StudyChange change;
    change.study_id = id;
    EXPECT_TRUE(absl::IsNotFound(store_->Apply(change))) << id;
  }
  EXPECT_TRUE(absl::IsNotFound(store_->GetCandidate("s1", 0).status()));
}

TEST_P(StoreTest, SameRequestSameStudy) {
  const v1::Study first = store_->AddStudy(SomeStudy("a"), SomeSpec("a"), "request").value();
  Reopen();
  EXPECT_EQ(store_->AddStudy(SomeStudy("b"), SomeSpec("b"), "request").value().id(), first.id());
  EXPECT_EQ(store_->FindRequest("request").value().name(), "a");
  EXPECT_TRUE(absl::IsNotFound(store_->FindRequest("other").status()));
  EXPECT_NE(Add("c"), Add("c"));  // without a request id every call is a wish of its own
  EXPECT_EQ(store_->CountStudies().value(), 3);
}

TEST_P(StoreTest, ListsNewestFirstInPages) {
  for (const char* name : {"a", "b", "c", "d"}) Add(name);
  const auto names = [](const std::vector<v1::Study>& studies) {
    std::string all;
    for (const v1::Study& study : studies) all += study.name();
    return all;
  };
  EXPECT_EQ(names(store_->ListStudies(INT64_MAX, 3).value()), "dcb");
  EXPECT_EQ(names(store_->ListStudies(2, 3).value()), "a");
  EXPECT_EQ(names(store_->ListStudies(1, 3).value()), "");
}

TEST_P(StoreTest, UnfinishedStudiesOldestFirst) {
  Add("queued");
  Add("done", v1::DONE);
  Add("failed", v1::FAILED);
  Add("confirming", v1::CONFIRMING);
  Add("stopped", v1::STOPPED);
  const std::string replayed = Add("done with a replay", v1::DONE);
  StudyChange change;
  change.study_id = replayed;
  change.candidates.push_back(SomeCandidate(1'000'000, v1::PENDING));
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  std::vector<std::string> names;
  const std::vector<v1::Study> studies = store_->UnfinishedStudies().value();
  for (const v1::Study& study : studies) names.push_back(study.name());
  EXPECT_THAT(names, ::testing::ElementsAre("queued", "confirming", "done with a replay"));
}

TEST_P(StoreTest, ChangesReplaceStudyAndCandidates) {
  const std::string id = Add("a");
  StudyChange change;
  change.study_id = id;
  change.candidates = {SomeCandidate(0, v1::PENDING), SomeCandidate(1, v1::PENDING)};
  ASSERT_TRUE(store_->Apply(change).ok());
  change = {};
  change.study_id = id;
  change.study = SomeStudy("a", v1::SEARCHING);
  change.study->set_id(id);
  change.study->set_evaluated(1);
  change.candidates = {SomeCandidate(1, v1::EVALUATED)};
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  EXPECT_EQ(store_->GetStudy(id).value().evaluated(), 1);
  EXPECT_EQ(store_->GetStudy(id).value().state(), v1::SEARCHING);
  const auto candidates = store_->ListCandidates(id, {}).value();
  ASSERT_EQ(candidates.size(), 2u);
  EXPECT_EQ(candidates[0].candidate.state(), v1::PENDING);
  EXPECT_EQ(candidates[1].candidate.state(), v1::EVALUATED);
  EXPECT_EQ(candidates[1].lease_id, "lease1");
}

TEST_P(StoreTest, LogsAndCodeAreReadOnlyWhenAskedFor) {
  const std::string id = Add("a");
  StudyChange change;
  change.study_id = id;
  change.candidates = {SomeCandidate(4, v1::EVALUATED)};
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  const v1::Evaluation brief = store_->ListCandidates(id, {}).value()[0].candidate.evaluation();
  EXPECT_EQ(brief.log(), "");
  EXPECT_EQ(brief.code(), "");
  EXPECT_EQ(brief.device_file(), "");
  EXPECT_EQ(brief.measurement().median(), 0.5);
  const std::string expected = SomeCandidate(4, v1::EVALUATED).candidate.SerializeAsString();
  EXPECT_EQ(store_->ListCandidates(id, {0, INT64_MAX, true}).value()[0].candidate.SerializeAsString(),
            expected);
  EXPECT_EQ(store_->GetCandidate(id, 4).value().candidate.SerializeAsString(), expected);
}

TEST_P(StoreTest, CandidatesComeInRangesByIndex) {
  const std::string id = Add("a");
  StudyChange change;
  change.study_id = id;
  for (const int index : {5, 3, 9, 1}) change.candidates.push_back(SomeCandidate(index, v1::PENDING));
  ASSERT_TRUE(store_->Apply(change).ok());
  std::vector<int64_t> indices;
  const std::vector<StoredCandidate> range = store_->ListCandidates(id, {2, 2, false}).value();
  for (const StoredCandidate& stored : range) indices.push_back(stored.candidate.index());
  EXPECT_THAT(indices, ::testing::ElementsAre(3, 5));
}

TEST_P(StoreTest, PagesHoldWhatWasReadLast) {
  const std::string id = Add("a");
  StudyChange change;
  change.study_id = id;
  for (const int index : {1, 3, 5, 9}) change.candidates.push_back(SomeCandidate(index, v1::EVALUATED));
  ASSERT_TRUE(store_->Apply(change).ok());
  const auto expected = [&](int64_t index) {
    return store_->ListCandidates(id, {index, 1, false}).value()[0].candidate.SerializeAsString();
  };
  CandidatePage page;
  ASSERT_TRUE(store_->ReadCandidates(id, 2, 2, &page).ok());
  ASSERT_EQ(page.size(), 2u);
  EXPECT_EQ(page[0].SerializeAsString(), expected(3)) << "without texts";
  EXPECT_EQ(page[1].SerializeAsString(), expected(5));
  ASSERT_TRUE(store_->ReadCandidates(id, 6, 2, &page).ok());
  ASSERT_EQ(page.size(), 1u);
  EXPECT_EQ(page[0].SerializeAsString(), expected(9));
  EXPECT_TRUE(absl::IsNotFound(store_->ReadCandidates("s2", 0, 1, &page)));
  EXPECT_EQ(page.size(), 0u);
}

TEST_P(StoreTest, ExtraSamplesAreKeptOncePerLease) {
  const std::string id = Add("a");
  StudyChange change;
  change.study_id = id;
  change.candidates = {SomeCandidate(0, v1::EVALUATED), SomeCandidate(1, v1::EVALUATED)};
  ExtraSample sample{1, "late", absl::FromUnixMillis(5), {}};
  sample.evaluation.set_message("first");
  change.extra_samples.push_back(sample);
  ASSERT_TRUE(store_->Apply(change).ok());
  sample.evaluation.set_message("again");
  ExtraSample other{0, "later", absl::FromUnixMillis(6), {}};
  change.extra_samples = {sample, other};
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  const auto samples = store_->ListExtraSamples(id).value();
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].candidate_index, 0);
  EXPECT_EQ(samples[1].evaluation.message(), "first");
  EXPECT_EQ(samples[1].received, absl::FromUnixMillis(5));
}

v1::Explanation SomeState(int64_t iteration) {
  v1::Explanation state;
  state.set_iteration(iteration);
  state.add_edges()->set_key("k");
  return state;
}

TEST_P(StoreTest, TheStateOfASearchIsKept) {
  const std::string id = Add("a"), other = Add("b");
  EXPECT_TRUE(absl::IsNotFound(store_->GetSearchState("s9").status()));
  EXPECT_TRUE(absl::IsNotFound(store_->GetSearchState(id).status()));
  for (const int64_t iteration : {1, 2}) {
    StudyChange change;
    change.study_id = id;
    change.search_state = SomeState(iteration);
    ASSERT_TRUE(store_->Apply(change).ok());
  }
  StudyChange change;
  change.study_id = id;
  change.study = SomeStudy("renamed");
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  EXPECT_EQ(store_->GetSearchState(id)->SerializeAsString(), SomeState(2).SerializeAsString());
  EXPECT_TRUE(absl::IsNotFound(store_->GetSearchState(other).status()));
  StoredStudy whole;
  whole.study = SomeStudy("from elsewhere", v1::DONE);
  whole.spec = SomeSpec("c");
  whole.search_state = SomeState(3);
  const std::string added = store_->AddWholeStudies({whole}).value()[0].study.id();
  EXPECT_EQ(store_->GetSearchState(added)->iteration(), 3);
  ASSERT_TRUE(store_->RemoveStudy(id).ok());
  EXPECT_TRUE(absl::IsNotFound(store_->GetSearchState(id).status()));
}

v1::Inspection SomeInspection(int64_t index, const std::string& failure) {
  v1::Inspection inspection;
  inspection.set_index(index);
  inspection.set_failure(failure);
  return inspection;
}

TEST_P(StoreTest, InspectionsAreKept) {
  const std::string id = Add("a"), other = Add("b");
  EXPECT_TRUE(absl::IsNotFound(store_->ListInspections("s9").status()));
  EXPECT_TRUE(store_->ListInspections(id)->empty());
  StudyChange change;
  change.study_id = id;
  change.inspections = {SomeInspection(3, "first"), SomeInspection(0, "zero")};
  ASSERT_TRUE(store_->Apply(change).ok());
  change.inspections = {SomeInspection(3, "again")};
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  const auto kept = store_->ListInspections(id);
  ASSERT_TRUE(kept.ok()) << kept.status();
  ASSERT_EQ(kept->size(), 2u);
  EXPECT_EQ((*kept)[0].failure(), "zero");
  EXPECT_EQ((*kept)[1].failure(), "again");
  EXPECT_TRUE(store_->ListInspections(other)->empty());
  StoredStudy whole;
  whole.study = SomeStudy("from elsewhere", v1::DONE);
  whole.spec = SomeSpec("c");
  whole.inspections = *kept;
  const std::string added = store_->AddWholeStudies({whole}).value()[0].study.id();
  EXPECT_EQ(store_->ListInspections(added)->size(), 2u);
  ASSERT_TRUE(store_->RemoveStudy(id).ok());
  EXPECT_TRUE(absl::IsNotFound(store_->ListInspections(id).status()));
  EXPECT_EQ(store_->ListInspections(added)->size(), 2u);
}

TEST_P(StoreTest, ManyThreadsLoseNothing) {
  const std::string id = Add("a");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        StudyChange change;
        change.study_id = id;
        change.candidates = {SomeCandidate(t * 100 + i, v1::EVALUATED)};
        EXPECT_TRUE(store_->Apply(change).ok());
        EXPECT_TRUE(store_->ListCandidates(id, {}).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store_->ListCandidates(id, {}).value().size(), 100u);
}

}  // namespace
}  // namespace tune
