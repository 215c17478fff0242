#include "common/evaluation/roofline.h"

#include <gtest/gtest.h>

namespace tune {
namespace {

v1::Device MakeDevice(v1::Target target) {
  v1::Device device;
  device.set_target(target);
  v1::PeakRates& peaks = *device.mutable_peaks();
  peaks.set_float_operations(4000);
  peaks.set_double_operations(1000);
  peaks.set_memory_bytes(100);
  peaks.set_cache_bytes(400);
  peaks.set_cache_size(1000);
  return device;
}

v1::RegionWork MakeWork(double in_float, double in_double, int64_t read, int64_t written) {
  v1::RegionWork work;
  work.set_float_operations(in_float);
  work.set_double_operations(in_double);
  work.set_read_bytes(read);
  work.set_written_bytes(written);
  return work;
}

TEST(RooflineTest, OperationsBind) {
  const auto bound = RooflineOf(MakeWork(8000, 3000, 100, 0), MakeDevice(v1::CPU));
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->limit, Roofline::Limit::kOperations);
  EXPECT_DOUBLE_EQ(bound->bound_seconds, 2 + 3);
  EXPECT_DOUBLE_EQ(bound->amount / bound->peak, 5);
}

TEST(RooflineTest, UnitsForFloatAndDoubleWorkAtOnceOnAGpu) {
  const auto bound = RooflineOf(MakeWork(8000, 3000, 100, 0), MakeDevice(v1::CUDA));
  ASSERT_TRUE(bound.has_value());
  EXPECT_DOUBLE_EQ(bound->bound_seconds, 3);
}

TEST(RooflineTest, DataInTheCacheComeFromTheCache) {
  const auto bound = RooflineOf(MakeWork(10, 0, 600, 400), MakeDevice(v1::CPU));
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->limit, Roofline::Limit::kCache);
  EXPECT_DOUBLE_EQ(bound->bound_seconds, 2.5);
}

TEST(RooflineTest, WhatTheCacheCannotHoldComesFromMemory) {
  const auto bound = RooflineOf(MakeWork(10, 0, 6000, 3000), MakeDevice(v1::CPU));
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->limit, Roofline::Limit::kMemory);
  EXPECT_DOUBLE_EQ(bound->amount, 5000 + 2000);
  EXPECT_DOUBLE_EQ(bound->peak, 100);
  EXPECT_DOUBLE_EQ(bound->bound_seconds, 70);
}

TEST(RooflineTest, NothingIsKnownWithoutPeaksOrWork) {
  EXPECT_FALSE(RooflineOf(MakeWork(8000, 3000, 100, 0), v1::Device()).has_value());
  EXPECT_FALSE(RooflineOf(v1::RegionWork(), MakeDevice(v1::CPU)).has_value());
  v1::Study study;
  *study.mutable_device() = MakeDevice(v1::CPU);
  EXPECT_FALSE(RooflineOf(study).has_value());
  *study.mutable_reference()->mutable_work() = MakeWork(4000, 0, 0, 0);
  ASSERT_TRUE(RooflineOf(study).has_value());
  EXPECT_DOUBLE_EQ(RooflineOf(study)->bound_seconds, 1);
}

TEST(RooflineTest, ARateThatWasNotMeasuredDoesNotBind) {
  v1::Device device = MakeDevice(v1::CPU);
  device.mutable_peaks()->set_cache_bytes(0);
  device.mutable_peaks()->set_cache_size(0);
  const auto bound = RooflineOf(MakeWork(10, 0, 600, 400), device);
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->limit, Roofline::Limit::kMemory);
  EXPECT_DOUBLE_EQ(bound->bound_seconds, 10);
}

}  // namespace
}  // namespace tune
