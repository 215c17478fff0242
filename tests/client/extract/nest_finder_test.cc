// Loops without pragmas: which are found, where they are, and that they are read as marked ones are.
#include "client/extract/region/nest_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/source/marked_text.h"
#include "common/base/file.h"
#include "tests/client/extract/extract_fixture.h"
#include "tests/common/testing/c_files.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kGlobals[] = "#include <stdio.h>\n#define N 9\nint k;\ndouble A[N], B[N][N], s;\n";
constexpr int kHeadLines = 4;

// "3-5 f#1", "7 refused 8: a `return` inside the region" of each, lines counted from behind kGlobals.
std::vector<std::string> Texts(const v1::LoopNests& nests) {
  std::vector<std::string> texts;
  for (const v1::Diagnostic& problem : nests.diagnostics()) texts.push_back(problem.reason());
  for (const v1::LoopNest& nest : nests.nests()) {
    const int begin = nest.begin_line() - kHeadLines, end = nest.end_line() - kHeadLines;
    std::string text = begin == end ? absl::StrCat(begin) : absl::StrCat(begin, "-", end);
    if (nest.marked()) text += " marked";
    if (nest.refusals().empty()) {
      absl::StrAppend(&text, " ", nest.scop().name());
    } else {
      absl::StrAppend(&text, " refused ", nest.refusals(0).line() - kHeadLines, ": ",
                      nest.refusals(0).reason());
    }
    texts.push_back(text);
  }
  return texts;
}

v1::LoopNests NestsOf(const std::string& text, const std::string& function = "") {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("input.c", absl::StrCat(kGlobals, text));
  request.function = function;
  return FindLoopNests(request);
}

std::vector<std::string> Nests(const std::string& text) { return Texts(NestsOf(text)); }

// In the body of f, whose first line is line 2.
std::vector<std::string> InFunction(const std::string& body) {
  return Nests(absl::StrCat("void f(int n, int m) {\n", body, "}\n"));
}

const char kLoop[] = "for (int i = 0; i < N; i++) A[i] += i;\n";
const char kPrinting[] = "for (int i = 0; i < N; i++) printf(\"%g\", A[i]);\n";
const char kPrintf[] = "a call of `printf`, which is only declared and may have side effects";

TEST(NestFinder, NeighboursAreOneRegion) {
  EXPECT_THAT(InFunction(absl::StrCat(kLoop, "s = 0;\n", "for (int i = 0; i < N; i++)\n  s += A[i];\n")),
              ElementsAre("2-5 f"));
}

TEST(NestFinder, RefusedLoopsPartNeighbours) {
  EXPECT_THAT(InFunction(absl::StrCat(kLoop, kLoop, kPrinting, kLoop, "\n", kLoop)),
              ElementsAre("2-3 f#1", absl::StrCat("4 refused 4: ", kPrintf), "5-7 f#2"));
}

TEST(NestFinder, WhatIsBetweenNeighboursPartsThem) {
  EXPECT_THAT(InFunction(absl::StrCat(kLoop, "printf(\"x\");\n", kLoop)), ElementsAre("2 f#1", "4 f#2"));
}

TEST(NestFinder, LoopsInRefusedLoops) {
  EXPECT_THAT(
      InFunction("for (int t = 0; t < n; t++) {\n"
                 "  for (int i = 0; i < N; i++)\n    A[i] += t;\n"
                 "  printf(\"%g\", A[0]);\n"
                 "  for (int i = 0; i < N; i++)\n    for (int j = 0; j < N; j++)\n      B[i][j] += A[j];\n"
                 "}\n"),
      ElementsAre(absl::StrCat("2-9 refused 5: ", kPrintf), "3-4 f#1", "6-8 f#2"));
}

TEST(NestFinder, TheSameFaultIsToldOnce) {
  EXPECT_THAT(
      InFunction("for (int t = 0; t < n; t++)\n  for (int i = 0; i < N; i++)\n    printf(\"%g\", A[i]);\n"),
      ElementsAre(absl::StrCat("2-4 refused 4: ", kPrintf)));
}

TEST(NestFinder, LoopsInBranches) {
  EXPECT_THAT(InFunction(absl::StrCat("if (n > 2) {\n  printf(\"x\");\n", kLoop, "} else {\n", kLoop,
                                      "  printf(\"x\");\n}\nswitch (n) {\ncase 1:\n", kLoop,
                                      "  printf(\"x\");\n}\n")),
              ElementsAre("4 f#1", "6 f#2", "11 f#3"));
  EXPECT_THAT(InFunction(absl::StrCat("if (n > 2)\n", kLoop)), ElementsAre("2-3 f"));
}

TEST(NestFinder, BodiesWithoutBraces) {
  EXPECT_THAT(
      InFunction(absl::StrCat("while (getchar() > 0)\n", kLoop)),
      ElementsAre("2-3 refused 2: a `while` loop: the number of its iterations is not known before it runs",
                  "3 f"));
  EXPECT_THAT(InFunction(absl::StrCat("if (getchar())\n", kLoop, "else\n", kLoop)),
              ElementsAre("3 refused 4: the loop is followed by `else`", "5 f"));
}

TEST(NestFinder, AWhileLoopNeedsWhatSetsItsIterator) {
  EXPECT_THAT(
      InFunction("int i;\ni = 0;\nwhile (i < N) {\n  A[i] = i;\n  i++;\n}\nA[0] = i;\nprintf(\"x\");\n"),
      ElementsAre("3-8 f"));
  EXPECT_THAT(InFunction("int i;\ni = 0;\nwhile (i < N) {\n  A[i] = i;\n  i++;\n}\n"), ElementsAre("3-7 f"));
  EXPECT_THAT(InFunction("int i = 0;\nwhile (i < N) {\n  A[i] = i;\n  i++;\n}\n"), ElementsAre("3-6 f"));
}

TEST(NestFinder, LinesOfTheirOwn) {
  const char begins[] = "the line in which the loop begins holds something else";
  const char ends[] = "the line in which the loop ends holds something else";
  const std::string loop = "for (int i = 0; i < N; i++) A[i] += i;";
  EXPECT_THAT(InFunction(absl::StrCat("k++; ", loop, "\n")),
              ElementsAre(absl::StrCat("2 refused 2: ", begins)));
  EXPECT_THAT(InFunction(absl::StrCat("/* a\nb */ ", loop, "\n")),
              ElementsAre(absl::StrCat("3 refused 2: ", begins)));
  EXPECT_THAT(InFunction(absl::StrCat(loop, " printf(\"x\");\n")),
              ElementsAre(absl::StrCat("2 refused 2: ", ends)));
  EXPECT_THAT(InFunction(absl::StrCat(loop, " /* a\nb */\n")),
              ElementsAre(absl::StrCat("2 refused 2: ", ends)));
  EXPECT_THAT(InFunction(absl::StrCat(loop, "}\nvoid g(void) {")),
              ElementsAre(absl::StrCat("2 refused 2: ", ends)));
  EXPECT_THAT(InFunction(absl::StrCat("/* a */ ", loop, " // b\n")), ElementsAre("2 f"));
  EXPECT_THAT(InFunction(absl::StrCat("k++; \\\n", loop, "\n")),
              ElementsAre(absl::StrCat("2-3 refused 2: ", begins)));
}

TEST(NestFinder, ConditionalDirectives) {
  EXPECT_THAT(InFunction("for (int i = 0; i < N; i++) {\n#ifdef X\nA[i] = 1;\n#else\nA[i] = 2;\n#endif\n}\n"),
              ElementsAre("2-8 f"));
  EXPECT_THAT(
      InFunction("#ifdef X\nfor (int i = 1; i < N; i++)\n#else\nfor (int i = 0; i < N; i++)\n#endif\n"
                 "  A[i] = 1;\n"),
      ElementsAre("5-7 refused 6: a part of a conditional directive stands in the loop, and its beginning "
                  "before it"));
  EXPECT_THAT(InFunction("#ifndef X\nfor (int i = 0; i < N; i++)\n  A[i] = 1\n#else\n  s = 1\n#endif\n  ;\n"),
              ElementsAre("3-4 refused 4: a directive parts the loop from its `;`"));
  EXPECT_THAT(InFunction("for (int i = 0; i < N; i++)\n#ifndef X\n  A[i] = 1;\n#else\n  s = 1;\n#endif\n"),
              ElementsAre("2-7 f"));
  EXPECT_THAT(InFunction("for (int i = 0; i < N; i++)\n#ifndef X\n  A[i] = 1;\n  k++;\n#endif\n"),
              ElementsAre("2-4 refused 5: a conditional directive begins in the loop and ends behind it"));
  EXPECT_THAT(
      InFunction("for (int i = 0; i < N; i++)\n#ifndef X\n#ifndef Y\n  A[i] = 1;\n#endif\n  k++;\n#endif\n"),
      ElementsAre("2-5 refused 7: a conditional directive begins in the loop and ends behind it"));
}

TEST(NestFinder, PragmasBelongToTheLoopBehindThem) {
  EXPECT_THAT(InFunction(absl::StrCat("s = 1;\n#pragma omp parallel for\n// b\n#pragma GCC ivdep\n", kLoop,
                                      "printf(\"x\");\n_Pragma(\"omp parallel for\")\n", kLoop)),
              ElementsAre("3-6 f#1", "8-9 f#2"));
}

TEST(NestFinder, PragmasUnderConditionsBelongToTheLoop) {
  const std::string parallel = "#pragma omp parallel for\n";
  for (const std::string& text : {"#ifdef OPEN\n" + parallel + "#endif\n",
                                  "#if X\n" + parallel + "#else\n#pragma acc loop\n#endif\n// b\n",
                                  "#ifdef X\n#if Y\n" + parallel + "#endif\n#endif\n"}) {
    const auto lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_THAT(InFunction(absl::StrCat("printf(\"x\");\n", text, kLoop)),
                ElementsAre(absl::StrCat("3-", 3 + lines, " f")));
    // Threads run it in builds in which the condition holds.
    EXPECT_THAT(
        InFunction(absl::StrCat(text, "for (int t = 0; t < n; t++) {\nprintf(\"x\");\n", kLoop, "}\n")),
        ElementsAre(::testing::_, ::testing::HasSubstr("refused 2: the loop lies in what this pragma")));
  }
  // What is more than pragmas, and what no condition is around, stay where they are.
  EXPECT_THAT(InFunction(absl::StrCat("#ifdef X\n#pragma omp parallel for\n#define Y\n#endif\n", kLoop)),
              ElementsAre("6 f"));
  EXPECT_THAT(InFunction(absl::StrCat("#ifdef X\n#endif\n", kLoop)), ElementsAre("4 f"));
}

TEST(NestFinder, NoThreadsInThreads) {
  const char lies_in[] = "the loop lies in what this pragma makes parallel";
  EXPECT_THAT(
      InFunction(absl::StrCat("#pragma omp parallel\n{\nprintf(\"x\");\n#pragma omp for\n", kLoop, "}\n")),
      ElementsAre(absl::StrCat("6 refused 2: ", lies_in)));
  // Of loops in one another it is told once.
  EXPECT_THAT(InFunction(absl::StrCat("_Pragma(\"omp parallel for\")\nfor (int t = 0; t < n; t++) {\n",
                                      "printf(\"x\");\nfor (int u = 0; u < n; u++)\n", kLoop, kLoop, "}\n")),
              ElementsAre(absl::StrCat("2-8 refused 4: ", kPrintf), absl::StrCat("5-6 refused 2: ", lies_in),
                          absl::StrCat("7 refused 2: ", lies_in)));
}

TEST(NestFinder, LoopsThatMacrosMake) {
  const std::string macros =
      "#define FOR(i) for (int i = 0; i < N; i++)\n#define TWO FOR(i) A[i] = 1; FOR(i) A[i] += 1\n"
      "#define BOTH(x) void x(void) { FOR(i) A[i] = 1; }\n#define END } }\n";
  EXPECT_THAT(Nests(absl::StrCat(macros, "void f(void) {\nFOR(i)\n  A[i] = 2;\n}\n")), ElementsAre("6-7 f"));
  EXPECT_THAT(Nests(absl::StrCat(macros, "void f(void) {\nTWO;\nprintf(\"x\");\n}\n")), ElementsAre("6 f"));
  EXPECT_THAT(Nests(absl::StrCat(macros, "BOTH(f)\n")),
              ElementsAre("5 refused 5: a macro makes the loop and a part of what is around it"));
  EXPECT_THAT(
      Nests(absl::StrCat(macros, "void f(void) {\nFOR(i) {\nprintf(\"x\");\nFOR(j) {\nA[j] = 1;\nEND\n}\n")),
      ElementsAre(absl::StrCat("6-10 refused 7: ", kPrintf),
                  "8-10 refused 8: a macro makes the loop and a part of what is around it"));
}

TEST(NestFinder, MacrosOfStatementsAreWrittenOut) {
  EXPECT_THAT(Nests("#define LOOP(i, body) for (int i = 0; i < 9; i++) { body }\nvoid f(void) {\n"
                    "for (int i = 0; i < N; i++)\n  A[i] = 0;\nLOOP(i, A[i] += 1;)\n}\n"),
              ElementsAre("3-4 f",
                          "5 refused 5: tuned code cannot test whether these words mean the same where it "
                          "is built"));
}

TEST(NestFinder, MarkedRegionsStayAsTheyAre) {
  const std::string marked = absl::StrCat("#pragma scop\n", kLoop, "#pragma endscop\n");
  EXPECT_THAT(InFunction(absl::StrCat(kLoop, marked, kLoop, kLoop)),
              ElementsAre("2 f#1", "3-5 marked f#2", "6-7 f#3"));
  EXPECT_THAT(InFunction(absl::StrCat("for (int t = 0; t < n; t++) {\n", kLoop, marked, "}\n")),
              ElementsAre("3 f#1", "4-6 marked f#2"));
  EXPECT_THAT(InFunction(absl::StrCat("#pragma scop\n", kPrinting, "#pragma endscop\n")),
              ElementsAre(absl::StrCat("2-4 marked refused 3: ", kPrintf)));
  EXPECT_THAT(InFunction("#pragma scop\n"), ElementsAre("`#pragma scop` without `#pragma endscop` after it"));
}

TEST(NestFinder, FunctionsOfTheFile) {
  const std::string text =
      absl::StrCat("static void f(void) {\n", kLoop, "}\nint g(int x) { return x; }\nvoid h(void);\n",
                   "void e(void) {\n", kLoop, "}\n");
  EXPECT_THAT(Nests(text), ElementsAre("2 f", "7 e"));
  EXPECT_THAT(Texts(NestsOf(text, "e")), ElementsAre("7 e"));
  EXPECT_THAT(Nests("int g(int x) { return x; }\n"), IsEmpty());
  const v1::LoopNests unknown = NestsOf(text, "h");
  ASSERT_EQ(unknown.diagnostics_size(), 1);
  EXPECT_EQ(unknown.diagnostics(0).reason(), "no function `h` has its body in the file");
  EXPECT_EQ(unknown.diagnostics(0).remedy(), "name one of these: f, g, e");
}

// Of each nest in the body of f the text from where it begins to behind its end, with "{}" where text can be
// put before it with braces alone; "nowhere".
std::vector<std::string> Places(const std::string& body) {
  const std::string text = absl::StrCat("void f(int n, int m) {\n", body, "}\n"), file = kGlobals + text;
  std::vector<std::string> places;
  const v1::LoopNests nests = NestsOf(text);
  for (const v1::LoopNest& nest : nests.nests()) {
    const auto begin = static_cast<size_t>(nest.begin_offset()), end = static_cast<size_t>(nest.end_offset());
    places.push_back(end == 0 ? "nowhere"
                              : absl::StrCat(nest.in_block() ? "" : "{}", file.substr(begin, end - begin)));
  }
  return places;
}

TEST(NestPlaces, BeginAndEndInTheFile) {
  EXPECT_THAT(
      Places("  for (int i = 0; i < N; i++) A[i] = 1; // x\n  for (int i = 0; i < N; i++) A[i] = 2 ; k++;\n"),
      ElementsAre("for (int i = 0; i < N; i++) A[i] = 1;", "for (int i = 0; i < N; i++) A[i] = 2 ;"));
  EXPECT_THAT(Places("k = 0; while (k < 3) { printf(\"\"); k++; }\n"),
              ElementsAre("while (k < 3) { printf(\"\"); k++; }"));
}

TEST(NestPlaces, PragmasBeforeBelongToIt) {
  EXPECT_THAT(
      Places("k++;\n  #pragma omp parallel for\n  _Pragma(\"GCC ivdep\")\n  for (int i = 0; i < N; i++) A[i] "
             "= 1;\n"),
      ElementsAre(
          "#pragma omp parallel for\n  _Pragma(\"GCC ivdep\")\n  for (int i = 0; i < N; i++) A[i] = 1;"));
  EXPECT_THAT(Places("#pragma scop\nfor (int i = 0; i < N; i++) A[i] = 1;\n#pragma endscop\n"),
              ElementsAre("#pragma scop\nfor (int i = 0; i < N; i++) A[i] = 1;\n#pragma endscop"));
}

TEST(NestPlaces, BodiesWithoutBraces) {
  EXPECT_THAT(Places("if (n) for (int i = 0; i < N; i++) k++; else for (;;) k--;\nx: for (;;) k++;\n"),
              ElementsAre("{}for (int i = 0; i < N; i++) k++;", "{}for (;;) k--;", "{}for (;;) k++;"));
  EXPECT_THAT(Places("switch (n) {\ncase 1: for (;;) printf(\"\");\n}\n"),
              ElementsAre("{}for (;;) printf(\"\");"));
}

TEST(NestPlaces, MacrosThatMakeMoreThanTheLoop) {
  EXPECT_THAT(Places("#define EACH(i) for (int i = 0; i < N; i++)\nEACH(i) printf(\"\");\nif (n) EACH(i) "
                     "printf(\"x\");\n"),
              ElementsAre("EACH(i) printf(\"\");", "{}EACH(i) printf(\"x\");"));
  // The second loop begins in the middle of what the macro makes, and the branch ends there.
  EXPECT_THAT(Places("#define TWO printf(\"\"); for (;;) k++; for (;;) k--\nif (n) TWO;\n"),
              ElementsAre("nowhere", "nowhere"));
  EXPECT_THAT(Places("#define TWO for (;;) k++; for (;;) k--\nif (n) TWO;\n"),
              ElementsAre("nowhere", "nowhere"));
}

TEST(NestPlaces, WhatThreadsRun) {
  EXPECT_THAT(Places("#pragma omp parallel\n{\nprintf(\"\");\n#pragma omp for\nfor (int i = 0; i < N; i++) "
                     "A[i] = 1;\n}\n"),
              ElementsAre("nowhere"));
}

TEST(NestFinder, WhetherThereIsAMain) {
  EXPECT_FALSE(NestsOf("void f(void) {}\n").has_main());
  EXPECT_TRUE(NestsOf("int main(void) {}\n").has_main());
}

v1::Extraction ExtractFunction(const std::string& text, const std::string& function) {
  ExtractionRequest request;
  request.function = function;
  return Extract(text, request);
}

// With empty lines in their places.
std::string WithoutPragmas(const std::string& marked) {
  return absl::StrReplaceAll(marked, {{"#pragma scop", ""}, {"#pragma endscop", ""}});
}

TEST(FunctionRegions, PlacesAreThoseOfTheFile) {
  const std::string text =
      absl::StrCat("double A[9];\nvoid f(void) {\r\n  for (int i = 0; i < 9; i++)\n",
                   "    A[i] = 1;  // one\r\n  A[0] = 2; A[1] = 3;\n  if (A[0] > A[1]) return;\n",
                   "  for (int i = 0; i < 9; i++)\n    A[i] = 2;\n}");
  const v1::Extraction extraction = ExtractFunction(text, "f");
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 2);
  const v1::SourceRegion& region = extraction.scops(0).region();
  EXPECT_EQ(text.substr(region.begin_offset(), region.end_offset() - region.begin_offset()),
            "  for (int i = 0; i < 9; i++)\n    A[i] = 1;  // one");
  EXPECT_EQ(region.body_begin_offset(), region.begin_offset());
  EXPECT_EQ(region.body_end_offset(), region.end_offset());
  EXPECT_EQ(region.begin_line(), 3);
  EXPECT_EQ(region.end_line(), 4);
  EXPECT_EQ(region.function(), "f");
  EXPECT_EQ(region.file(), "input.c");
  EXPECT_EQ(extraction.scops(0).statements(0).line(), 4);
  EXPECT_EQ(extraction.scops(1).region().begin_line(), 7);
  EXPECT_EQ(extraction.scops(1).statements(0).line(), 8);
  EXPECT_EQ(extraction.scops(0).name(), "f#1");
  EXPECT_EQ(extraction.program().files(0).content(), text);
}

TEST(FunctionRegions, MarkedOnesOfOtherFunctionsAreLeftOut) {
  const std::string marked = Function("double A[9], B[9];\nvoid g(void)", kLoop);
  const v1::Extraction extraction = ExtractFunction(
      absl::StrReplaceAll(absl::StrCat(marked, "void f(void) {\n", kLoop, "}\n"), {{"N", "9"}}), "f");
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  EXPECT_EQ(extraction.scops(0).region().function(), "f");
}

TEST(FunctionRegions, Refusals) {
  EXPECT_EQ(Problems(ExtractFunction(Function("void f(double A[9])", "A[0] = 1;"), "f")),
            "2:1: `f` has a marked region, and its loops are asked for [#]\n");
  EXPECT_EQ(Problems(ExtractFunction("void f(double A[9]) {}\n", "f")),
            "0:0: the function `f` has no loop []\n");
  EXPECT_EQ(Problems(ExtractFunction("void f(double A[9]) {}\n", "g")),
            "0:0: no function `g` has its body in the file []\n");
  EXPECT_EQ(Problems(ExtractFunction(
                "int h(int);\nvoid f(double A[9]) {\nfor (int i = 0; i < 9; i++)\nh(i);\n}\n", "f")),
            "4:1: a call of `h`, which is only declared and may have side effects [h(i)]\n");
  // Of a loop and one inside of it.
  EXPECT_EQ(
      Problems(ExtractFunction("int h(int);\nvoid f(double A[9]) {\nfor (int i = 0; i < 9; i++) {\nh(i);\n"
                               "for (int j = 0; j < i; j++)\nh(j);\n}\n}\n",
                               "f")),
      "4:1: a call of `h`, which is only declared and may have side effects [h(i)]\n"
      "6:1: a call of `h`, which is only declared and may have side effects [h(j)]\n");
}

// What directives test and macros become counts in a region that nobody marked, too.
TEST(FunctionRegions, MeaningsAreThoseOfAMarkedRegion) {
  const std::string body =
      "#ifdef TWICE\n#define W 2\n#else\n#define W V\n#endif\nfor (int i = 0; i < n; i++)\n#if LEVEL > 1\n"
      "  A[i] = W;\n#else\n  A[i] = V;\n#endif\n";
  const std::string head = "#define V 3\n#define LEVEL 2\nvoid f(int n, double A[n])";
  const std::string marked = absl::StrReplaceAll(
      absl::StrCat(head, " {\n", body, "}\n"),
      {{"#endif\nfor", "#endif\n#pragma scop\nfor"}, {"#endif\n}", "#endif\n#pragma endscop\n}"}});
  v1::Extraction expected = Extract(marked);
  v1::Extraction actual = ExtractFunction(WithoutPragmas(marked), "f");
  ASSERT_EQ(Problems(expected), "");
  ASSERT_EQ(Problems(actual), "");
  ASSERT_GT(expected.scops(0).meanings_size(), 2);
  for (v1::Extraction* extraction : {&expected, &actual}) extraction->mutable_scops(0)->clear_region();
  EXPECT_EQ(actual.scops(0).DebugString(), expected.scops(0).DebugString());
}

const char kGolden[] = TUNE_SOURCE_DIR "/tests/client/extract/golden";

class GoldenWithoutPragmas : public ::testing::TestWithParam<std::string> {};

// Each golden file without its pragmas is the same scop.
TEST_P(GoldenWithoutPragmas, IsTheSame) {
  const std::string path = absl::StrCat(kGolden, "/", GetParam(), ".c");
  ExtractionRequest request;
  request.file = path;
  v1::Extraction expected = ExtractScops(request);
  ASSERT_EQ(Problems(expected), "");
  const std::string text = WithoutPragmas(ReadFile(path).value());
  v1::Extraction actual = ExtractFunction(text, expected.scops(0).region().function());
  ASSERT_EQ(Problems(actual), "");
  ASSERT_EQ(actual.scops_size(), 1);
  for (v1::Extraction* extraction : {&expected, &actual}) extraction->mutable_scops(0)->clear_region();
  EXPECT_EQ(actual.scops(0).DebugString(), expected.scops(0).DebugString());
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenWithoutPragmas, ::testing::ValuesIn(NamesOfCFiles(kGolden)),
                         [](const auto& info) { return info.param; });

TEST(MarkedText, LinesAreThoseOfTheFile) {
  v1::SourceRegion first, second;  // lines 2 and 3, and line 4
  first.set_begin_offset(2);
  first.set_end_offset(5);
  first.set_begin_line(2);
  first.set_end_line(3);
  second.set_begin_offset(6);
  second.set_end_offset(7);
  second.set_begin_line(4);
  second.set_end_line(4);
  const MarkedText marked("a\nb\nc\nd\ne", {{first}, {second}});
  EXPECT_EQ(marked.text(), "a\n#pragma scop\nb\nc\n#pragma endscop\n#pragma scop\nd\n#pragma endscop\ne");
  std::vector<int> lines;
  for (const int line : {1, 3, 4, 7, 9}) lines.push_back(marked.LineOfFile(line));
  EXPECT_THAT(lines, ElementsAre(1, 2, 3, 4, 5));
}

TEST(MarkedText, LinesAroundARegionAreOfItsFirstAndLastLine) {
  v1::SourceRegion marked_region;  // lines 2 to 4
  marked_region.set_begin_offset(2);
  marked_region.set_end_offset(7);
  const MarkedText marked("a\np\nb\ne\nc\n", {{marked_region, /*has_pragmas=*/true, "{\nx\n", "}\n}\n"}});
  EXPECT_EQ(marked.text(), "a\n{\nx\np\nb\ne\n}\n}\nc\n");
  EXPECT_EQ(marked.BeginOf(0), 6);
  std::vector<int> lines;
  for (int line = 1; line <= 9; ++line) lines.push_back(marked.LineOfFile(line));
  EXPECT_THAT(lines, ElementsAre(1, 2, 2, 2, 3, 4, 4, 4, 5));
}

}  // namespace
}  // namespace tune::testing
