#include "worker/ppcg/c_token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  const std::vector<CToken> tokens = SplitCText(text).value();
  for (const CToken& token : tokens) words.emplace_back(token.text);
  return words;
}

TEST(CToken, NamesNumbersStringsAndPunctuation) {
  EXPECT_THAT(Words("x1 = .5e-3f*0x1F-a[i]; // done\n\"a \\\" b\" '\\''/* no */y"),
              ElementsAre("x1", "=", ".5e-3f", "*", "0x1F", "-", "a", "[", "i", "]", ";", "\"a \\\" b\"",
                          "'\\''", "y"));
  EXPECT_THAT(Words(""), ElementsAre());
  EXPECT_THAT(Words("k<<<g, b>>>(c0)"),
              ElementsAre("k", "<", "<", "<", "g", ",", "b", ">", ">", ">", "(", "c0", ")"));
}

TEST(CToken, ADirectiveIsOneTokenWithItsContinuations) {
  const std::string text = "a\n  #define M(x) \\\n  do { x; } \\\n  while (0)\nb # c";
  const auto tokens = SplitCText(text).value();
  ASSERT_EQ(tokens.size(), 5);
  EXPECT_EQ(tokens[1].kind, CToken::Kind::kDirective);
  EXPECT_EQ(tokens[1].text, "#define M(x) \\\n  do { x; } \\\n  while (0)");
  EXPECT_EQ(tokens[1].line, 2);
  EXPECT_EQ(tokens[2].text, "b");
  EXPECT_EQ(tokens[2].line, 5);
  EXPECT_EQ(tokens[3].kind, CToken::Kind::kPunctuation);
}

TEST(CToken, TextOfARangeAndAdjacency) {
  const std::string text = "f (a,\n   b) ;";
  const auto tokens = SplitCText(text).value();
  EXPECT_EQ(TokenText(tokens.data(), tokens.data() + tokens.size()), "f (a, b) ;");
  EXPECT_EQ(TokenText(tokens.data(), tokens.data()), "");
  EXPECT_FALSE(IsAdjacent(tokens[0], tokens[1]));
  EXPECT_TRUE(IsAdjacent(tokens[1], tokens[2]));
}

TEST(CToken, WhatDoesNotEndIsAnErrorWithItsLine) {
  for (const std::string text : {"a\n/* b\n c", "a\n\"b\nc\"", "x\n'\\"}) {
    const auto tokens = SplitCText(text);
    ASSERT_TRUE(absl::IsInvalidArgument(tokens.status())) << text;
    EXPECT_THAT(std::string(tokens.status().message()), HasSubstr("line 2")) << text;
  }
}

}  // namespace
}  // namespace tune
