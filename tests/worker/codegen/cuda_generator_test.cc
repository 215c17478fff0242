#include "worker/codegen/cuda_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/space/configuration.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "worker/codegen/cuda_region.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

CudaProgram GenerateDefault(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, {}).value();
  DefaultChooser chooser;
  const CudaPlan plan = space->Walk(chooser).value();
  const auto program = GenerateCuda(plan, space->options(), testing::MakeReference(scop, values));
  EXPECT_TRUE(program.ok()) << program.status();
  return program.value_or(CudaProgram());
}

TEST(CudaGenerator, AKernelInFull) {
  const CudaProgram program = GenerateDefault(testing::TriangularScop(), {{"n", 1000}});
  ASSERT_FALSE(program.facts.empty());
  EXPECT_EQ(program.facts[0].threads, (std::array<int64_t, 3>{32, 1, 1}));
  ASSERT_EQ(program.facts.size(), 3);
  EXPECT_EQ(program.kernels.substr(0, program.kernels.find("\n}\n") + 3),
            R"(extern "C" __global__ void __launch_bounds__(32)
lu_kernel0(double (*__restrict__ A)[1000], const int tune_h0, const int tune_f0) {
  const int tune_b0 = blockIdx.x + tune_f0;
  const int tune_t0 = threadIdx.x;
  if (tune_t0 + 32 * tune_b0 >= tune_h0 + 1 && tune_t0 + 32 * tune_b0 <= 999) {
    A[tune_t0 + 32 * tune_b0][tune_h0] = A[tune_t0 + 32 * tune_b0][tune_h0] / A[tune_h0][tune_h0];
  }
}
)");
  // The grid shrinks with the host loop.
  EXPECT_THAT(program.plan,
              HasSubstr("    {\n      int tune_h0 = tune_c0;\n"
                        "      int tune_f0 = tune_c0 - (31 * tune_c0 + 30) / 32;\n"
                        "      void *arguments[] = {(void *)&memory[0], &tune_h0, &tune_f0};\n"
                        "      const struct tune_launch one = {0, {(unsigned)(-tune_c0 + (31 * tune_c0 + "
                        "30) / 32 + 32), 1, 1}, {32, 1, 1}, arguments};\n"
                        "      launch(context, &one);\n    }\n"));
}

TEST(CudaGenerator, GemmGoesThroughSharedMemoryAndRegisters) {
  const CudaProgram program =
      GenerateDefault(testing::GemmScop(), {{"ni", 2000}, {"nj", 2300}, {"nk", 2600}});
  ASSERT_EQ(program.facts.size(), 1);
  EXPECT_EQ(program.facts[0].function, "gemm_kernel0");
  EXPECT_EQ(program.facts[0].threads, (std::array<int64_t, 3>{16, 16, 1}));
  // Tiles of 64 x 16 and 16 x 64 elements, odd row lengths; 4 x 4 points a thread.
  EXPECT_THAT(program.kernels, HasSubstr("__shared__ double A_shared0[64][17];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("__shared__ double B_shared1[16][65];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("double C_registers[4][4];\n"));
  // In full blocks the loop over a full tile has a constant length and no condition inside.
  EXPECT_THAT(
      program.kernels,
      HasSubstr("      __syncthreads();\n#pragma unroll 8\n"
                "      for (int tune_c1 = 16 * tune_c0; tune_c1 <= 16 * tune_c0 + 15; tune_c1 += 1) {\n"
                "        C_registers[0][0] += alpha * A_shared0[tune_t1][-16 * tune_c0 + tune_c1] * "
                "B_shared1[-16 * tune_c0 + tune_c1][tune_t0];\n"));
  EXPECT_THAT(program.plan,
              HasSubstr("const struct tune_launch one = {0, {36, 32, 1}, {16, 16, 1}, arguments};"));
}

TEST(CudaGenerator, TheRegionsFileCopiesWhatIsNeeded) {
  const v1::Scop scop = testing::GemmScop();
  const CudaRegion region =
      PrintCudaRegion(GenerateDefault(scop, {{"ni", 10}, {"nj", 11}, {"nk", 12}}), scop);
  EXPECT_THAT(region.file, HasSubstr("gemm_bytes[] = {0, 0, 880, 960, 1056};"));  // scalars go by value
  EXPECT_THAT(region.file, HasSubstr("gemm_in[] = {false, false, true, true, true};"));
  EXPECT_THAT(region.file, HasSubstr("gemm_out[] = {false, false, true, false, false};"));
  EXPECT_EQ(region.call, R"({
  extern void tune_region_gemm(void *const *arrays);
  void *const tune_arrays[] = {(void *)&alpha, (void *)&beta, (void *)C, (void *)A, (void *)B};
  tune_region_gemm(tune_arrays);
}
)");
}

}  // namespace
}  // namespace tune
