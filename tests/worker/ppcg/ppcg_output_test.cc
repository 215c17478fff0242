#include "worker/ppcg/ppcg_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "tests/worker/ppcg/sample_output.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = PpcgHostNode::Kind;

std::string Host(const std::string& code) {
  return absl::StrCat("void f()\n{\n", kPpcgBegin, "\n", code, "\n", kPpcgEnd, "\n}\n");
}

absl::StatusOr<PpcgOutput> Parse(const std::string& host, const std::set<std::string>& locals = {}) {
  return ParsePpcgOutput(testing::kSampleKernels, host, locals);
}

std::string Error(const absl::StatusOr<PpcgOutput>& output) { return std::string(output.status().message()); }

TEST(PpcgOutput, KernelsWithTheirParameters) {
  const auto kernels = ParsePpcgKernels(testing::kSampleKernels);
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  ASSERT_EQ(kernels->size(), 2);
  const PpcgKernel& first = (*kernels)[0];
  EXPECT_EQ(first.name, "kernel0");
  EXPECT_EQ(first.parameters_text, "double *A, double *s, double alpha");
  ASSERT_EQ(first.parameters.size(), 3);
  EXPECT_TRUE(first.parameters[0].pointer);
  EXPECT_EQ(first.parameters[2].type, "double");
  EXPECT_EQ(first.parameters[2].name, "alpha");
  EXPECT_FALSE(first.parameters[2].pointer);
  EXPECT_THAT(first.body, ::testing::StartsWith("{\n    int b0 = blockIdx.x;"));
  EXPECT_THAT(first.body, ::testing::EndsWith("    }\n}"));
}

TEST(PpcgOutput, ParametersOfAllForms) {
  const auto kernels = ParsePpcgKernels(
      "__global__ void kernel7(unsigned int *n, float A[10][20], unsigned char c, long c0) {}");
  ASSERT_TRUE(kernels.ok()) << kernels.status();
  const auto& parameters = (*kernels)[0].parameters;
  ASSERT_EQ(parameters.size(), 4);
  EXPECT_EQ(parameters[0].type, "unsigned int");
  EXPECT_EQ(parameters[0].name, "n");
  EXPECT_EQ(parameters[1].name, "A");
  EXPECT_TRUE(parameters[1].pointer);
  EXPECT_EQ(parameters[2].type, "unsigned char");
  EXPECT_EQ(parameters[3].type, "long");
  EXPECT_TRUE(ParsePpcgKernels("__global__ void kernel0() { }").value()[0].parameters.empty());
}

TEST(PpcgOutput, LaunchesInTheirLoops) {
  const auto output = Parse(testing::kSampleHost, {"t"});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_THAT(output->directives, ElementsAre("#define ppcg_min(x,y)    ((x) < (y) ? (x) : (y))"));
  ASSERT_EQ(output->host.children.size(), 2);
  const PpcgHostNode& first = output->host.children[0];
  ASSERT_EQ(first.kind, Kind::kLaunch);
  EXPECT_EQ(first.launch.kernel, "kernel0");
  EXPECT_THAT(first.launch.grid, ElementsAre("3"));
  EXPECT_THAT(first.launch.block, ElementsAre(32));
  EXPECT_THAT(first.launch.arguments, ElementsAre("dev_A", "dev_s", "alpha"));

  const PpcgHostNode& loop = output->host.children[1];
  ASSERT_EQ(loop.kind, Kind::kFor);
  EXPECT_EQ(loop.header, "int c0 = 0; c0 <= 4; c0 += 1");
  const PpcgHostNode& condition = loop.children.at(0).children.at(0);
  ASSERT_EQ(condition.kind, Kind::kIf);
  EXPECT_EQ(condition.header, "c0 >= 1");
  EXPECT_EQ(condition.otherwise.size(), 1);
  const PpcgHostNode& second = condition.children.at(0).children.at(0);
  ASSERT_EQ(second.kind, Kind::kLaunch);
  EXPECT_THAT(second.launch.grid, ElementsAre("ppcg_min(c0, 3)", "2"));
  EXPECT_THAT(second.launch.block, ElementsAre(16, 2));
  EXPECT_THAT(second.launch.arguments, ElementsAre("dev_A", "c0"));
}

TEST(PpcgOutput, AStatementOnTheHostIsNamed) {
  const auto one = Parse(Host("{\n  x[0] = (y + 1);\n}"));
  EXPECT_TRUE(absl::IsInvalidArgument(one.status())) << one.status();
  EXPECT_EQ(Error(one),
            "ppcg leaves 1 statement on the host, outside of all kernels: x[0] = (y + 1) (line 5 of "
            "region_host.cu)");
  const auto two =
      Parse(Host("for (int c0 = 0; c0 < 5; c0 += 1) {\n S0(c0);\n  double t[5];\n  z = 1; }"), {"t"});
  EXPECT_TRUE(absl::IsInvalidArgument(two.status())) << two.status();
  EXPECT_THAT(Error(two), HasSubstr("leaves 2 statements, the first of them, on the host, outside of all "
                                    "kernels: S0(c0) (line 5"));
  // A declaration of what is no array of the region is a statement, too.
  EXPECT_THAT(Error(Parse(Host("double t[5];"))), HasSubstr("double t[5]"));
}

TEST(PpcgOutput, AnEmptyRegionHasNoLaunches) {
  const auto output = ParsePpcgOutput("#include \"region_kernel.hu\"\n", Host(""), {});
  ASSERT_TRUE(output.ok()) << output.status();
  EXPECT_TRUE(output->kernels.empty());
  EXPECT_TRUE(output->host.children.empty());
}

TEST(PpcgOutput, WhatIsNotPpcgsFormatIsAnErrorWithItsPlace) {
  const struct {
    std::string host, message;
  } cases[] = {
      {"no comments", "the comments around the region are missing"},
      {absl::StrCat(kPpcgEnd, kPpcgBegin), "comments around the region are missing"},
      {Host("{ x = 1;"), "line 4: expected a statement, found the end of the region"},
      {Host("x = 1 }"), "line 4: expected ;, found }"},
      {Host("for (;;) x = 1;"), "line 4: expected a loop with an iterator of its own"},
      {Host("for (c0 = 0; c0 < 5; c0 += 1) ;"), "expected a loop with an iterator of its own"},
      {Host("for (int c0 = 0; c0 < n; c0 += 1) ;"), "uses n, which is neither an iterator nor a macro"},
      {Host("if (c0 > 1) ;"), "uses c0, which is neither"},
      {Host("if (1"), "expected )"},
      {Host("dim3 g(1, 2, 3, 4);"), "more than three sizes"},
      {Host("dim3 g[1];"), "not a dim3 as PPCG writes it"},
      {Host("kernel0 <<<g, b>>> (dev_A);"), "a grid or block that was not declared"},
      {Host("kernel0 <<<g>>> (dev_A);"), "a launch without grid and block"},
      {Host("kernel0 <<<g, b>> (dev_A);"), "not a launch as PPCG writes it"},
      {Host("dim3 g(1); dim3 b(ppcg_min(2, 3)); kernel0 <<<g, b>>> (dev_A);"),
       "a block whose size is not a number: ppcg_min(2, 3)"},
      {Host("dim3 g; dim3 b; kernel9 <<<g, b>>> (dev_A);"), "launches kernel9, which region_kernel.cu"},
      {Host("dim3 g; dim3 b; kernel1 <<<g, b>>> (dev_A);"),
       "kernel1 has 2 parameters and its launch 1 arguments"},
      {Host("\"unfinished"), "a string does not end"},
      {Host(std::string(1000, '{')), "nested too deeply"},
  };
  for (const auto& one : cases) {
    const auto output = Parse(one.host);
    EXPECT_TRUE(absl::IsInternal(output.status())) << one.host << "\n" << output.status();
    EXPECT_THAT(Error(output), HasSubstr(one.message)) << one.host;
  }
}

TEST(PpcgOutput, WhatIsNotAKernelIsAnErrorWithItsPlace) {
  const struct {
    std::string kernels, message;
  } cases[] = {
      {"\nint x;", "line 2: expected __global__, found int"},
      {"__global__ int", "expected void, found int"},
      {"__global__ void main() {}", "expected a kernel's name and number, found main"},
      {"__global__ void kernel0(", "expected ), found the end"},
      {"__global__ void kernel0() {", "expected }, found the end"},
      {"__global__ void kernel0(int) {}", "expected a parameter"},
      {"__global__ void kernel0();", "expected {, found ;"},
      {"__global__ void kernel0() {} __global__ void kernel0() {}", "there are two kernels kernel0"},
  };
  for (const auto& one : cases) {
    const auto kernels = ParsePpcgKernels(one.kernels);
    EXPECT_TRUE(absl::IsInternal(kernels.status())) << one.kernels;
    EXPECT_THAT(std::string(kernels.status().message()), HasSubstr(one.message)) << one.kernels;
  }
}

// Damaged files never do worse than an error.
TEST(PpcgOutput, AnyPrefixIsRead) {
  const std::string host = testing::kSampleHost, kernels = testing::kSampleKernels;
  for (size_t length = 0; length < host.size(); length += 3) {
    ParsePpcgOutput(kernels, absl::StrCat(host.substr(0, length), kPpcgEnd), {}).status().IgnoreError();
    ParsePpcgOutput(kernels.substr(0, std::min(length, kernels.size())), host, {}).status().IgnoreError();
  }
}

}  // namespace
}  // namespace tune
