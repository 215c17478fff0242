#include "common/device/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/compute_capability.h"

namespace tune {
namespace {

struct Row {
  int major, minor;
  int64_t threads, registers, shared;
  int64_t blocks;
};

// What cudaOccMaxActiveBlocksPerMultiprocessor of CUDA 13.0's cuda_occupancy.h answers, with
// SHAREDMEM_CARVEOUT_MAX_SHARED and FUNC_SHMEM_LIMIT_OPTIN.
constexpr Row kToolkit[] = {
    {6, 1, 90, 255, 2181, 2},    {6, 1, 864, 97, 0, 0},       {6, 1, 64, 45, 22237, 4},
    {6, 1, 640, 96, 30585, 1},   {6, 1, 793, 56, 28188, 1},   {6, 1, 992, 113, 41514, 0},
    {6, 1, 992, 70, 37007, 0},   {7, 0, 749, 255, 79287, 0},  {7, 0, 576, 93, 0, 1},
    {7, 0, 192, 90, 33555, 2},   {7, 0, 480, 32, 10361, 4},   {7, 0, 212, 101, 77911, 1},
    {7, 0, 928, 77, 41323, 0},   {7, 0, 64, 46, 17463, 5},    {7, 5, 463, 255, 61178, 0},
    {7, 5, 832, 104, 0, 0},      {7, 5, 832, 22, 37144, 1},   {7, 5, 832, 112, 26826, 0},
    {7, 5, 734, 98, 673, 0},     {7, 5, 320, 41, 7228, 3},    {7, 5, 672, 85, 39728, 0},
    {8, 0, 258, 255, 47180, 0},  {8, 0, 544, 52, 0, 2},       {8, 0, 960, 67, 26862, 0},
    {8, 0, 672, 31, 98410, 1},   {8, 0, 313, 79, 136443, 1},  {8, 0, 256, 37, 48797, 3},
    {8, 0, 768, 93, 163193, 0},  {8, 6, 132, 255, 64942, 1},  {8, 6, 768, 79, 0, 1},
    {8, 6, 576, 31, 71316, 1},   {8, 6, 1024, 63, 99163, 1},  {8, 6, 996, 45, 9061, 1},
    {8, 6, 672, 33, 81038, 1},   {8, 6, 384, 85, 17169, 1},   {9, 0, 87, 255, 127776, 1},
    {9, 0, 480, 27, 0, 4},       {9, 0, 704, 44, 146953, 1},  {9, 0, 864, 63, 179612, 1},
    {9, 0, 734, 42, 104927, 1},  {9, 0, 608, 125, 225807, 0}, {9, 0, 480, 76, 157690, 1},
    {12, 0, 122, 255, 12450, 2}, {12, 0, 704, 87, 0, 0},      {12, 0, 320, 121, 9039, 1},
    {12, 0, 192, 94, 75564, 1},  {12, 0, 553, 71, 13417, 1},  {12, 0, 32, 90, 18209, 5},
    {12, 0, 64, 68, 66611, 1},
};

TEST(OccupancyTest, IsWhatTheToolkitSays) {
  for (const Row& row : kToolkit) {
    EXPECT_EQ(BlocksPerMultiprocessor({row.threads, row.registers, row.shared},
                                      FactsOfComputeCapability(row.major, row.minor)),
              row.blocks)
        << row.major << "." << row.minor << ": " << row.threads << " threads, " << row.registers
        << " registers, " << row.shared << " bytes";
  }
}

// Ryoo et al., section 2.2: a GeForce 8800, 256 threads, 4 KiB of shared memory.
TEST(OccupancyTest, OneRegisterMoreLosesABlock) {
  DeviceFacts geforce;
  geforce.max_threads_per_block = 512;
  geforce.max_threads_per_multiprocessor = 768;
  geforce.max_blocks_per_multiprocessor = 8;
  geforce.registers_per_multiprocessor = 8192;
  geforce.shared_bytes_per_block = geforce.shared_bytes_per_block_optin = 16 << 10;
  geforce.shared_bytes_per_multiprocessor = 16 << 10;
  geforce.reserved_shared_bytes_per_block = 0;
  EXPECT_EQ(BlocksPerMultiprocessor({256, 8, 4 << 10}, geforce), 3);
  EXPECT_EQ(BlocksPerMultiprocessor({256, 13, 2088}, geforce), 2);
  EXPECT_EQ(BlocksPerMultiprocessor({256, 8, 5 << 10}, geforce), 3);
}

TEST(OccupancyTest, WhatNoLaunchMayAskForHasNoBlocks) {
  const DeviceFacts device = FactsOfComputeCapability(9, 0);
  EXPECT_EQ(BlocksPerMultiprocessor({0, 32, 0}, device), 0);
  EXPECT_EQ(BlocksPerMultiprocessor({1025, 32, 0}, device), 0);
  EXPECT_EQ(BlocksPerMultiprocessor({32, 256, 0}, device), 0);
  EXPECT_EQ(BlocksPerMultiprocessor({32, 32, (227 << 10) + 1}, device), 0);
  EXPECT_EQ(BlocksPerMultiprocessor({32, 32, 227 << 10}, device), 1);
  EXPECT_EQ(BlocksPerMultiprocessor({32, 0, 0}, device), 32);
}

}  // namespace
}  // namespace tune
