#include "client/kernels/source_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/kernels/short_form.h"
#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

constexpr char kCheckedSource[] = R"(
__constant__ float weights[25];
template <int block_x, typename T>
__global__ void smooth(const T *in, float *out, int width, cudaTextureObject_t picture) {}
__global__ void sum(const float4 *in, double *out, unsigned n) {}
__global__ void sum(const float4 *in, double *out) {}
)";

constexpr char kDefinition[] = R"(file k.cu
parameter block_x=32,64
problem n=4096
kernel smooth
template block_x, float
block block_x
takes in, out, width, picture
kernel sum
block 256
takes in, total, n
argument in:float[4 * n]:in
argument out:float[n]:out
argument total:double[n]:inout
argument width:int:n
argument n:uint32:n
argument picture:float[n]:texture:in
argument weights:float[25]:symbol
)";

// With one text in place of another.
std::string FaultsWith(const std::string& text, const std::string& other) {
  const std::string changed = absl::StrReplaceAll(kDefinition, {{text, other}});
  EXPECT_TRUE(text.empty() || changed != kDefinition) << text;
  const auto definition = ReadShortForm(changed, "k.tune");
  EXPECT_TRUE(definition.ok()) << definition.status();
  FaultList faults;
  CheckAgainstSource(*definition, ScanSource(kCheckedSource, v1::KERNEL_LANGUAGE_CUDA), &faults);
  return absl::StrJoin(faults.lines(), "\n");
}

TEST(SourceCheckTest, AcceptsWhatFits) {
  EXPECT_EQ(FaultsWith("", ""), "");
  EXPECT_EQ(FaultsWith("takes in, total, n", "takes in, total"), "");  // the other overload
  EXPECT_EQ(FaultsWith("argument in:float[4 * n]", "argument in:float4[n]"), "");
  EXPECT_EQ(FaultsWith("argument in:float[4 * n]:in", "argument in:custom[n]:bytes=16:in"), "");
}

TEST(SourceCheckTest, KernelsThatAreNotThere) {
  EXPECT_EQ(FaultsWith("kernel sum", "kernel sums"),
            "kernel sums: k.cu does not have it; it has: smooth, sum, sum");
  const auto definition = ReadShortForm(kDefinition, "k.tune");
  FaultList faults;
  CheckAgainstSource(*definition, ScanSource("int a;", v1::KERNEL_LANGUAGE_CUDA), &faults);
  EXPECT_EQ(faults.lines()[0], "kernel smooth: k.cu does not have it; it has no kernels");
}

TEST(SourceCheckTest, ArgumentsOfAnotherNumberOrType) {
  EXPECT_EQ(FaultsWith("takes in, out, width, picture", "takes in, out, width"),
            "kernel smooth: k.cu:4 has 4 parameters, smooth(const T *in, float *out, int width, "
            "cudaTextureObject_t "
            "picture), and the arguments are 3: in, out, width");
  EXPECT_EQ(FaultsWith("argument out:float[n]", "argument out:double[n]"),
            "kernel smooth: argument 2, out: its type is double, and k.cu:4 has float *out");
  EXPECT_EQ(FaultsWith("argument width:int:n", "argument width:float:n"),
            "kernel smooth: argument 3, width: its type is float, and k.cu:4 has int width");
  EXPECT_EQ(FaultsWith("argument width:int:n", "argument width:int[n]"),
            "kernel smooth: argument 3, width: it is an array, and k.cu:4 has int width");
  EXPECT_EQ(FaultsWith("argument out:float[n]:out", "argument out:float:0"),
            "kernel smooth: argument 2, out: it is a scalar, and k.cu:4 has float *out");
  EXPECT_EQ(FaultsWith("argument in:float[4 * n]:in", "argument in:float[4 * n]:out"),
            "kernel smooth: argument 1, in: it is an output, and k.cu:4 has const T *in\n"
            "kernel sum: argument 1, in: it is an output, and k.cu:5 has const float4 *in");
  EXPECT_EQ(
      FaultsWith("picture:float[n]:texture", "picture:float[n]"),
      "kernel smooth: argument 4, picture: it is no texture, and k.cu:4 has cudaTextureObject_t picture");
}

TEST(SourceCheckTest, TemplatesAndSymbols) {
  EXPECT_EQ(
      FaultsWith("template block_x, float\n", "template block_x\n"),
      "kernel smooth: k.cu:4 is a template of int block_x, typename T, and the template arguments are 1");
  EXPECT_EQ(FaultsWith("kernel sum\n", "kernel sum\ntemplate 4\n"),
            "kernel sum: k.cu:5 is no template, and the template arguments are 1");
  EXPECT_EQ(FaultsWith("argument weights:", "argument weight:"),
            "argument weight: k.cu has no __constant__ or __device__ variable weight; it has: weights");
  EXPECT_EQ(FaultsWith("argument weights:float", "argument weights:double"),
            "argument weights: its type is double, and k.cu:2 has __constant__ float weights[]");
  EXPECT_EQ(FaultsWith("argument in:float[4 * n]:in", "argument in:float[4 * n]:in:copy-to=d_in"),
            "argument in: k.cu has no __constant__ or __device__ variable d_in; it has: weights");
}

TEST(SourceCheckTest, FilesThatAreNotThereOrOfAnotherSize) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  ASSERT_TRUE(WriteFile(folder.path() + "/short.raw", "1234567890").ok());
  ASSERT_TRUE(WriteFile(folder.path() + "/right.raw", std::string(32, 'x')).ok());
  const auto definition = ReadShortForm(
      "file k.cu\nproblem n=4\nargument a:float[n]:file=missing.raw\nargument b:double[n]:file=short.raw\n"
      "argument c:double[n]:file=right.raw\nargument d:double[n]:hdf5=short.raw\n"
      "check a:each:file=other.raw\nreference function f:file=plain.c\n",
      "k.tune");
  ASSERT_TRUE(definition.ok()) << definition.status();
  FaultList faults;
  CheckFilesOf(*definition, folder.path(), &faults);
  EXPECT_EQ(absl::StrReplaceAll(absl::StrJoin(faults.lines(), "\n"), {{folder.path(), "FOLDER"}}),
            "argument a: there is no file FOLDER/missing.raw\n"
            "argument b: short.raw has 10 bytes, and 4 elements of 8 bytes have 32\n"
            "argument a: there is no file FOLDER/other.raw\n"
            "reference: there is no file FOLDER/plain.c");
}

}  // namespace
}  // namespace tune
