#include "common/scop/isl_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "common/scop/isl_bounds.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Texts(absl::string_view text) {
  std::vector<std::string> texts;
  const std::vector<IslWord> words = IslWords(text).value();
  for (const IslWord& word : words) texts.emplace_back(word.text);
  return texts;
}

TEST(IslWords, SplitsWhatIslPrints) {
  EXPECT_THAT(Texts("[n]->{ S0[i'] : 2e0>=-1 and n!=i }"),
              ElementsAre("[", "n", "]", "->", "{", "S0", "[", "i'", "]", ":", "2", "e0", ">=", "-", "1",
                          "and", "n", "!=", "i", "}", ""));
  const std::vector<IslWord> words = IslWords("floor _x 12").value();
  EXPECT_EQ(words[0].kind, IslToken::kKeyword);
  EXPECT_EQ(words[1].kind, IslToken::kName);
  EXPECT_EQ(words[2].kind, IslToken::kNumber);
  EXPECT_EQ(words[2].at, 9u);
  EXPECT_EQ(words[3].kind, IslToken::kEnd);
}

TEST(IslWords, RefusesWhatIslReadsOtherwise) {
  for (const char* text : {"\"n\"", "n # rest", "a.b", "1.5", "a ^ 2", "AND", "Floor", "infty", "NaN", "rat",
                           "implies", "\xc3\xa4", "&&", "$x", "a ? b"}) {
    EXPECT_EQ(IslWords(text).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(IslWords(absl::string_view("n\0m", 3)).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(IslWords, NamesAndNumbersAreBounded) {
  EXPECT_TRUE(IslWords(std::string(kMostIslDigits, '9')).ok());
  EXPECT_THAT(IslWords(absl::StrCat("n + ", std::string(kMostIslDigits + 1, '9'))).status().message(),
              HasSubstr("byte 4: a number of more than 40 digits"));
  EXPECT_TRUE(IslWords(std::string(kLongestIslName, 'n')).ok());
  EXPECT_FALSE(IslWords(std::string(kLongestIslName + 1, 'n')).ok());
}

}  // namespace
}  // namespace tune
