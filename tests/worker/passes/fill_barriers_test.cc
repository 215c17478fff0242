#include "worker/passes/fill_barriers.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

TEST(PlaceFillBarriers, StandBehindEachFillAndBeforeIt) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[8], of A, row 8, shared
  tile float B_shared1[8], of B, row 8, shared
  body
    fill
      tile A_shared0, from [0]
    for i = 0; i < 4; i += 1
      fill
        tile A_shared0, from [i]
        tile B_shared1, from [i]
      run S0(A_shared0[i], B_shared1[i])
    barrier block
)");
  PlaceFillBarriers(&kernel);
  EXPECT_EQ(testing::TextOf(kernel), R"(kernel f of k[S0]
  tile float A_shared0[8], of A, row 8, shared
  tile float B_shared1[8], of B, row 8, shared
  body
    fill
      tile A_shared0, from [0]
    barrier block
    for i = 0; i < 4; i += 1
      barrier block
      fill
        tile A_shared0, from [i]
        tile B_shared1, from [i]
      barrier block
      run S0(A_shared0[i], B_shared1[i])
    barrier block
)");
}

// What no path reads needs none before.
TEST(PlaceFillBarriers, OnlyReadsBeforeAFillAskForOne) {
  const std::string head = "kernel f of k[S0]\n  tile float A_shared0[8], of A, row 8, shared\n  body\n";
  const auto placed = [&](const std::string& body, bool function = false) {
    DeviceKernel kernel = testing::KernelOf(head + body);
    kernel.is_function = function;
    PlaceFillBarriers(&kernel);
    return PrintBlockText(kernel.body);
  };
  const std::string fill = "    fill\n      tile A_shared0, from [0]\n";
  const std::string after = "fill\n  tile A_shared0, from [0]\nbarrier block\n";
  EXPECT_EQ(placed(fill + fill), after + after);
  // Another call of the function may still read.
  EXPECT_EQ(placed(fill, /*function=*/true), "barrier block\n" + after);
  EXPECT_EQ(placed("    if x\n      run S0(A_shared0[0])\n" + fill),
            "if x\n  run S0(A_shared0[0])\nbarrier block\n" + after);
  EXPECT_EQ(placed("    run S0(A[0])\n" + fill), "run S0(A[0])\n" + after);
  EXPECT_EQ(placed("    run S0(A_shared0[0])\n    barrier block\n" + fill),
            "run S0(A_shared0[0])\nbarrier block\n" + after);
}

TEST(PlaceFillBarriers, AsynchronousCopiesAreWaitedFor) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[8], of A, row 8, shared
  body
    fill
      tile A_shared0, from [0], asynchronous
)");
  PlaceFillBarriers(&kernel);
  EXPECT_EQ(PrintBlockText(kernel.body), R"(fill
  tile A_shared0, from [0], asynchronous
commit
await 0
barrier block
)");
}

// Their barriers are there; but not that which what was read before asks for.
TEST(PlaceFillBarriers, FillsAheadNeedNoneBehind) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[8], of A, row 8, shared, copies 2
  body
    for t = 0; t < 3; t += 1
      fill, ahead
        tile A_shared0[0], from [0]
      for c = 0; c < 4; c += 1
        barrier block
        fill, ahead
          tile A_shared0[(c + 1) % 2], from [c]
        run S0(A_shared0[c % 2][0])
)");
  PlaceFillBarriers(&kernel);
  EXPECT_EQ(PrintBlockText(kernel.body), R"(for t = 0; t < 3; t += 1
  barrier block
  fill, ahead
    tile A_shared0[0], from [0]
  for c = 0; c < 4; c += 1
    barrier block
    fill, ahead
      tile A_shared0[(c + 1) % 2], from [c]
    run S0(A_shared0[c % 2][0])
)");
}

}  // namespace
}  // namespace tune
