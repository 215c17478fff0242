#include "common/base/untrusted_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

class UntrustedFileTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  absl::Status Read(const std::string& name) { return ReadUntrustedFile(Path(name), 100).status(); }
  TemporaryFolder folder_ = TemporaryFolder::Make().value();
};

TEST_F(UntrustedFileTest, RegularFiles) {
  ASSERT_TRUE(WriteFile(Path("file"), "text").ok());
  EXPECT_EQ(ReadUntrustedFile(Path("file"), 4).value(), "text");
  EXPECT_TRUE(absl::IsResourceExhausted(ReadUntrustedFile(Path("file"), 3).status()));
  EXPECT_TRUE(absl::IsNotFound(Read("other")));
}

TEST_F(UntrustedFileTest, InPieces) {
  const std::string text(200'000, 'x');
  ASSERT_TRUE(WriteFile(Path("file"), text).ok());
  std::string found;
  size_t largest = 0;
  ASSERT_TRUE(ReadUntrustedFile(Path("file"), [&](absl::string_view piece) {
                found.append(piece.data(), piece.size());
                largest = std::max(largest, piece.size());
              }).ok());
  EXPECT_EQ(found, text);
  EXPECT_LE(largest, 64u << 10);
}

// None of them is waited for.
TEST_F(UntrustedFileTest, AnythingElseIsRefused) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  ASSERT_TRUE(WriteFile(Path("file"), "text").ok());
  ASSERT_EQ(symlink(Path("file").c_str(), Path("link").c_str()), 0);
  ASSERT_TRUE(MakeFolder(Path("folder")).ok());
  for (const char* name : {"pipe", "link", "folder"}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(Read(name))) << Read(name);
    EXPECT_THAT(Read(name).message(), HasSubstr("not a regular file"));
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(ReadUntrustedFile("/dev/zero", 100).status()));
}

TEST_F(UntrustedFileTest, FoldersOfPlainFiles) {
  ASSERT_TRUE(MakeFolder(Path("all/below")).ok());
  ASSERT_TRUE(WriteFile(Path("all/below/file"), "text").ok());
  EXPECT_TRUE(CheckPlainFiles(Path("all")).ok());
  ASSERT_EQ(symlink("file", Path("all/below/link").c_str()), 0);
  EXPECT_THAT(std::string(CheckPlainFiles(Path("all")).message()),
              HasSubstr("below/link: not a regular file"));
  ASSERT_EQ(unlink(Path("all/below/link").c_str()), 0);
  ASSERT_EQ(mkfifo(Path("all/pipe").c_str(), 0600), 0);
  EXPECT_THAT(std::string(CheckPlainFiles(Path("all")).message()), HasSubstr("all/pipe: not a regular file"));
  ASSERT_EQ(symlink("all/below", Path("link").c_str()), 0);
  EXPECT_THAT(std::string(CheckPlainFiles(Path("link")).message()), HasSubstr("link: not a folder"));
}

}  // namespace
}  // namespace tune
