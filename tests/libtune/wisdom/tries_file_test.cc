#include "libtune/wisdom/tries_file.h"

#include <gtest/gtest.h>

#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/text_fields.h"
#include "tests/libtune/wisdom/temporary_folder.h"

namespace libtune {
namespace {

Try Sample(TryKind kind) {
  return {
      kind, {"odd=name,\t%\n", "cpu AMD, 2 cores", {1000, -3}}, {0.25, {{"a=b", "c,d\te%"}, {"tile", "64"}}}};
}

TEST(TriesFile, LinesReadBackAsTheyWere) {
  for (const TryKind kind : {TryKind::kTry, TryKind::kSettled}) {
    const std::string line = TryLine(Sample(kind));
    const std::optional<Try> read = ParseTryLine(line);
    ASSERT_TRUE(read.has_value()) << line;
    EXPECT_EQ(read->kind, kind);
    EXPECT_EQ(TryLine(*read), line);
    EXPECT_EQ(read->entry.values.at("a=b"), "c,d\te%");
  }
}

TEST(TriesFile, WhatIsNoLineIsNothing) {
  const std::string line = TryLine({TryKind::kTry, {"gemm", "gpu", {5}}, {1.5, {{"tile", "64"}}}});
  EXPECT_EQ(line, "try\t1\tgemm\tgpu\t5\t1.5\ttile=64");
  for (const std::string& other :
       {std::string(), std::string("try"), "trying" + line.substr(3), "try\t2" + line.substr(5),
        line.substr(0, 13), line + "\t", line + "\ttile=2"})
    EXPECT_FALSE(ParseTryLine(other).has_value()) << other;
}

TEST(TriesFile, AddsLines) {
  const TemporaryFolder folder;
  const TriesFile file(folder.File("tries"));
  ASSERT_TRUE(file.Add(Sample(TryKind::kTry)).ok());
  ASSERT_TRUE(file.Add(Sample(TryKind::kSettled)).ok());
  std::string content;
  ASSERT_TRUE(ReadFile(folder.File("tries"), &content).ok());
  EXPECT_EQ(content, TryLine(Sample(TryKind::kTry)) + "\n" + TryLine(Sample(TryKind::kSettled)) + "\n");
  EXPECT_FALSE(TriesFile(folder.File("none/tries")).Add(Sample(TryKind::kTry)).ok());
}

}  // namespace
}  // namespace libtune
