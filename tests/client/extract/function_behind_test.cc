// Calls of functions that are defined behind the region.
#include "client/extract/calls/function_behind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kCallerHead[] =
    "typedef double number;\nextern const double weight;\ndouble later(double x);\n"
    "void f(int n, double A[100])";
constexpr char kCallerBody[] = "for (int i = 0; i < n; i++) A[i] = later(A[i]);";

v1::Extraction WithBehind(const std::string& behind, const std::string& before = "") {
  return Extract(absl::StrCat(before, Function(kCallerHead, kCallerBody), behind));
}

std::string RefusalOfBehind(const std::string& behind, const std::string& before = "") {
  return Problems(WithBehind(behind, before));
}

TEST(FunctionBehind, IsReadWhereItMeansTheSameAtTheRegion) {
  const v1::Extraction extraction =
      WithBehind("double later(number x) { number y = 2 * x; return y + weight; }\n");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(StatementText(extraction.scops(0).statements(0)), "A[i] = ((2 * A[i]) + weight[])");
}

TEST(FunctionBehind, MayStandBehindConditionsThatAreClosed) {
  const std::string later = "double later(double x) { return x + 1; }\n";
  EXPECT_EQ(RefusalOfBehind(
                absl::StrCat("#ifdef TIME\n#ifdef CPU\nint t;\n#else\nint u;\n#endif\n#endif\n", later)),
            "");
  EXPECT_EQ(RefusalOfBehind(absl::StrCat("#else\nint other;\n#endif\n", later), "#ifndef NONE\n"), "");
}

TEST(FunctionBehind, IsRefusedWhereAnotherBuildMayHaveAnotherOne) {
  const std::string two =
      "double later(double x) { return x + 1; }\n#else\ndouble later(double x) { return x + 2; }\n#endif\n";
  EXPECT_THAT(RefusalOfBehind(absl::StrCat("#ifndef FAST\n", two)), HasSubstr("`#if` may decide what it is"));
  EXPECT_THAT(RefusalOfBehind(absl::StrCat("#endif\n#ifndef FAST\n", two), "#ifndef NONE\n"),
              HasSubstr("`#if` may decide what it is"));
  EXPECT_THAT(RefusalOfBehind("#elif defined SLOW\nint other;\n#endif\n#ifndef FAST\n"
                              "double later(double x) { return x + 1; }\n#endif\n",
                              "#ifndef NONE\n"),
              HasSubstr("`#if` may decide what it is"));
  EXPECT_THAT(RefusalOfBehind("double later(double x) {\n#ifdef FAST\nx *= 2;\n#endif\nreturn x + 1; }\n"),
              HasSubstr("`#if` may decide what it is"));
}

TEST(FunctionBehind, IsRefusedWhereWordsMayMeanSomethingElse) {
  EXPECT_THAT(RefusalOfBehind("#define STEP 3\ndouble later(double x) { return x + STEP; }\n"),
              HasSubstr("is defined behind the region, where `#define` may change what words mean"));
  EXPECT_THAT(RefusalOfBehind("#ifdef TIME\n#undef x\n#endif\ndouble later(double x) { return x; }\n"),
              HasSubstr("`#undef` may change what words mean"));
  EXPECT_THAT(RefusalOfBehind("#pragma pop_macro(\"x\")\ndouble later(double x) { return x; }\n"),
              HasSubstr("`#pragma` may change what words mean"));
  EXPECT_THAT(RefusalOfBehind("static double own = 3;\ndouble later(double x) { return x + own; }\n"),
              HasSubstr("where `own` is declared"));
  EXPECT_THAT(RefusalOfBehind("enum { LOW = 3 };\ndouble later(double x) { return x + LOW; }\n"),
              HasSubstr("where `LOW` is declared"));
  EXPECT_THAT(RefusalOfBehind("typedef float small;\ndouble later(double x) { return (small)x; }\n"),
              HasSubstr("where `small` is declared"));
  EXPECT_THAT(RefusalOfBehind(
                  "struct pair { int a, b; };\ndouble later(double x) { return x + sizeof(struct pair); }\n"),
              HasSubstr("where `pair` is declared"));
}

}  // namespace
}  // namespace tune::testing
