#include "common/base/staged_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <iterator>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class StagedFileTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  int Files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  const TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(StagedFileTest, AppearsWhenItIsPublished) {
  auto file = StagedFile::Make(Path("a"));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_TRUE(file->Write("one ").ok());
  ASSERT_TRUE(file->Write("two").ok());
  EXPECT_FALSE(std::filesystem::exists(Path("a")));
  ASSERT_TRUE(file->Publish().ok());
  EXPECT_EQ(ReadFile(Path("a")).value(), "one two");
}

TEST_F(StagedFileTest, LeavesNothingBehind) {
  { ASSERT_TRUE(StagedFile::Make(Path("a")).value().Write("half").ok()); }
  EXPECT_EQ(Files(), 0);
  {
    auto file = StagedFile::Make(Path("a")).value();
    ASSERT_TRUE(file.Replace().ok());
  }
  EXPECT_EQ(Files(), 1);
}

TEST_F(StagedFileTest, PublishesOverNothing) {
  ASSERT_TRUE(WriteFile(Path("a"), "theirs").ok());
  auto file = StagedFile::Make(Path("a")).value();
  ASSERT_TRUE(file.Write("ours").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(file.Publish()));
  EXPECT_EQ(ReadFile(Path("a")).value(), "theirs");
}

TEST_F(StagedFileTest, ReplacesAndKeepsPermissions) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").ok());
  std::filesystem::permissions(Path("a"), std::filesystem::perms(0600));
  std::filesystem::create_hard_link(Path("a"), Path("b"));
  auto file = StagedFile::Make(Path("a")).value();
  ASSERT_TRUE(file.Write("new").ok());
  ASSERT_TRUE(file.Replace().ok());
  EXPECT_EQ(ReadFile(Path("a")).value(), "new");
  EXPECT_EQ(ReadFile(Path("b")).value(), "old");
  EXPECT_EQ(std::filesystem::status(Path("a")).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(Files(), 2);
}

TEST_F(StagedFileTest, NamesTheFileThatCannotBeWritten) {
  const auto file = StagedFile::Make(Path("none/a"));
  EXPECT_TRUE(absl::IsNotFound(file.status()));
  EXPECT_THAT(std::string(file.status().message()), HasSubstr("none/a: cannot be written"));
}

}  // namespace
}  // namespace tune
