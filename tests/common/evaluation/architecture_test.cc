#include "common/evaluation/architecture.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(ArchitectureTest, IsTheComputeCapability) {
  v1::Device device;
  EXPECT_EQ(ArchitectureOf(device), "");
  device.mutable_cuda()->set_compute_capability_major(9);
  EXPECT_EQ(ArchitectureOf(device), "sm_90");
  device.mutable_cuda()->set_compute_capability_major(12);
  device.mutable_cuda()->set_compute_capability_minor(1);
  EXPECT_EQ(ArchitectureOf(device), "sm_121");
}

}  // namespace
}  // namespace tune
