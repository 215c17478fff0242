#include "common/program/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

constexpr char kBlock[] = R"(if a
  await 1
else
  scope
    await 2
product
  sum k = 0; k < 4
  row i = 0; i < 4
  column j = 0; j < 4
  run S0()
  plain
    await 3
await 4
)";

TEST(ReplaceNodes, InnerNodesComeFirst) {
  Block block = ReadBlock(kBlock).value();
  std::vector<std::string> seen;
  ReplaceNodes(&block, [&](Node& node) -> std::optional<Block> {
    const std::string text = PrintBlockText({node});
    seen.push_back(text.substr(0, text.find('\n')));
    return std::nullopt;
  });
  EXPECT_THAT(seen, ElementsAre("await 1", "await 2", "scope", "if a", "await 3", "product", "await 4"));
  EXPECT_EQ(PrintBlockText(block), kBlock);
}

TEST(ReplaceNodes, BlocksStandInPlaceOfNodes) {
  Block block = ReadBlock(kBlock).value();
  int asked = 0;
  ReplaceNodes(&block, [&](Node& node) -> std::optional<Block> {
    ++asked;
    auto* const await = node.As<AwaitFills>();
    if (await == nullptr) return std::nullopt;
    if (await->open == 1) return Block();
    // The replacement is not asked about, or this would not end.
    return Block{{AwaitFills{7}}, std::move(node)};
  });
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(PrintBlockText(block), R"(if a
else
  scope
    await 7
    await 2
product
  sum k = 0; k < 4
  row i = 0; i < 4
  column j = 0; j < 4
  run S0()
  plain
    await 7
    await 3
await 7
await 4
)");
}

TEST(ReplaceNodes, NodesThatStayMayChange) {
  Block block = ReadBlock(kBlock).value();
  ReplaceNodes(&block, [&](Node& node) -> std::optional<Block> {
    if (auto* const branch = node.As<Condition>()) branch->otherwise.clear();
    return std::nullopt;
  });
  EXPECT_EQ(PrintBlockText({block[0]}), "if a\n  await 1\n");
}

TEST(ReplaceName, StandsInAllExpressions) {
  Block block = ReadBlock(R"(for j = i; j < i + 4; j += 1
  fill, lane tune_lane, of Fill0, at [i]
    tile A_shared0[i % 2], from [16 * i][0]
  if j <= i
    run S0(A_shared0[i % 2][j], C[i]), with [i - j], of S0, at [i][j]
    transfer C[i] = T[i], of Store1, at [i]
reduce T along 0, of Combine2, at [i]
launch 0, host [i], first [i], count [i]
for k = 0; k < 4; k += 1, ahead 2
  fetch A[i][k]
)")
                    .value();
  ReplaceName("i", IndexExpression::Constant(3), &block);
  EXPECT_EQ(PrintBlockText(block), R"(for j = 3; j < 7; j += 1
  fill, lane tune_lane, of Fill0, at [3]
    tile A_shared0[1], from [48][0]
  if j <= 3
    run S0(A_shared0[1][j], C[3]), with [3 - j], of S0, at [3][j]
    transfer C[3] = T[3], of Store1, at [3]
reduce T along 0, of Combine2, at [3]
launch 0, host [3], first [3], count [3]
for k = 0; k < 4; k += 1, ahead 2
  fetch A[3][k]
)");
}

TEST(Mentions, FindsANameWhereItIsPrinted) {
  const auto mentions = [](const char* text) { return Mentions(ReadBlock(text).value(), "i"); };
  EXPECT_TRUE(mentions("for j = 0; j < i; j += 1\n"));
  EXPECT_TRUE(mentions("if j <= 3\n  run S0(C[i]), of S0, at [j]\n"));
  EXPECT_TRUE(mentions("run S0(C[j]), with [i - j], of S0, at [j]\n"));
  EXPECT_TRUE(mentions("for k = 0; k < 4; k += 1, ahead 2\n  fetch A[i][k]\n"));
  EXPECT_FALSE(mentions("for j = 0; j < 4; j += 1\n  run S0(C[j]), of S0, at [i][j]\n"));
  EXPECT_FALSE(mentions("reduce T along 0, of Combine2, at [i]\n"));
}

}  // namespace
}  // namespace tune
