#include "common/transform/thread_tiles/thread_points.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

// The nodes in the body of a kernel with a tile in shared memory and one in registers.
std::string AfterPass(void (*pass)(DeviceKernel* kernel), const std::string& nodes) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[8], of A, row 8, shared
  tile float C_registers[16], of C, row 16
)");
  kernel.body = ReadBlock(nodes).value();
  pass(&kernel);
  return PrintBlockText(kernel.body);
}

void Unrolled(DeviceKernel* kernel) { UnrollPoints(HelperNames("tune_"), kernel); }

TEST(UnrollPoints, ConstantBoundsAreUnrolledAsAWhole) {
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = 2; i <= 40; i += 3, points 64
  run S0(A[i])
)"),
            R"(for i = 2; i <= 40; i += 3, unroll whole
  run S0(A[i])
)");
}

TEST(UnrollPoints, ShortLoopsGetAConstantLength) {
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = 0; i <= min(7, n - b); i += 1, points 8
  run S0(A[i])
)"),
            R"(for i = 0; i < 8; i += 1, unroll whole
  if i <= min(7, n - b)
    run S0(A[i])
)");
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = max(0, b); i < 5; i += 1, points 8
  run S0(A[i])
)"),
            R"(for i = 0; i < 5; i += 1, unroll whole
  if i >= max(0, b)
    run S0(A[i])
)");
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = b; i < n && i < m; i += 1, points 8
  run S0(A[i])
)"),
            R"(for i = 0; i < 8; i += 1, unroll whole
  if i >= b && (i < n && i < m)
    run S0(A[i])
)");
}

// A bound is worked out once, not at each point.
TEST(UnrollPoints, BoundsWithDivisionsGetNames) {
  EXPECT_EQ(
      AfterPass(Unrolled,
                R"(for tune_c1 = max(0, floor(b, 32)); tune_c1 <= min(7, (n - b) / 32); tune_c1 += 1, points 8
  run S0(A[tune_c1])
for tune_c1 = 0; tune_c1 < (n - b) / 32; tune_c1 += 1, points 8
  run S0(A[tune_c1])
)"),
      R"(scope
  define int tune_first1 = max(0, floor(b, 32))
  define int tune_last1 = min(7, (n - b) / 32)
  for tune_c1 = 0; tune_c1 < 8; tune_c1 += 1, unroll whole
    if tune_c1 >= tune_first1 && tune_c1 <= tune_last1
      run S0(A[tune_c1])
scope
  define int tune_last1 = (n - b) / 32
  for tune_c1 = 0; tune_c1 < 8; tune_c1 += 1, unroll whole
    if tune_c1 < tune_last1
      run S0(A[tune_c1])
)");
}

TEST(UnrollPoints, LongLoopsStayLoops) {
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = 0; i < n; i += 1, points 9
  run S0(A_shared0[i])
)"),
            R"(for i = 0; i < n; i += 1, unroll never
  run S0(A_shared0[i])
)");
}

TEST(UnrollPoints, RegistersNeedConstants) {
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = 0; i < n; i += 1, points 16
  run S0(A_shared0[i], C_registers[i])
for i = 0; i < n; i += 1, points 16
  transfer C_registers[i] = C[i]
for i = 0; i < n; i += 1, points 16
  reduce C_registers along 0
)"),
            R"(for i = 0; i < 16; i += 1, unroll whole
  if i < n
    run S0(A_shared0[i], C_registers[i])
for i = 0; i < 16; i += 1, unroll whole
  if i < n
    transfer C_registers[i] = C[i]
for i = 0; i < 16; i += 1, unroll whole
  if i < n
    reduce C_registers along 0
)");
}

// A constant length would take another number of iterations.
TEST(UnrollPoints, OtherStepsStayLoops) {
  EXPECT_EQ(AfterPass(Unrolled, R"(for i = 0; i < n; i += 2, points 8
  run S0(C_registers[i])
)"),
            R"(for i = 0; i < n; i += 2, unroll never
  run S0(C_registers[i])
)");
}

TEST(UnrollPoints, OtherLoopsStayAndTheirPointsDoNot) {
  EXPECT_EQ(AfterPass(Unrolled, R"(for k = 0; k < n; k += 1, unroll 16
  if k
    for i = 0; i < 4; i += 1, points 4
      for j = 0; j < m; j += 1, points 4
        run S0(A[i][j])
)"),
            R"(for k = 0; k < n; k += 1, unroll 16
  if k
    for i = 0; i < 4; i += 1, unroll whole
      for j = 0; j < 4; j += 1, unroll whole
        if j < m
          run S0(A[i][j])
)");
}

TEST(UnrollBoundaryLoopsLess, OnlyAroundPartialPoints) {
  EXPECT_EQ(AfterPass(UnrollBoundaryLoopsLess, R"(for k = 0; k < 16; k += 1, unroll 16
  if a
    for i = 0; i < n; i += 1, points 4
      run S0()
for k = 0; k < 16; k += 1, unroll 16
  for i = 0; i < 4; i += 1, points 4
    run S0()
for k = 0; k < 16; k += 1, unroll 16
  for i = 0; i < n; i += 1
    run S0()
)"),
            R"(for k = 0; k < 16; k += 1, unroll 4
  if a
    for i = 0; i < n; i += 1, points 4
      run S0()
for k = 0; k < 16; k += 1, unroll 16
  for i = 0; i < 4; i += 1, points 4
    run S0()
for k = 0; k < 16; k += 1, unroll 16
  for i = 0; i < n; i += 1
    run S0()
)");
}

TEST(UnrollBoundaryLoopsLess, WhatIsUnrolledNoMoreStays) {
  for (const std::string unrolled : {"", ", unroll never", ", unroll whole", ", unroll 2", ", unroll 4"}) {
    const std::string text = absl::StrCat("for k = 0; k < 16; k += 1", unrolled,
                                          "\n  for i = 0; i < n; i += 1, points 4\n    run S0()\n");
    EXPECT_EQ(AfterPass(UnrollBoundaryLoopsLess, text), text);
  }
}

TEST(RunWholeColumns, WhereAllRowsAreThere) {
  EXPECT_EQ(AfterPass(RunWholeColumns, R"(for i = max(0, b); i <= min(7, n); i += 1, points 8
  for j = max(0, c); j < 2; j += 1, points 2
    run S0(A[i])
)"),
            R"(if max(0, b) <= 0 && 7 <= min(7, n)
  for j = max(0, c); j < 2; j += 1, points 2
    for i = 0; i <= 7; i += 1, points 8
      run S0(A[i])
else
  for i = max(0, b); i <= min(7, n); i += 1, points 8
    for j = max(0, c); j < 2; j += 1, points 2
      run S0(A[i])
)");
}

TEST(RunWholeColumns, NotWhereColumnsDependOnRows) {
  const std::string triangle = R"(for i = max(0, b); i < 8; i += 1, points 8
  for j = 0; j <= i; j += 1, points 8
    run S0(A[i])
)";
  EXPECT_EQ(AfterPass(RunWholeColumns, triangle), triangle);
}

TEST(TurnAtRowEnds, OddRowsRunBackward) {
  EXPECT_EQ(AfterPass(TurnAtRowEnds, R"(for k = 0; k < 8; k += 1, unroll 8
  for i = 0; i <= 3; i += 1, points 4
    for j = 0; j < 2; j += 1, points 2
      for l = 0; l <= 1; l += 1, points 2
        run S0(C_registers[4 * i + 2 * j + l], A_shared0[k])
)"),
            R"(for k = 0; k < 8; k += 1, unroll 8
  for i = 0; i < 2; i += 1, points 2
    for j = 0; j < 2; j += 1, points 2
      for l = 0; l <= 1; l += 1, points 2
        run S0(C_registers[4 * (2 * i) + 2 * j + l], A_shared0[k])
    for j = 0; j < 2; j += 1, points 2
      for l = 0; l <= 1; l += 1, points 2
        run S0(C_registers[4 * (2 * i + 1) + 2 * (1 - j) + (1 - l)], A_shared0[k])
)");
}

TEST(TurnAtRowEnds, NotWhereThereAreNoSumsOrNotAllPoints) {
  const std::string head = "for i = 0; i < 4; i += 1, points 4\n  for j = 0; j < ";
  for (const std::string& nodes :
       {head + "2; j += 1, points 2\n    run S0(C_registers[i], A[j])\n",  // no tile
        head + "2; j += 1, points 2\n    run S0(C[i], A_shared0[j])\n",    // no registers
        head + "n; j += 1, points 2\n    run S0(C_registers[i], A_shared0[j])\n",
        head + "2; j += 1\n    run S0(C_registers[i], A_shared0[j])\n",  // no points
        std::string("for i = 0; i < 3; i += 1, points 3\n  for j = 0; j < 2; j += 1, "
                    "points 2\n    run S0(C_registers[i], A_shared0[j])\n"),
        std::string("for i = 0; i < 4; i += 1, points 4\n"
                    "  run S0(C_registers[i], A_shared0[i])\n")}) {
    EXPECT_EQ(AfterPass(TurnAtRowEnds, nodes), nodes);
  }
}

}  // namespace
}  // namespace tune
