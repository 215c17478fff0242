// Opening: upgrades, refusals, nothing lost.
#include "server/store/sqlite_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "common/base/file.h"
#include "server/store/schema.h"
#include "server/store/store.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class SqliteFileTest : public ::testing::Test {
 protected:
  void Execute(const std::string& sql) { SQLite::Database(path_, kWrite).exec(sql); }
  absl::Status OpenStatus() { return OpenSqliteStore(path_).status(); }

  const int kWrite = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  std::string path_ = folder_.path() + "/it's.db";
};

TEST_F(SqliteFileTest, UpgradesEveryOlderVersion) {
  for (int version = 1; version < kSchemaVersion; ++version) {
    std::filesystem::remove(path_);
    v1::Study study;
    study.set_id("s1");
    study.set_name("old");
    study.set_state(v1::SEARCHING);
    v1::Candidate candidate;
    candidate.set_index(3);
    candidate.set_state(v1::PENDING);
    {
      SQLite::Database database(path_, kWrite);
      Migrate(database, 0, version);
      SQLite::Statement put_study(database, "INSERT INTO study (number, state, message) VALUES (1, 3, ?)");
      put_study.bind(1, study.SerializeAsString());
      put_study.exec();
      SQLite::Statement put(
          database, "INSERT INTO candidate (study, idx, state, outcome, message) VALUES (1, 3, 1, 0, ?)");
      const std::string bytes = candidate.SerializeAsString();
      put.bind(1, bytes.data(), static_cast<int>(bytes.size()));
      put.exec();
    }
    auto store = OpenSqliteStore(path_);
    ASSERT_TRUE(store.ok()) << store.status();
    EXPECT_EQ((*store)->GetStudy("s1").value().name(), "old");
    EXPECT_EQ((*store)->ListCandidates("s1", {}).value().size(), 1u);
    EXPECT_EQ((*store)->GetCandidate("s1", 3).value().lease_id, "");
    EXPECT_EQ((*store)->BeginRun(absl::Now()).value(), 1);
    // The file as it was.
    SQLite::Database copy(absl::StrCat(path_, ".schema-", version));
    EXPECT_EQ(copy.execAndGet("PRAGMA user_version").getInt(), version);
    EXPECT_EQ(copy.execAndGet("SELECT count(*) FROM study").getInt(), 1);
  }
}

TEST_F(SqliteFileTest, ProgramsThatAnEarlierVersionHasStoredAreRead) {
  v1::StudySpec spec;
  spec.set_name("old");
  spec.mutable_program()->add_files()->set_content(std::string(3 << 20, 'x'));
  {
    SQLite::Database database(path_, kWrite);
    Migrate(database, 0, 9);
    v1::Study study;
    study.set_id("s1");
    SQLite::Statement put_study(database, "INSERT INTO study (number, state, message) VALUES (1, 3, ?)");
    put_study.bind(1, study.SerializeAsString());
    put_study.exec();
    SQLite::Statement put(database, "INSERT INTO study_spec (number, message) VALUES (1, ?)");
    const std::string bytes = spec.SerializeAsString();
    put.bind(1, bytes.data(), static_cast<int>(bytes.size()));
    put.exec();
  }
  const auto store = OpenSqliteStore(path_).value();
  EXPECT_EQ(store->GetSpec("s1").value().SerializeAsString(), spec.SerializeAsString());
  EXPECT_FALSE(store->GetSpecWithoutProgram("s1").value().has_program());
  EXPECT_EQ(store->ProgramBytes("s1").value(), static_cast<int64_t>(spec.program().ByteSizeLong()));
  std::string program;
  ASSERT_TRUE(store
                  ->ReadProgram("s1",
                                [&](std::string piece) {
                                  program += piece;
                                  return absl::OkStatus();
                                })
                  .ok());
  EXPECT_EQ(program, spec.program().SerializeAsString());
}

TEST_F(SqliteFileTest, RefusesANewerSchemaAndLeavesItAlone) {
  ASSERT_TRUE(OpenStatus().ok());
  Execute(absl::StrCat("PRAGMA user_version = ", kSchemaVersion + 1));
  const absl::Status status = OpenStatus();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("newer tuned-server"));
  EXPECT_EQ(SQLite::Database(path_).execAndGet("PRAGMA user_version").getInt(), kSchemaVersion + 1);
}

TEST_F(SqliteFileTest, RefusesAnotherProgramsDatabase) {
  Execute("CREATE TABLE recipes (cake TEXT)");
  const absl::Status status = OpenStatus();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("another program"));
  EXPECT_EQ(SQLite::Database(path_).execAndGet("SELECT count(*) FROM sqlite_master").getInt(), 1);
}

TEST_F(SqliteFileTest, RefusesAFileThatIsNoDatabase) {
  const std::string text(5000, 'x');
  ASSERT_TRUE(WriteFile(path_, text).ok());
  const absl::Status status = OpenStatus();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("not an SQLite database"));
  EXPECT_EQ(ReadFile(path_).value(), text);
}

TEST_F(SqliteFileTest, RefusesADamagedFile) {
  {
    auto store = OpenSqliteStore(path_);
    ASSERT_TRUE(store.ok());
    for (int i = 0; i < 50; ++i) {
      v1::StudySpec spec;
      spec.set_name(std::string(2000, 'n'));
      ASSERT_TRUE((*store)->AddStudy({}, spec, absl::StrCat(i)).ok());
    }
  }
  std::string bytes = ReadFile(path_).value();
  std::fill(bytes.begin() + bytes.size() / 3, bytes.end(), '\x5a');
  ASSERT_TRUE(WriteFile(path_, bytes).ok());
  const absl::Status status = OpenStatus();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("damaged"));
  EXPECT_EQ(ReadFile(path_).value(), bytes);
}

TEST_F(SqliteFileTest, RefusesAMissingTable) {
  ASSERT_TRUE(OpenStatus().ok());
  Execute("DROP TABLE extra_sample");
  EXPECT_THAT(std::string(OpenStatus().message()), HasSubstr("extra_sample is missing"));
}

TEST_F(SqliteFileTest, OneServerAtATime) {
  auto first = OpenSqliteStore(path_);
  ASSERT_TRUE(first.ok());
  // In another process, as locks of files belong to processes.
  const pid_t child = fork();
  if (child == 0) _exit(absl::IsFailedPrecondition(OpenSqliteStore(path_).status()) ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const absl::Status second = OpenStatus();
  EXPECT_TRUE(absl::IsFailedPrecondition(second));
  EXPECT_THAT(std::string(second.message()), HasSubstr("in use by another tuned-server"));
  first->reset();
  EXPECT_TRUE(OpenStatus().ok());
}

TEST_F(SqliteFileTest, WhatWasAppliedSurvivesAKill) {
  const pid_t child = fork();
  if (child == 0) {
    auto store = OpenSqliteStore(path_);
    for (int i = 0; i < 10; ++i) {
      if (!(*store)->AddStudy({}, {}, absl::StrCat(i)).ok()) _exit(1);
    }
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  auto store = OpenSqliteStore(path_);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ((*store)->CountStudies().value(), 10);
}

TEST_F(SqliteFileTest, AFolderThatDoesNotExist) {
  const absl::Status status = OpenSqliteStore(folder_.path() + "/none/t.db").status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace tune
