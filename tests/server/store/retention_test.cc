// The contract of Store for keys, whole studies and retention, run on every implementation; backup and
// restore.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "common/base/file.h"
#include "server/store/schema.h"
#include "server/store/store.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

StudyKey KeyOf(const v1::StudySpec& spec) { return KeyOfSpec(spec, IdentifyScop).value(); }

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

v1::StudySpec GemmSpec() {
  v1::StudySpec spec;
  *spec.mutable_scop() = testing::GemmScop();
  spec.mutable_program()->add_defines("LARGE");
  return spec;
}

v1::Study EndedStudy(const std::string& name) {
  v1::Study study;
  study.set_name(name);
  study.set_state(v1::DONE);
  study.set_best_index(1);
  study.mutable_best()->set_median(0.25);
  study.set_finished_unix_ms(77);
  study.mutable_device()->set_target(v1::CUDA);
  study.mutable_device()->set_model("NVIDIA H200");
  study.mutable_device()->mutable_cuda()->set_compute_capability_major(9);
  for (const int value : {100, 200, 300}) study.mutable_reference()->add_parameters()->set_value(value);
  for (const int extent : {100, 200}) {
    v1::ArrayExtents* array = study.mutable_reference()->add_arrays();
    array->add_extents(extent);
    array->add_extents(300);
  }
  return study;
}

StoredCandidate Evaluated(int64_t index) {
  StoredCandidate stored;
  stored.candidate.set_index(index);
  stored.candidate.set_state(v1::EVALUATED);
  stored.candidate.mutable_evaluation()->set_outcome(v1::CORRECT);
  stored.candidate.mutable_evaluation()->set_message("kept");
  stored.candidate.mutable_evaluation()->set_log("a log");
  stored.candidate.mutable_evaluation()->set_code("code");
  stored.candidate.mutable_evaluation()->set_device_file("file");
  stored.lease_id = "lease";
  return stored;
}

StoredStudy Whole(const std::string& name, const std::string& origin) {
  StoredStudy whole;
  whole.study = EndedStudy(name);
  whole.study.mutable_provenance()->set_fingerprint(origin);
  whole.spec = GemmSpec();
  for (const int index : {0, 1, 2}) whole.candidates.push_back(Evaluated(index));
  ExtraSample sample{1, "late", absl::FromUnixMillis(5), Evaluated(1).candidate.evaluation()};
  whole.extra_samples.push_back(sample);
  return whole;
}

class RetentionTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { Open(); }
  bool persistent() const { return GetParam(); }
  std::string path() const { return folder_.path() + "/t.db"; }
  void Open() {
    store_.reset();
    if (!persistent()) {
      store_ = MakeMemoryStore();
      return;
    }
    auto opened = OpenSqliteStore(path());
    ASSERT_TRUE(opened.ok()) << opened.status();
    store_ = *std::move(opened);
  }
  void Reopen() {
    if (persistent()) Open();
  }
  std::string Import(const std::string& name, const std::string& origin) {
    return store_->AddWholeStudies({Whole(name, origin)}).value()[0].study.id();
  }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::unique_ptr<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(All, RetentionTest, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Sqlite" : "Memory"; });

TEST_P(RetentionTest, KeysFollowTheStudy) {
  v1::Study queued;
  queued.set_state(v1::QUEUED);
  v1::StudySpec spec = GemmSpec();
  spec.set_generator("ppcg");
  const std::string id = store_->AddStudy(queued, spec, "").value().id();
  const std::string shape = KeyOf(GemmSpec()).shape;
  StudyKey key = store_->FindKeys(shape).value().at(0);
  EXPECT_EQ(key.study_id, id);
  EXPECT_EQ(key.state, v1::QUEUED);
  EXPECT_FALSE(key.has_parameters);
  EXPECT_EQ(key.best_seconds, 0);
  StudyChange change;
  change.study_id = id;
  change.study = EndedStudy("gemm");
  change.study->set_id(id);
  ASSERT_TRUE(store_->Apply(change).ok());
  Reopen();
  key = store_->FindKeys(shape).value().at(0);
  EXPECT_EQ(key.scop, KeyOf(GemmSpec()).scop);
  EXPECT_EQ(key.program, KeyOf(GemmSpec()).program);
  EXPECT_EQ(key.settings, KeyOf(GemmSpec()).settings);
  EXPECT_EQ(key.generator, "ppcg");
  v1::StudySpec rounded = spec;
  rounded.clear_generator();
  const StudyKey free = KeyOf(rounded);
  rounded.set_rounding(v1::ROUNDING_EXACT);
  const StudyKey exact = KeyOf(rounded);
  EXPECT_EQ(exact.generator, "builtin exact");
  EXPECT_FALSE(SameKey(exact, KeyOf(spec)));
  rounded.set_rounding(v1::ROUNDING_TF32X3);
  const StudyKey tf32x3 = KeyOf(rounded);
  EXPECT_EQ(tf32x3.generator, "builtin tf32x3");
  EXPECT_FALSE(SameKey(tf32x3, exact));
  EXPECT_FALSE(SameKey(tf32x3, free));
  EXPECT_EQ(key.state, v1::DONE);
  EXPECT_EQ(key.target, v1::CUDA);
  EXPECT_EQ(key.device, "NVIDIA H200");
  EXPECT_EQ(key.architecture, "sm_90");
  EXPECT_TRUE(key.has_parameters);
  EXPECT_THAT(key.parameters, ElementsAre(100, 200, 300));
  EXPECT_THAT(key.extents, ElementsAre(100, 300, 200, 300));
  EXPECT_EQ(key.best_seconds, 0.25);
  EXPECT_EQ(key.finished_unix_ms, 77);
  EXPECT_EQ(key.origin, "");
}

TEST_P(RetentionTest, KeysAreFoundByShapeNewestFirst) {
  Import("a", "1");
  store_->AddStudy({}, {}, "").value();  // without a scop
  Import("b", "2");
  std::vector<std::string> found, all;
  const auto of_shape = store_->FindKeys(KeyOf(GemmSpec()).shape).value();
  const auto of_all = store_->ListKeys().value();
  for (const StudyKey& key : of_shape) found.push_back(key.study_id);
  for (const StudyKey& key : of_all) all.push_back(key.study_id);
  EXPECT_THAT(found, ElementsAre("s3", "s1"));
  EXPECT_THAT(all, ElementsAre("s1", "s2", "s3"));
  EXPECT_THAT(store_->FindKeys("").value(), IsEmpty());
  EXPECT_THAT(store_->FindKeys("other").value(), IsEmpty());
}

TEST_P(RetentionTest, AWholeStudyThatDoesNotComeKeepsAllOut) {
  const StoredStudy first = Whole("a", "1");
  const std::vector<StudyKey> keys(2, store_->KeyOf(first.spec).value());
  int given = 0;
  const auto next = [&]() -> absl::StatusOr<StoredStudy> {
    if (given++ == 0) return first;
    return absl::DataLossError("no more");
  };
  EXPECT_EQ(store_->AddWholeStudies(keys, next).status(), absl::DataLossError("no more"));
  EXPECT_EQ(store_->CountStudies().value(), 0);
}

TEST_P(RetentionTest, WholeStudiesAreAddedOnce) {
  const auto added = store_->AddWholeStudies({Whole("a", "1"), Whole("b", "2"), Whole("c", "1")}).value();
  ASSERT_EQ(added.size(), 3u);
  EXPECT_FALSE(added[0].duplicate);
  EXPECT_FALSE(added[1].duplicate);
  EXPECT_TRUE(added[2].duplicate);
  EXPECT_EQ(added[2].study.id(), added[0].study.id());
  Reopen();
  EXPECT_TRUE(store_->AddWholeStudies({Whole("d", "2")}).value()[0].duplicate);
  EXPECT_EQ(store_->CountStudies().value(), 2);
  const std::string id = added[1].study.id();
  EXPECT_EQ(store_->GetStudy(id).value().name(), "b");
  EXPECT_EQ(store_->GetStudy(id).value().id(), id);
  EXPECT_EQ(store_->GetSpec(id).value().program().defines(0), "LARGE");
  EXPECT_EQ(store_->GetCandidate(id, 2).value().candidate.evaluation().device_file(), "file");
  EXPECT_EQ(store_->ListExtraSamples(id).value().size(), 1u);
  EXPECT_THAT(store_->UnfinishedStudies().value(), IsEmpty());
}

TEST_P(RetentionTest, TextsAreRemovedButThoseToKeep) {
  const std::string id = Import("a", "1");
  const TextUse told = store_->RemoveTexts(id, {1}, /*dry_run=*/true).value();
  EXPECT_EQ(told.texts, 3);  // candidates 0 and 2, and the sample
  EXPECT_EQ(told.bytes, 3 * 13);
  EXPECT_EQ(store_->GetCandidate(id, 0).value().candidate.evaluation().code(), "code");
  const TextUse removed = store_->RemoveTexts(id, {1}, /*dry_run=*/false).value();
  EXPECT_EQ(removed.texts, told.texts);
  EXPECT_EQ(removed.bytes, told.bytes);
  Reopen();
  const v1::Evaluation gone = store_->GetCandidate(id, 0).value().candidate.evaluation();
  EXPECT_EQ(gone.code(), "");
  EXPECT_EQ(gone.device_file(), "");
  EXPECT_EQ(gone.log(), kRemovedLog);
  EXPECT_EQ(gone.message(), "kept");
  EXPECT_EQ(store_->GetCandidate(id, 1).value().candidate.evaluation().log(), "a log");
  EXPECT_EQ(store_->ListExtraSamples(id).value()[0].evaluation.code(), "");
  EXPECT_EQ(store_->RemoveTexts(id, {1}, /*dry_run=*/false).value().texts, 0);
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveTexts("s9", {}, false).status()));
}

TEST_P(RetentionTest, RemovedStudiesAreGoneAndTheirNumbersToo) {
  Import("a", "1");
  const std::string request = store_->AddStudy({}, GemmSpec(), "request").value().id();
  ASSERT_TRUE(store_->RemoveStudy(request).ok());
  ASSERT_TRUE(store_->Compact().ok());
  Reopen();
  EXPECT_TRUE(absl::IsNotFound(store_->GetStudy(request).status()));
  EXPECT_TRUE(absl::IsNotFound(store_->FindRequest("request").status()));
  EXPECT_TRUE(absl::IsNotFound(store_->RemoveStudy(request)));
  EXPECT_EQ(store_->FindKeys(KeyOf(GemmSpec()).shape).value().size(), 1u);
  EXPECT_EQ(store_->AddStudy({}, {}, "").value().id(), "s3");
  ASSERT_TRUE(store_->RemoveStudy("s1").ok());
  EXPECT_FALSE(store_->AddWholeStudies({Whole("a", "1")}).value()[0].duplicate);
}

class BackupTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

// Everything that the store tells of study s1.
std::string Content(const Store& store) {
  std::string content =
      store.GetStudy("s1").value().DebugString() + store.GetSpec("s1").value().DebugString();
  const auto candidates = store.ListCandidates("s1", {0, INT64_MAX, true}).value();
  for (const StoredCandidate& stored : candidates) content += stored.candidate.DebugString();
  return content;
}

TEST_F(BackupTest, ARestoredDatabaseTellsTheSame) {
  std::string content;
  {
    auto store = OpenSqliteStore(path("live.db")).value();
    store->AddWholeStudies({Whole("a", "1")}).value();
    content = Content(*store);
    EXPECT_GT(store->Size().value(), 4096);
    ASSERT_TRUE(store->Backup(path("copy.db")).ok());
    EXPECT_TRUE(absl::IsAlreadyExists(store->Backup(path("copy.db"))));
    ASSERT_TRUE(store->RemoveStudy("s1").ok());
    const auto in_use = RestoreSqliteFile(path("copy.db"), path("live.db"));
    EXPECT_TRUE(absl::IsFailedPrecondition(in_use.status())) << in_use.status();
  }
  EXPECT_EQ(RestoreSqliteFile(path("copy.db"), path("live.db")).value(), path("live.db.replaced-1"));
  EXPECT_EQ(Content(*OpenSqliteStore(path("live.db")).value()), content);
  EXPECT_EQ(OpenSqliteStore(path("live.db.replaced-1")).value()->CountStudies().value(), 0);
  EXPECT_EQ(RestoreSqliteFile(path("copy.db"), path("new.db")).value(), "");
  EXPECT_EQ(Content(*OpenSqliteStore(path("new.db")).value()), content);
}

TEST_F(BackupTest, ABackupGoesOnWhileStudiesAreWritten) {
  auto store = OpenSqliteStore(path("live.db")).value();
  for (int i = 0; i < 200; ++i) {
    StoredStudy whole = Whole("a", absl::StrCat(i));
    whole.spec.mutable_program()->set_standard_input(std::string(30'000, 'x'));
    store->AddWholeStudies({whole}).value();
  }
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(store->AddStudy({}, {}, "").ok());
  });
  EXPECT_TRUE(store->Backup(path("copy.db")).ok());
  writer.join();
  auto copy = OpenSqliteStore(path("copy.db"));
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_GE((*copy)->CountStudies().value(), 200);
  EXPECT_LE((*copy)->CountStudies().value(), 250);
  EXPECT_EQ((*copy)->ListKeys().value().size(), static_cast<size_t>((*copy)->CountStudies().value()));
}

TEST_F(BackupTest, WhatIsNoBackupIsNotRestored) {
  OpenSqliteStore(path("live.db")).value()->AddStudy({}, {}, "").value();
  EXPECT_TRUE(absl::IsNotFound(RestoreSqliteFile(path("none"), path("live.db")).status()));
  ASSERT_TRUE(WriteFile(path("text"), std::string(5000, 'x')).ok());
  ASSERT_TRUE(WriteFile(path("empty"), "").ok());
  SQLite::Database(path("cakes"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE recipes (cake TEXT)");
  for (const char* name : {"text", "empty", "cakes"}) {
    const absl::Status status = RestoreSqliteFile(path(name), path("live.db")).status();
    EXPECT_FALSE(status.ok()) << name;
    EXPECT_THAT(std::string(status.message()), HasSubstr("nothing was changed")) << name;
    EXPECT_FALSE(std::filesystem::exists(path("live.db.restoring"))) << name;
  }
  EXPECT_EQ(OpenSqliteStore(path("live.db")).value()->CountStudies().value(), 1);
}

TEST_F(BackupTest, ADamagedDatabaseCanBeReplaced) {
  {
    auto store = OpenSqliteStore(path("live.db")).value();
    store->AddStudy({}, {}, "").value();
    ASSERT_TRUE(store->Backup(path("copy.db")).ok());
  }
  ASSERT_TRUE(WriteFile(path("live.db"), std::string(5000, 'x')).ok());
  EXPECT_TRUE(RestoreSqliteFile(path("copy.db"), path("live.db")).ok());
  EXPECT_EQ(OpenSqliteStore(path("live.db")).value()->CountStudies().value(), 1);
}

// What an earlier try has left would be taken for changes of the copy.
TEST_F(BackupTest, LeftOversOfAnEarlierTryAreNotUsed) {
  {
    auto store = OpenSqliteStore(path("live.db")).value();
    store->AddStudy({}, {}, "").value();
    ASSERT_TRUE(store->Backup(path("copy.db")).ok());
  }
  for (const char* left : {"live.db.restoring", "live.db.restoring-wal", "live.db.restoring-journal"})
    ASSERT_TRUE(WriteFile(path(left), std::string(5000, 'x')).ok());
  ASSERT_TRUE(RestoreSqliteFile(path("copy.db"), path("live.db")).ok());
  EXPECT_EQ(OpenSqliteStore(path("live.db")).value()->CountStudies().value(), 1);
  for (const char* suffix : {"", "-wal", "-shm", "-journal"})
    EXPECT_FALSE(std::filesystem::exists(path("live.db.restoring") + suffix)) << suffix;
}

// Changes that SQLite has not yet put into the file belong to the database.
TEST_F(BackupTest, TheWriteAheadLogOfABackupIsAPartOfIt) {
  auto store = OpenSqliteStore(path("live.db")).value();
  store->AddStudy({}, {}, "").value();
  std::filesystem::copy_file(path("live.db"), path("raw.db"));  // as a snapshot of the disk holds them
  std::filesystem::copy_file(path("live.db-wal"), path("raw.db-wal"));
  ASSERT_GT(std::filesystem::file_size(path("raw.db-wal")), 0u);
  ASSERT_TRUE(RestoreSqliteFile(path("raw.db"), path("new.db")).ok());
  EXPECT_EQ(OpenSqliteStore(path("new.db")).value()->CountStudies().value(), 1);
}

TEST_F(BackupTest, ARestoredDatabaseIsTheOwnersAlone) {
  namespace fs = std::filesystem;
  OpenSqliteStore(path("live.db")).value()->AddStudy({}, {}, "").value();
  ASSERT_TRUE(OpenSqliteStore(path("live.db")).value()->Backup(path("copy.db")).ok());
  fs::permissions(path("copy.db"), fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  ASSERT_TRUE(RestoreSqliteFile(path("copy.db"), path("live.db")).ok());
  EXPECT_EQ(fs::status(path("live.db")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(OpenSqliteStore(path("live.db")).value()->CountStudies().value(), 1);
}

TEST_F(BackupTest, WhatALinkNamesIsReplaced) {
  namespace fs = std::filesystem;
  fs::create_directory(path("disk"));
  OpenSqliteStore(path("disk/real.db")).value();
  ASSERT_TRUE(OpenSqliteStore(path("full.db")).value()->AddStudy({}, {}, "").ok());
  ASSERT_TRUE(OpenSqliteStore(path("full.db")).value()->Backup(path("copy.db")).ok());
  fs::create_symlink(path("disk/real.db"), path("live.db"));
  EXPECT_EQ(RestoreSqliteFile(path("copy.db"), path("live.db")).value(), path("disk/real.db.replaced-1"));
  EXPECT_TRUE(fs::is_symlink(path("live.db")));
  EXPECT_EQ(OpenSqliteStore(path("disk/real.db")).value()->CountStudies().value(), 1);
  EXPECT_EQ(RestoreSqliteFile(path("copy.db"), path("live.db")).value(), path("disk/real.db.replaced-2"));
}

// A file of schema 4 with a spec gets its key when it is opened.
TEST_F(BackupTest, AnOlderFileGetsItsKeys) {
  {
    SQLite::Database database(path("old.db"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    Migrate(database, 0, 4);
    const auto insert = [&](const char* sql, const std::string& bytes) {
      SQLite::Statement put(database, sql);
      put.bind(1, bytes.data(), static_cast<int>(bytes.size()));
      put.exec();
    };
    insert("INSERT INTO study (number, state, message) VALUES (7, 5, ?)",
           EndedStudy("old").SerializeAsString());
    insert("INSERT INTO study_spec (number, message) VALUES (7, ?)", GemmSpec().SerializeAsString());
  }
  auto store = OpenSqliteStore(path("old.db")).value();
  const auto keys = store->FindKeys(KeyOf(GemmSpec()).shape).value();
  ASSERT_EQ(keys.size(), 1u);
  EXPECT_EQ(keys[0].study_id, "s7");
  EXPECT_EQ(keys[0].device, "NVIDIA H200");
  EXPECT_EQ(store->AddStudy({}, {}, "").value().id(), "s8");
}

TEST(StudyKeyTest, SameKeyIsScopGeneratorSizesTargetAndDevice) {
  StudyKey a = KeyOf(GemmSpec());
  UpdateKey(EndedStudy("a"), &a);
  StudyKey b = a;
  b.study_id = "s9";
  b.best_seconds = 3;
  EXPECT_TRUE(SameKey(a, b));
  b.parameters[1] = 201;
  EXPECT_FALSE(SameKey(a, b));
  b = a;
  b.extents[0] = 101;
  EXPECT_FALSE(SameKey(a, b));
  b = a;
  b.generator = "ppcg";
  EXPECT_FALSE(SameKey(a, b));
  b = a;
  b.device = "NVIDIA A100";
  EXPECT_FALSE(SameKey(a, b));
  EXPECT_THAT(ParseNumbers(PrintNumbers({1, -2, 30})), ElementsAre(1, -2, 30));
  EXPECT_THAT(ParseNumbers(""), IsEmpty());
  v1::Device host;
  host.set_target(v1::CPU);
  host.set_operating_system("Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64");
  EXPECT_EQ(DeviceArchitecture(host), "x86_64");
}

}  // namespace
}  // namespace tune
