#include "common/base/received_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/base/file.h"

namespace tune {
namespace {

TEST(ReceivedFile, IsThereWholeAndHasNoName) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ReceivedFile file = ReceivedFile::Make(folder.path()).value();
  EXPECT_TRUE(file.Append("some ").ok());
  EXPECT_TRUE(file.Append("").ok());
  EXPECT_TRUE(file.Append("text").ok());
  EXPECT_EQ(file.size(), 9u);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  ReceivedFile moved = std::move(file);
  EXPECT_EQ(moved.Content().value(), "some text");
  EXPECT_EQ(moved.Content().value(), "some text");
}

TEST(ReceivedFile, MayBeEmpty) { EXPECT_EQ(ReceivedFile::Make("").value().Content().value(), ""); }

TEST(ReceivedFile, SaysWhyThereIsNone) {
  EXPECT_TRUE(absl::IsUnavailable(ReceivedFile::Make("/no/such/folder").status()));
}

}  // namespace
}  // namespace tune
