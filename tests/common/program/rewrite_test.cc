#include "common/program/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

using ::testing::ElementsAre;

constexpr char kBlock[] = R"(if a
  swap first
else
  scope
    swap second
product
  sum k = 0; k < 4
  row i = 0; i < 4
  column j = 0; j < 4
  run S0()
  plain
    swap third
swap fourth
)";

TEST(ReplaceNodes, InnerNodesComeFirst) {
  Block block = ReadBlock(kBlock).value();
  std::vector<std::string> seen;
  ReplaceNodes(&block, [&](Node& node) -> std::optional<Block> {
    const std::string text = PrintBlockText({node});
    seen.push_back(text.substr(0, text.find('\n')));
    return std::nullopt;
  });
  EXPECT_THAT(seen, ElementsAre("swap first", "swap second", "scope", "if a", "swap third", "product",
                                "swap fourth"));
  EXPECT_EQ(PrintBlockText(block), kBlock);
}

TEST(ReplaceNodes, BlocksStandInPlaceOfNodes) {
  Block block = ReadBlock(kBlock).value();
  int asked = 0;
  ReplaceNodes(&block, [&](Node& node) -> std::optional<Block> {
    ++asked;
    auto* const swap = node.As<SwapBuffers>();
    if (swap == nullptr) return std::nullopt;
    if (swap->variable == "first") return Block();
    // The replacement is not asked about, or this would not end.
    return Block{{SwapBuffers{"again"}}, std::move(node)};
  });
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(PrintBlockText(block), R"(if a
else
  scope
    swap again
    swap second
product
  sum k = 0; k < 4
  row i = 0; i < 4
  column j = 0; j < 4
  run S0()
  plain
    swap again
    swap third
swap again
swap fourth
)");
}

TEST(ReplaceNodes, NodesThatStayMayChange) {
  Block block = ReadBlock(kBlock).value();
  ReplaceNodes(&block, [&](Node& node) -> std::optional<Block> {
    if (auto* const branch = node.As<Condition>()) branch->otherwise.clear();
    return std::nullopt;
  });
  EXPECT_EQ(PrintBlockText({block[0]}), "if a\n  swap first\n");
}

}  // namespace
}  // namespace tune
