#include "common/transform/buffers/pipeline.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

constexpr char kTile[] = "kernel f of k[S0]\n  tile float A_shared0[16], of A, row 16, shared\n  body\n";

// The body, in this many copies.
std::string Pipelined(const std::string& body, int64_t copies) {
  DeviceKernel kernel = testing::KernelOf(kTile + body);
  PipelineFills(copies, &kernel);
  EXPECT_EQ(kernel.tiles[0].copies, kernel.body == testing::KernelOf(kTile + body).body ? 1 : copies);
  return PrintBlockText(kernel.body);
}

TEST(PipelineFills, AnIterationFillsForALaterOne) {
  EXPECT_EQ(Pipelined(R"(    for c = 0; c < 9; c += 1
      fill, of Fill0, at [c]
        tile A_shared0, from [16 * c], behind yes
      run S0(A_shared0[x], s)
)",
                      2),
            R"(fill, ahead, of Fill0, at [0]
  tile A_shared0[0], from [0], behind yes
for c = 0; c < 9; c += 1
  barrier block
  if c + 1 <= 8
    fill, ahead, of Fill0, at [c + 1]
      tile A_shared0[(c + 1) % 2], from [16 * (c + 1)], behind yes
  run S0(A_shared0[c % 2][x], s)
)");
}

TEST(PipelineFills, AsynchronousCopiesAreGroupedByIterations) {
  EXPECT_EQ(Pipelined(R"(    for c = 0; c <= 8; c += 1
      fill, of Fill0, at [c]
        tile A_shared0, from [16 * c], asynchronous
      run S0(A_shared0[x], s)
)",
                      3),
            R"(fill, ahead, of Fill0, at [0]
  tile A_shared0[0], from [0], asynchronous
commit
fill, ahead, of Fill0, at [1]
  tile A_shared0[1], from [16], asynchronous
commit
for c = 0; c <= 8; c += 1
  await 1
  barrier block
  if c + 2 <= 8
    fill, ahead, of Fill0, at [c + 2]
      tile A_shared0[(c + 2) % 3], from [16 * (c + 2)], asynchronous
  commit
  run S0(A_shared0[c % 3][x], s)
await 0
)");
}

// The guard of the last tile is one of those that the loop fills ahead.
TEST(PipelineFills, IterationsOutsideOfTheLoopBelongToIt) {
  EXPECT_EQ(Pipelined(R"(    fill, of Fill0, at [0]
      tile A_shared0, from [0], behind no
    run S0(A_shared0[x], s)
    run S1(s)
    for c = 1; c <= 3; c += 1
      fill, of Fill0, at [c]
        tile A_shared0, from [16 * c], behind no
      run S0(A_shared0[x], s)
    fill, of Fill0, at [4]
      tile A_shared0, from [64], behind yes
    run S0(A_shared0[x], s)
)",
                      2),
            R"(fill, ahead, of Fill0, at [0]
  tile A_shared0[0], from [0], behind yes
barrier block
fill, ahead, of Fill0, at [1]
  tile A_shared0[1], from [16], behind yes
run S0(A_shared0[0][x], s)
run S1(s)
for c = 1; c <= 3; c += 1
  barrier block
  if c + 1 <= 4
    fill, ahead, of Fill0, at [c + 1]
      tile A_shared0[(c + 1) % 2], from [16 * (c + 1)], behind yes
  run S0(A_shared0[c % 2][x], s)
barrier block
run S0(A_shared0[0][x], s)
)");
}

// The remainder of a negative number is not the number of a copy.
TEST(PipelineFills, CopiesAreCountedFromTheFirstIteration) {
  EXPECT_EQ(Pipelined(R"(    for c = -3; c <= 0; c += 1
      fill, of Fill0, at [c]
        tile A_shared0, from [-16 * c]
      run S0(A_shared0[x], s)
)",
                      2),
            R"(fill, ahead, of Fill0, at [-3]
  tile A_shared0[0], from [48]
for c = -3; c <= 0; c += 1
  barrier block
  if c + 1 <= 0
    fill, ahead, of Fill0, at [c + 1]
      tile A_shared0[(c + 1 + 3) % 2], from [-16 * (c + 1)]
  run S0(A_shared0[(c + 3) % 2][x], s)
)");
}

TEST(PipelineFills, LoopsWithoutAConstantBeginCountFromZero) {
  EXPECT_EQ(Pipelined(R"(    for c = b; c <= n; c += 1
      fill, of Fill0, at [c]
        tile A_shared0, from [16 * c]
      run S0(A_shared0[x], B[c]), of S0, at [c]
)",
                      2),
            R"(if b <= n
  fill, ahead, of Fill0, at [b]
    tile A_shared0[0], from [16 * b]
for c = 0; b + c <= n; c += 1
  barrier block
  if b + (c + 1) <= n
    fill, ahead, of Fill0, at [b + (c + 1)]
      tile A_shared0[(c + 1) % 2], from [16 * (b + (c + 1))]
  run S0(A_shared0[c % 2][x], B[b + c]), of S0, at [b + c]
)");
}

// Each of these fills and reads in another way than iterations one after the other do.
TEST(PipelineFills, OtherLoopsStayAsTheyAre) {
  const std::string fill = "      fill, of Fill0, at [c]\n        tile A_shared0, from [16 * c]\n";
  const std::string run = "      run S0(A_shared0[x], s)\n";
  for (const std::string& body : {
           absl::StrCat("    for c = 0; c < 9; c += 2\n", fill, run),
           absl::StrCat("    for c = 0; c < 9; c += 1\n", run, fill, run),
           absl::StrCat("    for c = 0; c < 9; c += 1\n", fill, run, fill, run),
           absl::StrCat("    for c = 0; c < 9; c += 1\n      if c < x\n        fill, of Fill0, at [c]\n",
                        "          tile A_shared0, from [16 * c]\n", run),
           absl::StrCat("    for c = 0; c < n; c += 1\n", fill, run, "    run S0(A_shared0[x], s)\n"),
           std::string(
               "    for c = 0; c < 9; c += 1\n      fill, of Fill0, at [c + d]\n        tile A_shared0\n"),
           std::string(
               "    fill, of Fill0, at [0]\n      tile A_shared0, from [0]\n    run S0(A_shared0[x], s)\n"),
       }) {
    EXPECT_EQ(Pipelined(body, 2), PrintBlockText(testing::KernelOf(kTile + body).body));
  }
}

// Where one loop has a pipeline, what is elsewhere has a copy, too.
TEST(PipelineFills, FillsElsewhereAreOfTheFirstCopy) {
  EXPECT_EQ(Pipelined(R"(    for c = 0; c < n; c += 1
      fill, of Fill0, at [c]
        tile A_shared0, from [16 * c]
      run S0(A_shared0[x], s)
    fill, of Fill1
      tile A_shared0, from [7]
    run S0(A_shared0[x], s)
)",
                      2),
            R"(if 0 < n
  fill, ahead, of Fill0, at [0]
    tile A_shared0[0], from [0]
for c = 0; c < n; c += 1
  barrier block
  if c + 1 < n
    fill, ahead, of Fill0, at [c + 1]
      tile A_shared0[(c + 1) % 2], from [16 * (c + 1)]
  run S0(A_shared0[c % 2][x], s)
fill, of Fill1
  tile A_shared0[0], from [7]
run S0(A_shared0[0][x], s)
)");
}

}  // namespace
}  // namespace tune
