#include "worker/generate/compute_capability.h"

#include <gmock/gmock.h>

#include "common/evaluation/architecture.h"
#include "common/space/cuda_device_options.h"

namespace tune {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ComputeCapabilityTest, EveryArchitectureIsADevice) {
  EXPECT_EQ(KnownArchitectures().front(), "sm_60");
  for (const std::string& name : KnownArchitectures()) {
    const auto device = DeviceOfArchitecture(name, 0);
    ASSERT_TRUE(device.ok()) << device.status();
    EXPECT_EQ(ArchitectureOf(*device), name);
    const v1::CudaDevice& cuda = device->cuda();
    EXPECT_GT(device->cores(), 0);
    EXPECT_EQ(cuda.max_threads_per_block(), 1024);
    EXPECT_GE(cuda.max_threads_per_multiprocessor(), 1024);
    EXPECT_GE(cuda.shared_bytes_per_block_optin(), cuda.shared_bytes_per_block());
    EXPECT_GE(cuda.shared_bytes_per_multiprocessor(), cuda.shared_bytes_per_block_optin());
  }
}

TEST(ComputeCapabilityTest, FactsReachTheSpace) {
  const CudaSpaceOptions hopper = CudaOptionsOf(DeviceOfArchitecture("sm_90", 0).value());
  EXPECT_EQ(hopper.multiprocessors, 132);
  EXPECT_EQ(hopper.max_shared_bytes, 48 << 10);
  EXPECT_EQ(hopper.opt_in_shared_bytes, 227 << 10);
  EXPECT_EQ(hopper.multiprocessor_shared_bytes, 228 << 10);
  const CudaSpaceOptions turing = CudaOptionsOf(DeviceOfArchitecture("sm_75", 72).value());
  EXPECT_EQ(turing.multiprocessors, 72);
  EXPECT_EQ(turing.opt_in_shared_bytes, 64 << 10);
}

TEST(ComputeCapabilityTest, OthersAreToldWhatIsKnown) {
  for (const char* name : {"sm_50", "90", "sm_90a", ""}) {
    const absl::Status status = DeviceOfArchitecture(name, 0).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status));
    EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("sm_60, sm_61"), HasSubstr("sm_120")));
  }
}

}  // namespace
}  // namespace tune
