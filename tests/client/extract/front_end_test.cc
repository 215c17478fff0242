// Files, pragmas, macros, and what clang says.
#include <gmock/gmock.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/extract/source/clang_front_end.h"
#include "common/base/file.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const char kLoop[] = "for (int i = 0; i < 9; i++) A[i] = 0;\n";

TEST(FrontEnd, RegionOffsets) {
  std::string text =
      "void f(double A[9]) {\n  #pragma scop\n  for (int i = 0; i < 9; i++) A[i] = 0;\n\t#pragma  endscop  "
      "\n}\n";
  v1::Extraction extraction = Extract(text);
  ASSERT_EQ(Problems(extraction), "");
  const v1::SourceRegion& region = extraction.scops(0).region();
  auto cut = [&](int64_t begin, int64_t end) { return text.substr(begin, end - begin); };
  EXPECT_EQ(cut(region.begin_offset(), region.end_offset()),
            "  #pragma scop\n  for (int i = 0; i < 9; i++) A[i] = 0;\n\t#pragma  endscop  ");
  EXPECT_EQ(cut(region.body_begin_offset(), region.body_end_offset()),
            "  for (int i = 0; i < 9; i++) A[i] = 0;\n");
  EXPECT_EQ(region.begin_line(), 2);
  EXPECT_EQ(region.end_line(), 4);
  EXPECT_EQ(region.function(), "f");
  EXPECT_EQ(region.file(), "input.c");
}

TEST(FrontEnd, RegionOffsetsWithCarriageReturns) {
  std::string text = absl::StrReplaceAll(Function("void f(double A[9])", "A[0] = 0;"), {{"\n", "\r\n"}});
  v1::Extraction extraction = Extract(text);
  ASSERT_EQ(Problems(extraction), "");
  const v1::SourceRegion& region = extraction.scops(0).region();
  EXPECT_EQ(text.substr(region.begin_offset(), region.end_offset() - region.begin_offset()),
            "#pragma scop\r\nA[0] = 0;\r\n#pragma endscop");
}

TEST(FrontEnd, ScopNames) {
  std::string region = absl::StrCat("#pragma scop\n", kLoop, "#pragma endscop\n");
  v1::Extraction extraction = Extract(
      absl::StrCat("void f(double A[9]) {\n", region, region, "}\nvoid g(double A[9]) {\n", region, "}\n"));
  ASSERT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 3);
  EXPECT_EQ(extraction.scops(0).name(), "f#1");
  EXPECT_EQ(extraction.scops(1).name(), "f#2");
  EXPECT_EQ(extraction.scops(2).name(), "g");
}

TEST(FrontEnd, NumbersOfSixteenBitsHaveARemedy) {
  const auto remedy = [](const std::string& type) {
    const v1::Extraction extraction =
        Extract(Function(absl::StrCat("void f(float A[9], ", type, " B[9])"), "A[0] += (float)B[0];"));
    return extraction.diagnostics().empty() ? "" : extraction.diagnostics(0).remedy();
  };
  for (const char* type : {"__bf16", "__nv_bfloat16", "nv_bfloat16"})
    EXPECT_THAT(remedy(type), HasSubstr("keep numbers of bfloat16 as `unsigned short`")) << type;
  EXPECT_THAT(remedy("__half"), HasSubstr("write _Float16"));
  EXPECT_EQ(remedy("_Float16"), "");
  EXPECT_THAT(remedy("unknown"), HasSubstr("correct the source"));
}

TEST(FrontEnd, RegionInsideControlFlow) {
  v1::Extraction extraction =
      Extract(absl::StrCat("void f(int n, double A[9]) {\n if (n) {\n while (n--)\n#pragma scop\n", kLoop,
                           "#pragma endscop\n } }\n"));
  EXPECT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops_size(), 1);
}

TEST(FrontEnd, RegionThatIncludesItsBody) {
  SourceFolder folder;
  folder.Write("body.inc", kLoop);
  ExtractionRequest request;
  request.file = folder.Write("a.c", Function("void f(double A[9])", "#include \"body.inc\""));
  v1::Extraction extraction = ExtractScops(request);
  EXPECT_EQ(Problems(extraction), "");
  ASSERT_EQ(extraction.scops_size(), 1);
  EXPECT_EQ(extraction.scops(0).statements_size(), 1);
}

// The problem of a region in a function, with `before` right before its pragma.
std::string ProblemBehind(const std::string& before) {
  return Problems(
      Extract(absl::StrCat("void f(double A[9]) {\n", before, "#pragma scop\n#pragma omp parallel for\n",
                           kLoop, "\n#pragma endscop\n}\n")));
}

TEST(FrontEnd, PragmasOfTheStatementStandInsideOfTheRegion) {
  const char reason[] =
      "a pragma right before `#pragma scop` needs the statement that is behind that, and tuned code takes "
      "its place";
  for (const char* pragma : {"#pragma omp parallel for", "#  pragma omp simd\n/* why */",
                             "#pragma omp parallel\n#pragma omp barrier", "_Pragma(\"omp for\")",
                             "#pragma GCC ivdep", "#pragma GCC unroll 4", "#pragma acc parallel loop",
                             "#pragma omp target teams distribute", "#ifdef X\n#pragma omp for\n#endif"})
    EXPECT_THAT(ProblemBehind(absl::StrCat(pragma, "\n")), HasSubstr(reason)) << pragma;
  EXPECT_THAT(ProblemBehind("A[0] = 1;\n  #pragma omp parallel for\n"),
              HasSubstr(absl::StrCat("3:3: ", reason, " [#]")));
  for (const char* pragma :
       {"", "#pragma omp barrier", "#pragma omp taskwait depend(in: A)", "#pragma omp target update to(A)",
        "#pragma acc wait(1)", "#pragma GCC diagnostic push", "#pragma message \"unroll\"",
        "#pragma omp parallel for\nfor (int i = 0; i < 9; i++) A[i] = 2;"})
    EXPECT_EQ(ProblemBehind(absl::StrCat(pragma, "\n")), "") << pragma;
}

struct PragmaCase {
  const char* name;
  const char* text;
  const char* problem;
};
class Pragmas : public ::testing::TestWithParam<PragmaCase> {};
TEST_P(Pragmas, AreChecked) { EXPECT_EQ(Problems(Extract(GetParam().text)), GetParam().problem); }
INSTANTIATE_TEST_SUITE_P(
    Faults, Pragmas,
    ::testing::Values(
        PragmaCase{"None", "int main(void) { return 0; }\n", "0:0: no `#pragma scop` was found []\n"},
        PragmaCase{"NoEnd", "void f(double A[9]) {\n#pragma scop\nA[0] = 0;\n}\n",
                   "2:1: `#pragma scop` without `#pragma endscop` after it [#]\n"},
        PragmaCase{"NoBegin", "void f(double A[9]) {\nA[0] = 0;\n  #pragma endscop\n}\n",
                   "3:3: `#pragma endscop` without `#pragma scop` before it [#]\n"},
        PragmaCase{
            "Nested",
            "void f(double A[9]) {\n#pragma scop\nA[0] = 0;\n#pragma scop\nA[1] = 0;\n#pragma endscop\n}\n",
            "4:1: `#pragma scop` inside the region that begins in line 2 [#]\n"},
        PragmaCase{"Outside", "#pragma scop\nint x;\n#pragma endscop\n",
                   "1:1: the region does not lie inside the body of one function [#]\n"},
        PragmaCase{
            "AcrossFunctions",
            "void f(double A[9]) {\n#pragma scop\nA[0] = 0; }\nvoid g(double A[9]) {\n#pragma endscop\n}\n",
            "2:1: the region does not lie inside the body of one function [#]\n"},
        PragmaCase{"AcrossBlocks", "void f(double A[9]) {\n#pragma scop\n{ A[0] = 0;\n#pragma endscop\n} }\n",
                   "2:1: the pragmas cut through a statement [#]\n"},
        PragmaCase{"Empty", "void f(void) {\n#pragma scop\n#pragma endscop\n}\n",
                   "2:1: the region holds no statement [#]\n"},
        PragmaCase{"NoEffect", "void f(void) {\n#pragma scop\n;\n#pragma endscop\n}\n",
                   "2:1: the region executes no statement [#]\n"},
        PragmaCase{"Operator", "void f(double A[9]) { _Pragma(\"scop\") A[0] = 0;\n}\n",
                   "1:23: _Pragma cannot mark a region, whose bounds are whole lines [_Pragma]\n"},
        PragmaCase{"SwitchedOff", "#if 0\n#pragma scop\n#endif\nint x;\n",
                   "0:0: no `#pragma scop` was found []\n"}),
    [](const auto& info) { return info.param.name; });

TEST(FrontEnd, RegionInAHeader) {
  SourceFolder folder;
  folder.Write("kernel.h", Function("static void f(double A[9])", "A[0] = 0;"));
  ExtractionRequest request;
  request.file = folder.Write("a.c", "#include \"kernel.h\"\nint x;\n");
  EXPECT_THAT(Problems(ExtractScops(request)), HasSubstr("a header that it includes has one"));
}

TEST(FrontEnd, MissingInclude) {
  v1::Extraction extraction = Extract("int x;\n#include \"nowhere.h\"\n");
  EXPECT_EQ(Problems(extraction), "2:10: 'nowhere.h' file not found []\n");
  EXPECT_THAT(extraction.diagnostics(0).remedy(), HasSubstr("-I"));
  EXPECT_FALSE(extraction.has_program());
}

TEST(FrontEnd, SyntaxError) {
  EXPECT_THAT(Problems(Extract("void f(void) {\n  int x = ;\n}\n")), StartsWith("2:11: expected expression"));
}

TEST(FrontEnd, EmptyFile) {
  EXPECT_EQ(Problems(Extract("")), "0:0: the file is empty []\n");
  EXPECT_EQ(Problems(Extract(" \n\n")), "0:0: the file is empty []\n");
}

TEST(FrontEnd, NotC) {
  EXPECT_THAT(Problems(Extract("# A title\n\nSome prose, not a program.\n")), HasSubstr("1:3: "));
  EXPECT_THAT(Problems(Extract(std::string("\x7f"
                                           "ELF\0\0\0",
                                           7))),
              HasSubstr("it holds NUL bytes"));
}

TEST(FrontEnd, AtMostTwentyErrors) {
  std::string text;
  for (int i = 0; i < 100; ++i) absl::StrAppend(&text, "int x", i, " = y", i, ";\n");
  EXPECT_EQ(Extract(text).diagnostics_size(), 20);
}

TEST(FrontEnd, NoSuchFile) {
  ExtractionRequest request;
  request.file = "/no/such/file.c";
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).file(), "/no/such/file.c");
  EXPECT_THAT(extraction.diagnostics(0).reason(), HasSubstr("/no/such/file.c"));
  request.file = "/tmp";
  EXPECT_EQ(ExtractScops(request).diagnostics_size(), 1);
}

TEST(FrontEnd, ErrorInAHeaderIsPlacedThere) {
  SourceFolder folder;
  folder.Write("bad.h", "int x = ;\n");
  ExtractionRequest request;
  request.file = folder.Write("a.c", "#include \"bad.h\"\n");
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_THAT(extraction.diagnostics(0).file(), HasSubstr("bad.h"));
}

TEST(FrontEnd, MissingResourceDirectory) {
  setenv("TUNE_CLANG_RESOURCE_DIR", "/nowhere", 1);
  v1::Extraction extraction = Extract("int x;\n");
  unsetenv("TUNE_CLANG_RESOURCE_DIR");
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).reason(),
            "clang's own headers (stddef.h and others) are not found in /nowhere");
}

TEST(FrontEnd, WhatGccAcceptsWithAWarning) {
  EXPECT_EQ(Problems(Extract("int g() { return undeclared(1); }\nh() { return 1; }\n" +
                             Function("void f(double A[9])", kLoop))),
            "");
}

TEST(FrontEnd, DefinesAndFlags) {
  ExtractionRequest request;
  request.defines = {"N=7", "T=float", "FLAG"};
  request.compile_flags = {"-O2", "-march=native", "-std=c99", "-fno-unknown-flag-of-gcc"};
  v1::Extraction extraction = Extract("#ifndef FLAG\n#error no\n#endif\n" +
                                          Function("void f(T A[N])", "for (int i = 0; i < N; i++) A[i] = 0;"),
                                      request);
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).arrays(0).extents(0).c_expression(), "7");
  EXPECT_EQ(extraction.scops(0).arrays(0).element_type(), v1::ELEMENT_TYPE_FLOAT);
}

TEST(FrontEnd, FlagsThatNameFilesAreRefused) {
  ExtractionRequest request;
  request.compile_flags = {"-include", "/p/x.h"};
  EXPECT_THAT(Problems(Extract("int x;\n", request)), HasSubstr("names files of this machine"));
  request.compile_flags = {"-include"};
  EXPECT_THAT(Problems(Extract("int x;\n", request)), HasSubstr("names files of this machine"));
}

// The file, and the folder in which it is found, are part of the program.
TEST(FrontEnd, FilesBeforeTheFirstLine) {
  SourceFolder folder;
  std::filesystem::create_directories(folder.path() + "/config");
  folder.Write("config/tune_config.h", "#define N 9\n");
  ExtractionRequest request;
  request.file =
      folder.Write("a.c", Function("void f(double A[N])", "for (int i = 0; i < N; i++) A[i] = 0;"));
  request.include_directories = {folder.path() + "/config"};
  request.compile_flags = {"-include", "tune_config.h"};
  const v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_EQ(extraction.scops(0).arrays(0).extents(0).c_expression(), "9");
  const v1::Program& program = extraction.program();
  EXPECT_THAT(program.include_directories(), ::testing::ElementsAre("config"));
  ASSERT_EQ(program.files_size(), 2);
  EXPECT_EQ(program.files(1).path(), "config/tune_config.h");
}

// The macro style of PolyBench: sizes, types and arrays all behind macros, some with arguments.
TEST(FrontEnd, PolyBenchStyle) {
  const char kHeader[] =
      "#define BENCH_2D(var, d1, d2, p1, p2) var[SELECT(d1, p1) + PAD][SELECT(d2, p2) + PAD]\n"
      "#define BENCH_1D(var, d1, p1) var[SELECT(d1, p1) + PAD]\n"
      "#define PAD 0\n"
      "#ifdef USE_CONSTANTS\n#define SELECT(a, b) a\n#define BOUND(a, b) a\n#else\n#define SELECT(a, b) "
      "b\n#define BOUND(a, b) b\n#endif\n"
      "#define VALUE(x) x##f\n#define TYPE float\n#define ROOT(x) sqrtf(x)\n#define _NI BOUND(NI, "
      "ni)\n#define _NJ BOUND(NJ, nj)\n"
      "#define MAX_OF(a, b) (((a) >= (b)) ? (a) : (b))\n";
  const char kSource[] =
      "#include <math.h>\n#include \"bench.h\"\n#define NI 20\n#define NJ 30\n"
      "static void kernel(int ni, int nj, TYPE alpha, TYPE BENCH_2D(A, NI, NJ, ni, nj), TYPE BENCH_1D(x, NI, "
      "ni)) {\n"
      "  int i, j;\n#pragma scop\n"
      "  for (i = 0; i < _NI; i++) {\n    x[i] = VALUE(0.0);\n    for (j = 0; j < _NJ; ++j)\n"
      "      x[i] += ROOT(A[i][j]) * alpha / (TYPE)_NJ;\n    x[i] = MAX_OF(x[i], VALUE(1.5));\n  }\n#pragma "
      "endscop\n}\n";
  for (bool constants : {false, true}) {
    SourceFolder folder;
    folder.Write("include/bench.h", kHeader);
    ExtractionRequest request;
    request.file = folder.Write("src/kernel.c", kSource);
    request.include_directories = {folder.path() + "/include"};
    if (constants) request.defines = {"USE_CONSTANTS"};
    v1::Extraction extraction = ExtractScops(request);
    ASSERT_EQ(Problems(extraction), "");
    const v1::Scop& scop = extraction.scops(0);
    EXPECT_EQ(scop.parameters_size(), constants ? 0 : 2);
    EXPECT_EQ(scop.arrays(0).extents(0).c_expression(), constants ? "20" : "ni + 0");
    EXPECT_EQ(StatementText(scop.statements(0)), "x[i] = 0.0f");
    EXPECT_EQ(StatementText(scop.statements(1)), constants
                                                     ? "x[i] += ((sqrtf(A[i, j]) * alpha[]) / (float)30)"
                                                     : "x[i] += ((sqrtf(A[i, j]) * alpha[]) / (float)<nj>)");
    EXPECT_EQ(StatementText(scop.statements(2)), "x[i] max= 1.5f");
  }
}

TEST(FrontEnd, TextFormatCanBeStored) {
  v1::Extraction extraction =
      Extract(Function("void f(int n, double A[n])", "for (int i = 0; i < n; i++) A[i] += 1;"));
  std::string text;
  ASSERT_TRUE(google::protobuf::TextFormat::PrintToString(extraction, &text));
  v1::Extraction read;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &read));
  EXPECT_EQ(read.SerializeAsString(), extraction.SerializeAsString());
}

// gcc's own <omp.h> is no text that clang reads.
TEST(FrontEnd, ProgramsMayIncludeOpenMp) {
  const v1::Scop scop = ScopOf("#include <omp.h>\n#include <stddef.h>\nvoid f(int n, double A[n])",
                               "for (int i = 0; i < n; i++) A[i] = 0;");
  EXPECT_EQ(scop.statements_size(), 1);
}

TEST(FrontEnd, DeepExpressions) {
  auto chain = [](int parts, const std::string& next) {
    std::string text = "A[0]";
    for (int i = 1; i < parts; ++i) text += next;
    return Extract(Function("void f(double A[1])", "A[0] = " + text + ";"));
  };
  v1::Extraction extraction = chain(40, " / 2.0");
  ASSERT_EQ(Problems(extraction), "");
  v1::Extraction read;
  EXPECT_TRUE(read.ParseFromString(extraction.SerializeAsString()));
  EXPECT_THAT(Problems(chain(42, " / 2.0")), HasSubstr("more than 40 operations inside one another"));
  EXPECT_THAT(Problems(chain(20000, " / 2.0")), HasSubstr("more than 40 operations inside one another"));
  // A sum is as deep as its deepest term.
  extraction = chain(800, " + A[0] * 2.0");
  ASSERT_EQ(Problems(extraction), "");
  EXPECT_TRUE(read.ParseFromString(extraction.SerializeAsString()));
}

}  // namespace
}  // namespace tune::testing
