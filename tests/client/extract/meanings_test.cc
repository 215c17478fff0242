#include "client/extract/source/meanings.h"

#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "EXPANSION N = 512" and so on.
std::vector<std::string> Texts(const v1::Scop& scop) {
  std::vector<std::string> texts;
  for (const v1::Meaning& meaning : scop.meanings()) {
    texts.push_back(absl::StrCat(v1::Meaning::Kind_Name(meaning.kind()), " ", meaning.text(),
                                 meaning.value().empty() ? "" : " = ", meaning.value()));
  }
  return texts;
}

std::vector<std::string> MeaningsOf(const std::string& head, const std::string& body,
                                    ExtractionRequest request = {}) {
  const v1::Extraction extraction = Extract(Function(head, body), std::move(request));
  EXPECT_EQ(Problems(extraction), "");
  return extraction.scops_size() == 1 ? Texts(extraction.scops(0)) : std::vector<std::string>();
}

TEST(Meanings, NoneWhereTheRegionSaysAllItself) {
  EXPECT_THAT(MeaningsOf("#define N 10\ntypedef double real;\nvoid f(int n, real A[N])",
                         "for (int i = 0; i < 10; i++) A[i] = n;"),
              IsEmpty());
}

TEST(Meanings, MacrosInFull) {
  EXPECT_THAT(
      MeaningsOf("#define LARGE 512\n#define N (LARGE+ 1)\n#define REAL double\nvoid f(double A[N])",
                 "for (int i = 0; i < N; i++) A[i] = (REAL)i;\nfor (int i = 1; i < N; i++) A[i] = 0;"),
      ElementsAre("EXPANSION N = (512+ 1)", "EXPANSION REAL = double"));
  ExtractionRequest request;
  request.defines = {"N=7"};
  EXPECT_THAT(MeaningsOf("void f(double A[N])", "for (int i = 0; i < N; i++) A[i] = 0;", request),
              ElementsAre("EXPANSION N = 7"));
}

TEST(Meanings, AssertionsThatAreLeftOut) {
  const char* const kHead = "#include <assert.h>\nvoid f(int n, double A[100])";
  const char* const kBody = "for (int i = 0; i < n; i++) { assert(i < 70); A[i] = 0; }";
  ExtractionRequest request;
  request.defines = {"NDEBUG"};
  EXPECT_THAT(MeaningsOf(kHead, kBody, request), ElementsAre("DEFINED NDEBUG"));
  EXPECT_THAT(MeaningsOf(kHead, kBody), IsEmpty());
}

TEST(Meanings, ElementsOfTablesThatAreKnown) {
  EXPECT_THAT(MeaningsOf("static const int d[3] = {4, -1};\nvoid f(int n, double A[100])",
                         "for (int i = 1; i < n; i++) for (int k = 0; k < 3; k++) A[i] += A[i + d[k]];"),
              ElementsAre("CONSTANT d[0] = 4", "CONSTANT d[1] = -1", "CONSTANT d[2] = 0"));
}

TEST(Meanings, CallsOfMacrosWithTheirArguments) {
  EXPECT_THAT(
      MeaningsOf("#define AT(x, i) x[(i) + 1]\n#define VALUE(x) x##f\n#define NOTHING\nvoid f(float A[20])",
                 "for (int i = 0; i < 10; i++)\n  AT(A, /* this */ i\n  ) = VALUE(1.5) NOTHING;"),
      ElementsAre("EXPANSION AT(A, i ) = A[(i) + 1]", "EXPANSION VALUE(1.5) = 1.5f", "EXPANSION NOTHING"));
}

TEST(Meanings, CallsInArgumentsBelongToTheCall) {
  EXPECT_THAT(MeaningsOf("#define N 10\n#define TWICE(x) ((x) * 2)\nvoid f(float A[20])",
                         "for (int i = 0; i < N; i++) A[i] = TWICE(TWICE(N)) + N;"),
              ElementsAre("EXPANSION N = 10", "EXPANSION TWICE(TWICE(N)) = ((((10) * 2)) * 2)"));
}

// The arguments of a macro may stand behind another one's name.
TEST(Meanings, MacrosThatNameMacros) {
  EXPECT_THAT(MeaningsOf("#define TWICE(x) (2 * (x))\n#define SCALE TWICE\nvoid f(float A[20])",
                         "for (int i = 0; i < 10; i++) A[i] = SCALE(i);"),
              ElementsAre("EXPANSION SCALE(i) = (2 * (i))"));
}

TEST(Meanings, NamesThatDirectivesTest) {
  EXPECT_THAT(MeaningsOf("#define LEVEL TWO\n#define TWO 2\n#define ON\nvoid f(float A[20])",
                         "#ifdef ON\n#if LEVEL > 1 && !defined(OFF) && __STDC_VERSION__ > 1\n"
                         "for (int i = 0; i < 10; i++) A[i] = 0;\n#endif\n#endif\n#ifndef SKIPPED\n#endif"),
              ElementsAre("DEFINED ON", "DEFINED LEVEL", "EXPANSION LEVEL = 2", "UNDEFINED OFF",
                          "UNDEFINED SKIPPED"));
}

TEST(Meanings, TypesAndConstants) {
  EXPECT_THAT(MeaningsOf("typedef float real;\nenum { EDGE = 2 };\nstatic const double half = 0.5;\n"
                         "static const int last = 9;\nvoid f(float A[20])",
                         "for (int i = EDGE; i <= last; i++) { real t = (real)half; A[i] = t; }"),
              ElementsAre("CONSTANT EDGE = 2", "CONSTANT last = 9", "TYPE real = float",
                          "CONSTANT half = 5.00000000000000000e-01"));
}

TEST(Meanings, CompilersAndTheirHeadersMeanWhatTheyMean) {
  EXPECT_THAT(MeaningsOf("#include <float.h>\n#include <math.h>\nvoid f(double A[20])",
                         "for (int i = 0; i < 10; i++) A[i] = DBL_MAX * M_PI * __INT_MAX__;"),
              IsEmpty());
}

TEST(Meanings, WhatTheRegionDefinesItselfIsItsOwn) {
  EXPECT_THAT(MeaningsOf("void f(float A[20])",
                         "#define N 10\nfor (int i = 0; i < N; i++) A[i] = 0;\n"
                         "{ enum { M = 4 }; for (int i = 0; i < M; i++) A[i] = 1; }"),
              IsEmpty());
}

TEST(Meanings, OtherRegionsHaveTheirOwn) {
  const v1::Extraction extraction =
      Extract("#define N 10\n#define M 5\n" +
              Function("void f(float A[20])", "for (int i = 0; i < N; i++) A[i] = M;") +
              Function("void g(float A[20])", "for (int i = 0; i < N; i++) A[i] = 0;"));
  ASSERT_EQ(extraction.scops_size(), 2) << Problems(extraction);
  EXPECT_THAT(Texts(extraction.scops(0)), ElementsAre("EXPANSION N = 10", "EXPANSION M = 5"));
  EXPECT_THAT(Texts(extraction.scops(1)), ElementsAre("EXPANSION N = 10"));
}

// Another build may have arrays of other lengths, and structures of other members.
TEST(Meanings, SizesOfArraysAndStructures) {
  const v1::Scop scop = ScopOf(
      "#define COUNT(a) (sizeof(a) / sizeof((a)[0]))\nstruct s { int a, b; };\nstatic float A[100];\nvoid "
      "f(int *x)",
      "for (int i = 0; i < COUNT(A); i++) x[i] = sizeof(struct s) + sizeof(long);");
  EXPECT_THAT(Texts(scop),
              ::testing::IsSupersetOf({"CONSTANT sizeof(A) = 400", "CONSTANT sizeof(struct s) = 8"}));
  for (const std::string& text : Texts(scop)) EXPECT_EQ(text.find("long"), std::string::npos) << text;
}

// "A POINTER B NONE"
std::string OverlapsOf(const v1::Scop& scop) {
  std::vector<std::string> texts;
  for (const v1::Array& array : scop.arrays())
    texts.push_back(absl::StrCat(array.name(), " ", v1::Array::Overlap_Name(array.overlap())));
  return absl::StrJoin(texts, " ");
}
std::string Overlaps(const std::string& head, const std::string& body) {
  return OverlapsOf(ScopOf(head, body));
}

TEST(Overlap, PointersObjectsAndWhatNobodyPointsTo) {
  EXPECT_EQ(Overlaps("static double G[9]; double s;\nvoid f(int n, double A[n], double B[restrict n])",
                     "for (int i = 0; i < n; i++) { double t = A[i]; B[i] = t + G[i] + s; }"),
            "A POINTER t NONE G TARGET s TARGET B NONE");
  EXPECT_EQ(Overlaps("#include <stdlib.h>\nstatic double u;\nvoid f(int n, double *restrict q, double s)",
                     "for (int i = 0; i < 9; i++) q[i] = s + u;"),
            "s NONE u NONE q NONE");
  EXPECT_EQ(Overlaps("void g(double *); double f(int n, double A[n])",
                     "double s = 0;\nfor (int i = 0; i < n; i++) s += A[i];\nA[0] = s;"),
            "s NONE A POINTER");
  EXPECT_EQ(Overlaps("void f(int n, float *a, const float *b, double (*c)[4])",
                     "for (int i = 0; i < n; i++) a[i] = b[i] + c[i][0];"),
            "b POINTER c POINTER a POINTER");
}

// What one allocation returned may have been copied to another pointer.
TEST(Overlap, OfAllocatedMemoryIsWithCopiesOfItsPointer) {
  const v1::Extraction extraction = Extract(
      "#include <stdlib.h>\nvoid f(int n) { double *a = malloc(n * sizeof *a), *b = NULL, *c = a; b = "
      "calloc(n, 8);\n#pragma scop\nfor (int i = 0; i < n; i++) a[i] = b[i] + c[i];\n#pragma endscop\n"
      "free(a); free(b); }\n");
  ASSERT_EQ(extraction.scops_size(), 1) << Problems(extraction);
  EXPECT_EQ(OverlapsOf(extraction.scops(0)), "b TARGET c POINTER a TARGET");
}

TEST(Overlap, OfParametersIsWithThoseThatPointersReach) {
  const v1::Scop scop = ScopOf("int m; static int k; void g(int *);\nvoid f(int n, int *a)",
                               "for (int i = 0; i < n + m + k; i++) a[i] = i;");
  ASSERT_EQ(scop.parameters_size(), 3);
  EXPECT_FALSE(scop.parameters(0).is_target());
  EXPECT_TRUE(scop.parameters(1).is_target());
  EXPECT_FALSE(scop.parameters(2).is_target());
}

constexpr char kHiddenHead[] = "void f(double A[9], float S[9])";

TEST(HiddenFunctions, AreNotCalled) {
  const auto hidden =
      HasSubstr("the region calls the function `sin`, and the program has a macro of that name");
  const auto problems = [](const char* before, const char* body) {
    return Problems(Extract(Function(absl::StrCat("#include <math.h>\n", before, kHiddenHead), body)));
  };
  const char call[] = "for (int i = 0; i < 9; i++) A[i] = 1 + (float)(2 * sin(A[i]));";
  EXPECT_THAT(problems("#define sin(x) sin((x) * 0.017)\n", call), hidden);
  EXPECT_THAT(problems("#define sin(x) ((x) / 2)\n", "A[0] = (sin)(A[1]);"), hidden);
  EXPECT_THAT(problems("static double of(double x) { return sin(x); }\n#define sin of\n", "A[0] = of(A[1]);"),
              hidden);
  // What the tuned text calls has another name.
  EXPECT_EQ(problems("#define sin(x) sinf(x)\n", "S[0] = sin(S[1]);"), "");
  EXPECT_EQ(problems("#define sin(x) ((x) / 2)\n", "A[0] = sin(A[1]);"), "");
  EXPECT_EQ(problems("#define sine(x) sin(x)\n", "A[0] = sine(A[1]);"), "");
}

// In another build a macro may have the name.
TEST(HiddenFunctions, AreLookedFor) {
  EXPECT_THAT(
      MeaningsOf(absl::StrCat("#include <math.h>\n", kHiddenHead), "A[0] = 1 + sin(A[1] * exp(A[2]));"),
      ElementsAre("UNDEFINED exp", "UNDEFINED sin"));
  EXPECT_THAT(MeaningsOf(absl::StrCat("#include <tgmath.h>\n", kHiddenHead), "A[0] = sqrt(A[1]);"),
              IsEmpty());
}

TEST(HiddenFunctions, MacrosOfTheSystemHideNone) {
  EXPECT_EQ(Problems(Extract(Function(absl::StrCat("#include <tgmath.h>\n", kHiddenHead),
                                      "for (int i = 0; i < 9; i++) S[i] = sqrt(S[i]) + sqrt(A[i]);"))),
            "");
}

}  // namespace
}  // namespace tune::testing
