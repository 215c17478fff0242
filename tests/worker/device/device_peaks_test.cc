#include "worker/device/device_peaks.h"

#include <gtest/gtest.h>

#include "common/base/file.h"

namespace tune {
namespace {

class FindPeaksTest : public ::testing::Test {
 protected:
  FindPeaksTest() {
    device_.set_target(v1::CPU);
    device_.set_model("a processor");
    device_.set_cores(4);
    device_.set_compiler("cc 1");
  }

  // The device after FindPeaks, whose measuring finds `rate`, or fails where that is 0.
  v1::Device Found(double rate) {
    v1::Device device = device_;
    FindPeaks(
        folder_->path() + "/peaks",
        [&]() -> absl::StatusOr<v1::PeakRates> {
          ++measured_;
          if (rate == 0) return absl::InternalError("busy");
          v1::PeakRates peaks;
          peaks.set_float_operations(rate);
          return peaks;
        },
        &device);
    return device;
  }

  absl::StatusOr<TemporaryFolder> folder_ = TemporaryFolder::Make();
  v1::Device device_;
  int measured_ = 0;
};

TEST_F(FindPeaksTest, AreMeasuredOnceForADevice) {
  EXPECT_EQ(Found(1.5e9).peaks().float_operations(), 1.5e9);
  EXPECT_EQ(Found(2.5e9).peaks().float_operations(), 1.5e9);
  EXPECT_EQ(measured_, 1);
}

TEST_F(FindPeaksTest, AreMeasuredAgainWhenWhatTheyDependOnChanges) {
  Found(1);
  device_.set_compiler("cc 2");
  Found(1);
  device_.set_cores(8);
  Found(1);
  device_.mutable_cuda()->set_uuid("GPU-1");
  Found(1);
  device_.mutable_cuda()->set_driver_version(13010);
  EXPECT_EQ(Found(7).peaks().float_operations(), 7);
  EXPECT_EQ(measured_, 5);
}

TEST_F(FindPeaksTest, StayUnsetWhereMeasuringFailsAndAreTriedAgain) {
  EXPECT_FALSE(Found(0).has_peaks());
  EXPECT_EQ(Found(3).peaks().float_operations(), 3);
}

}  // namespace
}  // namespace tune
