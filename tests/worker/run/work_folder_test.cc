#include "worker/run/work_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "common/base/file.h"

namespace tune {
namespace {

TEST(WorkFolderTest, RemovesWhatKilledProcessesLeft) {
  auto parent = TemporaryFolder::Make();
  ASSERT_TRUE(parent.ok());
  const pid_t child = fork();
  if (child == 0) {
    const auto folder = MakeWorkFolder(parent->path());
    _exit(folder.ok() && WriteFile(*folder + "/large", "data").ok() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  ASSERT_TRUE(MakeFolder(parent->path() + "/other").ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(parent->path()), {}), 2);

  const auto own = MakeWorkFolder(parent->path());
  ASSERT_TRUE(own.ok());
  EXPECT_TRUE(std::filesystem::is_empty(*own));
  EXPECT_TRUE(std::filesystem::exists(parent->path() + "/other"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(parent->path()), {}), 2);
}

}  // namespace
}  // namespace tune
