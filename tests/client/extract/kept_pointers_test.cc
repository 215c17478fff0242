// Pointers that a region sets and that are read behind it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kTimeLoop[] =
    "#pragma scop\nfor (int t = 0; t < T; t++) {\n  b[t] = a[t] + 1;\n  tmp = a;\n  a = b;\n  b "
    "= tmp;\n}\n#pragma endscop\n";

std::string TextOf(const v1::Extraction& extraction) {
  EXPECT_EQ(Problems(extraction), "");
  return extraction.program().files_size() > 0 ? extraction.program().files(0).content() : "";
}

std::string WithLoop(const std::string& before, const std::string& behind) {
  return TextOf(Extract(absl::StrCat("double *f(int T, double *a, double *b) { double *tmp = 0;\n", before,
                                     kTimeLoop, behind, "}")));
}

TEST(KeptPointers, AreSetBehindTheRegion) {
  EXPECT_THAT(
      WithLoop("", "return a;"),
      HasSubstr("  __typeof__(a + 0) tune_kept_a = a;\n  __typeof__(b + 0) tune_kept_b = b;\n#pragma scop"));
  EXPECT_THAT(
      WithLoop("", "return a;"),
      HasSubstr(
          "#pragma endscop\n  a = tune_kept_a;\n  b = tune_kept_b;\n  for (int t = 0; t < T; t++) {\n  tmp "
          "= a;\n  a = b;\n  b = tmp;\n  }\n}\n"));
}

TEST(KeptPointers, AreNotThoseThatNothingReads) {
  EXPECT_THAT(WithLoop("", "return 0;"), Not(HasSubstr("tune_kept")));
  EXPECT_THAT(WithLoop("", "a = 0; b = a; return b;"), Not(HasSubstr("tune_kept")));
  EXPECT_THAT(WithLoop("", "{ b = 0; return a; }"), HasSubstr("tune_kept_a"));
  EXPECT_THAT(WithLoop("", "if (T > 3) a = 0; return a;"), HasSubstr("tune_kept_a"));
}

// What the region leaves is what it begins with when it is executed once more.
TEST(KeptPointers, AreReadByTheRegionItself) {
  EXPECT_THAT(WithLoop("for (int s = 0; s < 3; s++) {\n", "} return 0;"), HasSubstr("tune_kept_a"));
  EXPECT_THAT(WithLoop("again:;\n", "if (a[0] > 3) goto again; return 0;"), HasSubstr("tune_kept_a"));
}

TEST(KeptPointers, StandAroundOtherConditions) {
  const std::string text =
      TextOf(Extract("double *f(int T, double *a, double *b, const double *c) {\n#pragma scop\n  for (int t "
                     "= 0; t < T; t++) {\n    "
                     "b[t] = a[t] + (c != 0 ? c[t] : 1);\n    double *tmp = a; a = b; b = tmp;\n  }\n#pragma "
                     "endscop\n  return a;\n}"));
  EXPECT_THAT(text, HasSubstr("tune_kept_a = a;"));
  EXPECT_THAT(text, HasSubstr("int tune_apart = (c != 0) && "));
  EXPECT_THAT(text, HasSubstr("  } /* tunectl: the end of the original */\n}\n  a = tune_kept_a;"));
}

// Another variable outside has the name of one that only an initialiser mentions.
TEST(KeptPointers, AreSetByWhatInitialisersMention) {
  const std::string text =
      TextOf(Extract("double *f(int T, double *a, double *b) {\ndouble *x = b + 5;\n#pragma scop\nfor (int t "
                     "= 0; t < T; t++) "
                     "{ b[t] = a[t] + 1; double *x = a; double *y = x; a = b; b = y; }\n#pragma "
                     "endscop\nreturn a + (x - b); "
                     "}"));
  EXPECT_THAT(text,
              HasSubstr("for (int t = 0; t < T; t++) {\n  double *x = a;\n  double *y = x;\n  a = b;\n  b = "
                        "y;\n  }\n"));
}

// Pointers to integers may lead to what says how often they are set.
TEST(KeptPointers, AreNotSetByWhatTheRegionMayWrite) {
  const std::string loop =
      " {\n#pragma scop\nfor (int t = 0; t < T; t++) { b[t] = a[t] + 1; int *s = a; a = b; b = s; }\n#pragma "
      "endscop\nreturn a; }";
  EXPECT_THAT(Problems(Extract("extern int T; int *f(int *a, int *b)" + loop)),
              HasSubstr("is read behind it"));
  EXPECT_EQ(Problems(Extract("int *f(int T, int *a, int *b)" + loop)), "");
}

TEST(KeptPointers, AreRefusedWhereTheirSettingsCannotBeTakenOut) {
  EXPECT_THAT(Problems(Extract(
                  "#define STEP b[t] = a[t]; { double *s = a; a = b; b = s; }\ndouble *f(int T, double *a, "
                  "double *b) {\n#pragma scop\nfor (int t = 0; t < T; t++) { STEP }\n#pragma endscop\n"
                  "return a; }")),
              HasSubstr("is set inside the region, and one of those that it sets is read behind it"));
}

}  // namespace
}  // namespace tune::testing
