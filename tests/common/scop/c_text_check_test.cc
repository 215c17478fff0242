#include "common/scop/c_text_check.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(CTextCheck, ExpressionsOfExtents) {
  for (const char* text : {"n", "1000 + 0", "(n + 1) * 2", "sizeof(A[0]) / sizeof(A[0][0])", "s->n", "(int)n",
                           "(size_t)(n + 1)", "(unsigned int)(n)", "n > 3 ? n : 3", "abs(n)"})
    EXPECT_TRUE(CheckCExpression(text).ok()) << text << ": " << CheckCExpression(text);
  for (const char* text : {"", "f(n)", "(f)(n)", "(*f)(n)", "f[0](n)", "n = 3", "n; system(0)", "({ 1; })",
                           "puts(\"a\")", "\"a\"[0]", "(n", "n)", "a[1", "n) + (1))", "__asm__(n)"})
    EXPECT_FALSE(CheckCExpression(text).ok()) << text;
}

bool Passes(v1::Meaning::Kind kind, const std::string& text, const std::string& value) {
  v1::Meaning meaning;
  meaning.set_kind(kind);
  meaning.set_text(text);
  meaning.set_value(value);
  return CheckMeaning(meaning).ok();
}

TEST(CTextCheck, Meanings) {
  EXPECT_TRUE(Passes(v1::Meaning::EXPANSION, "N", "1000"));
  EXPECT_TRUE(Passes(v1::Meaning::EXPANSION, "SCALAR_VAL(1.5)", "1.5"));
  EXPECT_TRUE(Passes(v1::Meaning::EXPANSION, "MAX(a, (b + 1))", "((a) > (b + 1) ? (a) : (b + 1))"));
  EXPECT_TRUE(Passes(v1::Meaning::DEFINED, "FAST", ""));
  EXPECT_TRUE(Passes(v1::Meaning::TYPE, "real", "double"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, "kSize", "-12"));
  EXPECT_TRUE(Passes(v1::Meaning::CONSTANT, "kHalf", "5.000000000e-01f"));

  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N), system(\"true\"", "1"));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N(1), M(2)", "1"));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "_Pragma(\"x\")", "1"));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N", "1\n#include \"x\""));
  EXPECT_FALSE(Passes(v1::Meaning::EXPANSION, "N", "?\?/"));
  EXPECT_FALSE(Passes(v1::Meaning::DEFINED, "A) || (1", ""));
  EXPECT_FALSE(Passes(v1::Meaning::TYPE, "real", "double), system(0"));
  EXPECT_FALSE(Passes(v1::Meaning::CONSTANT, "kSize", "f()"));
  EXPECT_FALSE(Passes(v1::Meaning::KIND_UNSPECIFIED, "N", "1"));
}

}  // namespace
}  // namespace tune
