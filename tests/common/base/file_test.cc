#include "common/base/file.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tune {
namespace {

TEST(FileTest, WriteReplacesAndReadReturnsEverything) {
  auto folder = TemporaryFolder::Make();
  ASSERT_TRUE(folder.ok());
  const std::string path = folder->path() + "/x";
  const std::string content("a\0b\n", 4);
  ASSERT_TRUE(WriteFile(path, "old").ok());
  ASSERT_TRUE(WriteFile(path, content).ok());
  EXPECT_EQ(*ReadFile(path), content);
  // No temporary file is left beside it.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder->path()), {}), 1);
}

TEST(FileTest, Errors) {
  EXPECT_EQ(ReadFile("/no/such/file").status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ReadFile("/tmp").status().code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(WriteFile("/no/such/folder/file", "").ok());
  EXPECT_FALSE(MakeFolder("/proc/no/such").ok());
}

TEST(TemporaryFolderTest, GoesWithItsOwner) {
  std::string path;
  {
    auto folder = TemporaryFolder::Make();
    ASSERT_TRUE(folder.ok());
    path = folder->path();
    ASSERT_TRUE(MakeFolder(path + "/a/b").ok());
    TemporaryFolder moved = *std::move(folder);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(std::filesystem::is_directory(path + "/a/b"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace tune
