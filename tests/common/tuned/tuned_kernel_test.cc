#include "common/tuned/tuned_kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/cuda_toolkit.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kFile[] = R"(__constant__ float weights[3];
__device__ int calls;
struct Pair { int a, b; };
namespace blur {
template <int width, typename T>
__global__ void rows(const T* in, T* out, unsigned short n, Pair pair, int step) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[threadIdx.x * step % (n + pair.a)] * weights[0] * SCALE;
  out[threadIdx.x] = part[threadIdx.x];
  calls = width;
}
}
extern "C" __global__ void columns(cudaTextureObject_t picture, float4* corners) {
  corners[0].x += tex2D<float>(picture, 0.5f, 0.5f);
}
)";

v1::KernelArgument& Add(const std::string& name, v1::NumberType type, const std::string& count,
                        v1::ArgumentAccess access, v1::KernelDefinition* definition) {
  v1::KernelArgument& argument = *definition->add_arguments();
  argument.set_name(name);
  argument.set_type(type);
  argument.set_count(count);
  argument.set_access(access);
  if (count.empty()) argument.mutable_fill()->set_constant("3");
  return argument;
}

v1::KernelDefinition Definition() {
  v1::KernelDefinition definition;
  definition.set_language(v1::KERNEL_LANGUAGE_CUDA);
  definition.set_file("blur.cu");
  definition.add_compiler_options("-use_fast_math");
  definition.add_parameters()->set_name("STEP");
  v1::ProblemSize& size = *definition.add_problem();
  size.set_name("n");
  size.set_size("300");
  v1::KernelFunction& rows = *definition.add_kernels();
  rows.set_name("blur::rows");
  for (const char* name : {"in", "out", "n", "pair", "step"}) rows.mutable_arguments()->add_names(name);
  v1::KernelFunction& columns = *definition.add_kernels();
  columns.set_name("columns");
  for (const char* name : {"picture", "corners"}) columns.mutable_arguments()->add_names(name);
  Add("in", v1::NUMBER_FLOAT, "300", v1::ARGUMENT_READ, &definition);
  Add("out", v1::NUMBER_FLOAT, "300", v1::ARGUMENT_WRITE, &definition);
  Add("n", v1::NUMBER_UINT16, "", v1::ARGUMENT_READ, &definition);
  Add("pair", v1::NUMBER_CUSTOM, "", v1::ARGUMENT_READ, &definition).set_custom_bytes(8);
  Add("step", v1::NUMBER_INT32, "", v1::ARGUMENT_READ, &definition).mutable_fill()->set_constant("STEP * 2");
  Add("weights", v1::NUMBER_FLOAT, "3", v1::ARGUMENT_READ, &definition).set_memory(v1::ARGUMENT_SYMBOL);
  Add("calls", v1::NUMBER_INT32, "1", v1::ARGUMENT_WRITE, &definition).set_memory(v1::ARGUMENT_SYMBOL);
  Add("picture", v1::NUMBER_FLOAT, "12", v1::ARGUMENT_READ, &definition).set_memory(v1::ARGUMENT_TEXTURE);
  Add("corners", v1::NUMBER_FLOAT, "2", v1::ARGUMENT_READ_WRITE, &definition).set_lanes(4);
  return definition;
}

EvaluatedConfiguration Configuration() {
  EvaluatedConfiguration configuration;
  configuration.macros = {"SCALE=2"};
  configuration.kernels = {{"blur::rows", "blur::rows<32, float>"}, {"columns", "columns"}};
  configuration.launches = {{"blur::rows", {4, 1, 1}, {32, 1, 1}, 65536, 1},
                            {"columns", {1, 2, 1}, {8, 8, 1}, 0, 2}};
  configuration.scalars.emplace("n", Value::Integer(300));
  configuration.scalars.emplace("pair", Value::Integer(0));
  configuration.scalars.emplace("step", Value::Integer(4));
  return configuration;
}

std::string Print() {
  const auto text = PrintTunedKernelFile(Definition(), Configuration(), kFile, "// of a study\n");
  EXPECT_TRUE(text.ok()) << text.status();
  return text.value_or("");
}

TEST(TunedKernelTest, ArgumentsOfTheFunction) {
  EXPECT_EQ(
      TunedKernelDeclaration(Definition()),
      "cudaError_t tuned_rows(cudaStream_t stream, const float *in, float *out, unsigned short n, const "
      "void *pair, const float *weights_values, int *calls_values, cudaTextureObject_t picture, float4 "
      "*corners)");
}

TEST(TunedKernelTest, TheFileHasMacrosKernelsAndLaunches) {
  const std::string text = Print();
  EXPECT_THAT(text, ::testing::StartsWith("// of a study\n#define SCALE 2\n"));
  EXPECT_THAT(text, HasSubstr(kFile));
  EXPECT_THAT(text, HasSubstr("for n = 300 alone"));
  EXPECT_THAT(text, HasSubstr("int step = 4;"));
  EXPECT_THAT(text,
              HasSubstr("cudaMemcpyToSymbolAsync(weights, weights_values, 12, 0, cudaMemcpyDeviceToDevice"));
  EXPECT_THAT(text,
              HasSubstr("cudaMemcpyFromSymbolAsync(calls_values, calls, 4, 0, cudaMemcpyDeviceToDevice"));
  EXPECT_THAT(text, HasSubstr("cudaFuncAttributeMaxDynamicSharedMemorySize, 65536"));
  EXPECT_THAT(text,
              HasSubstr("cudaLaunchKernel(kernel, dim3(4, 1, 1), dim3(32, 1, 1), arguments, 65536, stream)"));
  EXPECT_THAT(text, HasSubstr("turn < 2"));
}

TEST(TunedKernelTest, OfOneOfSeveralSizesItHasNamesOfItsOwn) {
  const std::string text =
      PrintTunedKernelFile(Definition(), Configuration(), kFile, "// of a study\n", "n300").value_or("");
  EXPECT_THAT(text, HasSubstr("#define columns columns_n300\n#define rows rows_n300\n"));
  EXPECT_LT(text.find("#define rows"), text.find("__global__ void rows"));
  EXPECT_THAT(text, HasSubstr("cudaError_t tuned_rows_n300(cudaStream_t stream, const float *in"));
  EXPECT_EQ(Print().find("rows_n300"), std::string::npos);
}

TEST(TunedKernelTest, FlagsOfNvcc) {
  v1::Program program;
  program.add_defines("N=3");
  program.add_include_directories("parts");
  EXPECT_THAT(TunedKernelFlags(Definition(), program), ElementsAre("-use_fast_math", "-DN=3", "-Iparts"));
}

TEST(TunedKernelTest, CompilesWithNvcc) {
  const auto nvcc = FindNvcc();
  if (!nvcc.ok()) GTEST_SKIP() << nvcc.status().message();
  const TemporaryFolder folder = *TemporaryFolder::Make();
  ASSERT_TRUE(WriteFile(folder.path() + "/blur.tuned.cu", Print()).ok());
  SubprocessOptions options;
  options.folder = folder.path();
  const auto result =
      RunSubprocess({*nvcc, "-c", "-arch=sm_90", "-Werror", "all-warnings", "blur.tuned.cu"}, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->ok()) << result->standard_error << Print();
}

}  // namespace
}  // namespace tune
