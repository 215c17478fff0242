// Calls of functions whose bodies are in sight, and pointers of a region's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kFunctions[] =
    "static double square(double x) { return x * x; }\n"
    "static double half(float x) { float h = x / 2; return h; }\n"
    "static int low(unsigned char c) { return c; }\n"
    "static double raised(float x, unsigned char c) { x *= 0.5; c++; x -= c; return x; }\n"
    "static double least(double x, double y) { if (x < y) return x; return y; }\n"
    "static double not_negative(double x) { if (x < 0) x = 0; return x; }\n"
    "static int larger(int x, int y) { return x > y ? x : y; }\n"
    "static double at(const double *row, int j) { return row[j + 1]; }\n"
    "static double at_some(const double *row, int j) { return j > 2 ? row[j - 3] : 0; }\n"
    "static void set(double *row, int n, double by) { for (int j = 0; j < n; j++) row[j] = by; }\n"
    "static void add(double *to, double x, int k) { if (k > 3) return; *to += x; }\n"
    "static int fix(int n) { return fix(n); }\n"
    "double scale[9]; static double scaled(int i) { return scale[i]; }\n"
    "static const float taps[3] = {0.25f, 0.5f, 0.25f};\n"
    "static double horner(double x) { double r = 0; for (int k = 2; k >= 0; k--) r = r * x + taps[k]; return "
    "r; }\n"
    "static double window(const double *a, int i, int wide) { double r = 0; int k; for (k = -wide; k <= "
    "wide; "
    "k++) r += a[i + k]; return r / k; }\n"
    "static double trace(double (*m)[30]) { double r = 0; for (int i = 0; i < 2; ++i) for (int j = 0; j <= "
    "i; "
    "++j) r += m[i][j]; return r; }\n"
    "static double longest(const double *a) { double r = 0; for (int k = 0; k < 60; k++) { int two = 2 * k; "
    "r "
    "-= a[two]; } return r; }\n";
constexpr char kParameters[] = "void f(int n, double x, double A[100], double M[20][30], int K[100])";

std::vector<std::string> StatementsOf(const std::string& body) {
  const v1::Scop scop = ScopOf(absl::StrCat(kFunctions, kParameters), body);
  std::vector<std::string> texts;
  for (const v1::Statement& statement : scop.statements()) texts.push_back(StatementText(statement));
  return texts;
}

std::string RefusalOf(const std::string& head, const std::string& body) {
  return Problems(Extract(Function(head, body)));
}

TEST(CalledFunction, ItsValueHasTheConversionsOfTheCall) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = square(A[i] + x);"),
              ElementsAre("A[i] = ((A[i] + x[]) * (A[i] + x[]))"));
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = half(A[i]);"),
              ElementsAre("A[i] = (double)((float)A[i] / 2)"));
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = low(K[i]);"),
              ElementsAre("A[i] = (int)(unsigned char)K[i]"));
}

TEST(CalledFunction, MayChangeItsVariables) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = raised(A[i], K[i]);"),
              ElementsAre("A[i] = (double)((float)((float)A[i] * 0.5) - "
                          "(unsigned char)((unsigned char)K[i] + 1))"));
}

TEST(CalledFunction, WaysThroughItBecomeChoices) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = least(x, M[0][0]);"),
              ElementsAre("A[i] = ((x[] < M[0, 0]) ? x[] : M[0, 0])"));
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = not_negative(x);"),
              ElementsAre("A[i] = ((x[] < 0) ? (double)0 : x[])"));
}

TEST(CalledFunction, LoopsOfConstantsStandAsOftenAsTheyAreExecuted) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = horner(x);"),
              ElementsAre("A[i] = (((((((double)0 * x[]) + taps[2]) * x[]) + taps[1]) * x[]) + taps[0])"));
  EXPECT_THAT(StatementsOf("for (int i = 1; i < n; i++) A[i] = window(M[0], i, 1);"),
              ElementsAre("A[i] = (((((double)0 + M[0, -1 + i]) + M[0, i]) + M[0, 1 + i]) / <2>)"));
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) A[i] = trace(M);"),
              ElementsAre("A[i] = ((((double)0 + M[0, 0]) + M[1, 0]) + M[1, 1])"));
}

TEST(CalledFunction, LoopsSetWhatTheirIteratorsAre) {
  const auto text = [](const std::string& body) {
    const v1::Scop scop = ScopOf(absl::StrCat("static double g(const double *a) { double r = 0; int k = 7; ",
                                              body, " return r; }\n", kParameters),
                                 "for (int i = 0; i < n; i++) A[i] = g(M[2]);");
    return scop.statements_size() == 1 ? StatementText(scop.statements(0)) : "";
  };
  EXPECT_EQ(text("for (k = 1; k < 3; k++) r += a[k]; for (k = 5; k >= 0; k -= 4) r += a[k]; r -= k;"),
            "A[i] = ((((((double)0 + M[2, 1]) + M[2, 2]) + M[2, 5]) + M[2, 1]) - <-3>)");
  EXPECT_EQ(text("for (k = 9; k < 9; k++) r += a[k]; r += k;"), "A[i] = ((double)0 + <9>)");
  EXPECT_EQ(text("{ int k = 3; for (unsigned char k = 0; k < 1; k++) r += a[k]; r += k; } r += k;"),
            "A[i] = ((((double)0 + M[2, 0]) + <3>) + <7>)");
}

TEST(CalledFunction, LongSumsInLoopsAreOneOperation) {
  const v1::Scop scop =
      ScopOf(absl::StrCat(kFunctions, kParameters), "for (int i = 0; i < n; i++) A[i] = 2 * longest(M[0]);");
  const v1::Operation& product = scop.statements(0).value().operation();
  const v1::Operation& sum = product.operands(1).operation();
  ASSERT_EQ(sum.operands_size(), 61);
  EXPECT_EQ(sum.operands(0).cast().c_type(), "double");
  EXPECT_EQ(sum.operands(60).operation().op(), "-");
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(59).relation(), "[n] -> { S0[i] -> M[3, 28] }"));
}

TEST(CalledFunction, OtherLoopsInValuesAreRefused) {
  const auto problem = [](const std::string& body) {
    return RefusalOf(absl::StrCat("static double g(const double *a, int m) { double r = 1; int i, k = 3; ",
                                  body, " return r; }\n", kParameters),
                     "for (int j = 0; j < n; j++) A[j] = g(M[j], j);");
  };
  const auto is_refused =
      HasSubstr("a call of `g`, which has a loop of which it is not known that it has few");
  EXPECT_EQ(problem("for (i = 0; i < k; i++) r += a[i];"), "");
  EXPECT_THAT(problem("for (i = 0; i < m; i++) r += a[i];"), is_refused);
  EXPECT_THAT(problem("for (i = 0; i < 65; i++) r += i;"), is_refused);
  EXPECT_THAT(problem("for (i = 0; i < 8; i++) for (int j = 0; j < 9; j++) r += i;"), is_refused);
  EXPECT_THAT(problem("for (i = 0; i < k; i++) k--;"), is_refused);
  EXPECT_THAT(problem("for (i = 0; i < 9; i += k) k++;"), is_refused);
  EXPECT_THAT(problem("for (i = 0; i < 3; i++) i++;"), is_refused);
  EXPECT_THAT(problem("for (i = 0; a[i] > 0; i++) r += a[i];"), is_refused);
  EXPECT_THAT(problem("for (i = 0, k = 2; i < 3; i++) r += k;"), is_refused);
  EXPECT_THAT(problem("for (unsigned char c = 0; c < 256; c++) r += c;"), is_refused);
  EXPECT_THAT(problem("for (i = 0; i < 3; i++) { if (i == 1) continue; r += i; }"),
              HasSubstr("does more than compute a value"));
  EXPECT_THAT(problem("for (i = 0; i < 3; i++) if (i == 2) break;"),
              HasSubstr("does more than compute a value"));
  EXPECT_THAT(problem("while (k > 0) k--;"), HasSubstr("a call of `g`, which has a `while` loop"));
  EXPECT_THAT(problem("for (i = 0; i < 30; i++) r = r * r + a[i];"), HasSubstr("more than"));
  EXPECT_THAT(
      RefusalOf(absl::StrCat("static int g(int i) { int r = 1 + i; for (int k = 0; k < 40; k++) r = r + "
                             "r - r; return r; }\n",
                             kParameters),
                "for (int j = 0; j < n; j++) A[g(j)] = 0;"),
      HasSubstr("very many values of variables"));
}

TEST(CalledFunction, MayStandInBoundsAndSubscripts) {
  const v1::Scop scop =
      ScopOf(absl::StrCat(kFunctions, kParameters),
             "for (int i = larger(n - 5, 2); i < larger(n, 7); i++) A[larger(i, 4)] = at(M[i], 2 * i);");
  EXPECT_TRUE(
      SameSet(scop.statements(0).domain(), "[n] -> { S0[i] : i >= 2 and i >= n - 5 and (i < n or i < 7) }"));
  EXPECT_TRUE(SameMap(scop.statements(0).accesses(0).relation(), "[n] -> { S0[i] -> M[i, 2i + 1] }"));
}

TEST(CalledFunction, ReadsWhatItsConditionAllows) {
  const v1::Scop scop =
      ScopOf(absl::StrCat(kFunctions, "void g(int n, double *restrict A, double *restrict B)"),
             "for (int i = 0; i < n; i++) A[i] = at_some(B, i);");
  for (const v1::Array& array : scop.arrays()) {
    if (array.name() != "B") continue;
    EXPECT_TRUE(SamePwAff(array.extents(0).accessed(), "[n] -> { [n - 3] : n > 3; [0] : n <= 3 }"));
  }
}

TEST(CalledFunction, ForItsEffectsStandsInTheCallsPlace) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) set(M[i], i + 1, A[i]);"),
              ElementsAre("by[] = A[i]", "M[i, j] = by[]"));
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) set(&A[i], 2, 0.5);"), ElementsAre("A[i + j] = 0.5"));
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) add(&x, 1, i);"), ElementsAre("x[] += (double)1"));
}

TEST(CalledFunction, ConditionsInsideAreKeptWhereTheBodyMayChangeThem) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) { double *row = M[i]; if (M[i][0] > 0) { row[1] = 0; "
                           "row[0] = 1; row[2] = 3; } }"),
              Contains(HasSubstr("tune_condition[] =")));
}

TEST(OwnPointer, StandsForWhatItIsSetTo) {
  EXPECT_THAT(StatementsOf("for (int i = 0; i < n; i++) { double *row = M[i], *p = row + 2; "
                           "for (int j = 0; j < 3; j++) p[j] = row[j] + *(p + 5); }"),
              ElementsAre("M[i, 2 + j] = (M[i, j] + M[i, 7])"));
  EXPECT_EQ(RefusalOf("void f(int n, double A[100])", "double *p = A; for (int i = 0; i < n; i++) *p++ = 0;"),
            "");
}

TEST(CalledFunction, IsRefusedWhereItsBodyIsNotWhatTheRegionMeans) {
  const std::string head = absl::StrCat(kFunctions, kParameters);
  EXPECT_THAT(RefusalOf(head, "for (int i = 0; i < n; i++) K[i] = fix(i);"), HasSubstr("which calls itself"));
  EXPECT_THAT(RefusalOf(head, "for (int i = 0; i < n; i++) { double scale = x; A[i] = scaled(i) + scale; }"),
              HasSubstr("means another variable by `scale`"));
  EXPECT_THAT(RefusalOf("static int count; static int tick(int i) { count++; return i; }\n"
                        "void f(int n, int K[100])",
                        "for (int i = 0; i < n; i++) K[i] = tick(i);"),
              HasSubstr("does more than compute a value"));
  EXPECT_THAT(RefusalOf("__attribute__((weak)) int any(int i) { return i; }\nvoid f(int n, int K[100])",
                        "for (int i = 0; i < n; i++) K[i] = any(i);"),
              HasSubstr("a call of `any`"));
  EXPECT_THAT(RefusalOf("static int low(int i) { if (i < 3) goto out; i = 2 * i; out: return i; }\n"
                        "void f(int n, int K[100])",
                        "for (int i = 0; i < n; i++) K[i] = low(i);"),
              HasSubstr("a call of `low`, which has a `goto`"));
  EXPECT_THAT(
      RefusalOf(
          "static void add(int *k) { if (*k > 2) goto out; if (*k > 5) return; *k += 1; out: *k *= 2; }\n"
          "void f(int n, int K[100])",
          "for (int i = 0; i < n; i++) add(&K[i]);"),
      HasSubstr("in the body of the called function"));
}

TEST(CalledFunction, WhatDecidesItsBodyIsKnown) {
  const v1::Scop scop = ScopOf(
      "#define SHIFT 3\n#ifdef FAST\nstatic int g(int i) { return i; }\n#else\n"
      "static int g(int i) { return i + SHIFT; }\n#endif\nvoid f(int n, int K[100])",
      "for (int i = 0; i < n; i++) K[i] = g(i);");
  std::vector<std::string> texts;
  for (const v1::Meaning& meaning : scop.meanings())
    texts.push_back(absl::StrCat(v1::Meaning::Kind_Name(meaning.kind()), " ", meaning.text()));
  EXPECT_THAT(texts, ::testing::UnorderedElementsAre("UNDEFINED FAST", "EXPANSION SHIFT"));
}

}  // namespace
}  // namespace tune::testing
