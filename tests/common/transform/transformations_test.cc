#include "common/transform/transformations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/transform/array_loads/array_loads.h"
#include "common/transform/cache_division/cache_division.h"
#include "common/transform/launch_bounds/launch_bounds.h"
#include "common/transform/stores/stores.h"
#include "common/transform/unroll/unroll.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using testing::Default;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeKernel;
using testing::Offered;
using testing::Plan;

ArrayLoads LoadsOf(const KernelPlan& plan, const std::string& array) {
  return plan.Get<LoadsOfArrays>().loads.at(array);
}

TEST(Transformations, SmallerDevicesAreFullWithFewerThreads) {
  const DeviceFacts hopper = testing::H200Options().device;
  const auto enough = [](const DeviceFacts& device) {
    return KernelSite{Kernel(), device, false, KernelPlan()}.EnoughInstances();
  };
  EXPECT_EQ(enough(hopper), 65536);
  const CudaSpaceOptions turing = CudaOptionsOf(testing::T4());
  EXPECT_EQ(enough(turing.device), 8192);
  // Sums that fill a T4 are shared out on an H200.
  Kernel sums = MakeKernel({true, false}, {10'000, 5000});
  sums.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true};
  EXPECT_TRUE(Default(sums).threads.HasReduction());
  EXPECT_FALSE(Default(sums, turing.device).threads.HasReduction());
  // Products have a large tile where it leaves a block for each multiprocessor.
  Kernel product = MakeKernel({true, true, false}, {500, 500, 500});
  product.read_only_arrays = {"A", "B"};
  product.constant_reads = {{"S0", 1}, {"S0", 2}};
  product.constant_references = 2;
  EXPECT_EQ(Default(product).threads.axes[0].tile, 32);
  EXPECT_EQ(Default(product, turing.device).threads.axes[0].tile, 64);
}

TEST(Transformations, OlderDevicesAddDoublesInOneBlockAlone) {
  Kernel kernel = MakeKernel({true, false}, {100, 5000});
  kernel.writes_words = true;
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true, true};
  DeviceFacts maxwell;
  maxwell.compute_capability_major = 5;
  DeviceFacts pascal;
  pascal.compute_capability_major = 6;
  EXPECT_THAT(Offered(kernel, maxwell, "k.reduction_blocks"), IsEmpty());
  EXPECT_THAT(Offered(kernel, maxwell, "k.stores"), ElementsAre("plain"));
  EXPECT_THAT(Offered(kernel, maxwell, "k.stores", {{"k.reduction", "serial"}}),
              ElementsAre("plain", "atomic"));
  EXPECT_THAT(Offered(kernel, pascal, "k.reduction_blocks"), ::testing::Not(IsEmpty()));
  EXPECT_THAT(Offered(kernel, pascal, "k.stores"), ElementsAre("plain", "atomic"));
  kernel.reduction->adds_doubles = false;
  EXPECT_THAT(Offered(kernel, maxwell, "k.reduction_blocks"), ::testing::Not(IsEmpty()));
  EXPECT_THAT(Offered(kernel, maxwell, "k.stores"), ElementsAre("plain", "atomic"));
}

TEST(Transformations, MemoryIsReadAndWrittenAsDecided) {
  Kernel kernel = MakeKernel({true, true}, {1000, 1000});
  kernel.read_only_arrays = {"A", "B"};
  kernel.constant_reads = {{"S0", 1}, {"S0", 2}};
  kernel.writes_words = true;
  const KernelPlan standard = Default(kernel);
  EXPECT_EQ(LoadsOf(standard, "A"), ArrayLoads::kReadOnly);
  EXPECT_EQ(standard.Get<Carveout>().percent, -1);
  EXPECT_FALSE(standard.Get<AtomicStores>().on);
  const KernelPlan plan = Plan(
      kernel, {{"k.loads_A", "texture"}, {"k.loads_B", "plain"}, {"k.cache", "l1"}, {"k.stores", "atomic"}});
  EXPECT_EQ(LoadsOf(plan, "A"), ArrayLoads::kTexture);
  EXPECT_EQ(LoadsOf(plan, "B"), ArrayLoads::kPlain);
  EXPECT_EQ(plan.Get<Carveout>().percent, 0);
  EXPECT_TRUE(plan.Get<AtomicStores>().on);
}

TEST(Transformations, RandomPlansKeepTheLimits) {
  const std::vector<Kernel> kernels = {
      MakeKernel({true}, {5000}),
      MakeKernel({true, true, false}, {3000, 70, 900}),
      MakeKernel({true, true, true}, {200, 40, 3}),
      MakeKernel({true, true, true, false}, {-1, -1, -1, -1}),
  };
  for (const Kernel& kernel : kernels) {
    for (uint64_t seed = 0; seed < 300; ++seed) {
      testing::RandomChooser chooser(seed);
      const KernelPlan plan = DecideKernel(kernel, testing::H200Options().device, false, chooser).value();
      int64_t threads = 1, points = 1;
      for (const CudaAxis& axis : plan.threads.axes) {
        ASSERT_GE(axis.block, 1);
        ASSERT_EQ(axis.tile % axis.block, 0);
        threads *= axis.block;
        points *= axis.tile / axis.block;
        const int64_t trip_count = kernel.bands[0].trip_counts[axis.member];
        const bool is_x = axis.member == plan.threads.axes.back().member;
        if (trip_count > 0 && axis.tile > (is_x ? 32 : 1)) {
          EXPECT_LT(axis.tile / 2, trip_count);
        }
      }
      EXPECT_LE(threads, 1024);
      EXPECT_LE(points, 64);
      EXPECT_LE(points * plan.Get<UnrollFactor>().factor, plan.Get<UnrollFactor>().factor > 1 ? 1024 : 64);
      EXPECT_LE(threads * plan.Get<LaunchBound>().min_blocks, 2048);
    }
  }
}

TEST(Transformations, ReplaysWhatWasRecorded) {
  const Kernel kernel = MakeKernel({true, true, false}, {3000, 70, 900});
  testing::RandomChooser random(7);
  RecordingChooser recording(&random);
  const KernelPlan plan = DecideKernel(kernel, testing::H200Options().device, false, recording).value();
  ReplayChooser replay(recording.configuration());
  const KernelPlan again = DecideKernel(kernel, testing::H200Options().device, false, replay).value();
  EXPECT_EQ(again.threads.axes, plan.threads.axes);
  EXPECT_EQ(again.Get<UnrollFactor>().factor, plan.Get<UnrollFactor>().factor);
  EXPECT_EQ(again.Get<LaunchBound>().min_blocks, plan.Get<LaunchBound>().min_blocks);
  EXPECT_EQ(replay.CheckAllUsed(), absl::OkStatus());
}

// What was not decided is refused, transformation by transformation.
TEST(Transformations, AKernelOfOtherParametersIsNotWhatWasDecided) {
  const Kernel kernel = MakeKernel({true}, {4000});
  KernelPlan plan = Default(kernel);
  const Decisions together;
  const v1::Scop scop;
  std::vector<DeviceArray> arrays(1);
  const HelperNames names;
  const KernelPass pass{kernel, plan, together, scop, arrays, names};
  DeviceKernel right;
  right.threads = {plan.threads.Threads(), 1, 1};
  right.arrays = {{0}};
  EXPECT_EQ(CheckDecisions(pass, right), absl::OkStatus());
  const auto refused = [&](const std::function<void(DeviceKernel*)>& change) {
    DeviceKernel wrong = right;
    change(&wrong);
    return CheckDecisions(pass, wrong).code() == absl::StatusCode::kFailedPrecondition;
  };
  EXPECT_TRUE(refused([](DeviceKernel* kernel) { kernel->threads[0] /= 2; }));
  EXPECT_TRUE(refused([](DeviceKernel* kernel) { kernel->min_blocks = 2; }));
  EXPECT_TRUE(refused([](DeviceKernel* kernel) { kernel->carveout = 50; }));
  EXPECT_TRUE(refused([](DeviceKernel* kernel) { kernel->is_function = true; }));
  EXPECT_TRUE(refused([](DeviceKernel* kernel) { kernel->given_shared_bytes = 16; }));
  EXPECT_TRUE(refused([](DeviceKernel* kernel) { kernel->arrays[0].loads = ArrayLoads::kTexture; }));
  EXPECT_TRUE(refused([](DeviceKernel* kernel) {
    kernel->tiles.emplace_back();
    kernel->tiles[0].shared = true;
    kernel->tiles[0].copies = 2;
  }));
}

}  // namespace
}  // namespace tune
