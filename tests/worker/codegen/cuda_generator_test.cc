#include "worker/codegen/cuda_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/codegen/setting_chooser.h"
#include "worker/print/cuda_region.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Of a device of which too little is known for sums to be split.
CudaSpaceOptions WholeSums() {
  CudaSpaceOptions options = testing::H200Options();
  options.device.memory_bandwidth = 0;
  return options;
}

CudaProgram Generate(const v1::Scop& scop, const std::map<std::string, int64_t>& values,
                     const std::map<std::string, std::string>& settings) {
  const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, WholeSums()).value();
  testing::SettingChooser chooser(settings);
  const CudaPlan plan = space->Walk(chooser).value();
  const auto program = GenerateCuda(plan, space->options(), testing::MakeReference(scop, values));
  EXPECT_TRUE(program.ok()) << program.status();
  return program.value_or(CudaProgram());
}

CudaProgram GenerateDefault(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  return Generate(scop, values, {});
}

TEST(CudaGenerator, AKernelInFull) {
  const CudaProgram program = Generate(testing::TriangularScop(), {{"n", 1000}}, {{"blocked_loops", "off"}});
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
  EXPECT_THAT(program.launches,
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
  // Tiles of 64 x 16 and 16 x 64 elements, in rows that vectors of elements can be read from, two copies of
  // each; 4 x 4 points a thread, two and two next to each other.
  EXPECT_THAT(program.kernels, HasSubstr("__shared__ __align__(16) double A_shared0[2][64][16];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("__shared__ __align__(16) double B_shared1[2][16][64];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("double C_registers[4][2][2] = {};\n"));
  // Boundary tiles run in full, so that there is no condition inside; what is loaded and
  // stored is in the arrays.
  EXPECT_THAT(program.kernels,
              HasSubstr("    tune_fill_commit();\n#pragma unroll 16\n"
                        "    for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {\n"
                        "#pragma unroll\n"
                        "      for (int tune_c2 = 0; tune_c2 < 2; tune_c2 += 1) {\n"
                        "#pragma unroll\n"
                        "        for (int tune_c3 = 0; tune_c3 <= 1; tune_c3 += 1) {\n"
                        "#pragma unroll\n"
                        "          for (int tune_c4 = 0; tune_c4 <= 1; tune_c4 += 1) {\n"
                        "            C_registers[2 * tune_c2][tune_c3][tune_c4] += alpha * "
                        "A_shared0[tune_c0 % 2][tune_t1 + 16 * (2 * tune_c2)][tune_c1] * "
                        "B_shared1[tune_c0 % 2][tune_c1][2 * tune_t0 + 32 * tune_c3 + tune_c4];\n"));
  // Two elements at a time are fetched an iteration ahead.
  EXPECT_THAT(program.kernels,
              HasSubstr("    tune_fill_await<0>();\n    __syncthreads();\n    if (tune_c0 + 1 <= 162) {\n"
                        "#pragma unroll\n      for (int tune_q = 0; tune_q < 2; tune_q += 1) {\n"
                        "        const int tune_q0 = 64 * tune_b1 + (tune_lane / 8 + 32 * tune_q);\n"
                        "        const int tune_q1 = 16 * (tune_c0 + 1) + tune_lane % 8 * 2;\n"
                        "        if (tune_q0 < 2000 && tune_q1 < 2600) {\n"
                        "          tune_fill_16(&A_shared0[(tune_c0 + 1) % 2][tune_lane / 8 + 32 * tune_q]"
                        "[tune_lane % 8 * 2], &A[tune_q0][tune_q1]);\n"));
  EXPECT_THAT(
      PrintCudaRegion(program, testing::GemmScop()).file,
      HasSubstr("if ((size_t)A % 16 != 0 || (size_t)B % 16 != 0) return cudaErrorMisalignedAddress;\n"));
  EXPECT_THAT(program.launches,
              HasSubstr("const struct tune_launch one = {0, {36, 32, 1}, {16, 16, 1}, arguments};"));
  const CudaProgram cyclic = Generate(testing::GemmScop(), {{"ni", 2000}, {"nj", 2300}, {"nk", 2600}},
                                      {{"k[S0,S1].distribution", "cyclic"}, {"k[S0,S1].min_blocks", "4"}});
  EXPECT_THAT(
      cyclic.kernels,
      HasSubstr("        const int tune_last1 = tune_min(-4 * tune_b0 - (tune_t0 + 20) / 16 + 144, 3);\n"
                "#pragma unroll\n"
                "        for (int tune_c1 = 0; tune_c1 < 4; tune_c1 += 1) {\n"
                "          if (tune_c1 <= tune_last1) {\n"
                "            C_registers[tune_c0][tune_c1] = C["));
  EXPECT_THAT(program.kernels, HasSubstr("__launch_bounds__(256)\n"));
  EXPECT_THAT(cyclic.kernels, HasSubstr("__launch_bounds__(256, 4)\n"));
}

// C += A B', as in syrk: what neighbours read lies in a row of the tile, so that it can be read at once, and
// rows are longer so that the threads that fill a column meet in few banks.
TEST(CudaGenerator, ColumnsAreRowsOfTiles) {
  const v1::Scop scop = testing::ScopBuilder("product", {"n", "m"}, "n >= 0 and m >= 0")
                            .Array("A", {"n", "m"})
                            .Array("B", {"n", "m"})
                            .Array("C", {"n", "n"})
                            .Begin("i", "0 <= i < n")
                            .Begin("j", "0 <= j < n")
                            .Begin("k", "0 <= k < m")
                            .Update(v1::ADD, {"C", "i, j"}, {{"A", "i, k"}, {"B", "j, k"}},
                                    testing::Multiply(testing::Read(0), testing::Read(1)))
                            .End()
                            .End()
                            .End()
                            .Build();
  const CudaProgram program = GenerateDefault(scop, {{"n", 2048}, {"m", 2048}});
  EXPECT_THAT(program.kernels, HasSubstr("double A_shared0[2][64][16];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("double B_shared1[2][16][66];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("tune_fill_8(&B_shared1[(tune_c0 + 1) % 2][tune_lane % "
                                         "16][tune_lane / 16 + 16 * tune_q], &B[tune_q0][tune_q1]"));
  EXPECT_THAT(program.kernels,
              HasSubstr("B_shared1[tune_c0 % 2][tune_c1][2 * tune_t0 + 32 * tune_c3 + tune_c4];\n"));
}

// C += A' B with k > i, as in trmm.
v1::Scop TriangularProductScop() {
  return testing::ScopBuilder("product", {"n", "m"}, "n >= 0 and m >= 0")
      .Array("A", {"m", "m"})
      .Array("B", {"m", "n"})
      .Array("C", {"m", "n"})
      .Begin("i", "0 <= i < m")
      .Begin("j", "0 <= j < n")
      .Begin("k", "i < k < m")
      .Update(v1::ADD, {"C", "i, j"}, {{"A", "k, i"}, {"B", "k, j"}},
              testing::Multiply(testing::Read(0), testing::Read(1)))
      .End()
      .End()
      .End()
      .Build();
}

// Tiles beside the diagonal are full for all points of a block.
TEST(CudaGenerator, OnlyTilesOnTheDiagonalHaveConditions) {
  const CudaProgram program = GenerateDefault(TriangularProductScop(), {{"n", 2560}, {"m", 2048}});
  const size_t beside = program.kernels.find("; 4 * tune_b1 + 4 + tune_c0 <= 127; tune_c0 += 1) {\n");
  ASSERT_NE(beside, std::string::npos) << program.kernels;
  EXPECT_THAT(program.kernels.substr(beside),
              HasSubstr("      tune_fill_commit();\n#pragma unroll 16\n"
                        "      for (int tune_c1 = 0; tune_c1 <= 15; tune_c1 += 1) {\n#pragma unroll\n"
                        "        for (int tune_c2 = 0; tune_c2 < 2; tune_c2 += 1) {\n#pragma unroll\n"
                        "          for (int tune_c3 = 0; tune_c3 <= 1; tune_c3 += 1) {\n#pragma unroll\n"
                        "            for (int tune_c4 = 0; tune_c4 <= 1; tune_c4 += 1) {\n"
                        "              C_registers[2 * tune_c2][tune_c3][tune_c4] += "));
}

// A statement that runs where a condition holds, as in symm: where the condition is in place of a loop over
// points, compilers would not know what unrolled loops address.
TEST(CudaGenerator, PlacesInRegistersAreNumbersOfPoints) {
  const v1::Scop scop = testing::ScopBuilder("updates", {"n", "m"}, "n >= 0 and m >= 0")
                            .Array("A", {"m", "m"})
                            .Array("B", {"m", "n"})
                            .Array("C", {"m", "n"})
                            .Begin("i", "0 <= i < m")
                            .Begin("j", "0 <= j < n")
                            .Begin("k", "0 <= k < i")
                            .Update(v1::ADD, {"C", "k, j"}, {{"A", "i, k"}, {"B", "i, j"}},
                                    testing::Multiply(testing::Read(0), testing::Read(1)))
                            .End()
                            .Assign({"C", "i, j"}, {{"C", "i, j"}, {"B", "i, j"}},
                                    testing::Add(testing::Read(0), testing::Read(1)))
                            .End()
                            .End()
                            .Build();
  const CudaProgram program = GenerateDefault(scop, {{"n", 2560}, {"m", 2048}});
  // Of the diagonal tile that a row of the block is in there is one, which is no point's number.
  EXPECT_THAT(
      program.kernels,
      HasSubstr(
          "          for (int tune_c_0 = 0; tune_c_0 < 4; tune_c_0 += 1) {\n"
          "            if (tune_c_0 >= -4 * tune_b1 + (4 * tune_b1 + tune_c0) && tune_c_0 <= -4 * tune_b1 + "
          "(4 * tune_b1 + tune_c0)) {\n"
          "              C_registers[tune_c_0][tune_c3][tune_c4] = "
          "C_registers[tune_c_0][tune_c3][tune_c4] + "));
}

// Where an element could be read that there is not.
TEST(CudaGenerator, WithoutSharedMemoryBoundaryTilesHaveConditions) {
  const CudaProgram program =
      Generate(testing::GemmScop(), {{"ni", 2000}, {"nj", 2300}, {"nk", 2600}},
               {{"k[S0,S1].distribution", "cyclic"}, {"k[S0,S1].shared", "off"}, {"k[S0,S1].unroll", "16"}});
  // Loops over points are of a constant length, so that registers stay registers, and around them less is
  // unrolled.
  EXPECT_THAT(program.kernels, HasSubstr("#pragma unroll 16\n"));
  EXPECT_THAT(program.kernels, HasSubstr("#pragma unroll 4\n"));
  EXPECT_THAT(program.kernels, HasSubstr("for (int tune_c2 = 0; tune_c2 < 4; tune_c2 += 1) {\n"));
}

TEST(CudaGenerator, HostLoopsOfSmallKernelsRunInOneLaunch) {
  const CudaProgram program = GenerateDefault(testing::Jacobi1dScop(), {{"steps", 20}, {"n", 1000}});
  ASSERT_EQ(program.facts.size(), 1);
  EXPECT_EQ(program.facts[0].function, "jacobi_1d_persistent");
  EXPECT_EQ(program.facts[0].threads, (std::array<int64_t, 3>{1024, 1, 1}));
  EXPECT_FALSE(program.facts[0].cooperative);
  EXPECT_EQ(program.kernels.substr(program.kernels.find("extern")),
            R"(extern "C" __global__ void __launch_bounds__(1024)
jacobi_1d_persistent(double *A, double *B) {
  for (int tune_c0 = 0; tune_c0 <= 19; tune_c0 += 1) {
    for (unsigned tune_turn = threadIdx.x / 32; tune_turn < 32; tune_turn += 32)
      jacobi_1d_kernel0(A, B, tune_c0, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
    __syncthreads();
    for (unsigned tune_turn = threadIdx.x / 32; tune_turn < 32; tune_turn += 32)
      jacobi_1d_kernel1(A, B, tune_c0, make_uint3(tune_turn, 0, 0), make_uint3(threadIdx.x % 32, 0, 0));
    __syncthreads();
  }
}
)");
  EXPECT_THAT(program.launches,
              HasSubstr("    void *arguments[] = {(void *)&memory[0], (void *)&memory[1]};\n"
                        "    const struct tune_launch one = {0, {1, 1, 1}, {1024, 1, 1}, arguments};\n"));
}

TEST(CudaGenerator, BlocksOfOneLaunchWaitForEachOther) {
  const CudaProgram program =
      Generate(testing::Jacobi1dScop(), {{"steps", 20}, {"n", 1000}}, {{"launches", "grid"}});
  ASSERT_EQ(program.facts.size(), 1);
  EXPECT_TRUE(program.facts[0].cooperative);
  EXPECT_THAT(program.kernels, HasSubstr("#define TUNE_GRID_BARRIER tune_grid_barrier\n"));
  EXPECT_THAT(program.kernels,
              HasSubstr("    for (unsigned tune_turn = 32 * blockIdx.x + threadIdx.x / 32; tune_turn < 32; "
                        "tune_turn += 4224)\n"));
  EXPECT_THAT(program.kernels, HasSubstr("    TUNE_GRID_BARRIER();\n"));
  EXPECT_THAT(program.launches, HasSubstr("one = {0, {132, 1, 1}, {1024, 1, 1}, arguments};"));
}

// A block for the rows of the minimum, and one that has its threads do what the other nest does.
TEST(CudaGenerator, IndependentNestsAreOneLaunch) {
  const CudaProgram program =
      Generate(testing::IndependentScop(), {{"n", 1000}}, {{"independent_launches", "outside_loops"}});
  ASSERT_EQ(program.facts.size(), 1);
  EXPECT_FALSE(program.facts[0].cooperative);
  EXPECT_THAT(program.kernels, HasSubstr("  if (blockIdx.x < "));
  EXPECT_THAT(program.kernels, HasSubstr("  else {\n"));
  EXPECT_THAT(program.kernels, HasSubstr("static __device__ __forceinline__ void\nindependent_kernel1("));
  const CudaProgram apart =
      Generate(testing::IndependentScop(), {{"n", 1000}}, {{"independent_launches", "apart"}});
  EXPECT_EQ(apart.facts.size(), 2);
}

// The driver refuses a launch whose blocks do not all fit.
TEST(CudaGenerator, BlocksOfOneLaunchShareTheMemoryOfAMultiprocessor) {
  std::map<std::string, std::string> settings = {{"time_tiles", "off"}, {"launches", "grid"}};
  for (const std::string kernel : {"k[S0]@1", "k[S1]@1"}) {
    settings[kernel + ".tile_size_0"] = "1024";
    settings[kernel + ".block_size_0"] = "32";
    settings[kernel + ".shared"] = "on";
  }
  const CudaProgram program = Generate(testing::Jacobi1dScop(), {{"steps", 20}, {"n", 100000}}, settings);
  ASSERT_EQ(program.facts.size(), 1);
  // Two tiles of 1026 doubles and 1 KiB a block, of 228 KiB.
  EXPECT_THAT(program.kernels, HasSubstr("__launch_bounds__(32, 13)"));
  EXPECT_THAT(program.launches, HasSubstr("one = {0, {1716, 1, 1}, {32, 1, 1}, arguments};"));
}

// Five points, from one array to another and back.
v1::Scop Plane() {
  using testing::Add, testing::Read;
  testing::ScopBuilder builder("plane", {"steps", "n"}, "steps >= 0 and n >= 2");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"}).Begin("t", "0 <= t < steps");
  for (const auto& [to, from] : {std::pair("B", "A"), std::pair("A", "B")}) {
    builder.Begin("i", "1 <= i < n - 1").Begin("j", "1 <= j < n - 1");
    builder.Assign({to, "i, j"}, {{from, "i - 1, j"}, {from, "i + 1, j"}, {from, "i, j - 1"}, {from, "i, j"}},
                   Add(Add(Read(0), Read(1)), Add(Read(2), Read(3))));
    builder.End().End();
  }
  return builder.End().Build();
}

// What a thread alone reads is in registers, which come back to their places in twelve iterations: values of
// three, and rows that are loaded four ahead. Rows in shared memory have an element beside what is computed.
// Tiles have as few rows as their margins allow, as there are not so many blocks as the device runs at once.
TEST(CudaGenerator, RowsStreamThroughTilesOfTime) {
  const CudaProgram program = Generate(Plane(), {{"steps", 20}, {"n", 1000}}, {{"streamed_tiles", "on"}});
  for (const char* line : {"  double A_own[5][3];\n", "  double A_ahead[4];\n", "  double B_own[5][3];\n",
                           "  __shared__ __align__(16) double A_rows[4][2][257];\n",
                           "  __shared__ __align__(16) double B_rows[4][2][257];\n",
                           "#pragma unroll 12\n      for (int tune_c3 = 0; tune_c3 <= 64; tune_c3 += 1) {\n",
                           "B_own[tune_c0][0] = B_own[tune_c0 - 1][2];\n"})
    EXPECT_THAT(program.kernels, HasSubstr(line));
}

// The first row is made of elements beside its own. Computed for all rows it would read what is being
// written.
TEST(CudaGenerator, RowsOfABoundaryStreamByAllThreads) {
  using testing::Add, testing::Read;
  testing::ScopBuilder builder("edge", {"steps", "n"}, "steps >= 0 and n >= 2");
  builder.Array("A", {"n", "n"}).Array("B", {"n", "n"}).Begin("t", "0 <= t < steps");
  builder.Begin("i", "1 <= i < n - 1").Begin("j", "1 <= j < n - 1");
  builder.Assign({"B", "i, j"}, {{"A", "i - 1, j"}, {"A", "i + 1, j"}}, Add(Read(0), Read(1))).End().End();
  builder.Begin("l", "1 <= l < n - 1");
  builder.Assign({"B", "0, l"}, {{"A", "0, l - 1"}, {"A", "1, l"}}, Add(Read(0), Read(1))).End();
  builder.Begin("k", "0 <= k < n - 1").Begin("m", "1 <= m < n - 1");
  builder.Assign({"A", "k, m"}, {{"B", "k, m"}}, Read(0)).End().End();
  const CudaProgram program =
      Generate(builder.End().Build(), {{"steps", 20}, {"n", 1000}}, {{"streamed_tiles", "on"}});
  EXPECT_THAT(program.kernels, HasSubstr("A_own"));
  EXPECT_THAT(program.kernels, ::testing::Not(HasSubstr("if (threadIdx.x < 1)")));
}

TEST(CudaGenerator, ThreadsShareAReduction) {
  const CudaProgram program = GenerateDefault(testing::ImperfectScop(), {{"m", 2000}, {"n", 2100}});
  ASSERT_EQ(program.facts.size(), 2);
  // A row by the threads of a block, two elements at a time.
  EXPECT_THAT(program.kernels,
              HasSubstr("  double tmp_partial1 = 0;\n  if (tune_t0 == 0) {\n"
                        "    tmp_registers = tmp[tune_t1 + 2 * tune_b1];\n  }\n"
                        "  if (tune_t0 == 0) {\n    tmp_registers = 0.0;\n  }\n#pragma unroll 4\n"
                        "  for (int tune_c0 = tune_t0; tune_c0 <= 1049; tune_c0 += 128) {\n    {\n"
                        "      const double2 tune_ahead0_0 = "
                        "*(const double2 *)&A[tune_t1 + 2 * tune_b1][2 * tune_c0];\n"
                        "      const double tune_ahead0[] = {tune_ahead0_0.x, tune_ahead0_0.y};\n"
                        "      const double2 tune_ahead1_0 = *(const double2 *)&x[2 * tune_c0];\n"
                        "      const double tune_ahead1[] = {tune_ahead1_0.x, tune_ahead1_0.y};\n"
                        "#pragma unroll\n"
                        "      for (int tune_c1 = 0; tune_c1 <= 1; tune_c1 += 1) {\n"
                        "        tmp_partial1 += tune_ahead0[tune_c1] * tune_ahead1[tune_c1];\n"
                        "      }\n    }\n  }\n"));
  // Who calls the code with memory of the device must give it at such addresses.
  EXPECT_THAT(program.alignments, ::testing::ElementsAre(16, 16, 8, 8));
  EXPECT_THAT(program.kernels, HasSubstr("  if (tune_t0 == 0) {\n    tmp_registers += tmp_partial1;\n  }\n"
                                         "  if (tune_t0 == 0) {\n"
                                         "    tmp[tune_t1 + 2 * tune_b1] = tmp_registers;\n  }\n}\n"));
  // Columns by neighbours, each shared by threads that are a row of the block apart.
  EXPECT_EQ(program.facts[1].threads, (std::array<int64_t, 3>{16, 64, 1}));
}

TEST(CudaGenerator, BlocksShareAReduction) {
  const CudaProgram program = Generate(testing::ZeroDimScop(), {{"n", 5000}},
                                       {{"schedule.parallel_reductions", "off"},
                                        {"k[S1].reduction", "x"},
                                        {"k[S1].reduction_blocks", "4"},
                                        {"k[S1].block_size_0", "32"},
                                        {"k[S1].reduction_piece", "1"}});
  EXPECT_THAT(program.kernels,
              HasSubstr("tune_c0 = tune_t0 + 1280 * tune_b0; "
                        "tune_c0 <= tune_min(4999, 1280 * tune_b0 + 1279); tune_c0 += 32) {\n"
                        "    s_partial0 += x[tune_c0] * x[tune_c0];\n"));
  EXPECT_THAT(program.kernels, HasSubstr("  if (tune_t0 == 0) {\n    atomicAdd(s, s_partial0);\n  }\n"));
  EXPECT_THAT(program.launches, HasSubstr("one = {1, {4, 1, 1}, {32, 1, 1}, arguments};"));
}

TEST(CudaGenerator, ArraysAreReadAsTheDecisionsSay) {
  const CudaProgram program =
      Generate(testing::GemmScop(), {{"ni", 100}, {"nj", 110}, {"nk", 120}},
               {{"k[S0,S1].loads_A", "texture"}, {"k[S0,S1].loads_B", "plain"}, {"k[S0,S1].shared", "off"}});
  EXPECT_THAT(program.kernels,
              HasSubstr("static __device__ __forceinline__ double tune_texture_double(cudaTextureObject_t "
                        "texture, int element) {\n  const int2 words = tex1Dfetch<int2>(texture, element);\n"
                        "  return __hiloint2double(words.y, words.x);\n}\n"));
  EXPECT_THAT(program.kernels, HasSubstr("const cudaTextureObject_t A, const double (*B)[110])"));
  EXPECT_THAT(program.kernels, HasSubstr("alpha * tune_texture_double(A, ("));
  EXPECT_THAT(program.launches,
              HasSubstr("(void *)&memory[8], (void *)&memory[4]};"));  // of five arrays A and B
  EXPECT_TRUE(program.arrays[3].texture);
  EXPECT_FALSE(program.arrays[4].texture);
  const std::string file = PrintCudaRegion(program, testing::GemmScop()).file;
  EXPECT_THAT(file, HasSubstr("MakeTexture((*handle)->memory[3], kBytes[3], cudaCreateChannelDesc<int2>(), "
                              "(cudaTextureObject_t *)&(*handle)->memory[8]);"));
  EXPECT_THAT(file,
              HasSubstr("FindTexture(memory[3], kBytes[3], cudaCreateChannelDesc<int2>(), &memory[8]);"));
}

TEST(CudaGenerator, TilesInSharedMemoryAreFilledThroughTextures) {
  const CudaProgram program = Generate(testing::GemmScop(), {{"ni", 2000}, {"nj", 2000}, {"nk", 2000}},
                                       {{"k[S0,S1].loads_B", "texture"}});
  EXPECT_THAT(program.kernels,
              HasSubstr("tune_q1 < 2000 ? tune_texture_double(B, tune_q0 * 2000 + tune_q1) : 0;"));
}

TEST(CudaGenerator, WhatStreamsIsReadWithAHint) {
  const std::map<std::string, int64_t> values = {{"ni", 100}, {"nj", 110}, {"nk", 120}};
  const CudaProgram program =
      Generate(testing::GemmScop(), values, {{"k[S0,S1].streaming", "on"}, {"k[S0,S1].shared", "off"}});
  EXPECT_THAT(program.kernels, HasSubstr("const double (*__restrict__ A)[120]"));
  EXPECT_THAT(program.kernels, HasSubstr("alpha * __ldcs(&A["));
  const CudaProgram filled = Generate(testing::GemmScop(), {{"ni", 2000}, {"nj", 2000}, {"nk", 2000}},
                                      {{"k[S0,S1].streaming", "on"}});
  EXPECT_THAT(filled.kernels, HasSubstr("__ldcs(&A[tune_q0][tune_q1])"));
}

TEST(CudaGenerator, TheShareOfSharedMemoryGoesWithTheKernel) {
  const CudaProgram program =
      Generate(testing::GemmScop(), {{"ni", 100}, {"nj", 110}, {"nk", 120}}, {{"k[S0,S1].cache", "half"}});
  EXPECT_EQ(program.facts.at(0).carveout, 50);
  EXPECT_THAT(PrintCudaRegion(program, testing::GemmScop()).file,
              HasSubstr("cudaFuncSetAttribute((const void *)gemm_kernel0, "
                        "cudaFuncAttributePreferredSharedMemoryCarveout, 50)"));
}

TEST(CudaGenerator, LaunchesOfHostLoopsAreAGraph) {
  const v1::Scop scop = testing::Jacobi1dScop();
  const CudaProgram graph = Generate(scop, {{"steps", 20}, {"n", 1000}}, {{"launches", "graph"}});
  EXPECT_TRUE(graph.graph);
  EXPECT_EQ(graph.facts.size(), 2);
  const std::string file = PrintCudaRegion(graph, scop).file;
  EXPECT_THAT(file,
              HasSubstr("  if (launches > 100000) return LaunchAll(handle->memory, values, stream);\n"));
  EXPECT_THAT(file, HasSubstr("error = IsRecorded(handle, values) ? cudaSuccess : Record(handle, values);"));
  const CudaProgram separate = Generate(scop, {{"steps", 20}, {"n", 1000}}, {{"launches", "separate"}});
  EXPECT_EQ(separate.kernels, graph.kernels);
  EXPECT_THAT(PrintCudaRegion(separate, scop).file, ::testing::Not(HasSubstr("IsRecorded")));
}

TEST(CudaGenerator, BlocksMayStartWithTheLast) {
  const v1::Scop scop = testing::Jacobi1dScop();
  const auto kernels = [&](const std::string& first, const std::string& second) {
    return Generate(scop, {{"steps", 20}, {"n", 3'000'000}},
                    {{"time_tiles", "off"}, {"k[S0]@1.block_order", first}, {"k[S1]@1.block_order", second}})
        .kernels;
  };
  EXPECT_THAT(kernels("forward", "backward"),
              AllOf(HasSubstr("const int tune_b0 = blockIdx.x;"),
                    HasSubstr("const int tune_b0 = gridDim.x - 1 - blockIdx.x;")));
  EXPECT_THAT(
      kernels("alternating", "alternating_backward"),
      AllOf(HasSubstr("const int tune_b0 = tune_h0 % 2 == 0 ? blockIdx.x : gridDim.x - 1 - blockIdx.x;"),
            HasSubstr("const int tune_b0 = tune_h0 % 2 == 0 ? gridDim.x - 1 - blockIdx.x : blockIdx.x;")));
}

// Two copies of each tile; the first warp computes while the other fetches the next tile.
TEST(CudaGenerator, ThreadsOfTheirOwnFillTiles) {
  const std::map<std::string, std::string> settings = {
      {"k[S0,S1].tile_size_2", "32"}, {"k[S0,S1].block_size_2", "32"}, {"k[S0,S1].tile_size_0", "1"},
      {"k[S0,S1].fill_threads", "2"}, {"k[S0,S1].inner_tile", "32"},   {"k[S0,S1].buffers", "2"}};
  const CudaProgram program =
      Generate(testing::GemmScop(), {{"ni", 2048}, {"nj", 2048}, {"nk", 2048}}, settings);
  EXPECT_THAT(
      program.kernels,
      AllOf(HasSubstr("double B_shared1[2][32][32];"),
            HasSubstr("const int tune_lane = threadIdx.x + 32 * threadIdx.y + 32 * threadIdx.z - 32;\n"),
            HasSubstr("    __syncthreads();\n    if (tune_c0 + 1 <= 63) {\n      if (tune_lane >= 0) {\n"),
            HasSubstr("tune_q < 512; tune_q += 32) {"), HasSubstr("B_shared1[tune_c0 % 2][")));
  EXPECT_THAT(program.launches, HasSubstr("{64, 2048, 1}, {32, 1, 2}"));
}

TEST(CudaGenerator, KernelsMayAskForMoreSharedMemory) {
  const v1::Scop scop = testing::GemmScop();
  const std::map<std::string, int64_t> values = {{"ni", 2048}, {"nj", 2048}, {"nk", 2048}};
  const auto space = CudaSpace::Make(WithParameterFacts(scop, values), values, WholeSums()).value();
  const auto generate = [&](const std::string& shared) {
    const std::map<std::string, std::string> settings = {{"k[S0,S1].shared", shared},
                                                         {"k[S0,S1].inner_tile", "64"},
                                                         {"k[S0,S1].distribution", "cyclic"},
                                                         {"k[S0,S1].fills", "plain"}};
    testing::SettingChooser chooser(settings);
    const CudaPlan plan = space->Walk(chooser).value();
    return GenerateCuda(plan, space->options(), testing::MakeReference(scop, values)).value();
  };
  // 64 x 64 elements of A and of B, 32 KiB each, are more than a kernel has without asking.
  const CudaProgram least = generate("on");
  EXPECT_EQ(least.facts.at(0).dynamic_shared_bytes, 0);
  EXPECT_THAT(least.kernels, ::testing::Not(AllOf(HasSubstr("A_shared"), HasSubstr("B_shared"))));
  const CudaProgram most = generate("opt_in");
  EXPECT_EQ(most.facts.at(0).dynamic_shared_bytes, 64 << 10);
  EXPECT_THAT(most.kernels,
              AllOf(HasSubstr("  extern __shared__ __align__(16) unsigned char tune_shared[];\n"
                              "  double (*const A_shared0)[64] = (double (*)[64])(tune_shared + 0);\n"
                              "  double (*const B_shared1)[64] = (double (*)[64])(tune_shared + 32768);\n"),
                    HasSubstr("*(int4 *)&A_shared0[tune_lane / 32 + 8 * tune_q][tune_lane % 32 * 2] = "
                              "*(const int4 *)&A[")));
  EXPECT_THAT(PrintCudaRegion(most, scop).file,
              AllOf(HasSubstr("cudaFuncSetAttribute((const void *)gemm_kernel0, "
                              "cudaFuncAttributeMaxDynamicSharedMemorySize, 65536)"),
                    HasSubstr("shared_bytes[] = {65536};")));
}

TEST(CudaGenerator, StoresAreExchanges) {
  const std::map<std::string, int64_t> sizes = {{"ni", 2000}, {"nj", 2000}, {"nk", 2000}};
  const CudaProgram copies = Generate(testing::GemmScop(), sizes, {{"k[S0,S1].stores", "atomic"}});
  EXPECT_THAT(copies.kernels, HasSubstr("atomicExch((unsigned long long *)&C["));
  EXPECT_THAT(copies.kernels, HasSubstr("__double_as_longlong(C_registers[tune_c0][tune_c1][tune_c2]));"));
  const CudaProgram statements =
      Generate(testing::GemmScop(), sizes, {{"k[S0,S1].stores", "atomic"}, {"k[S0,S1].registers", "off"}});
  EXPECT_THAT(statements.kernels, ::testing::Not(HasSubstr("] +=")));
  EXPECT_THAT(statements.kernels, HasSubstr("] + alpha * A_shared"));
}

v1::Diagnosis Diagnosis(bool check, const std::vector<std::string>& stages) {
  v1::Diagnosis diagnosis;
  diagnosis.set_check_mapping(check);
  diagnosis.mutable_stages()->Add(stages.begin(), stages.end());
  return diagnosis;
}

TEST(CudaGenerator, TellsTheTreesOfItsStages) {
  const auto space =
      CudaSpace::Make(testing::GemmScop(), {{"ni", 2000}, {"nj", 2000}, {"nk", 2000}}, WholeSums()).value();
  const v1::Reference reference =
      testing::MakeReference(testing::GemmScop(), {{"ni", 2000}, {"nj", 2000}, {"nk", 2000}});
  DefaultChooser chooser;
  const CudaPlan plan = space->Walk(chooser).value();
  const std::vector<std::string> stages = {"schedule", "block", "threads", "tiles", "copies", "host"};
  const auto findings = DiagnoseCuda(plan, space->options(), reference, Diagnosis(true, stages));
  ASSERT_TRUE(findings.ok()) << findings.status();
  std::vector<std::string> titles;
  for (const v1::Finding& finding : *findings) titles.push_back(finding.title());
  EXPECT_THAT(titles, ::testing::ElementsAre("schedule", "block of k[S0,S1]", "threads of k[S0,S1]",
                                             "tiles of k[S0,S1]", "copies of k[S0,S1]", "host",
                                             "check of the mapping"));
  EXPECT_THAT((*findings)[4].text(), HasSubstr("Fill"));
  // isl reads every tree back.
  IslContext& context = plan.schedules->context();
  const absl::Status read = context.Run("test", [&]() -> absl::Status {
    for (size_t i = 0; i < stages.size(); ++i) {
      SCOPED_TRACE((*findings)[i].text());
      const isl::schedule tree(context.ctx(), (*findings)[i].text());
      EXPECT_FALSE(tree.domain().is_empty());
    }
    return absl::OkStatus();
  });
  EXPECT_TRUE(read.ok()) << read;
  const auto unknown = DiagnoseCuda(plan, space->options(), reference, Diagnosis(false, {"fusion"}));
  EXPECT_TRUE(absl::IsInvalidArgument(unknown.status()));
  EXPECT_THAT(
      std::string(unknown.status().message()),
      HasSubstr("no stage \"fusion\" on cuda: block, copies, host, program, schedule, threads, tiles"));
}

TEST(CudaGenerator, TheRegionsFileCopiesWhatIsNeeded) {
  const v1::Scop scop = testing::GemmScop();
  const CudaRegion region =
      PrintCudaRegion(GenerateDefault(scop, {{"ni", 10}, {"nj", 11}, {"nk", 12}}), scop);
  EXPECT_THAT(region.file, HasSubstr("kBytes[] = {0, 0, 880, 960, 1056};"));  // scalars go by value
  EXPECT_THAT(region.file, HasSubstr("kIn[] = {{2, 0, 880, 1, 0, 1, 0}, {3, 0, 960, 1, 0, 1, 0}, "
                                     "{4, 0, 1056, 1, 0, 1, 0}};"));
  EXPECT_THAT(region.file, HasSubstr("kOut[] = {{2, 0, 880, 1, 0, 1, 0}};"));
  EXPECT_THAT(region.file,
              HasSubstr("cudaError_t gemm_device(double alpha, double beta, double *C, const double *A, "
                        "const double *B, int ni, int nj, int nk, void *workspace, cudaStream_t stream)"));
  EXPECT_THAT(region.file, HasSubstr("if (!(ni == 10 && nj == 11 && nk == 12)"));
  EXPECT_EQ(region.call, R"({
  extern int tune_region_gemm(void *const *arrays);
  double tune_scalar0 = alpha;
  double tune_scalar1 = beta;
  void *const tune_arrays[] = {(void *)&tune_scalar0, (void *)&tune_scalar1, (void *)C, (void *)A, (void *)B};
  if (tune_region_gemm(tune_arrays) == 0) {
    tune_done = 1;
  }
}
)");
}

}  // namespace
}  // namespace tune
