#include "worker/ptx/compiled_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/ptx/golden_kernels.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// PTX of a kernel that the cubin has, too, with 10 registers; it adds as often as its parameter says.
constexpr char kPtx[] = R"(.version 9.0
.target sm_90
.address_size 64
.visible .entry small(.param .u64 a, .param .u32 n, .param .align 8 .b8 pair[16], .param .u8 flag) {
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
L:
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra L;
  ret;
}
)";

CompiledKernels Kernels(const std::vector<int64_t>& sizes) {
  CompiledKernels kernels;
  kernels.ptx = kPtx;
  kernels.cubin = testing::GoldenText("resources.cubin");
  for (const int64_t size : sizes)
    kernels.launches.push_back({"small", testing::Launch(size, 128, {std::nullopt, size}), 0, 2});
  return kernels;
}

TEST(CompiledKernelsTest, ParametersHaveTheirSizes) {
  const absl::StatusOr<PtxModule> module = ReadPtx(kPtx);
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_THAT(module->functions[0].parameters, ElementsAre("a", "n", "pair", "flag"));
  EXPECT_THAT(module->functions[0].parameter_bytes, ElementsAre(8, 4, 0, 1));
}

TEST(CompiledKernelsTest, EachSizeOfALaunchIsLookedAt) {
  const auto analyses = AnalyseKernels(Kernels({10, 20}), DeviceFacts());
  ASSERT_TRUE(analyses.ok()) << analyses.status();
  ASSERT_EQ(analyses->size(), 2);
  for (const int i : {0, 1}) {
    const KernelMetrics& metrics = (*analyses)[i].metrics;
    EXPECT_EQ(metrics.instructions, 3 + 3 * 10 * (i + 1));
    EXPECT_EQ(metrics.threads, 128 * 10 * (i + 1));
    EXPECT_EQ(metrics.launches, 2);
    EXPECT_EQ(metrics.warps_per_block, 4);
    EXPECT_EQ(metrics.blocks_per_multiprocessor, 8);
  }
}

TEST(CompiledKernelsTest, SomeStandForManySizes) {
  std::vector<int64_t> sizes;
  for (int64_t size = 1; size <= 100; ++size) sizes.push_back(size);
  const auto analyses = AnalyseKernels(Kernels(sizes), DeviceFacts());
  ASSERT_TRUE(analyses.ok()) << analyses.status();
  EXPECT_EQ(analyses->size(), 16);
  double launches = 0, threads = 0;
  for (const KernelAnalysis& analysis : *analyses) {
    launches += analysis.metrics.launches;
    threads += analysis.metrics.launches * analysis.metrics.threads;
  }
  EXPECT_EQ(launches, 200);
  EXPECT_NEAR(threads, 2 * 128 * 5050, 0.02 * 2 * 128 * 5050);
}

TEST(CompiledKernelsTest, WhatIsMissingIsNamed) {
  EXPECT_THAT(AnalyseKernels(Kernels({}), DeviceFacts()).status().message(), HasSubstr("no kernel"));
  CompiledKernels kernels = Kernels({1});
  kernels.launches[0].kernel = "other";
  EXPECT_THAT(AnalyseKernels(kernels, DeviceFacts()).status().message(),
              HasSubstr("the cubin has no kernel other"));
  kernels.launches[0].kernel = "with_stack";
  EXPECT_THAT(AnalyseKernels(kernels, DeviceFacts()).status().message(),
              HasSubstr("it has no function with_stack"));
}

TEST(CompiledKernelsTest, WhatIsSaidOfALineIsOfItsFile) {
  CompiledKernels kernels = Kernels({10});
  const size_t branch = kernels.ptx.find("  @%p1");
  kernels.ptx.insert(branch, ".loc 2 7 3\n");
  kernels.ptx += ".file 1 \"/tmp/x/other.cu\"\n.file 2 \"/tmp/x/kernels/small.cu\"\n";
  kernels.launches[0].launch.parameters.clear();
  const auto trips = [&](const std::string& file, int line) {
    kernels.trips = {{file, line, 40}};
    const auto analyses = AnalyseKernels(kernels, DeviceFacts());
    EXPECT_TRUE(analyses.ok()) << analyses.status();
    return analyses.ok() ? analyses->at(0).loops.at(0) : LoopTrips();
  };
  EXPECT_EQ(trips("kernels/small.cu", 7).trips, 40);
  EXPECT_EQ(trips("small.cu", 7).source, TripSource::kAnnotated);
  EXPECT_EQ(trips("all.cu", 7).source, TripSource::kAssumed) << "no part of a name";
  EXPECT_EQ(trips("other.cu", 7).source, TripSource::kAssumed);
  EXPECT_EQ(trips("small.cu", 8).source, TripSource::kAssumed);
}

}  // namespace
}  // namespace tune
