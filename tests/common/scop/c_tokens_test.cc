#include "common/scop/c_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;

TEST(CTokens, Constants) {
  for (const char* text : {"0", "17", "0x1fUL", "10u", "3LL", "1.", ".5", "1.5e-3f", "1e9", "0x1p4",
                           "0x.8p-1f", "2.0L", "0.1f16", "1e3F16", "1.0fi", "2.5i"})
    EXPECT_TRUE(IsCConstant(text)) << text;
  for (const char* text : {"", ".", "-1", "x", "1x", "1e", "1.5e+", "0x", "0x1.8", "1lul", "1 2", "1.0;",
                           "1)", "0b1", "1f16", "1.0f1", "1i", "1.0ij"})
    EXPECT_FALSE(IsCConstant(text)) << text;
}

TEST(CTokens, TypesOfNumbers) {
  for (const char* text :
       {"int", "unsigned long", "double", "_Bool", "long long", "_Float16", "_Complex float"})
    EXPECT_TRUE(IsArithmeticType(text)) << text;
  for (const char* text : {"", "int*", "int ", "struct s", "void", "int) system(", "_Complex"})
    EXPECT_FALSE(IsArithmeticType(text)) << text;
}

TEST(CTokens, AreWordsNumbersTextsAndMarks) {
  const auto words = CTokens("a1 <<2.5f->f('x', \"a\\\"b\")");
  ASSERT_TRUE(words);
  std::vector<std::string> texts;
  for (const CWord& word : *words) texts.emplace_back(word.text);
  EXPECT_THAT(texts, ElementsAre("a1", "<<", "2.5f", "->", "f", "(", "'x'", ",", "\"a\\\"b\"", ")"));
}

TEST(CTokens, NothingThatEndsALineAStatementOrACommentIsOne) {
  for (const char* text : {"a\nb", "a;", "{", "a // b", "a /* b */", "a \\", "#if", "\"a", "'", "a = b",
                           "a++ = 1", "@", "1e", "\"a\nb\"", "\x80"})
    EXPECT_FALSE(CTokens(text)) << text;
}

}  // namespace
}  // namespace tune
