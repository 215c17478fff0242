#include "client/report/device_text.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "common/evaluation/architecture.h"

namespace tune {
namespace {

v1::Device ParseDevice(const std::string& text) {
  v1::Device device;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &device));
  return device;
}

TEST(DeviceTextTest, Cpu) {
  const v1::Device device = ParseDevice(R"pb(target: CPU model: "Xeon" cores: 1 memory_bytes: 1000)pb");
  EXPECT_EQ(DeviceLine(device), "cpu: Xeon, 1 core");
  EXPECT_EQ(ArchitectureOf(device), "");
}

TEST(DeviceTextTest, Cuda) {
  const v1::Device device = ParseDevice(R"pb(
    target: CUDA
    model: "NVIDIA H200"
    cores: 132
    memory_bytes: 150754820096
    cuda { ordinal: 1 compute_capability_major: 9 driver_version: 13010 })pb");
  EXPECT_EQ(DeviceLine(device),
            "cuda:1: NVIDIA H200, sm_90, 132 multiprocessors, 140.4 GiB, driver for CUDA 13.1");
  EXPECT_EQ(ArchitectureOf(device), "sm_90");
  EXPECT_EQ(CoresText(device), "132 multiprocessors");
}

TEST(DeviceTextTest, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(DeviceLine(ParseDevice(R"pb(target: CUDA model: "G" cores: 2)pb")),
            "cuda:0: G, 2 multiprocessors");
}

}  // namespace
}  // namespace tune
