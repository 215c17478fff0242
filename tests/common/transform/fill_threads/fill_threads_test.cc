#include "common/transform/fill_threads/fill_threads.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// A fill in a kernel of so many threads, of a tile with so many copies.
DeviceKernel Filling(const std::string& threads, const std::string& copies) {
  return testing::KernelOf(absl::StrCat("kernel f of k[S0], threads ", threads, R"(
  axis most 4
  axis most 4
  axis most 4
  tile float A_shared0[32][8], of A, row 8, shared)",
                                        copies, R"(
  body
    for i = 0; i < 4; i += 1
      fill
        tile A_shared0
)"));
}

std::string Assigned(int64_t share, const std::string& threads, const std::string& copies) {
  DeviceKernel kernel = Filling(threads, copies);
  AssignFillThreads(share, HelperNames(), &kernel);
  return PrintBlockText(kernel.body);
}

constexpr char kAll[] = R"(define int tune_lane = threadIdx.x + 16 * threadIdx.y + 64 * threadIdx.z
for i = 0; i < 4; i += 1
  fill, threads 128, lane tune_lane
    tile A_shared0
)";

constexpr char kOthers[] = R"(define int tune_lane = threadIdx.x + 16 * threadIdx.y + 64 * threadIdx.z - 32
for i = 0; i < 4; i += 1
  if tune_lane >= 0
    fill, threads 96, lane tune_lane
      tile A_shared0
)";

TEST(AssignFillThreads, AllFillTilesOfOneCopy) {
  EXPECT_EQ(Assigned(1, "16 4 2", ""), kAll);
  EXPECT_EQ(Assigned(4, "16 4 2", ""), kAll);
}

TEST(AssignFillThreads, OthersThanTheFirstWarpFillTilesOfTwo) {
  EXPECT_EQ(Assigned(4, "16 4 2", ", copies 2"), kOthers);
  EXPECT_EQ(Assigned(8, "16 4 2", ", copies 2"), kOthers);
}

TEST(AssignFillThreads, AllFillWhereMoreThanAWarpRuns) {
  EXPECT_EQ(Assigned(2, "16 4 2", ", copies 2"), kAll);
}

TEST(AssignFillThreads, AllFillWhereThereAreNoOthers) {
  EXPECT_EQ(Assigned(2, "16 2 1", ", copies 2"),
            R"(define int tune_lane = threadIdx.x + 16 * threadIdx.y + 32 * threadIdx.z
for i = 0; i < 4; i += 1
  fill, threads 32, lane tune_lane
    tile A_shared0
)");
}

TEST(AssignFillThreads, WithoutSharedTilesThereIsNoLane) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0], threads 64 1 1
  axis most 4
  tile float C_registers[4], of C, row 4
  body
    run S0(C_registers[0])
)");
  const DeviceKernel before = kernel;
  AssignFillThreads(1, HelperNames(), &kernel);
  EXPECT_EQ(kernel, before);
}

TEST(AssignFillThreads, FunctionsAreToldTheirThread) {
  DeviceKernel kernel = Filling("16 4 2", "");
  kernel.is_function = true;
  kernel.axes.resize(2);
  AssignFillThreads(1, HelperNames(), &kernel);
  EXPECT_EQ(PrintBlockText({kernel.body[0]}), "define int tune_lane = tune_thread.x + 16 * tune_thread.y\n");
}

TEST(UnrollFills, ShortLoopsAreUnrolled) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[32][8], of A, row 9, shared, copies 2
  tile float B_shared1[257], of B, row 257, shared
  tile float s_shared2, of s, shared
  body
    if tune_lane >= 0
      fill, threads 16, lane tune_lane
        tile A_shared0[tune_buffer]
        tile B_shared1
        tile s_shared2
)");
  UnrollFills(&kernel);
  EXPECT_EQ(PrintBlockText(kernel.body), R"(if tune_lane >= 0
  fill, threads 16, lane tune_lane
    tile A_shared0[tune_buffer], unroll
    tile B_shared1
    tile s_shared2, unroll
)");
}

}  // namespace
}  // namespace tune
