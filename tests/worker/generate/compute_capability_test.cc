#include "worker/generate/compute_capability.h"

#include <gmock/gmock.h>

#include "common/device/compute_capability.h"
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
  for (const auto& [major, minor] : KnownComputeCapabilities()) {
    const DeviceFacts facts = FactsOf(DeviceOfArchitecture(absl::StrCat("sm_", major, minor), 0).value());
    EXPECT_EQ(facts, FactsOfComputeCapability(major, minor)) << major << "." << minor;
  }
  EXPECT_EQ(FactsOf(DeviceOfArchitecture("sm_75", 72).value()).multiprocessors, 72);
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
