#include "server/dashboard/page_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "common/base/file.h"

namespace tune {
namespace {

TEST(PageFilesTest, AreThoseOfTheSource) {
  const std::filesystem::path folder = TUNE_SOURCE_DIR "/server/dashboard/page";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    const PageFile* file = FindPageFile(name == "index.html" ? name : "page/" + name);
    ASSERT_NE(file, nullptr) << name;
    EXPECT_EQ(file->text, *ReadFile(entry.path().string())) << name;
    EXPECT_EQ(std::string(file->text).find("innerHTML"), std::string::npos) << name;
    ++files;
  }
  EXPECT_GT(files, 5);
  EXPECT_EQ(FindPageFile("page/none.js"), nullptr);
}

// Nothing is loaded from elsewhere: the page works where there is no other host.
TEST(PageFilesTest, NameNoOtherHost) {
  for (const PageFile& file : PageFiles()) {
    if (file.path.substr(0, 4) == "lib/") continue;
    const std::string text(file.text);
    for (size_t place = text.find("://"); place != std::string::npos; place = text.find("://", place + 1)) {
      const std::string address = text.substr(place < 5 ? 0 : place - 5, 30);
      EXPECT_THAT(address, ::testing::HasSubstr("http://www.w3.org/")) << file.path;  // a name space
    }
  }
}

}  // namespace
}  // namespace tune
