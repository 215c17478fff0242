#include "common/space/cuda_kernel_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/space/configuration.h"
#include "common/space/mapped_instances.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/worker/codegen/setting_chooser.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  return WalkCudaKernel(kernel, testing::H200Options(), chooser).value();
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

// 4 x 4 points for each of 256 threads, or 2 x 2 where there would not be a block for each multiprocessor.
TEST(CudaKernelWalk, ProductsHaveTilesOfPoints) {
  const auto product = [](int64_t rows, int64_t columns, int64_t terms) {
    Kernel kernel = MakeKernel({true, true, false}, {rows, columns, terms});
    kernel.read_only_arrays = {"A", "B"};
    kernel.read_only_references = 2;
    return kernel;
  };
  const std::vector<CudaAxis> large = {{0, 64, 16, false, true}, {1, 64, 16, false, true}};
  const std::vector<CudaAxis> small = {{0, 32, 16, false, true}, {1, 32, 16, false, true}};
  EXPECT_EQ(Default(product(2000, 2300, 2600)).axes, large);
  EXPECT_EQ(Default(product(800, 900, 1100)).axes, large);  // 195 blocks
  EXPECT_EQ(Default(product(500, 500, 500)).axes, small);   // 64, or 256 blocks
  EXPECT_EQ(Default(product(2000, 2300, 20)).axes, (std::vector<CudaAxis>{{0, 8, 8}, {1, 32, 32}}));
  // Of more than two arrays' elements each needs less.
  Kernel two = product(2000, 2300, 2600);
  two.read_only_references = 4;
  EXPECT_EQ(Default(two).axes, (std::vector<CudaAxis>{{0, 64, 16}, {1, 64, 16}}));
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

CudaKernelPlan Plan(const Kernel& kernel, const std::map<std::string, std::string>& settings) {
  testing::SettingChooser chooser(settings);
  return WalkCudaKernel(kernel, testing::H200Options(), chooser).value();
}

// Keys that are asked.
std::vector<std::string> Keys(const Kernel& kernel) {
  DefaultChooser standard;
  RecordingChooser recording(&standard);
  WalkCudaKernel(kernel, testing::H200Options(), recording).value();
  std::vector<std::string> keys;
  for (const v1::Decision& decision : recording.configuration().decisions()) keys.push_back(decision.key());
  return keys;
}

TEST(CudaKernelWalk, BlocksShareAReductionWhereAtomicOperationsAllowIt) {
  using ::testing::Contains;
  Kernel kernel = MakeKernel({true, false}, {100, 5000});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, false};
  EXPECT_THAT(Keys(kernel), ::testing::Not(Contains("k.reduction_blocks")));
  kernel.reduction->atomic = true;
  EXPECT_THAT(Keys(kernel), Contains("k.reduction_blocks"));
  // A block has a whole number of turns of its threads: 5000 / 8 = 625, 20 turns of 32.
  EXPECT_EQ(
      Plan(kernel, {{"k.reduction", "x"}, {"k.reduction_blocks", "8"}, {"k.block_size_1", "32"}}).axes.back(),
      (CudaAxis{1, 640, 32, /*reduction=*/true}));
  // Columns: each thread by itself, and blocks share.
  const CudaKernelPlan columns =
      Plan(kernel, {{"k.reduction", "y"}, {"k.reduction_blocks", "8"}, {"k.block_size_1", "1"}});
  EXPECT_EQ(columns.axes.front(), (CudaAxis{1, 625, 1, /*reduction=*/true}));
  EXPECT_TRUE(columns.HasReduction());
  EXPECT_TRUE(columns.HasSplitReduction());
}

TEST(CudaKernelWalk, BlocksOfFewThreadsShareLongColumns) {
  Kernel kernel = MakeKernel({true, false}, {4000, 4000});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, false, true};
  EXPECT_EQ(Default(kernel).axes,
            (std::vector<CudaAxis>{{1, 504, 8, /*reduction=*/true}, {0, 32, 32}}));  // 8 blocks
  // Without atomic operations one block has all, with as many threads as it can use.
  kernel.reduction->atomic = false;
  EXPECT_EQ(Default(kernel).axes, (std::vector<CudaAxis>{{1, 0, 64, /*reduction=*/true}, {0, 16, 16}}));
  // So it is where the iterations are too few for several blocks.
  kernel = MakeKernel({true, false}, {400, 400});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, false, true};
  EXPECT_EQ(Default(kernel).axes.front(), (CudaAxis{1, 0, 64, /*reduction=*/true}));
}

// What is offered of a decision on a device; nothing when it is not asked.
std::vector<std::string> Offered(const Kernel& kernel, const DeviceFacts& device, const std::string& key,
                                 const std::map<std::string, std::string>& settings = {}) {
  struct Offers : testing::SettingChooser {
    using SettingChooser::SettingChooser;
    absl::StatusOr<int> Choose(const DecisionPoint& point) override {
      for (size_t i = 0; i < point.options.size(); ++i) {
        if (point.allowed[i]) options[point.key].push_back(point.options[i]);
      }
      return SettingChooser::Choose(point);
    }
    std::map<std::string, std::vector<std::string>> options;
  } offers(settings);
  CudaSpaceOptions options;
  options.device = device;
  EXPECT_TRUE(WalkCudaKernel(kernel, options, offers).ok());
  return offers.options[key];
}

TEST(CudaKernelWalk, SmallerDevicesAreFullWithFewerThreads) {
  const DeviceFacts hopper = testing::H200Options().device;
  EXPECT_EQ(EnoughInstances(hopper), 65536);
  const CudaSpaceOptions turing = CudaOptionsOf(testing::T4());
  EXPECT_EQ(EnoughInstances(turing.device), 8192);
  // Sums that fill a T4 are shared out on an H200.
  Kernel sums = MakeKernel({true, false}, {10'000, 5000});
  sums.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true};
  EXPECT_TRUE(Default(sums).HasReduction());
  DefaultChooser standard;
  EXPECT_FALSE(WalkCudaKernel(sums, turing, standard)->HasReduction());
  // Products have a large tile where it leaves a block for each multiprocessor.
  Kernel product = MakeKernel({true, true, false}, {500, 500, 500});
  product.read_only_arrays = {"A", "B"};
  product.read_only_references = 2;
  EXPECT_EQ(Default(product).axes[0].tile, 32);
  EXPECT_EQ(WalkCudaKernel(product, turing, standard)->axes[0].tile, 64);
}

TEST(CudaKernelWalk, OlderDevicesAddDoublesInOneBlockAlone) {
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

TEST(CudaKernelWalk, OlderDevicesDoNotDivideTheirMemory) {
  const Kernel kernel = MakeKernel({true}, {4000});
  EXPECT_THAT(Offered(kernel, FactsOf(testing::P100()), "k.cache"), IsEmpty());
  EXPECT_THAT(Offered(kernel, FactsOf(testing::T4()), "k.cache"),
              ElementsAre("default", "l1", "half", "shared"));
}

TEST(CudaKernelWalk, BlocksOfAMultiprocessorAreThoseThatItHolds) {
  const Kernel kernel = MakeKernel({true, true}, {4000, 4000});
  const std::map<std::string, std::string> many_points = {
      {"k.tile_size_1", "128"}, {"k.block_size_1", "32"}, {"k.tile_size_0", "32"}, {"k.block_size_0", "8"}};
  DeviceFacts device;
  EXPECT_THAT(Offered(kernel, device, "k.min_blocks", many_points), ElementsAre("0", "1", "2", "4"));
  device.max_threads_per_multiprocessor = 2048;
  EXPECT_THAT(Offered(kernel, device, "k.min_blocks", many_points), ElementsAre("0", "1", "2", "4", "8"));
  device.max_blocks_per_multiprocessor = 4;
  EXPECT_THAT(Offered(kernel, device, "k.min_blocks", many_points), ElementsAre("0", "1", "2", "4"));
}

TEST(CudaKernelWalk, ThreadsShareNoExactSum) {
  Kernel kernel = MakeKernel({true, false}, {100, 5000});
  kernel.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true};
  EXPECT_TRUE(Default(kernel).HasReduction());
  CudaSpaceOptions exact = testing::H200Options();
  exact.exact = true;
  DefaultChooser standard;
  EXPECT_FALSE(WalkCudaKernel(kernel, exact, standard)->HasReduction());
}

TEST(CudaKernelWalk, OneLongSumFillsTheDevice) {
  Kernel kernel = MakeKernel({false}, {10'000'000});
  kernel.reduction = KernelReduction{0, {}, {}, {"S0"}, {}, true, true};
  const CudaKernelPlan plan = Default(kernel);
  EXPECT_EQ(plan.axes, (std::vector<CudaAxis>{{0, 39936, 1024, /*reduction=*/true}}));  // 256 blocks
  kernel.bands[0].trip_counts[0] = 5000;
  EXPECT_FALSE(Default(kernel).HasSplitReduction());
}

TEST(CudaKernelWalk, MemoryIsReadAndWrittenAsDecided) {
  Kernel kernel = MakeKernel({true, true}, {1000, 1000});
  kernel.read_only_arrays = {"A", "B"};
  kernel.writes_words = true;
  const CudaKernelPlan standard = Default(kernel);
  EXPECT_EQ(standard.Loads("A"), ArrayLoads::kReadOnly);
  EXPECT_EQ(standard.carveout, -1);
  EXPECT_FALSE(standard.atomic_stores);
  const CudaKernelPlan plan = Plan(
      kernel, {{"k.loads_A", "texture"}, {"k.loads_B", "plain"}, {"k.cache", "l1"}, {"k.stores", "atomic"}});
  EXPECT_EQ(plan.Loads("A"), ArrayLoads::kTexture);
  EXPECT_EQ(plan.Loads("B"), ArrayLoads::kPlain);
  EXPECT_EQ(plan.carveout, 0);
  EXPECT_TRUE(plan.atomic_stores);
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
      const CudaKernelPlan plan = WalkCudaKernel(kernel, testing::H200Options(), chooser).value();
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
  const CudaKernelPlan plan = WalkCudaKernel(kernel, testing::H200Options(), recording).value();
  ReplayChooser replay(recording.configuration());
  const CudaKernelPlan again = WalkCudaKernel(kernel, testing::H200Options(), replay).value();
  EXPECT_EQ(again.axes, plan.axes);
  EXPECT_EQ(again.unroll, plan.unroll);
  EXPECT_EQ(again.min_blocks, plan.min_blocks);
  EXPECT_EQ(replay.CheckAllUsed(), absl::OkStatus());
}

}  // namespace
}  // namespace tune
