#include "common/space/cuda_kernel_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/space/configuration.h"
#include "tests/worker/codegen/random_chooser.h"

namespace tune {
namespace {

Kernel MakeKernel(const std::vector<bool>& coincident, const std::vector<int64_t>& trip_counts,
                  bool permutable = true) {
  KernelBand band;
  band.permutable = permutable;
  band.coincident = coincident;
  band.trip_counts = trip_counts;
  band.innermost = true;
  Kernel kernel;
  kernel.name = "k";
  kernel.bands = {band};
  return kernel;
}

CudaKernelPlan Default(const Kernel& kernel) {
  DefaultChooser chooser;
  return WalkCudaKernel(kernel, {}, chooser).value();
}

TEST(CudaKernelWalk, DefaultsPutAWarpAlongXAnd256ThreadsInABlock) {
  EXPECT_EQ(Default(MakeKernel({true, true}, {1000, 1000})).axes,
            (std::vector<CudaAxis>{{0, 8, 8}, {1, 32, 32}}));
  EXPECT_EQ(Default(MakeKernel({true, true, true}, {200, 200, 200})).axes,
            (std::vector<CudaAxis>{{0, 2, 2}, {1, 4, 4}, {2, 32, 32}}));
  // One axis: 256 threads where that leaves a block for each multiprocessor.
  EXPECT_EQ(Default(MakeKernel({true}, {1'000'000})).axes, (std::vector<CudaAxis>{{0, 256, 256}}));
  EXPECT_EQ(Default(MakeKernel({true}, {4000})).axes, (std::vector<CudaAxis>{{0, 32, 32}}));
}

TEST(CudaKernelWalk, OnlyCoincidentMembersAreMappedTheInnermostThree) {
  const auto members = [](const Kernel& kernel) {
    std::vector<int> members;
    for (const CudaAxis& axis : Default(kernel).axes) members.push_back(axis.member);
    return members;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(members(MakeKernel({true, false, true}, {100, 100, 100})), ElementsAre(0, 2));
  EXPECT_THAT(members(MakeKernel({true, false, true}, {100, 100, 100}, /*permutable=*/false)),
              ElementsAre(0));
  EXPECT_THAT(members(MakeKernel({true, true, true, true}, {9, 9, 9, 9})), ElementsAre(1, 2, 3));
  EXPECT_THAT(members(MakeKernel({true, true}, {1, 100})), ElementsAre(1));  // a loop of one iteration
  EXPECT_THAT(members(MakeKernel({false, false}, {100, 100})), ElementsAre());
  EXPECT_THAT(members(Kernel()), ElementsAre());
}

TEST(CudaKernelWalk, RandomPlansKeepTheLimits) {
  const std::vector<Kernel> kernels = {
      MakeKernel({true}, {5000}),
      MakeKernel({true, true, false}, {3000, 70, 900}),
      MakeKernel({true, true, true}, {200, 40, 3}),
      MakeKernel({true, true, true, false}, {-1, -1, -1, -1}),
  };
  for (const Kernel& kernel : kernels) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
      testing::RandomChooser chooser(seed);
      const CudaKernelPlan plan = WalkCudaKernel(kernel, {}, chooser).value();
      int64_t threads = 1, points = 1;
      for (const CudaAxis& axis : plan.axes) {
        ASSERT_GE(axis.block, 1);
        ASSERT_EQ(axis.tile % axis.block, 0);
        threads *= axis.block;
        points *= axis.tile / axis.block;
        const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
        const bool is_x = axis.member == plan.axes.back().member;
        if (trip_count > 0 && axis.tile > (is_x ? 32 : 1)) {
          EXPECT_LT(axis.tile / 2, trip_count);
        }
      }
      EXPECT_LE(threads, 1024);
      EXPECT_LE(points, 64);
      EXPECT_LE(points * plan.unroll, plan.unroll > 1 ? 512 : 64);
      EXPECT_LE(threads * plan.min_blocks, 2048);
    }
  }
}

TEST(CudaKernelWalk, ReplaysWhatWasRecorded) {
  const Kernel kernel = MakeKernel({true, true, false}, {3000, 70, 900});
  testing::RandomChooser random(7);
  RecordingChooser recording(&random);
  const CudaKernelPlan plan = WalkCudaKernel(kernel, {}, recording).value();
  ReplayChooser replay(recording.configuration());
  const CudaKernelPlan again = WalkCudaKernel(kernel, {}, replay).value();
  EXPECT_EQ(again.axes, plan.axes);
  EXPECT_EQ(again.unroll, plan.unroll);
  EXPECT_EQ(again.min_blocks, plan.min_blocks);
  EXPECT_EQ(replay.CheckAllUsed(), absl::OkStatus());
}

}  // namespace
}  // namespace tune
