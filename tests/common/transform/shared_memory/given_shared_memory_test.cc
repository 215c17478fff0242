#include "common/transform/shared_memory/given_shared_memory.h"

#include <gtest/gtest.h>

#include "tests/common/program/program_texts.h"

namespace tune {
namespace {

TEST(LayOutGivenMemory, SharedTilesLieBehindEachOther) {
  DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0]
  tile float A_shared0[3][5], of A, row 5, shared
  tile double C_registers[4], of C, row 4
  tile double B_shared1[4][4], of B, row 5, shared, copies 2
  tile char s_shared2, of s, shared
)");
  LayOutGivenMemory(&kernel);
  // 60, 320 and 1 bytes.
  EXPECT_EQ(testing::TextOf(kernel), R"(kernel f of k[S0], given shared bytes 400
  tile float A_shared0[3][5], of A, row 5, shared
  tile double C_registers[4], of C, row 4
  tile double B_shared1[4][4], of B, row 5, shared, copies 2, offset 64
  tile char s_shared2, of s, shared, offset 384
)");
  EXPECT_EQ(kernel.SharedBytes(), 400);
}

TEST(SharedBytes, ReductionsExchangeAValueOfEachThread) {
  const DeviceKernel kernel = testing::KernelOf(R"(kernel f of k[S0], threads 8 4 2
  tile double s_registers, of s, combined by add
  tile double t_registers, of t
)");
  EXPECT_EQ(kernel.SharedBytes(), 64 * 8);
}

}  // namespace
}  // namespace tune
