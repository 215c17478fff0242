// Variables that a file declares more than once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/client/extract/extract_fixture.h"

namespace tune::testing {
namespace {

using ::testing::UnorderedElementsAre;

constexpr char kRegion[] =
    "void region(void) {\n#pragma scop\nfor (int i = 0; i < n; i++) u[i] += f(i);\n#pragma endscop\n}\n";

std::vector<std::string> ArraysOf(const v1::Extraction& extraction) {
  std::vector<std::string> names;
  if (extraction.scops_size() != 1) return names;
  for (const v1::Array& array : extraction.scops(0).arrays())
    names.push_back(absl::StrCat(array.name(), array.extents_size() == 1 ? "[]" : ""));
  return names;
}

TEST(OneDeclaration, OfAHeaderAndItsFile) {
  const char* const kFunction = "static double f(int k) { return k * v[k] / n; }\n";
  for (const std::string& text : {absl::StrCat("extern int n; extern double v[];\n", kFunction,
                                               "int n; double v[20], u[20];\n", kRegion),
                                  absl::StrCat("extern int n; double v[20]; double u[20];\n", kFunction,
                                               "extern int n; extern double v[20];\n", kRegion, "int n;\n"),
                                  absl::StrCat("int n; double v[20]; extern double u[20];\n", kFunction,
                                               "int n;\n", kRegion, "double u[20];\n")}) {
    const v1::Extraction extraction = Extract(text);
    EXPECT_EQ(Problems(extraction), "") << text;
    EXPECT_THAT(ArraysOf(extraction), UnorderedElementsAre("u[]", "v[]")) << text;
  }
}

TEST(OneDeclaration, WhatOneFunctionWritesAnotherReads) {
  const v1::Extraction extraction = Extract(
      "extern double s;\nstatic double f(int k) { return k + s; }\ndouble s; double u[20];\n"
      "void region(int n) {\n#pragma scop\nfor (int i = 0; i < n; i++) { s = u[i]; u[i] = f(i); }\n"
      "#pragma endscop\n}\n");
  EXPECT_EQ(Problems(extraction), "");
  EXPECT_THAT(ArraysOf(extraction), UnorderedElementsAre("s", "u[]"));
}

}  // namespace
}  // namespace tune::testing
