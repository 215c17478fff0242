#include "common/base/eviction.h"

#include <gtest/gtest.h>

#include "common/base/file.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

class EvictionTest : public ::testing::Test {
 protected:
  // A file of ten bytes, or a folder with one, last used at `second`.
  void Add(const std::string& name, int second, bool folder = false) {
    const fs::path path = fs::path(folder_.path()) / name;
    if (folder) {
      ASSERT_TRUE(MakeFolder(path / "below").ok());
    }
    ASSERT_TRUE(WriteFile(folder ? path / "below/file" : path, "0123456789").ok());
    entries_.push_back({path, fs::file_time_type() + std::chrono::seconds(second)});
  }
  std::string Left() const {
    std::string names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names += entry.path().filename();
    std::sort(names.begin(), names.end());
    return names;
  }
  fs::path Path(const std::string& name) const { return fs::path(folder_.path()) / name; }

  TemporaryFolder folder_ = *TemporaryFolder::Make();
  std::vector<CacheEntry> entries_;
};

TEST_F(EvictionTest, RemovesTheLongestUnusedFirst) {
  Add("a", 3);
  Add("b", 1, /*folder=*/true);
  Add("c", 2);
  EvictLongestUnused(entries_, 30, "");
  EXPECT_EQ(Left(), "abc");
  EvictLongestUnused(entries_, 29, "");
  EXPECT_EQ(Left(), "ac");
  EvictLongestUnused(entries_, 10, "");
  EXPECT_EQ(Left(), "a");
}

TEST_F(EvictionTest, KeepsWhatItIsTold) {
  Add("a", 1);
  Add("b", 2);
  EvictLongestUnused(entries_, 0, Path("a"));
  EXPECT_EQ(Left(), "a");
}

TEST_F(EvictionTest, AnEntryThatIsGoneTakesNoBytes) {
  Add("a", 2);
  entries_.push_back({Path("gone"), {}});
  EvictLongestUnused(entries_, 10, "");
  EXPECT_EQ(Left(), "a");
}

}  // namespace
}  // namespace tune
