#include "common/base/plain_text.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(PlainText, NamesOfEveryLanguageArePlain) {
  for (const char* text :
       {"", "gemm.c:main", "\xC3\xA9t\xC3\xA9", "\xE6\x97\xA5\xE6\x9C\xAC", "\xF0\x9F\x98\x80"}) {
    EXPECT_TRUE(IsPlainLine(text)) << text;
    EXPECT_EQ(EscapeLine(text), text);
  }
}

TEST(PlainText, WhatDrawsOrHidesIsShownAsItsBytes) {
  const std::pair<std::string, std::string> texts[] = {
      {"a\nb", "a\\x0ab"},
      {"\x1b[2J", "\\x1b[2J"},
      {"\r", "\\x0d"},
      {"\t", "\\x09"},
      {"\x7f", "\\x7f"},
      {std::string("\0", 1), "\\x00"},
      {"\xC2\x9B", "\\xc2\\x9b"},           // the same command in one character
      {"\xE2\x80\xAE", "\\xe2\\x80\\xae"},  // from right to left
      {"\xE2\x80\xA8", "\\xe2\\x80\\xa8"},  // a line separator
      {"\xFF", "\\xff"},                    // no UTF-8
      {"\xC0\x8A", "\\xc0\\x8a"},           // a line end in disguise
      {"\xE0\x80\x8A", "\\xe0\\x80\\x8a"},  // another
      {"\xE6\x97", "\\xe6\\x97"}};          // cut
  for (const auto& [text, escaped] : texts) {
    EXPECT_FALSE(IsPlainLine(text)) << escaped;
    EXPECT_EQ(EscapeLine(text), escaped);
    EXPECT_TRUE(IsPlainLine(EscapeLine(text)));
    EXPECT_TRUE(IsPlainLine(BlankHidden(text, "")));
  }
}

}  // namespace
}  // namespace tune
