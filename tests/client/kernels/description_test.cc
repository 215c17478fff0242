#include "client/kernels/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_replace.h"
#include "client/kernels/short_form.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kDescribedSource[] = R"(
#ifndef TILE
#define TILE 2
#endif
__constant__ float weights[5][5];
template <int block_x>
__global__ void smooth(const float *in, float4 *out, int width) { out[0] = in[TILE * UNROLL]; }
__global__ void sum(const real *in, double *total, const float *in2) {}
)";

std::string Describe(const std::string& source, const std::vector<std::string>& kernels,
                     v1::KernelLanguage language = v1::KERNEL_LANGUAGE_CUDA) {
  const std::string file = language == v1::KERNEL_LANGUAGE_C ? "k.c" : "k.cu";
  const auto text = DescribeSource(ScanSource(source, language), file, language, kernels);
  return text.ok() ? *text : std::string(text.status().message());
}

TEST(DescriptionTest, OfOneKernelIsToBeFilledIn) {
  EXPECT_EQ(Describe(kDescribedSource, {"smooth"}),
            R"(# Kernels of k.cu: replace each ?, and take away what is not meant; a # begins a comment.
file k.cu

# Sizes of the problem, with names for expressions:
# problem n=4096, m=4096

# Tuning parameters: values as 16,32,64 or 1..8 or [2**i for i in range(8)].
parameter block_x=?                     # of the template smooth: int block_x
# parameter TILE=?                      # line 2: there 2, unless it is defined
# parameter UNROLL=?                    # line 7: defined nowhere in it; remove the line if a header does
# parameter real=?                      # line 8: defined nowhere in it; remove the line if a header does
# constraint EXPRESSION

kernel smooth                           # line 7: smooth(const float *in, float4 *out, int width)
template block_x                        # expressions of tuning parameters, or types
block ?                                 # threads in x, or in x, y, z
grid ?                                  # blocks; or threads ?; or nothing, with a problem

# Arguments: NAME:TYPE[COUNT]:in|out|inout:random, or :value=, :generator=, :file=.
argument in:float[?]:in:random          # const float *in
argument out:float4[?]:inout:random     # float4 *out
argument width:int32:?                  # int width
# argument weights:float[?]:symbol:random # line 5: __constant__ float weights[] of 5 * 5

# Outputs are compared with those of the first configuration; or with:
# reference function NAME:file=plain.c
# reference kernel NAME:file=plain.cu:block=?:grid=?
)");
}

TEST(DescriptionTest, OfSeveralSaysWhichArgumentsEachTakes) {
  const std::string text = Describe(kDescribedSource, {});
  EXPECT_THAT(text, HasSubstr("takes in, out, width\n"));
  EXPECT_THAT(text, HasSubstr("takes in, total, in2\n"));
  EXPECT_THAT(text, HasSubstr("argument total:double[?]:inout:random"));
}

TEST(DescriptionTest, FilledInItCanBeRead) {
  std::string text = Describe(kDescribedSource, {"smooth"});
  const auto unfinished = ReadShortForm(text, "k.tune");
  EXPECT_THAT(
      std::string(unfinished.status().message()),
      HasSubstr("k.tune:8: parameter: \"block_x=?\": the ? is still to be replaced by what is meant"));
  text = absl::StrReplaceAll(text, {{"block_x=?", "block_x=32,64"},
                                    {"block ?", "block block_x"},
                                    {"grid ? ", "grid 4 "},
                                    {"[?]", "[64]"},
                                    {"int32:?", "int32:64"}});
  const auto definition = ReadShortForm(text, "k.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(definition->arguments_size(), 3);
}

TEST(DescriptionTest, OfCHasNoBlocks) {
  const std::string text = Describe(
      "void add(int n, const double *a, double *b) { for (int i = 0; i < n; i += STEP) b[i] += a[i]; }", {},
      v1::KERNEL_LANGUAGE_C);
  EXPECT_THAT(text, HasSubstr("file k.c\n"));
  EXPECT_THAT(text, HasSubstr("# parameter STEP=?"));
  EXPECT_THAT(text, HasSubstr("kernel add "));
  EXPECT_THAT(text, Not(HasSubstr("block ?")));
  EXPECT_THAT(text, HasSubstr("argument n:int32:?"));
}

TEST(DescriptionTest, KernelsThatAreNotThere) {
  EXPECT_EQ(Describe(kDescribedSource, {"blur"}),
            "k.cu: there is no kernel blur in it; there are: smooth, sum");
  EXPECT_EQ(Describe("int a;", {}), "k.cu: there is no __global__ function in it");
  EXPECT_EQ(Describe("int a;", {}, v1::KERNEL_LANGUAGE_C),
            "k.c: there is no function that returns nothing in it");
}

}  // namespace
}  // namespace tune
