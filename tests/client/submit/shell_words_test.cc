#include "client/submit/shell_words.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

using Words = std::vector<std::string>;

TEST(SplitShellWordsTest, BlanksAndQuotes) {
  EXPECT_EQ(SplitShellWords("").value(), Words());
  EXPECT_EQ(SplitShellWords("  -O3\t-march=native \n").value(), (Words{"-O3", "-march=native"}));
  EXPECT_EQ(SplitShellWords("-DX='a b' \"c d\"e").value(), (Words{"-DX=a b", "c de"}));
  EXPECT_EQ(SplitShellWords("'' a").value(), (Words{"", "a"}));
  EXPECT_EQ(SplitShellWords("a\\ b 'c\\d' \"e\\\"f\"").value(), (Words{"a b", "c\\d", "e\"f"}));
}

TEST(SplitShellWordsTest, WhatDoesNotEndIsAnError) {
  EXPECT_FALSE(SplitShellWords("'a").ok());
  EXPECT_FALSE(SplitShellWords("\"a").ok());
  EXPECT_FALSE(SplitShellWords("a\\").ok());
}

TEST(JoinShellWordsTest, ReadsBackAsTheSame) {
  const Words words = {"-O3", "", "a b", "it's", "$HOME", "\"q\"", "back\\slash", "-DX=1"};
  EXPECT_EQ(SplitShellWords(JoinShellWords(words)).value(), words);
  EXPECT_EQ(JoinShellWords({"cc", "-O3", "x.c"}), "cc -O3 x.c");
}

}  // namespace
}  // namespace tune
