#include "common/space/cuda_device_options.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(CudaOptionsOf, TakesTheDevicesLimits) {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_cores(78);
  device.set_memory_bytes(int64_t{8} << 30);
  device.mutable_cuda()->set_max_threads_per_block(512);
  device.mutable_cuda()->set_shared_bytes_per_block(32 << 10);
  device.mutable_cuda()->set_shared_bytes_per_block_optin(99 << 10);
  device.mutable_cuda()->set_shared_bytes_per_multiprocessor(100 << 10);
  const CudaSpaceOptions options = CudaOptionsOf(device);
  EXPECT_EQ(options.multiprocessors, 78);
  EXPECT_EQ(options.max_threads, 512);
  EXPECT_EQ(options.max_shared_bytes, 32 << 10);
  EXPECT_EQ(options.opt_in_shared_bytes, 99 << 10);
  EXPECT_EQ(options.multiprocessor_shared_bytes, 100 << 10);
  EXPECT_EQ(options.max_expansion_bytes, int64_t{2} << 30);
}

TEST(CudaOptionsOf, ExpansionStaysBelowFourGibibytes) {
  v1::Device device;
  device.set_memory_bytes(int64_t{141} << 30);
  EXPECT_EQ(CudaOptionsOf(device).max_expansion_bytes, int64_t{4} << 30);
}

TEST(CudaOptionsOf, StudiesMayBeExact) {
  EXPECT_FALSE(CudaOptionsOf(v1::Device()).exact);
  EXPECT_TRUE(CudaOptionsOf(v1::Device(), /*exact=*/true).exact);
}

TEST(CudaOptionsOf, WhatIsOpenKeepsItsDefault) {
  const CudaSpaceOptions options = CudaOptionsOf(v1::Device());
  EXPECT_EQ(options.multiprocessors, CudaSpaceOptions().multiprocessors);
  EXPECT_EQ(options.max_threads, 1024);
  EXPECT_EQ(options.max_shared_bytes, 48 << 10);
  EXPECT_EQ(options.opt_in_shared_bytes, 48 << 10);
  EXPECT_EQ(options.max_expansion_bytes, int64_t{4} << 30);
}

}  // namespace
}  // namespace tune
