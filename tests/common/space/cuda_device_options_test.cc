#include "common/space/cuda_device_options.h"

#include <gtest/gtest.h>

#include "common/device/compute_capability.h"
#include "tests/common/testing/device_models.h"

namespace tune {
namespace {

TEST(FactsOf, AreWhatTheDeviceTells) {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.set_cores(78);
  v1::CudaDevice& cuda = *device.mutable_cuda();
  cuda.set_compute_capability_major(8);
  cuda.set_compute_capability_minor(6);
  cuda.set_max_threads_per_block(512);
  cuda.set_max_threads_per_multiprocessor(768);
  cuda.set_max_blocks_per_multiprocessor(12);
  cuda.set_registers_per_multiprocessor(32 << 10);
  cuda.set_shared_bytes_per_block(32 << 10);
  cuda.set_shared_bytes_per_block_optin(80 << 10);
  cuda.set_shared_bytes_per_multiprocessor(90 << 10);
  cuda.set_reserved_shared_bytes_per_block(2 << 10);
  cuda.set_l2_bytes(3 << 20);
  cuda.set_memory_clock_khz(1'000'000);
  cuda.set_memory_bus_bits(256);
  cuda.set_cooperative_launch(true);
  const DeviceFacts facts = FactsOf(device);
  EXPECT_EQ(facts.compute_capability_major, 8);
  EXPECT_EQ(facts.compute_capability_minor, 6);
  EXPECT_EQ(facts.multiprocessors, 78);
  EXPECT_EQ(facts.max_threads_per_block, 512);
  EXPECT_EQ(facts.max_threads_per_multiprocessor, 768);
  EXPECT_EQ(facts.max_blocks_per_multiprocessor, 12);
  EXPECT_EQ(facts.registers_per_multiprocessor, 32 << 10);
  EXPECT_EQ(facts.shared_bytes_per_block, 32 << 10);
  EXPECT_EQ(facts.shared_bytes_per_block_optin, 80 << 10);
  EXPECT_EQ(facts.shared_bytes_per_multiprocessor, 90 << 10);
  EXPECT_EQ(facts.reserved_shared_bytes_per_block, 2 << 10);
  EXPECT_EQ(facts.l2_bytes, 3 << 20);
  EXPECT_EQ(facts.memory_bandwidth, 64e9);
  EXPECT_TRUE(facts.cooperative_launch);
}

// An older worker leaves the blocks and the reserved bytes out.
TEST(FactsOf, WhatIsNotToldFollowsFromTheComputeCapability) {
  for (v1::Device device : testing::DeviceModels()) {
    const DeviceFacts told = FactsOf(device);
    device.mutable_cuda()->clear_max_blocks_per_multiprocessor();
    device.mutable_cuda()->clear_reserved_shared_bytes_per_block();
    EXPECT_EQ(FactsOf(device), told) << device.model();
  }
}

TEST(FactsOf, AnUnknownDeviceHasWhatEveryDeviceHas) {
  EXPECT_EQ(FactsOf(v1::Device()), DeviceFacts());
  v1::Device newer;
  newer.mutable_cuda()->set_compute_capability_major(99);
  const DeviceFacts facts = FactsOf(newer);
  EXPECT_EQ(facts.max_blocks_per_multiprocessor, 16);
  EXPECT_TRUE(facts.HasAtomicAddOfDoubles());
  for (const auto& [major, minor] : KnownComputeCapabilities()) {
    const DeviceFacts known = FactsOfComputeCapability(major, minor);
    EXPECT_LE(facts.max_threads_per_multiprocessor, known.max_threads_per_multiprocessor);
    EXPECT_LE(facts.max_blocks_per_multiprocessor, known.max_blocks_per_multiprocessor);
    EXPECT_LE(facts.shared_bytes_per_block_optin, known.shared_bytes_per_block_optin);
    EXPECT_LE(facts.shared_bytes_per_multiprocessor, known.shared_bytes_per_multiprocessor);
    EXPECT_GE(facts.reserved_shared_bytes_per_block, known.reserved_shared_bytes_per_block);
  }
}

// The models say what drivers say; the table says the same of the capability.
TEST(FactsOf, ModelsAgreeWithTheTable) {
  for (const v1::Device& device : testing::DeviceModels()) {
    const DeviceFacts told = FactsOf(device);
    DeviceFacts known =
        FactsOfComputeCapability(told.compute_capability_major, told.compute_capability_minor);
    EXPECT_NEAR(told.memory_bandwidth, known.memory_bandwidth, 0.05 * known.memory_bandwidth)
        << device.model();
    known.memory_bandwidth = told.memory_bandwidth;  // by clock and width, to the last digit
    EXPECT_EQ(told, known) << device.model();
  }
}

TEST(FactsOf, OptingInNeverMeansLess) {
  v1::Device device;
  device.mutable_cuda()->set_shared_bytes_per_block(64 << 10);
  EXPECT_EQ(FactsOf(device).shared_bytes_per_block_optin, 64 << 10);
  EXPECT_FALSE(FactsOf(device).HasOptIn());
  EXPECT_FALSE(FactsOf(testing::P100()).HasOptIn());
  EXPECT_TRUE(FactsOf(testing::T4()).HasOptIn());
}

TEST(CudaOptionsOf, ExpansionTakesAQuarterOfTheMemory) {
  v1::Device device;
  device.set_memory_bytes(int64_t{8} << 30);
  EXPECT_EQ(CudaOptionsOf(device).max_expansion_bytes, int64_t{2} << 30);
}

TEST(CudaOptionsOf, ExpansionStaysBelowFourGibibytes) {
  v1::Device device;
  device.set_memory_bytes(int64_t{141} << 30);
  EXPECT_EQ(CudaOptionsOf(device).max_expansion_bytes, int64_t{4} << 30);
}

TEST(CudaOptionsOf, ProductsThatTensorCoresMayComputeFollowFromTheRounding) {
  const auto of = [](v1::Rounding rounding) { return CudaOptionsOf(v1::Device(), rounding); };
  EXPECT_FALSE(of(v1::ROUNDING_UNSPECIFIED).exact);
  EXPECT_EQ(of(v1::ROUNDING_UNSPECIFIED).products, (MatrixProducts{.tf32x3 = false, .halves = true}));
  EXPECT_TRUE(of(v1::ROUNDING_EXACT).exact);
  EXPECT_EQ(of(v1::ROUNDING_EXACT).products, MatrixProducts());
  EXPECT_FALSE(of(v1::ROUNDING_TF32X3).exact);
  EXPECT_EQ(of(v1::ROUNDING_TF32X3).products, (MatrixProducts{.tf32x3 = true, .halves = true}));
}

TEST(PpcgOptionsOf, AreTheLimitsOfABlock) {
  v1::Device device;
  device.mutable_cuda()->set_max_threads_per_block(512);
  device.mutable_cuda()->set_shared_bytes_per_block(32 << 10);
  EXPECT_EQ(PpcgOptionsOf(device).max_threads, 512);
  EXPECT_EQ(PpcgOptionsOf(device).max_shared_bytes, 32 << 10);
}

}  // namespace
}  // namespace tune
