#include "worker/run/staged_files.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace tune {
namespace {

TEST(StagedFilesTest, FilesAreThereUntilTheyAreCleared) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  StagedFiles staged = StagedFiles::Make().value();
  const std::string file = folder.path() + "/array.bin", other = folder.path() + "/other/array.bin";
  ASSERT_TRUE(MakeFolder(folder.path() + "/other").ok());
  ASSERT_TRUE(WriteFile(file, "content").ok());
  ASSERT_TRUE(WriteFile(other, "of another").ok());
  std::string first = file, again = file, second = other, none, absent = folder.path() + "/absent";
  for (std::string* path : {&first, &again, &second, &none, &absent})
    ASSERT_TRUE(staged.Add(path).ok()) << *path;
  EXPECT_EQ(std::filesystem::path(first).parent_path(), staged.folder());
  EXPECT_EQ(*ReadFile(first), "content");
  EXPECT_EQ(again, first);
  EXPECT_EQ(*ReadFile(second), "of another");
  EXPECT_EQ(none, "");
  EXPECT_EQ(absent, folder.path() + "/absent");
  staged.Clear();
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_EQ(*ReadFile(file), "content");
}

}  // namespace
}  // namespace tune
