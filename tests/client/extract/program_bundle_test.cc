// The files that travel with a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const char kKernel[] = "void f(double A[9]) {\n#pragma scop\nA[0] = 0;\n#pragma endscop\n}\n";

std::vector<std::string> Paths(const v1::Program& program) {
  std::vector<std::string> paths;
  for (const v1::SourceFile& file : program.files()) paths.push_back(file.path());
  return paths;
}

TEST(ProgramBundle, SingleFile) {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("deep/er/kernel.c", std::string("#include <stdio.h>\n") + kKernel);
  v1::Program program = ExtractScops(request).program();
  EXPECT_THAT(Paths(program), ElementsAre("kernel.c"));
  EXPECT_THAT(program.sources(), ElementsAre("kernel.c"));
  EXPECT_EQ(program.files(0).content(), std::string("#include <stdio.h>\n") + kKernel);
  EXPECT_FALSE(program.has_main());
  EXPECT_THAT(program.include_directories(), IsEmpty());
}

TEST(ProgramBundle, SourcesAndHeadersBelowTheirCommonFolder) {
  SourceFolder folder;
  folder.Write("project/include/common/types.h", "#pragma once\ntypedef double real;\n");
  folder.Write("project/include/only_with.h", "int other(void);\n");
  folder.Write("project/src/local.h", "#include <common/types.h>\n");
  ExtractionRequest request;
  request.file = folder.Write("project/src/kernel.c",
                              std::string("#include \"local.h\"\n#include <math.h>\n") + kKernel);
  request.with = {folder.Write("project/src/tools/main.c",
                               "#include <stdlib.h>\n#include \"../local.h\"\n#include <only_with.h>\nint "
                               "main(void) { return 0; }\n")};
  request.include_directories = {folder.path() + "/project/include", folder.path() + "/unused",
                                 folder.path() + "/project/src/.."};
  request.defines = {"NI=5"};
  request.compile_flags = {"-O2"};
  request.link_flags = {"-lm"};
  request.arguments = {"7"};
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(Problems(extraction), "");
  const v1::Program& program = extraction.program();
  EXPECT_THAT(Paths(program), ElementsAre("src/kernel.c", "src/tools/main.c", "src/local.h",
                                          "include/common/types.h", "include/only_with.h"));
  EXPECT_THAT(program.sources(), ElementsAre("src/kernel.c", "src/tools/main.c"));
  EXPECT_THAT(program.include_directories(), ElementsAre("include"));
  EXPECT_TRUE(program.has_main());
  EXPECT_THAT(program.defines(), ElementsAre("NI=5"));
  EXPECT_THAT(program.compile_flags(), ElementsAre("-O2"));
  EXPECT_THAT(program.link_flags(), ElementsAre("-lm"));
  EXPECT_THAT(program.arguments(), ElementsAre("7"));
  EXPECT_EQ(extraction.scops(0).region().file(), "src/kernel.c");
}

TEST(ProgramBundle, IncludeDirectoryAboveTheFiles) {
  SourceFolder folder;
  folder.Write("p/a/x.h", "");
  ExtractionRequest request;
  request.file = folder.Write("p/a/kernel.c", std::string("#include <a/x.h>\n") + kKernel);
  request.include_directories = {folder.path() + "/p"};
  v1::Program program = ExtractScops(request).program();
  EXPECT_THAT(Paths(program), ElementsAre("a/kernel.c", "a/x.h"));
  EXPECT_THAT(program.include_directories(), ElementsAre("."));
}

TEST(ProgramBundle, FileNamedTwice) {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("kernel.c", kKernel);
  request.with = {request.file};
  v1::Program program = ExtractScops(request).program();
  EXPECT_THAT(program.sources(), ElementsAre("kernel.c"));
}

TEST(ProgramBundle, ErrorsOfFurtherFiles) {
  SourceFolder folder;
  ExtractionRequest request;
  request.file = folder.Write("kernel.c", kKernel);
  request.with = {folder.Write("other.c", "int x = ;\n"), folder.path() + "/missing.c"};
  v1::Extraction extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).file(), request.with[1]);
  request.with.pop_back();
  extraction = ExtractScops(request);
  ASSERT_EQ(extraction.diagnostics_size(), 1);
  EXPECT_EQ(extraction.diagnostics(0).file(), request.with[0]);
}

}  // namespace
}  // namespace tune::testing
