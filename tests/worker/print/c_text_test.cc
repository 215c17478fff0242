#include "worker/print/c_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace tune {
namespace {

const CText kA{"a"}, kB{"b"}, kC{"c"};

TEST(CText, KeepsTheTreeOfArithmetic) {
  EXPECT_EQ(BinaryText("+", BinaryText("+", kA, kB), kC).text, "a + b + c");
  EXPECT_EQ(BinaryText("+", kA, BinaryText("+", kB, kC)).text, "a + (b + c)");
  EXPECT_EQ(BinaryText("*", BinaryText("+", kA, kB), kC).text, "(a + b) * c");
  EXPECT_EQ(BinaryText("+", kA, BinaryText("*", kB, kC)).text, "a + b * c");
  EXPECT_EQ(BinaryText("/", kA, BinaryText("*", kB, kC)).text, "a / (b * c)");
}

TEST(CText, NeverJoinsSigns) {
  EXPECT_EQ(UnaryText("-", UnaryText("-", kA)).text, "-(-a)");
  EXPECT_EQ(BinaryText("-", kA, UnaryText("-", kB)).text, "a - (-b)");
  EXPECT_EQ(BinaryText("-", kA, IntegerText(-5)).text, "a - (-5)");
  EXPECT_EQ(BinaryText("+", kA, UnaryText("-", kB)).text, "a + -b");
}

TEST(CText, PutsParenthesesWhereCompilersAskForThem) {
  EXPECT_EQ(BinaryText("||", BinaryText("&&", kA, kB), kC).text, "(a && b) || c");
  EXPECT_EQ(BinaryText("<<", BinaryText("+", kA, kB), kC).text, "(a + b) << c");
  EXPECT_EQ(BinaryText("&", BinaryText("==", kA, kB), kC).text, "(a == b) & c");
  EXPECT_EQ(BinaryText("<", BinaryText("<", kA, kB), kC).text, "(a < b) < c");
  EXPECT_EQ(BinaryText("==", UnaryText("!", kA), kB).text, "(!a) == b");
}

TEST(CText, PrintsOtherForms) {
  EXPECT_EQ(ConditionalText(BinaryText("<", kA, kB), kA, ConditionalText(kA, kB, kC)).text,
            "a < b ? a : (a ? b : c)");
  EXPECT_EQ(BinaryText("+", ConditionalText(kA, kB, kC), kA).text, "(a ? b : c) + a");
  EXPECT_EQ(CastText("float", BinaryText("+", kA, kB)).text, "(float)(a + b)");
  EXPECT_EQ(BinaryText("*", CastText("float", kA), kB).text, "(float)a * b");
  EXPECT_EQ(CallText("pow", {BinaryText("+", kA, kB), kC}).text, "pow(a + b, c)");
}

TEST(CText, PrintsIntegersOfEveryType) {
  EXPECT_EQ(IntegerText(7).text, "7");
  EXPECT_EQ(IntegerText(-7, "long").text, "-7L");
  EXPECT_EQ(IntegerText(7, "unsigned int").text, "7U");
  EXPECT_EQ(IntegerText(7, "unsigned long").text, "7UL");
  EXPECT_EQ(IntegerText(-7, "unsigned int").text, "(unsigned int)-7");
  EXPECT_EQ(IntegerText(7, "short").text, "(short)7");
  EXPECT_EQ(IntegerText(5'000'000'000, "int").text, "(int)5000000000L");
  EXPECT_EQ(IntegerText(std::numeric_limits<int64_t>::min(), "long").text, "-9223372036854775807L - 1L");
}

}  // namespace
}  // namespace tune
