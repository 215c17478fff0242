// What a context tells of its searches while they go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/text_fields.h"
#include "libtune/wisdom/tries_file.h"
#include "tests/libtune/runtime/test_context.h"
#include "tests/libtune/wisdom/temporary_folder.h"

namespace libtune {
namespace {

std::vector<Try> TriesOf(const std::string& path) {
  std::string content;
  EXPECT_TRUE(ReadFile(path, &content).ok());
  std::vector<Try> tries;
  for (const std::string_view line : SplitAt(content, '\n')) {
    if (const std::optional<Try> tried = ParseTryLine(line)) tries.push_back(*tried);
  }
  return tries;
}

TEST(TriesTest, EachTryIsALineAndSoIsWhatItSettlesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.File("tries");
  const TestContext context([&](tune_options* options) { options->tries_file = path.c_str(); });
  const TiledRegion tiled(context);
  tiled.Settle(500);
  tune_progress progress;
  tiled.LookUp(500, &progress);
  const std::vector<Try> tries = TriesOf(path);
  ASSERT_EQ(static_cast<int>(tries.size()), progress.tries + 1);
  double best = tries[0].entry.seconds;
  for (const Try& tried : tries) {
    EXPECT_EQ(tried.key.region, "tiled");
    EXPECT_EQ(tried.key.device, "test device");
    EXPECT_EQ(tried.key.inputs, (Inputs{500}));
    EXPECT_EQ(tried.kind == TryKind::kSettled, &tried == &tries.back());
    best = std::min(best, tried.entry.seconds);
  }
  EXPECT_EQ(tries.back().entry.seconds, best);
  EXPECT_EQ(tries.back().entry.values.at("tile"), "64");
  // Settled calls try nothing.
  tiled.Settle(500);
  EXPECT_EQ(TriesOf(path).size(), tries.size());
}

TEST(TriesTest, AFileThatCannotBeWrittenIsToldAndTheSearchGoesOn) {
  const TemporaryFolder folder;
  const std::string path = folder.File("none/tries");
  TestContext context([&](tune_options* options) { options->tries_file = path.c_str(); });
  const TiledRegion tiled(context);
  EXPECT_GT(tiled.Settle(500), 0);
  EXPECT_THAT(context.messages(), testing::ElementsAre(testing::HasSubstr("is not told any more")));
}

}  // namespace
}  // namespace libtune
