#include "common/scop/isl_grammar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/base/random.h"
#include "common/scop/isl_bounds.h"
#include "tests/common/testing/isl_reading.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

struct Example {
  IslKind kind;
  const char* text;
};

// As isl prints them, and as people write them.
const std::vector<Example>& Examples() {
  static const auto* const kExamples = new std::vector<Example>{
      {IslKind::kContext, "{  :  }"},
      {IslKind::kContext, "[n, m] -> {  : n > 0 and m >= 0 }"},
      {IslKind::kContext, "[n] -> { : exists (e0 = floor((n)/4): 4e0 = n and n >= 4) }"},
      {IslKind::kContext, "[n] -> {  : false }"},
      {IslKind::kSet, "[n] -> { S0[i, j] : 0 <= i < n and 0 <= j <= i }"},
      {IslKind::kSet, "{ S12[] }"},
      {IslKind::kSet, "[n] -> { S0[i] : (1 + i) mod 2 = 0 and 0 < i <= -2 + n }"},
      {IslKind::kSet, "[n] -> { S0[i] : i mod 2 = 1 or not (i > 3 or n = 2) }"},
      {IslKind::kSet, "{ S0[i] : exists (e0: 3e0 = i and i <= 9) }"},
      {IslKind::kSet, "{ S0[i] : 2*floor((i)/2) = i; S1[i, j = i] : ((i >= 0) or (i <= -3)) }"},
      {IslKind::kSet, "{ S[i, j] : i, j >= 0 and i, j <= 100 - 2 * i }"},
      {IslKind::kSet, "{ [S[i] -> A[i + 1]] : i % 3 = 0 }"},
      {IslKind::kSet, "{ S[i] : max(i, 3) <= min(7, i + 1) and ceild(i, 2) != floord(-i, 3) }"},
      {IslKind::kRelation, "[n] -> { S1[i, j] -> A[j, -1 + n - i] }"},
      {IslKind::kRelation, "{ S0[i] -> x[] : i >= 0 }"},
      {IslKind::kRelation, "{ S0[i] -> A[o0] : 0 <= o0 <= i }"},
      // Arrays of programs, with words of isl's for names.
      {IslKind::kRelation, "[n] -> { S0[i] -> min[]; S0[i] -> exists[i]; S0[i] -> and[i]; S0[i] -> MAX[i] }"},
      {IslKind::kRelation,
       "{ S0[i] -> nan[i]; S0[i] -> rat [i]; S0[i] -> implies[min(i, 3)]; S0[i] -> mod[i mod 2] }"},
      {IslKind::kAffine, "[n] -> { [(n)] }"},
      {IslKind::kAffine, "[t, n] -> { [(0)] : t <= 0 or (t > 0 and n <= 2); [(n)] : t > 0 and n >= 3 }"},
      {IslKind::kAffine, "[n] -> { S0[i, j] -> [((-1 + n) - 2*i + floor((j)/2))] }"},
      {IslKind::kAffine, "{ S0[i] -> [((i)/2)] : (i) mod 2 = 0 }"},
      {IslKind::kBand, "[{ S0[i] -> [(i)]; S1[i, j] -> [(0)] }]"},
      {IslKind::kBand, "[n] -> L_1[{ S0[i] -> [(-i)] }, { S0[i] -> [(n)] }]"},
  };
  return *kExamples;
}

// Whether isl reads the text; `error` is what it says.
bool IslReads(const Example& example, const std::string& text, std::string* error) {
  const absl::Status status =
      testing::ReadByIsl(example.kind, text, {.operations = 1'000'000, .processor_time = absl::Seconds(10)});
  *error = std::string(status.message());
  return status.ok();
}

TEST(IslGrammar, TakesWhatIslPrintsAndPeopleWrite) {
  for (const Example& example : Examples()) {
    std::string error;
    EXPECT_EQ(CheckIslText(example.kind, example.text), absl::OkStatus()) << example.text;
    EXPECT_TRUE(IslReads(example, example.text, &error)) << example.text << ": " << error;
  }
}

TEST(IslGrammar, RefusesOthers) {
  const std::vector<Example> others = {
      {IslKind::kContext, ""},
      {IslKind::kContext, "[n] -> { S[i] : n > 0 }"},
      {IslKind::kContext, "[n, n] -> { : n > 0 }"},
      {IslKind::kContext, "[n] -> { : m > 0 }"},
      {IslKind::kContext, "[n] -> { : n }"},
      {IslKind::kContext, "[n] -> { : n > 0 } }"},
      {IslKind::kContext, "[n] -> { : n > 0; : n < 0 }"},
      {IslKind::kSet, "{ S[i] -> A[i] }"},
      {IslKind::kSet, "S[i]"},
      {IslKind::kSet, "{ S[i] : 5 mod 2 = i }"},
      {IslKind::kSet, "{ S[i] : 2 * 3i = 0 }"},
      {IslKind::kSet, "{ S[i] : i == 0 }"},
      {IslKind::kSet, "{ S[i : i > 0 }"},
      {IslKind::kSet, "{ S[i] : i > 0"},
      {IslKind::kSet, "{ S[i] : i * i > 0 }"},
      {IslKind::kSet, "{ S[i] : i / i > 0 }"},
      {IslKind::kSet, "{ S[i] : i mod 0 = 0 }"},
      {IslKind::kSet, "{ S[i] : i / 00 = 0 }"},
      {IslKind::kSet, "{ S[i] : i << 3 }"},
      {IslKind::kSet, "{ S[i] : (i > 0) > 0 }"},
      {IslKind::kSet, "{ S[i] : (i > 0) + 1 = 0 }"},
      {IslKind::kSet, "{ S[i] : -(i > 0) }"},
      {IslKind::kSet, "{ S[i] : i, i }"},
      {IslKind::kSet, "{ S[i] : exists (e0: e0 = i) and e0 > 0 }"},
      {IslKind::kSet, "{ S[i] : exists (i: i > 0) }"},
      {IslKind::kSet, "{ S[i] : }"},
      {IslKind::kSet, "[n] -> { }"},
      {IslKind::kContext, "{ }"},
      {IslKind::kSet, "{ S[i] : not i }"},
      {IslKind::kSet, "{ S[i] : not not (i > 0) }"},
      {IslKind::kSet, "{ S[i] : i > 0 and i }"},
      {IslKind::kSet, "{ S[i] : floor(i > 0) = 0 }"},
      {IslKind::kSet, "{ S[i, 2 * k] }"},
      {IslKind::kSet, "{ [S[i]] }"},
      {IslKind::kRelation, "{ S[i] }"},
      {IslKind::kRelation, "{ S[i] -> A[i] -> B[i] }"},
      {IslKind::kAffine, "{ S[i] -> A[i] }"},
      {IslKind::kAffine, "{ S[i] -> [i, i] }"},
      {IslKind::kAffine, "{ S[i] -> [i > 0] }"},
      {IslKind::kBand, "{ S[i] -> [(i)] }"},
      {IslKind::kBand, "[]"},
      {IslKind::kBand, "[{ S[i] -> [(i)] }"},
  };
  for (const Example& other : others) {
    EXPECT_EQ(CheckIslText(other.kind, other.text).code(), absl::StatusCode::kInvalidArgument) << other.text;
  }
}

TEST(IslGrammar, SaysWhatItExpected) {
  EXPECT_THAT(CheckIslText(IslKind::kSet, "{ S0[i] : i < m }").message(),
              HasSubstr("byte 14: expected a value of known names, found \"m\""));
  EXPECT_THAT(CheckIslText(IslKind::kRelation, "{ S0[i] }").message(),
              HasSubstr("byte 8: expected \"->\", found \"}\""));
}

std::string Repeated(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

std::string NestedExists(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) absl::StrAppend(&text, "exists e", i, ": ");
  return text;
}

TEST(IslGrammar, SizesAreBounded) {
  const auto check = [](const std::string& text) {
    return std::string(CheckIslText(IslKind::kSet, text).message());
  };
  EXPECT_THAT(check(absl::StrCat("{ S[i] : ", Repeated("(", 100), "i > 0", Repeated(")", 100), " }")),
              HasSubstr("more than 50 brackets"));
  EXPECT_THAT(check(absl::StrCat("{ S[i] : i > ", Repeated("-", 10'000), "1 }")),
              HasSubstr("more than 50 brackets"));
  EXPECT_THAT(check(absl::StrCat("{ S[i] : ", Repeated("not (", 100), "i > 0", Repeated(")", 100), " }")),
              HasSubstr("more than 50 brackets"));
  EXPECT_THAT(check(absl::StrCat("{ S[i] : ", NestedExists(1'000), "i > 0 }")),
              HasSubstr("more than 50 brackets"));
  EXPECT_THAT(check(absl::StrCat("{ ", Repeated("[", 10'000), " }")), HasSubstr("more than 50 brackets"));
  EXPECT_THAT(check(absl::StrCat("{ S[i", Repeated(", i", 40), "] }")), HasSubstr("more than 32 dimensions"));
  EXPECT_THAT(check(absl::StrCat("{ S[i] : i > 0", Repeated(" and i > 0", 3'000), " }")),
              HasSubstr("more than 2000 comparisons"));
  EXPECT_THAT(check(absl::StrCat("{ S[]", Repeated("; S[]", 3'000), " }")),
              HasSubstr("more than 2000 pieces"));
  EXPECT_THAT(check(absl::StrCat("{ S[i] : i > 0", Repeated(" and exists (e: e > 0)", 300), " }")),
              HasSubstr("more than 200 names"));
  EXPECT_THAT(check(absl::StrCat("{ S[] }", std::string(kLongestIslText, ' '))), HasSubstr("longer than"));
  std::string parameters = "[p0";
  for (int i = 1; i <= kMostIslParameters; ++i) absl::StrAppend(&parameters, ", p", i);
  EXPECT_THAT(check(parameters + "] -> { S[] }"), HasSubstr("more than 64 parameters"));
}

constexpr const char* kPieces[] = {
    "5",  "-1",           "{",   "}",  "[",      "]",    "(",     ")",   "->", ",", ":", ";", " ",
    "=",  "<=",           "and", "or", "exists", "mod",  "floor", "/0",  "S0", "n", "i", "*", "e0 ",
    "A[", "[A[] -> B[]]", "not", "%",  "2i",     "true", "min",   "i = "};

std::string Changed(Random& random, std::string text) {
  for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes) {
    const size_t begin = random.Below(text.size());
    const size_t length = std::min<size_t>(random.Below(5), text.size() - begin);
    text.replace(begin, length, random.Below(4) == 0 ? "" : kPieces[random.Below(std::size(kPieces))]);
    if (text.empty()) text = " ";
  }
  return text;
}

// Of a text that the grammar takes isl may say what it means badly, never that it cannot be read.
// Environment: TUNE_HOSTILE_TEXTS, how many (20000).
TEST(IslGrammar, IslReadsTheNotationOfWhatItTakes) {
  const char* const given = std::getenv("TUNE_HOSTILE_TEXTS");
  uint64_t count = 20'000;
  ASSERT_TRUE(given == nullptr || absl::SimpleAtoi(given, &count));
  int taken = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    Random random(seed);
    const Example& example = Examples()[random.Below(Examples().size())];
    const std::string text = Changed(random, example.text);
    if (!CheckIslText(example.kind, text).ok()) continue;
    ++taken;
    std::string error;
    IslReads(example, text, &error);
    EXPECT_FALSE(absl::StrContains(error, "syntax error") || absl::StrContains(error, "unknown identifier") ||
                 absl::StrContains(error, "unexpected"))
        << "seed " << seed << ": " << text << ": " << error;
  }
  EXPECT_GT(taken, static_cast<int>(count / 50));
}

}  // namespace
}  // namespace tune
