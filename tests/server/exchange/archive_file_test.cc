// The archive file of several studies.
#include "server/exchange/archive_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/exchange/archive.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

const absl::Time kWritten = absl::FromUnixMillis(7000);

std::unique_ptr<Store> StoreOfTwo() {
  std::unique_ptr<Store> store = MakeMemoryStore();
  for (const char* name : {"first", "second"}) {
    v1::Study study;
    study.set_name(name);
    study.set_state(v1::DONE);
    study.set_best_index(-1);
    store->AddStudy(study, {}, "").value();
  }
  return store;
}

TEST(ArchiveFileTest, HoldsTheStudiesInTheOrderAskedFor) {
  const auto store = StoreOfTwo();
  const v1::Archive archive =
      ParseArchive(WriteArchiveFile(*store, {"s2", "s1"}, true, kWritten).value()).value();
  ASSERT_EQ(archive.studies_size(), 2);
  EXPECT_EQ(archive.studies(0).study().name(), "second");
  EXPECT_EQ(archive.studies(1).study().name(), "first");
  EXPECT_EQ(archive.written_unix_ms(), 7000);
  EXPECT_THAT(archive.written_by(), HasSubstr("tuned-server"));
}

TEST(ArchiveFileTest, EachStudyOnce) {
  const auto store = StoreOfTwo();
  const absl::Status twice = WriteArchiveFile(*store, {"s1", "s2", "s1"}, true, kWritten).status();
  EXPECT_TRUE(absl::IsInvalidArgument(twice));
  EXPECT_THAT(std::string(twice.message()), HasSubstr("s1 is named twice"));
  EXPECT_TRUE(absl::IsNotFound(WriteArchiveFile(*store, {"s1", "s3"}, true, kWritten).status()));
}

}  // namespace
}  // namespace tune
