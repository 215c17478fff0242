#include "worker/device/cuda_host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<v1::Device> Devices(int count) {
  std::vector<v1::Device> devices(count);
  for (int i = 0; i < count; ++i) devices[i].mutable_cuda()->set_ordinal(i);
  return devices;
}

TEST(ChooseDevices, AllOrThoseThatAreNamed) {
  EXPECT_THAT(*ChooseDevices(Devices(3), "all"), SizeIs(3));
  const auto chosen = ChooseDevices(Devices(3), "2,0");
  ASSERT_TRUE(chosen.ok());
  ASSERT_THAT(*chosen, SizeIs(2));
  EXPECT_EQ(chosen->at(0).cuda().ordinal(), 0);
  EXPECT_EQ(chosen->at(1).cuda().ordinal(), 2);
}

TEST(ChooseDevices, WhatIsNotThere) {
  const auto missing = ChooseDevices(Devices(2), "0,5");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(missing.status().message()), HasSubstr("there is no device 5; there are 0, 1"));
  for (const char* wish : {"", "x", "-1", "0,"}) EXPECT_FALSE(ChooseDevices(Devices(2), wish).ok()) << wish;
}

TEST(LeasesFor, AsManyWaitAsAreMadeAndTwoForEachDevice) {
  EXPECT_EQ(LeasesFor(16, 2), 32);
  EXPECT_EQ(LeasesFor(1, 1), 3);
  EXPECT_EQ(LeasesFor(2, 4), 10);
}

class CudaHostTest : public ::testing::Test {
 protected:
  void SetUp() override { folder_.emplace(*TemporaryFolder::Make()); }
  void TearDown() override {
    unsetenv("TUNE_LIBEXEC");
    unsetenv("SCRIPTED_TROUBLE");
  }
  absl::StatusOr<std::unique_ptr<CudaHost>> Open(const std::string& devices) {
    setenv("TUNE_LIBEXEC", TUNE_BINARY_DIR "/tests/scripted", 1);
    return CudaHost::Open({devices, "nvrtc", folder_->path() + "/cubins", 8});
  }
  std::optional<TemporaryFolder> folder_;
};

TEST_F(CudaHostTest, DevicesWithTheirSlots) {
  const auto host = Open("all");
  ASSERT_TRUE(host.ok()) << host.status();
  ASSERT_THAT((*host)->devices(), SizeIs(1));
  EXPECT_EQ((*host)->devices()[0].slots(), 16);  // as many wait for the device as are made
  EXPECT_EQ((*host)->devices()[0].compiler(), "NVRTC scripted");
  ASSERT_THAT((*host)->Groups(), SizeIs(1));
  EXPECT_EQ((*host)->Groups()[0].device.model(), "scripted");
}

TEST_F(CudaHostTest, SaysWhyThereIsNone) {
  EXPECT_THAT(std::string(Open("none").status().message()), HasSubstr("--devices none"));
  EXPECT_EQ(Open("3").status().code(), absl::StatusCode::kInvalidArgument);
  setenv("SCRIPTED_TROUBLE", "no NVIDIA driver", 1);
  EXPECT_EQ(Open("all").status().message(), "no NVIDIA driver");
}

}  // namespace
}  // namespace tune
