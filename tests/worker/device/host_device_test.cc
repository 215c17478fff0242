#include "worker/device/host_device.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(HostDeviceTest, DescribesThisMachine) {
  const v1::Device device = DescribeHost("cc 1.0", 0);
  EXPECT_EQ(device.target(), v1::CPU);
  EXPECT_NE(device.model(), "");
  EXPECT_GE(device.cores(), 1);
  EXPECT_GT(device.memory_bytes(), 1 << 20);
  EXPECT_EQ(device.compiler(), "cc 1.0");
  EXPECT_NE(device.operating_system(), "");
  EXPECT_EQ(DescribeHost("", 3).cores(), 3);
}

TEST(HostDeviceTest, NamesAndSessions) {
  EXPECT_NE(HostName(), "");
  EXPECT_EQ(HostName().find('.'), std::string::npos);
  EXPECT_EQ(HostName(), HostName());
}

}  // namespace
}  // namespace tune
