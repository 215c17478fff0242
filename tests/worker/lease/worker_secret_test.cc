#include "worker/lease/worker_secret.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "common/base/file.h"

namespace tune {
namespace {

TEST(WorkerSecretTest, IsKeptAndIsTheWorkersOwn) {
  const TemporaryFolder cache = TemporaryFolder::Make().value();
  std::optional<WorkerSecret> first = WorkerSecret::Take(cache.path(), "a/../b").value();
  const std::string text = first->text();
  EXPECT_EQ(text.size(), 64u);
  EXPECT_NE(WorkerSecret::Take(cache.path(), "another").value().text(), text);
  // Two processes of one name would end each other's sessions.
  EXPECT_TRUE(absl::IsUnavailable(WorkerSecret::Take(cache.path(), "a/../b").status()));
  first.reset();
  EXPECT_EQ(WorkerSecret::Take(cache.path(), "a/../b").value().text(), text);
  for (const auto& file : std::filesystem::directory_iterator(cache.path() + "/secrets")) {
    struct stat info;
    ASSERT_EQ(stat(file.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
  }
}

}  // namespace
}  // namespace tune
