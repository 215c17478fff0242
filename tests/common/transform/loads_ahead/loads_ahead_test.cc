#include "common/transform/loads_ahead/loads_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"
#include "tests/common/transform/sample_kernels.h"

namespace tune {
namespace {

using ::testing::Contains;
using testing::Default;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Keys;
using testing::MakeKernel;
using ::testing::Not;
using testing::Offered;

const DeviceFacts kHopper = testing::H200Options().device;

// Lines, each of which is a recurrence that reads so many words in each step.
Kernel Lines(int64_t lines, int64_t steps, int64_t words) {
  Kernel kernel = MakeKernel({true, false}, {lines, steps});
  kernel.read_only_arrays = {"A"};
  kernel.bands[0].words_read = {words, words};
  return kernel;
}

// The same, of lines that are rows.
Kernel AlongRows(int64_t lines, int64_t steps, int64_t words) {
  Kernel kernel = Lines(lines, steps, words);
  kernel.bands[0].along_rows = {false, true};
  return kernel;
}

int64_t DefaultOf(const Kernel& kernel) { return Default(kernel).Get<LoadsAhead>().iterations; }

TEST(LoadsAhead, AreAskedOfSerialLoopsThatReadWhatTheKernelDoesNotWrite) {
  EXPECT_THAT(Keys(Lines(2000, 2000, 1)), Contains("k.ahead"));
  EXPECT_THAT(Keys(Lines(2000, 2000, 0)), Not(Contains("k.ahead")));
  EXPECT_THAT(Keys(Lines(2000, 7, 1)), Not(Contains("k.ahead")));
  Kernel independent = Lines(2000, 2000, 1);
  independent.bands[0].coincident = {true, true};
  EXPECT_THAT(Keys(independent), Not(Contains("k.ahead")));
}

TEST(LoadsAhead, HaveRegistersAndIterationsEnough) {
  EXPECT_THAT(Offered(Lines(2000, 2000, 1), kHopper, "k.ahead"),
              ElementsAre("off", "4", "8", "16", "32", "64"));
  EXPECT_THAT(Offered(Lines(2000, 63, 1), kHopper, "k.ahead"), ElementsAre("off", "4", "8", "16"));
  EXPECT_THAT(Offered(Lines(2000, 2000, 4), kHopper, "k.ahead"), ElementsAre("off", "4", "8", "16", "32"));
  // A block of 1024 threads leaves 64 registers for each.
  EXPECT_THAT(Offered(Lines(2000, 2000, 1), kHopper, "k.ahead",
                      {{"k.tile_size_0", "1024"}, {"k.block_size_0", "1024"}}),
              ElementsAre("off", "4", "8", "16"));
}

TEST(LoadsAhead, LeaveTilesPointsAndUnrolledLoopsAlone) {
  const Kernel lines = Lines(2000, 2000, 1);
  EXPECT_THAT(Offered(lines, kHopper, "k.ahead", {{"k.unroll", "4"}}), ElementsAre("off"));
  EXPECT_THAT(Offered(lines, kHopper, "k.ahead", {{"k.tile_size_0", "64"}, {"k.block_size_0", "32"}}),
              IsEmpty());
  Kernel shared = lines;
  shared.constant_reads = {{"S0", 1}};
  EXPECT_THAT(Offered(shared, kHopper, "k.ahead", {{"k.shared", "on"}}), IsEmpty());
}

TEST(LoadsAhead, AreOnByDefaultWhereFewThreadsRunLongRecurrences) {
  EXPECT_EQ(DefaultOf(Lines(2000, 2000, 3)), 32);
  EXPECT_EQ(DefaultOf(Lines(2000, 2000, 2)), 32);  // blocks of 8 threads, side by side
  EXPECT_EQ(DefaultOf(Lines(4320, 2000, 2)), 64);  // of 32
  EXPECT_EQ(DefaultOf(AlongRows(2000, 2000, 2)), 64);
  EXPECT_EQ(DefaultOf(Lines(2000, 2000, 6)), 16);
  EXPECT_EQ(DefaultOf(Lines(2000, 2000, 40)), 0);  // no room
  EXPECT_EQ(DefaultOf(Lines(2000, 60, 2)), 0);     // short
  EXPECT_EQ(DefaultOf(Lines(100'000, 2000, 2)), 0);
  Kernel sum = Lines(2000, 2000, 2);
  sum.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true};
  EXPECT_EQ(DefaultOf(sum), 0);
}

TEST(LoadsAhead, AKernelThatLoadsOtherwiseAheadIsRefused) {
  const Kernel kernel = Lines(2000, 2000, 2);
  const KernelPlan plan = Default(kernel);
  const Decisions together;
  const v1::Scop scop;
  const std::vector<DeviceArray> arrays;
  const HelperNames names;
  const KernelPass pass{kernel, plan, together, scop, arrays, names};
  const auto check = [&](int64_t ahead) {
    return AheadLoads().Check(
        pass, testing::KernelOf(absl::StrCat("kernel f of k\n  body\n    for i = 0; i < n; i += 1, ahead ",
                                             ahead, "\n      fetch x[i]\n")));
  };
  EXPECT_EQ(check(32), absl::OkStatus());
  EXPECT_EQ(check(0), absl::OkStatus());
  EXPECT_EQ(check(8).code(), absl::StatusCode::kFailedPrecondition);
}

// Blocks of few threads, as long as the device holds all of them at once.
TEST(LoadsAhead, RowsAreSpreadOverTheDevice) {
  const auto threads = [](int64_t lines) { return Default(AlongRows(lines, 2000, 1)).threads.axes; };
  EXPECT_EQ(threads(2000), (std::vector<CudaAxis>{{0, 8, 8}}));
  EXPECT_EQ(threads(200), (std::vector<CudaAxis>{{0, 8, 8}}));
  EXPECT_EQ(threads(7680), (std::vector<CudaAxis>{{0, 8, 8}}));
  EXPECT_EQ(threads(8 * 132 * 32), (std::vector<CudaAxis>{{0, 8, 8}}));
  EXPECT_EQ(threads(8 * 132 * 32 + 1), (std::vector<CudaAxis>{{0, 16, 16}}));
}

// Whole warps, as soon as each multiprocessor has one.
TEST(LoadsAhead, ColumnsAreSideBySide) {
  const auto threads = [](int64_t lines) { return Default(Lines(lines, 2000, 1)).threads.axes; };
  EXPECT_EQ(threads(200), (std::vector<CudaAxis>{{0, 8, 8}}));
  EXPECT_EQ(threads(16 * 132 - 1), (std::vector<CudaAxis>{{0, 8, 8}}));
  EXPECT_EQ(threads(16 * 132), (std::vector<CudaAxis>{{0, 16, 16}}));
  EXPECT_EQ(threads(32 * 132), (std::vector<CudaAxis>{{0, 32, 32}}));
  EXPECT_EQ(threads(20000), (std::vector<CudaAxis>{{0, 32, 32}}));
  Kernel sum = Lines(2000, 2000, 1);
  sum.reduction = KernelReduction{1, {}, {}, {"S0"}, {}, true, true};
  EXPECT_EQ(testing::Plan(sum, {{"k.reduction", "serial"}}).threads.axes,
            (std::vector<CudaAxis>{{0, 32, 32}}));
}

}  // namespace
}  // namespace tune
