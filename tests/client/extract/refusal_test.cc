// What is refused, where it points, and what it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/source/diagnostic.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;

struct RefusalCase {
  const char* name;
  const char* body;        // of the region; `@` stands before the construct at fault
  const char* expression;  // of the diagnostic
  const char* reason;      // part of it
};

constexpr char kRefusedHead[] =
    "#include <math.h>\n#include <stdlib.h>\n"
    "struct pair { double a, b[10], *c; int d : 3; int e; union { double u; long w; }; char last[1]; };\n"
    "extern double g(double); extern volatile double device;\n"
    "void f(int n, int m, double x, double A[100], double B[100][100], int K[100], struct pair s, struct "
    "pair *ps,\n"
    "       double **rows, double (*fp)(double), double *restrict p, unsigned un, long ln)";

// Line and column of the mark in `text`, which is taken out.
std::pair<int, int> TakeMark(std::string* text) {
  size_t mark = text->find('@');
  EXPECT_NE(mark, std::string::npos) << *text;
  text->erase(mark, 1);
  int line = 1 + static_cast<int>(std::count(text->begin(), text->begin() + static_cast<long>(mark), '\n'));
  size_t begin = text->rfind('\n', mark - 1);
  return {line, static_cast<int>(mark - begin)};
}

class Refused : public ::testing::TestWithParam<RefusalCase> {};

TEST_P(Refused, SaysWhereAndWhy) {
  const RefusalCase& c = GetParam();
  std::string text = Function(kRefusedHead, c.body);
  auto [line, column] = TakeMark(&text);
  v1::Extraction extraction = Extract(text);
  ASSERT_EQ(extraction.diagnostics_size(), 1) << Problems(extraction);
  EXPECT_EQ(extraction.scops_size(), 0);
  const v1::Diagnostic& diagnostic = extraction.diagnostics(0);
  EXPECT_THAT(diagnostic.file(), HasSubstr("input.c"));
  EXPECT_EQ(diagnostic.line(), line) << Problems(extraction);
  EXPECT_EQ(diagnostic.column(), column) << Problems(extraction);
  EXPECT_EQ(diagnostic.expression(), c.expression);
  EXPECT_THAT(diagnostic.reason(), HasSubstr(c.reason));
  EXPECT_NE(diagnostic.remedy(), "");
}

// Of the only refusal of a region with this body.
std::string ReasonOf(const std::string& body) {
  const v1::Extraction extraction =
      Extract(Function("double a[100], b[10][8];\nint k[100];\nvoid f(int n, double c[50])", body));
  if (extraction.diagnostics_size() == 0) return "accepted";
  return extraction.diagnostics(0).reason();
}

TEST(OutOfBounds, IsRefusedWhereAllCallsDoIt) {
  EXPECT_EQ(ReasonOf("for (int i = 0; i <= 100; i++) a[i] = 0;"),
            "dimension 1 of `a` has 100 elements, and the region accesses a[100]");
  EXPECT_EQ(ReasonOf("for (int i = 0; i < 10; i++) b[i][3] = a[i - 1];"),
            "dimension 1 of `a` has 100 elements, and the region accesses a[-1]");
  EXPECT_EQ(ReasonOf("for (int i = 7; i < 8; i++) a[i] = b[i][i + 1];"),
            "dimension 2 of `b` has 8 elements, and the region accesses b[7][8]");
  EXPECT_EQ(ReasonOf("for (int i = 0; i < 9; i++) c[6 * i + 2] = 0;"),
            "dimension 1 of `c` has 50 elements, and the region accesses c[50]");
  // Large values of n alone reach the other end of the array, and all reach this one.
  EXPECT_EQ(ReasonOf("for (int i = 0; i < n; i++) a[i - 1] = 0;"),
            "dimension 1 of `a` has 100 elements, and the region accesses a[-1]");
  EXPECT_EQ(ReasonOf("for (int i = n; i < 101; i++) a[i] = 0;"),
            "dimension 1 of `a` has 100 elements, and the region accesses a[100]");
  EXPECT_EQ(ReasonOf("if (n < 0 || n > 99) a[n] = 0;").substr(0, 60),
            "dimension 1 of `a` has 100 elements, and the region accesses");
}

TEST(OutOfBounds, IsRefusedWhereSizesAreParameters) {
  const auto reason = [](const std::string& head, const std::string& body) {
    const v1::Extraction extraction = Extract(Function(head, body));
    return extraction.diagnostics_size() == 0 ? "accepted" : extraction.diagnostics(0).reason();
  };
  const std::string all = "for (int i = 0; i <= n; i++) a[i] = 0;";
  EXPECT_EQ(reason("void f(int n, int a[n])", all),
            "where n = 0, dimension 1 of `a` has 0 elements, and the region accesses a[0]");
  EXPECT_EQ(reason("void f(int n, int m, double a[n][m])",
                   "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) a[i][j] = i;"),
            "where m = 1, dimension 2 of `a` has 1 elements, and the region accesses a[0][1]");
  EXPECT_EQ(reason("void f(int n, int m, double a[n + m])", "if (m > 0) a[n + m] = 0;").substr(0, 6),
            "where ");
  // Other values of the sizes keep it inside, and a size that changed is not known.
  EXPECT_EQ(reason("void f(int n, int m, int a[n])", "for (int i = 0; i <= m; i++) a[i] = 0;"), "accepted");
  EXPECT_EQ(reason("void f(int n, int m, double a[n * m])", "for (int i = 0; i < n; i++) a[i + m] = 0;"),
            "accepted");
  EXPECT_EQ(reason("void f(int n, int a[n + 1])", all), "accepted");
  EXPECT_EQ(
      reason("void f(int n, int k[9], int a[n])", "for (int i = 0; i < 9; i++) if (k[i] > 0) a[n] = i;"),
      "accepted");
}

TEST(EndOfTheProgram, IsRefusedWhereDataDecideOrAllCallsReachIt) {
  const std::string head =
      "#include <assert.h>\n#include <stdlib.h>\nvoid f(int n, int k[100], double c[50])";
  const auto reason = [&](const std::string& body) {
    const v1::Extraction extraction = Extract(Function(head, body));
    return extraction.diagnostics_size() == 0 ? "accepted" : extraction.diagnostics(0).reason();
  };
  EXPECT_EQ(reason("for (int i = 0; i < n; i++) { assert(k[i] > 0); c[i] = 0; }"),
            "an assertion about data, which may end the program");
  EXPECT_EQ(reason("for (int i = 0; i < n; i++) { if (c[i] > 3) exit(1); c[i] = 0; }"),
            "a call of `exit`, which ends the program, is reached, or data decide whether it is");
  EXPECT_EQ(reason("for (int i = 0; i < 9; i++) { c[i] = 0; if (i == 3) abort(); }"),
            "a call of `abort`, which ends the program, is reached, or data decide whether it is");
  EXPECT_EQ(reason("for (int i = 0; i < n; i++) { assert(i < 50 && n > 3); c[i] = 0; }"), "accepted");
  EXPECT_EQ(
      reason("for (int i = 0; i < n; i++) { assert(n < 3); assert(n > 5); c[i] = 0; }"),
      "at no size the region executes a statement unless an assertion, `abort` or `exit` ends the program");
}

TEST(EndOfTheProgram, IsOutsideOfTheContext) {
  const v1::Extraction extraction =
      Extract(Function("#include <assert.h>\nvoid f(int n, int m, double c[])",
                       "assert(m > 4); for (int i = 0; i < n; i++) { assert(i < 50); c[i] = 0; }"));
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_TRUE(SameSet(extraction.scops(0).context(), "[n, m] -> { : n <= 50 and m > 4 }"))
      << extraction.scops(0).context();
}

TEST(WalkingPointers, AreNamedWhereTheirPlaceIsNotKnown) {
  EXPECT_EQ(
      ReasonOf("double *p = c; for (int i = 0; i < n; i++) { *p = a[i]; p += i; }"),
      "the subscript is not an affine expression: how far the pointer `p` has moved is not known here: it "
      "moves under a condition, by different distances from iteration to iteration, or in a loop that a "
      "`break` ends");
}

TEST(OutOfBounds, IsNobodysBusinessWhereItMayNotHappen) {
  for (const char* body :
       {"for (int i = 0; i < n; i++) a[i] = 0;", "for (int i = 0; i < 101; i++) if (k[5]) a[i] = 0;",
        "for (int i = 0; i < 99; i++) a[i] = k[i] < 3 ? 1 : a[i + 2];",
        "for (int i = 0; i < 99; i++) a[i] = k[i] && a[i + 2];",
        "for (int i = 0; i < 101; i++) if (i < 100 && k[i] > 0) a[i] = 1; else k[0] = 1;",
        "for (int i = 0; i < 101; i++) k[0] = i < 100 ? k[i] : 0;"})
    EXPECT_EQ(ReasonOf(body), "accepted") << body;
}

TEST(Names, AreOfAsciiLetters) {
  EXPECT_EQ(ReasonOf("for (int \xC3\xA4 = 0; \xC3\xA4 < 9; \xC3\xA4++) a[\xC3\xA4] = 0;"),
            "the name `\xC3\xA4` has characters that are not in ASCII");
}

TEST(Addresses, OfLocalConstantsLeadNowhere) {
  EXPECT_EQ(ReasonOf("const double w = 0.5; const double *p = &w; for (int i = 0; i < 9; i++) a[i] = *p;"),
            "the address of `w`, which is an iterator of a loop or stands for another value");
  EXPECT_EQ(ReasonOf("double w = 0.5; const double *p = &w; for (int i = 0; i < 9; i++) a[i] = *p;"),
            "accepted");
}

TEST(Enumerations, OfTheRegionAreNotUsedBehindIt) {
  const v1::Extraction extraction = Extract(
      "enum { FEW = 5 };\nvoid f(int n, int A[n]) {\n#pragma scop\n  enum { FEW = 3 };\n  for (int i = 0; i "
      "< n; "
      "i++) A[i] = FEW;\n#pragma endscop\n  A[0] = FEW;\n}\n");
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).line(), 4);
}

TEST(TypeOf, MayNameWhatIsUsed) {
  EXPECT_EQ(Problems(Extract(Function(
                "#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })\n"
                "void f(int n, double A[n], double x)",
                "for (int i = 0; i < n; i++) A[i] = MAX(A[i], x);"))),
            "");
}

TEST(Cleanup, IsACallThatCannotBeSeen) {
  const v1::Extraction extraction = Extract(
      Function("void g(int *);\nvoid f(int n, int A[n])",
               "for (int i = 0; i < n; i++) { int t __attribute__((cleanup(g))) = A[i]; A[i] = t + 1; }"));
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).reason(), "a variable with a function that cleans it up");
}

TEST(Labels, AreNotEnteredFromOutside) {
  const std::string text =
      "void f(int n, double A[n], double x) {\n#pragma scop\nagain: for (int i = 0; i < n; i++)\n  A[i] /= "
      "2;\n"
      "#pragma endscop\n  if (A[0] > x) goto again;\n}\n";
  const v1::Extraction extraction = Extract(text);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).line(), 3);
  EXPECT_EQ(extraction.diagnostics(0).reason(), "a label that a `goto` outside of the region leads to");
}

TEST(Jumps, LeadForwardInABlockThatIsExecutedOnce) {
  EXPECT_EQ(
      ReasonOf(
          "for (int i = 0; i < n; i++) do { if (a[i] > 3) goto out; a[i] = 1; out: a[i] += 2; } while (0);"),
      "accepted");
  EXPECT_EQ(ReasonOf("for (int i = 0; i < n; i++) { do { if (a[i] > 3) goto out; a[i] = 1; } while (0); out: "
                     "a[i] += 2; }"),
            "a `goto` that is not the end of an `if` and leads forward in the same block");
  EXPECT_EQ(
      ReasonOf("for (int i = 0; i < n; i++) do { again: a[i] += 1; if (a[i] > 3) goto again; } while (0);"),
      "a `goto` that is not the end of an `if` and leads forward in the same block");
  EXPECT_EQ(ReasonOf("int j = 0; for (int i = 0; i < n; i++) { do { if (i * i > n) goto out; j++; out:; } "
                     "while (0); c[j] = 1; }"),
            "the subscript is not an affine expression: `j` is written inside the region");
}

TEST(ThreadLocals, AreOtherVariablesInEachThread) {
  const v1::Extraction extraction = Extract(Function("static _Thread_local double t[100];\nvoid f(int n)",
                                                     "for (int i = 0; i < n; i++) t[i] = i;"));
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).line(), 1);
  EXPECT_EQ(extraction.diagnostics(0).reason(), "`t` is another variable in each thread");
}

#define LOOP "for (int i = 0; i < n; i++) "

INSTANTIATE_TEST_SUITE_P(
    Control, Refused,
    ::testing::Values(
        RefusalCase{"While", "@while (x > 0) x -= 1;", "while (x > 0)", "`while`"},
        RefusalCase{"Do", "@do x -= 1; while (x > 0);", "do", "`while`"},
        RefusalCase{"Goto", "if (0) { end: ; } @goto end;", "goto end", "`goto`"},
        RefusalCase{"VolatileBesideAComma", LOOP "{ @device, A[i] = 1; }", "device",
                    "a statement that is not an assignment"},
        RefusalCase{"GotoBackward", LOOP "{ again: A[i] += 1; if (A[i] < 3) @goto again; }", "goto again",
                    "`goto`"},
        RefusalCase{"GotoOutOfALoop", LOOP "{ if (A[i] < 3) @goto out; A[i] = 3; } out:;", "goto out",
                    "`goto`"},
        RefusalCase{"GotoOutOfABlock", LOOP "{ if (A[i] < 3) { x = 1; { @goto out; } } A[i] = 3; out:; }",
                    "goto out", "`goto`"},
        RefusalCase{"GotoIntoABlock", LOOP "{ if (A[i] < 3) @goto in; { A[i] = 3; in: x = 2; } }", "goto in",
                    "`goto`"},
        RefusalCase{
            "GotoIntoTheOtherWay",
            LOOP "{ if (A[i] < 3) goto low; if (x > 1) @goto mid; goto end; low: x = 1; mid: x = 2; end:; }",
            "goto mid", "a `goto` into statements that another `goto` leads around"},
        RefusalCase{"GotoAroundADeclaration",
                    LOOP "{ if (A[i] > 3) goto end; @int t = 2 * i; A[i] = 1; end: x = t; }",
                    "int t = 2 * i;", "a declaration that a `goto` leads around"},
        RefusalCase{"TypeOfTheRegion", "@enum few { FEW = 3 }; " LOOP "A[i] = FEW;", "enum few { FEW = 3 }",
                    "a type that the region declares"},
        RefusalCase{"TypeOfWhatIsNotUsed", LOOP "{ @__typeof__(x) t = A[i]; A[i] = t; }",
                    "__typeof__(x) t = A[i]", "a variable of the type of another one"},
        RefusalCase{"GotoAroundAnIndex",
                    "{ int j = 0; " LOOP "{ if (@i > 3) goto skip; A[j] = 1; j += 2; skip:; } }", "i > 3",
                    "a `goto` around what a subscript is computed with"},
        RefusalCase{"Break", LOOP "{ A[i] = 0; if (@K[i] > 2) break; }", "K[i] > 2",
                    "a `break` under a condition on data"},
        RefusalCase{"BreakBehindData", LOOP "{ if (@K[i] > 2) { x += 1; } else if (i > 3) break; }",
                    "K[i] > 2", "a `break` under a condition on data"},
        RefusalCase{"BreakInside", LOOP "{ if (i < m) { if (@K[i] > 3) break; x += 1; } A[i] = 0; }",
                    "K[i] > 3", "a `break` under a condition on data"},
        RefusalCase{"BreakBehindContinue", LOOP "{ if (K[i]) continue; A[i] = 0; if (i > 3) @break; }",
                    "break", "a `break` under a condition on data"},
        RefusalCase{"Return", LOOP "{ A[i] = 0; @return; }", "return", "`return`"},
        RefusalCase{"SwitchBeforeCases", LOOP "switch (i) { @A[i] = 1; case 1: A[i] = 0; }", "A[i] = 1",
                    "before its first case"},
        RefusalCase{"SwitchBreakInside", LOOP "switch (i) { case 1: @if (n > 3) break; A[i] = 0; }",
                    "if (n > 3) break", "not the end of a case"},
        RefusalCase{"SwitchOnACall", LOOP "switch (@rand()) { case 1: A[i] = 0; }", "rand()",
                    "a `switch` on a value with side effects"},
        RefusalCase{"IfOnAPointer", LOOP "if (@rows[i]) A[i] = 0;", "rows[i]", "not a number"},
        RefusalCase{"IfOnACall", LOOP "if (@g(x) > 0) { A[i] = 0; A[1] = 2; }", "g(x)", "a call of `g`"},
        RefusalCase{"IfOnBoundsInsideOfData", LOOP "if ((@i > 2 && A[i - 3] > 0) || x > 1) A[i] = 0;",
                    "i > 2 && A[i - 3] > 0", "a condition on iterators inside of one on data"},
        RefusalCase{"IfOnAnIndirection", LOOP "if (@p[K[i]] > 0.0) A[i] = 0;", "p[K[i]]",
                    "how many it has is not known"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Loops, Refused,
    ::testing::Values(
        RefusalCase{"IteratorWritten", LOOP "{ A[i] = 0; @i += 2; }", "i += 2",
                    "iterator `i` is written inside the loop"},
        RefusalCase{"IteratorIncremented", LOOP "{ A[@i++] = 0; }", "i++",
                    "iterator `i` is written inside the loop"},
        RefusalCase{"IteratorReused", "int i; for (i = 0; i < n; i++) for (@i = 0; i < m; i++) A[i] = 0;",
                    "i = 0", "iterator `i` is written inside the loop"},
        RefusalCase{"IteratorBehindTwoLoops",
                    "int i, j; for (j = 0; j < n; j++) for (i = 0; i < m; i++) A[i] = 0; A[@i] = 1;", "i",
                    "iterator of a loop that does not surround it"},
        RefusalCase{"IteratorSetToData", "int i; @i = K[0]; for (i = 0; i < n; i++) A[i] = 0;", "i = K[0]",
                    "written elsewhere"},
        RefusalCase{"WrittenBound", "for (int i = 0; i < @m; i++) { A[i] = 0; m = 5; }", "m",
                    "the bound of the loop is not an affine"},
        RefusalCase{"DataBound", "for (int i = 0; i < n; i++)\nfor (int j = 0; j < @K[i]; j++) A[j] = 0;",
                    "K[i]", "the bound of the loop is not an affine"},
        RefusalCase{"DataStart", "for (int i = 0; i < n; i++)\nfor (int j = @K[i]; j < n; j++) A[j] = 0;",
                    "K[i]", "the start of the loop is not an affine"},
        RefusalCase{"ParametricStep", "for (int i = 0; i < n; @i += m) A[i] = 0;", "i += m",
                    "the file does not say what `m` is"},
        RefusalCase{"GeometricStep", "for (int i = 1; i < n; @i *= 2) A[i] = 0;", "i *= 2",
                    "plus or minus a constant"},
        RefusalCase{"OtherStep", "for (int i = 0; i < n; @m++) A[i] = 0;", "m++", "plus or minus a constant"},
        RefusalCase{"ZeroStep", "for (int i = 0; i < n; @i += 0) A[i] = 0;", "i += 0", "is zero"},
        RefusalCase{"NoStep", "@for (int i = 0; i < n;) A[i] = 0;", "for (int i = 0; i < n;)", "no step"},
        RefusalCase{"NoCondition", "@for (int i = 0;; i++) A[i] = 0;", "for (int i = 0;; i++)",
                    "no condition"},
        RefusalCase{"NoStart", "int i; @for (; i < n; i++) A[0] = 0;", "for (; i < n; i++)",
                    "does not set its iterator"},
        RefusalCase{"SetsAnElement", "for (@*K = 0; *K < n; ++*K) A[0] = 1;", "*K = 0",
                    "does not set one iterator"},
        RefusalCase{"StepBehind", "int j; for (int i = 0, k = 0; i < n; i++, @k = i) A[k] = 0;", "k = i",
                    "uses its iterator behind the step"},
        RefusalCase{"WhileFromOutside", "@while (un < 9) { A[un] = 0; un++; } x = un;", "while (un < 9)",
                    "does not set its iterator `un`"},
        RefusalCase{"WhileContinue", "int i = 0; @while (i < n) { if (K[i]) continue; A[i] = 0; i++; }",
                    "while (i < n)", "a `continue` in a loop"},
        RefusalCase{"WhileStepInside", "int i = 0; @while (i < n) { A[i] = 0; if (K[i]) i++; }",
                    "while (i < n)", "`while`"},
        RefusalCase{"WhileOnData", "int i = 0; while (@A[i] > 0) { A[i] = 0; i++; }", "A[i]",
                    "compares values that are not integers"},
        RefusalCase{"FloatIterator", "for (@double d = 0; d < n; d += 1) A[0] = d;", "double d = 0;",
                    "not an integer variable"},
        RefusalCase{"Endless", "for (unsigned i = n; @i >= 0; i--) A[i] = 0;", "i >= 0", "never ends"},
        RefusalCase{"WrongDirection", "for (int i = 0; @i >= 0; i++) A[i] = 0;", "i >= 0", "never ends"},
        RefusalCase{"StepsOver", "for (int i = 0; @i != 5; i += 2) A[i] = 0;", "i != 5", "never ends"},
        RefusalCase{"NarrowIterator", "@for (unsigned char i = 0; i < 251; i += 10) A[i] = 0;",
                    "for (unsigned char i = 0; i < 251; i += 10)", "wraps around before the loop ends"},
        RefusalCase{"UnsignedWraps",
                    "for (unsigned i = 0; i < 10; i++) for (unsigned j = 0; j < @i - 1; j++) A[i] = 0;",
                    "i - 1", "wraps around"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Accesses, Refused,
    ::testing::Values(
        RefusalCase{"Product", LOOP "A[@i * i] = 0;", "i * i",
                    "the subscript is not an affine expression: it multiplies"},
        RefusalCase{"OtherRows", LOOP "A[@i * m + i * n] = 0;", "i * m",
                    "it multiplies two values that are not constant"},
        RefusalCase{"LeavesItsRow", LOOP "{ A[i * m + 1] = 0; @A[i * m - 70 * m] = 0; }", "A[i * m - 70 * m]",
                    "a subscript that leaves its row"},
        RefusalCase{"RowsOfALocal", "double t[200]; " LOOP "t[@i * m] = 0;", "i * m",
                    "it multiplies two values that are not constant"},
        RefusalCase{"RowsInARow", LOOP "B[i][@i * m] = 0;", "i * m",
                    "it multiplies two values that are not constant"},
        RefusalCase{"WrittenSubscript", LOOP "{ m = m * 2; A[@m] = 0; }", "m",
                    "`m` is written inside the region"},
        RefusalCase{"IndirectOfUnknownSize", LOOP "A[i] = @p[K[i]];", "p[K[i]]",
                    "how many it has is not known"},
        RefusalCase{"IndirectInARow", LOOP "{ A[i * m + 1] = 0; x += A[@K[i]]; }", "K[i]",
                    "data decide about a part of a subscript"},
        RefusalCase{"IndirectBesideAnOffset", "double *q = A + n; " LOOP "x += q[@K[i]];", "K[i]",
                    "data decide about a part of a subscript"},
        RefusalCase{"IndirectBackwards", LOOP "x += *(A - @K[i]);", "K[i]", "it is an array element"},
        RefusalCase{"IndirectPointer", LOOP "{ double *q = @&A[K[i]]; K[i] = 0; x += *q; }", "&A[K[i]]",
                    "data decide where a pointer points"},
        RefusalCase{"IndirectRow", LOOP "{ double *q = @B[K[i]]; x += q[i]; }", "B[K[i]]",
                    "data decide where a pointer points"},
        RefusalCase{"DivisionByParameter", LOOP "A[@i / m] = 0;", "i / m", "the divisor is not a constant"},
        RefusalCase{"ModuloParameter", LOOP "A[@i % m] = 0;", "i % m", "the divisor is not a constant"},
        RefusalCase{"CallInSubscript", LOOP "A[@rand()] = 0;", "rand()", "it is the result of a call"},
        RefusalCase{"PointerAmidAnExpression", LOOP "A[i] = (*@p++ > 0) ? *p : 1;", "p++",
                    "pointer arithmetic"},
        RefusalCase{"PointerAndItsValue", LOOP "*@p = *p++;", "p",
                    "the pointer `p` is set inside the region"},
        RefusalCase{"PointerByData", LOOP "if (A[i] > 0) *@p++ = A[i];", "p",
                    "how far the pointer `p` has moved is not known here"},
        RefusalCase{"PointerTable", LOOP "(@*rows)[i] = 0;", "*rows", "an array of pointers"},
        RefusalCase{"PointerCast", LOOP "(@(float *)p)[i] = 0;", "(float *)p", "changed by a cast"},
        RefusalCase{"MemberPointer", LOOP "{ @s.c[i] = 1; s.a = 2; }", "s.c", "a pointer that is a member"},
        RefusalCase{"MemberBits", LOOP "A[i] = @s.d;", "s.d", "a bit-field"},
        RefusalCase{"MemberOfUnion", LOOP "A[i] = @ps->u;", "ps->u", "a member of a union"},
        RefusalCase{"MemberAtTheEnd", LOOP "A[i] = @ps->last[0];", "ps->last", "at the end of a structure"},
        RefusalCase{"MemberOutside", LOOP "A[i] = @s.b[i + 10];", "s.b[i + 10]",
                    "a subscript outside of a member that has 10 elements"},
        RefusalCase{"MemberByData", LOOP "A[i] = @s.b[K[i]];", "s.b[K[i]]",
                    "data decide which element of a member"},
        RefusalCase{"MemberAsBound", "for (int i = 0; i < @s.e; i++) s.e = 0;", "s.e",
                    "a member of a structure in an affine"},
        RefusalCase{"MemberAddress", LOOP "{ double *q = &@s.a; A[i] = *q; }", "s.a",
                    "the address of a member"},
        RefusalCase{"Structure", "@*ps = s;", "*ps", "a structure or union as a whole"},
        RefusalCase{"StructureInside", LOOP "{ @struct pair q; q.a = A[i]; A[i] = 2 * q.a; }",
                    "struct pair q", "a structure or union declared inside"},
        RefusalCase{"Volatile", LOOP "A[i] = @device;", "device", "volatile"},
        RefusalCase{"BrainFloat", "@__bf16 q; A[0] = n;", "__bf16 q", "have type __bf16"},
        RefusalCase{"LongDouble", "@long double q; q = 1;", "long double q", "have type long double"},
        RefusalCase{"UnsignedRemainder", "for (unsigned i = 0; i < 9; i++) A[@(i - 1) % 8 + 1] = 0;",
                    "(i - 1)", "unsigned and may fall below zero"},
        RefusalCase{"UnsignedComparison", "for (unsigned i = 0; i < 9; i++) A[@i - 1 < 5 ? i : 9] = 0;",
                    "i - 1", "unsigned and may fall below zero"},
        RefusalCase{"WidenedUnsigned",
                    "for (unsigned i = 0; i < 9; i++) A[((unsigned long)@(i - 1) + 8) % 8] = 0;", "(i - 1)",
                    "unsigned and may fall below zero"},
        RefusalCase{"UnsignedProduct", "for (unsigned i = 0; i < un; i++) A[@i * 2654435761u % 13] = 0;",
                    "i * 2654435761u", "may be outside of the range of unsigned int"},
        RefusalCase{"UnsignedShift", "for (unsigned i = 0; i < 99; i++) A[@(i << 28) >> 28] = 0;",
                    "(i << 28)", "may be outside of the range of unsigned int"},
        RefusalCase{"UnsignedFactor", "for (unsigned i = 0; i < un; i++) A[@(i * 400000u) / 3 % 50] = 0;",
                    "(i * 400000u)", "may be outside of the range of unsigned int"},
        RefusalCase{"UnsignedNegative", "for (unsigned i = 0; i < 9; i++) A[@(i + -1) / 3] = 0;", "(i + -1)",
                    "unsigned and may fall below zero"},
        RefusalCase{"NarrowedProduct", "for (long i = 0; i < ln; i++) A[@(int)(i * 4294967297L)] = 0;",
                    "(int)(i * 4294967297L)", "may be outside of the range of int"},
        RefusalCase{"NarrowedUnsigned", "for (unsigned i = 0; i < 99; i++) A[@(int)(i * 99999999u) + 5] = 0;",
                    "(int)(i * 99999999u)", "may be outside of the range of int"},
        RefusalCase{"BeforeFirst", LOOP "@p[-1 - i] = 0;", "p[-1 - i]", "before its first element"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Expressions, Refused,
    ::testing::Values(
        RefusalCase{"UnknownCall", LOOP "A[i] = @g(A[i]);", "g(A[i])",
                    "a call of `g`, which is only declared and may have side effects"},
        RefusalCase{"LongDoubleValue", LOOP "A[i] = @(long double)A[i] * 2;", "(long double)A[i] * 2",
                    "a value of type long double, which tuned code does not have"},
        RefusalCase{"LongDoubleNumber", LOOP "A[i] *= @2.0L;", "2.0L", "a value of type long double"},
        RefusalCase{"ComplexCall", LOOP "A[i] = (double)@__builtin_csqrt(A[i]);", "__builtin_csqrt(A[i])",
                    "a call of `__builtin_csqrt`, a function of complex numbers"},
        RefusalCase{"ComplexMacro", LOOP "A[i] = @CMPLX(A[i], 1.0);", "CMPLX(A[i], 1.0)",
                    "a call of `CMPLX`, which has no value here"},
        RefusalCase{"ComplexIntegers", LOOP "A[i] = __real__ @(_Complex int)K[i];", "(_Complex int)K[i]",
                    "a value of type _Complex int"},
        RefusalCase{"OptimisersValue", LOOP "A[i] = @__builtin_constant_p(K[i]) ? 1 : 2;",
                    "__builtin_constant_p(K[i])",
                    "a call of `__builtin_constant_p`, whose value depends on how the compiler optimises"},
        RefusalCase{"CompilersFunction", LOOP "A[i] = @__builtin_clrsb(K[i]);", "__builtin_clrsb(K[i])",
                    "a call of `__builtin_clrsb`, a function of the compiler that tuned code does not have"},
        RefusalCase{"CallThroughPointer", LOOP "A[i] = @fp(A[i]);", "fp(A[i])", "through a pointer"},
        RefusalCase{"CallStatement", LOOP "@g(A[i]);", "g(A[i])", "a call of `g`"},
        RefusalCase{"PrintStatement", "@abort();", "abort()", "a call of `abort`"},
        RefusalCase{"AssignmentInside", LOOP "A[i] = (@x = 2.0) + 1;", "x = 2.0",
                    "an assignment inside an expression"},
        RefusalCase{"IncrementInside", LOOP "A[i] = @m++ + m;", "m++", "an assignment inside an expression"},
        RefusalCase{"BesideAScalar", LOOP "A[i] = @*(&x + 1);", "*(&x + 1)", "beside the scalar"},
        RefusalCase{"PointerComparison", LOOP "A[i] = @p == A;", "p == A", "a kind that a scop cannot hold"},
        RefusalCase{"StatementExpression", LOOP "A[i] = @({ A[3] = x; 1.0; });", "({ A[3] = x; 1.0; })",
                    "a statement expression, which does more than compute a value"},
        RefusalCase{"StaticLocal", "@static double t; t = 1;", "static double t",
                    "a static or external variable"},
        RefusalCase{"PointerLocal", "@double *q;", "double *q", "the pointer `q` is set inside"},
        RefusalCase{"ArrayInitialiser", "@double t[70] = {1, 2}; A[0] = t[0];", "double t[70] = {1, 2}",
                    "an initialiser of an array inside the region that is no list of at most 64 elements"},
        RefusalCase{"StringInitialiser", "@char t[2] = \"a\"; A[0] = t[0];", "char t[2] = \"a\"",
                    "an initialiser of an array"},
        RefusalCase{"ChangingSize", LOOP "{ @double t[i + 1]; t[0] = 1; }", "double t[i + 1]",
                    "the size of `t` changes inside the region"},
        RefusalCase{"Assembly", "@__asm__ volatile (\"\");", "__asm__ volatile (\"\")",
                    "a kind that a scop cannot hold"}),
    [](const auto& info) { return info.param.name; });

TEST(Escaping, IteratorsReadBehindTheRegion) {
  const char head[] =
      "int f(int n, double A[n]) { int i;\n#pragma scop\nfor (i = 0; i < n; i++) A[i] = 0;\n#pragma "
      "endscop\n";
  EXPECT_THAT(Problems(Extract(absl::StrCat(head, "return i; }"))),
              HasSubstr("the value that the iterator `i` has after the region is used [i]"));
  EXPECT_THAT(Problems(Extract(absl::StrCat(head, "i = i + 1; return n; }"))),
              HasSubstr("after the region is used"));
  EXPECT_EQ(Problems(Extract(absl::StrCat(head, "for (i = 0; i < n; i++) A[i] += i; return n; }"))), "");
  EXPECT_EQ(Problems(Extract(absl::StrCat(head, "return n; }"))), "");
}

TEST(Escaping, IteratorsReadByTheLoopWhoseBodyTheRegionIs) {
  const char text[] =
      "int f(double A[9]) { int i = 0, x = 0;\nfor (int t = 0; t < 3; %s, t++)\n#pragma scop\n"
      "for (i = 0; i < 9; i++) A[i] = 0;\n#pragma endscop\nreturn x; }\n";
  EXPECT_THAT(Problems(Extract(absl::StrReplaceAll(text, {{"%s", "x += i"}}))),
              HasSubstr("the value that the iterator `i` has after the region is used [i]"));
  EXPECT_EQ(Problems(Extract(absl::StrReplaceAll(text, {{"%s", "x += t"}}))), "");
}

TEST(Escaping, IteratorsThatAreSetOnlyHereAndThere) {
  const char head[] =
      "int f(int n, double A[n]) { int i;\n#pragma scop\nfor (i = 0; i < n; i++) A[i] = 0;\n#pragma "
      "endscop\n";
  const auto problems = [&](const char* behind) { return Problems(Extract(absl::StrCat(head, behind))); };
  const auto used = HasSubstr("the value that the iterator `i` has after the region is used [i]");
  EXPECT_THAT(problems("if (n > 5) for (i = 0; i < 3; i++) A[i] += 1; return i; }"), used);
  EXPECT_THAT(problems("while (n-- > 5) { i = 3; } return i; }"), used);
  EXPECT_THAT(problems("if (n > 5) i = 3; else if (n > 3) A[i] = 1; return n; }"), used);
  EXPECT_THAT(problems("switch (n) { case 1: i = 7; } return i; }"), used);
  EXPECT_EQ(problems("if (n > 5) { for (i = 0; i < 3; i++) A[i] += i; } for (i = 0; i < n; i++) A[i] += i; "
                     "return i; }"),
            "");
  EXPECT_THAT(problems("n > 5 && (i = 5); return i; }"), used);
  EXPECT_THAT(problems("int t = n > 5 ? (i = 3) : 2; return i + t; }"), used);
  EXPECT_THAT(problems("for (int c = 0; c < n; i = 0) c++; return i; }"), used);
  EXPECT_THAT(problems("do { if (n > 5) break; i = 0; } while (n > 0); return i; }"), used);
  EXPECT_THAT(problems("if (n > 5) goto end; i = 0; end: return i; }"), used);
  EXPECT_EQ(problems("if (n > 5) { i = 7; return i; } return n; }"), "");
  EXPECT_EQ(problems("if (n > 5) i = 7; else i = 8; return i; }"), "");
  EXPECT_EQ(problems("do { i = 0; } while (n-- > 0); return i; }"), "");
}

TEST(Escaping, IteratorsReadInLaterRoundsOfALoop) {
  const char text[] =
      "int f(int n, double A[n]) { int i = 0, s = 0, t = 5;\n%s {\n#pragma scop\n"
      "for (i = 0; i < n; i++) A[i] = 0;\n#pragma endscop\n%e }\nreturn %r; }\n";
  const auto problems = [&](const char* head, const char* end, const char* result) {
    return Problems(Extract(absl::StrReplaceAll(text, {{"%s", head}, {"%e", end}, {"%r", result}})));
  };
  const auto used = HasSubstr("the value that the iterator `i` has after the region is used [i]");
  EXPECT_THAT(problems("while (t--) { if (t == 2) i = 7; s += i;", "}", "s"), used);
  EXPECT_THAT(problems("for (;;)", "if (n > 3) break; i = 7; break;", "i"), used);
  EXPECT_THAT(problems("switch (n) case 3:", "if (n > 3) break; i = 7;", "i"), used);
  EXPECT_EQ(problems("while (t--) { i = 7; s += i;", "}", "s"), "");
  EXPECT_EQ(problems("for (;;)", "i = 7; if (n > 3) break;", "i"), "");
}

TEST(Escaping, IteratorsReadByTheRoundsThatJumpsMake) {
  const char text[] =
      "int f(double A[9]) { int i = 0, x = 0, t = 0;\nagain: x += %s;\n#pragma scop\n"
      "for (i = 0; i < 9; i++) A[i] = 0;\n#pragma endscop\nif (++t < 3) goto again; return x; }\n";
  EXPECT_THAT(Problems(Extract(absl::StrReplaceAll(text, {{"%s", "i"}}))),
              HasSubstr("the value that the iterator `i` has after the region is used [i]"));
  EXPECT_EQ(Problems(Extract(absl::StrReplaceAll(text, {{"%s", "t"}}))), "");
}

TEST(Escaping, IteratorsThatOthersReach) {
  const char text[] =
      "%f int f(double A[9]) { %l\n#pragma scop\nfor (i = 0; i < 9; i++) A[i] = 0;\n#pragma endscop\n"
      "return 0; }\n";
  const auto problems = [&](const char* of_file, const char* local) {
    return Problems(Extract(absl::StrReplaceAll(text, {{"%f", of_file}, {"%l", local}})));
  };
  const auto reached =
      HasSubstr("the value that the iterator `i` has after the region may be read elsewhere");
  EXPECT_THAT(problems("int i;", ""), reached);
  EXPECT_THAT(problems("static int i;", ""), reached);
  EXPECT_THAT(problems("", "static int i;"), reached);
  EXPECT_THAT(problems("", "int i, *p = &i;"), reached);
  EXPECT_THAT(problems("void end(int *);", "int i __attribute__((cleanup(end)));"), reached);
  EXPECT_EQ(problems("int i;", "int i;"), "");
}

TEST(Escaping, DeclarationsUsedBehindTheRegion) {
  std::string text = "double f(double x) {\n#pragma scop\ndouble t = 2 * x;\n#pragma endscop\nreturn t; }\n";
  EXPECT_THAT(Problems(Extract(text)),
              HasSubstr("5:8: `t` is declared inside the region and used outside of it [t]"));
}

TEST(Refused, AllFaultsAtOnce) {
  std::string text =
      Function("void f(int n, double A[n], int K[n])",
               "for (int i = 0; i < n; i++) {\nA[i * i] = 0;\nA[i] = n * 1.0L;\n}\nwhile (1) ;");
  EXPECT_EQ(Extract(text).diagnostics_size(), 3);
}

TEST(Refused, BoundsThatDataDecideMayBeCopied) {
  const v1::Extraction extraction =
      Extract(Function("void f(int n, double A[9], const int *K)",
                       "for (int i = 0; i < n; i++)\nfor (int j = 0; j < K[i]; j++) A[j] = 0;"));
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("copy it to a variable before the region"));
}

TEST(Refused, GoodRegionsAreStillShown) {
  v1::Extraction extraction = Extract(Function("void f(double A[10])", "A[0] = 1;") +
                                      Function("void g(double A[10])", "while (1) ;"));
  EXPECT_EQ(extraction.scops_size(), 1);
  EXPECT_EQ(extraction.diagnostics_size(), 1);
}

// A bound or step is what it is in each iteration, not what it was before the loop.
TEST(Refused, BoundsAndStepsThatTheLoopChanges) {
  const auto problems = [](const char* body) {
    return Problems(Extract(Function("void f(int n, double *restrict A, double *restrict B)", body)));
  };
  const char bound[] =
      "the bound of the loop is not an affine expression: `k` is written inside the region [k]";
  EXPECT_THAT(problems("for (int i = 0, k = n - 1; i < k; i++, k /= 2) A[i] = B[k];"), HasSubstr(bound));
  EXPECT_THAT(problems("int k = n;\nfor (int i = 0; i < k; i++) { A[i] = 1; if (i > 3) k--; }"),
              HasSubstr(bound));
  EXPECT_THAT(problems("int k = n, i = 0;\nwhile (i < k) { A[i] = 1; if (i > 5) k = 7; i++; }"),
              HasSubstr(bound));
  EXPECT_THAT(problems("int k = 1;\nfor (int i = 0; i < n; i += k) { A[i] = 1; k = 2; }"),
              HasSubstr("the step of the loop is not the iterator plus or minus a constant [i += k]"));
  EXPECT_EQ(
      problems(
          "int k = n, m = 2;\nfor (int i = 0; i < k; i += m) { A[i] = 1; int j = k; B[j] = j; }\nk = 0;"),
      "");
}

TEST(Refused, MacrosOfStatements) {
  const char head[] = "#define LOOP(i, body) for (int i = 0; i < 9; i++) { body }\nvoid f(double A[9])";
  EXPECT_EQ(Problems(Extract(Function(head, "LOOP(i, A[i] = 0;)"))),
            "4:1: tuned code cannot test whether these words mean the same where it is built [LOOP]\n");
  const char other[] = "#define ZERO(A) A[i] = 0;\nvoid f(double A[9])";
  EXPECT_EQ(Problems(Extract(Function(other, "for (int i = 0; i < 9; i++) ZERO(A)"))), "");
}

TEST(Refused, ReservedParameterName) {
  v1::Extraction extraction =
      Extract(Function("void f(int max, double A[max])", "for (int i = 0; i < max; i++) A[i] = 1;"));
  EXPECT_THAT(Problems(extraction), HasSubstr("a word of isl's notation [max]"));
  // Sets and maps have it also where nothing affine is made of it.
  extraction = Extract(Function("void f(int n, int min, const int *restrict a, int holes[n])",
                                "for (int i = 0; i < n; i++) holes[a[i] - min]++;"));
  EXPECT_THAT(Problems(extraction), HasSubstr("a word of isl's notation [int min]"));
}

TEST(Refused, ConstructsFromMacrosArePlacedAtTheUse) {
  std::string text = "#define AT(a, i) a[(i) * (i)]\n" +
                     Function("void f(int n, double A[n])", "for (int i = 0; i < n; i++)\n  AT(A, i) = 0;");
  v1::Extraction extraction = Extract(text);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).line(), 5);
  EXPECT_EQ(extraction.diagnostics(0).column(), 3);
  EXPECT_EQ(extraction.diagnostics(0).expression(), "AT(A, i)");
}

TEST(Refused, RenderedForPeople) {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write(
      "a.c", "void f(double A[9]) {\n#pragma scop\n\tA[0] = 1; while (1) ;\n#pragma endscop\n}\n");
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(RenderDiagnostic(extraction.diagnostics(0)),
            request.file +
                ":3:12: error: a `while` loop: the number of its iterations is not known before it runs\n"
                "\tA[0] = 1; while (1) ;\n"
                "\t          ^\n"
                "  expression: while (1)\n"
                "  remedy: write it as a `for` loop with affine bounds, or end the region before it\n");
}

}  // namespace
}  // namespace tune::testing
