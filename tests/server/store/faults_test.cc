// Faults of the file under the store: at each write of a series of calls, once and from then on. What was
// acknowledged is there when the database is opened again, what was not is there as a whole or not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "common/base/file.h"
#include "server/store/store.h"
#include "tests/server/store/faulty_file_system.h"

namespace tune {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

using Call = std::function<absl::Status(Store&)>;

v1::Study StudyNamed(const std::string& name) {
  v1::Study study;
  study.set_name(name);
  study.set_state(v1::SEARCHING);
  return study;
}

v1::StudySpec SpecNamed(const std::string& name) {
  v1::StudySpec spec;
  spec.set_name(name);
  return spec;
}

// With texts of several pages.
StoredCandidate LargeCandidate(int64_t index) {
  StoredCandidate stored;
  stored.candidate.set_index(index);
  stored.candidate.set_state(v1::EVALUATED);
  stored.lease_id = absl::StrCat("lease", index);
  v1::Evaluation* evaluation = stored.candidate.mutable_evaluation();
  evaluation->set_outcome(v1::CORRECT);
  evaluation->set_log(std::string(9000, static_cast<char>('a' + index)));
  evaluation->set_code(absl::StrCat("code ", index));
  return stored;
}

ExtraSample SomeSample(int64_t index) {
  ExtraSample sample{index, absl::StrCat("late", index), absl::FromUnixSeconds(1000 + index), {}};
  sample.evaluation.set_message(std::string(5000, 's'));
  return sample;
}

Call Evaluate(int64_t index) {
  return [index](Store& store) {
    StudyChange change;
    change.study_id = "s1";
    change.study = StudyNamed(absl::StrCat("after ", index));
    change.study->set_id("s1");
    change.candidates.push_back(LargeCandidate(index));
    change.extra_samples.push_back(SomeSample(index));
    return store.Apply(change);
  };
}

Call Add(const std::string& name) {
  return [name](Store& store) {
    return store.AddStudy(StudyNamed(name), SpecNamed(name), "request of " + name).status();
  };
}

// A life of a database. Each may be repeated when it failed.
std::vector<Call> Calls() {
  return {
      Add("first"),
      Evaluate(0),
      Evaluate(1),
      Add("second"),
      [](Store& store) {
        StoredStudy whole{
            StudyNamed("from elsewhere"), SpecNamed("from elsewhere"), {LargeCandidate(0)}, {}, {}, ""};
        whole.study.mutable_provenance()->set_fingerprint("origin");
        return store.AddWholeStudies({whole}).status();
      },
      [](Store& store) { return store.RemoveTexts("s1", {0}, /*dry_run=*/false).status(); },
      [](Store& store) {
        const absl::Status status = store.RemoveStudy("s2");
        return absl::IsNotFound(status) ? absl::OkStatus() : status;
      },
      [](Store& store) { return store.Compact(); },
      Evaluate(2),
  };
}

// All that can be read, as text.
std::string Dump(const Store& store) {
  std::string text;
  const std::vector<v1::Study> studies = store.ListStudies(INT64_MAX, 100).value();
  for (const v1::Study& study : studies) {
    const v1::StudySpec spec = store.GetSpec(study.id()).value();
    absl::StrAppend(&text, study.ShortDebugString(), spec.ShortDebugString(), "\n");
    const auto candidates = store.ListCandidates(study.id(), {0, INT64_MAX, true}).value();
    for (const StoredCandidate& stored : candidates)
      absl::StrAppend(&text, "  ", stored.lease_id, stored.candidate.ShortDebugString(), "\n");
    const auto samples = store.ListExtraSamples(study.id()).value();
    for (const ExtraSample& sample : samples)
      absl::StrAppend(&text, "  ", sample.lease_id, sample.evaluation.ShortDebugString(), "\n");
  }
  return text;
}

// What stores hold after the first `count` calls, without a fault.
std::string DumpAfter(size_t count) {
  const std::unique_ptr<Store> store = MakeMemoryStore();
  const std::vector<Call> calls = Calls();
  for (size_t i = 0; i < count; ++i) EXPECT_EQ(calls[i](*store), absl::OkStatus());
  return Dump(*store);
}

struct Fault {
  int code;
  bool once;
};

class FaultsTest : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultsTest, LoseNothingThatWasAcknowledged) {
  const std::vector<Call> calls = Calls();
  std::vector<std::string> dumps;
  for (size_t i = 0; i <= calls.size(); ++i) dumps.push_back(DumpAfter(i));
  testing::FaultyFileSystem system;
  int64_t faults = 0;
  for (int64_t at = 0;; ++at) {
    SCOPED_TRACE(absl::StrCat("write ", at));
    const TemporaryFolder folder = TemporaryFolder::Make().value();
    const std::string path = folder.path() + "/tuned.db";
    size_t acknowledged = 0;
    {
      auto store = OpenSqliteStore(path);
      ASSERT_TRUE(store.ok()) << store.status();
      system.FailAt(at, GetParam().code, GetParam().once);
      for (; acknowledged < calls.size(); ++acknowledged) {
        absl::Status status = calls[acknowledged](**store);
        if (status.ok()) continue;
        EXPECT_THAT(status.code(),
                    AnyOf(absl::StatusCode::kUnavailable, absl::StatusCode::kResourceExhausted))
            << status;
        EXPECT_THAT(std::string(status.message()), HasSubstr(path));
        EXPECT_THAT(Dump(**store), AnyOf(dumps[acknowledged], dumps[acknowledged + 1]));
        if (!GetParam().once) {
          // Only a write shows that the file takes no more; reading goes on.
          EXPECT_FALSE((*store)->CheckWritable().ok());
          break;
        }
        status = calls[acknowledged](**store);
        ASSERT_TRUE(status.ok()) << status;
        EXPECT_EQ((*store)->CheckWritable(), absl::OkStatus());
      }
      EXPECT_THAT(Dump(**store), AnyOf(dumps[acknowledged], dumps[std::min(acknowledged + 1, calls.size())]));
    }
    const bool failed = system.failed();
    system.Mend();
    auto again = OpenSqliteStore(path);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_THAT(Dump(**again), AnyOf(dumps[acknowledged], dumps[std::min(acknowledged + 1, calls.size())]));
    if (!failed) break;
    ++faults;
  }
  EXPECT_GE(faults, 50);
}

std::string FaultName(const ::testing::TestParamInfo<Fault>& info) {
  const std::string kind = info.param.code == SQLITE_FULL          ? "FullDisk"
                           : info.param.code == SQLITE_IOERR_WRITE ? "Writing"
                                                                   : "Syncing";
  return kind + (info.param.once ? "Once" : "FromThenOn");
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultsTest,
                         ::testing::Values(Fault{SQLITE_FULL, true}, Fault{SQLITE_FULL, false},
                                           Fault{SQLITE_IOERR_WRITE, true}, Fault{SQLITE_IOERR_WRITE, false},
                                           Fault{SQLITE_IOERR_FSYNC, true}, Fault{SQLITE_IOERR_FSYNC, false}),
                         FaultName);

// Somebody deletes or replaces the file under the server.
class MovedFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Add("first")(*store_), absl::OkStatus());
    ASSERT_EQ(Evaluate(0)(*store_), absl::OkStatus());
  }

  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
  const std::string path_ = folder_.path() + "/tuned.db";
  std::unique_ptr<Store> store_ = OpenSqliteStore(path_).value();
};

TEST_F(MovedFileTest, NothingIsAcknowledgedThatGoesWithTheProcess) {
  const std::string before = Dump(*store_);
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    std::filesystem::remove(entry.path());
  const absl::Status status = Evaluate(1)(*store_);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("was deleted or moved"));
  EXPECT_TRUE(absl::IsDataLoss(store_->CheckWritable()));
  EXPECT_EQ(Dump(*store_), before);
  // A copy of all that was acknowledged lies beside it.
  store_.reset();
  EXPECT_EQ(Dump(*OpenSqliteStore(path_ + ".rescued-1").value()), before);
}

TEST_F(MovedFileTest, AnotherFileInItsPlaceIsNotTakenForIt) {
  WriteFile(folder_.path() + "/other", "another").IgnoreError();
  std::filesystem::rename(folder_.path() + "/other", path_);
  EXPECT_THAT(std::string(store_->CheckWritable().message()), HasSubstr("was replaced"));
  EXPECT_TRUE(absl::IsDataLoss(Evaluate(1)(*store_)));
  EXPECT_EQ(ReadFile(path_).value(), "another");
}

TEST_F(MovedFileTest, MovedBackItIsUsedAgain) {
  std::filesystem::rename(path_, path_ + ".away");
  EXPECT_TRUE(absl::IsDataLoss(Evaluate(1)(*store_)));
  std::filesystem::rename(path_ + ".away", path_);
  EXPECT_EQ(store_->CheckWritable(), absl::OkStatus());
  EXPECT_EQ(Evaluate(1)(*store_), absl::OkStatus());
}

}  // namespace
}  // namespace tune
