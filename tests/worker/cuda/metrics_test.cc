#include "worker/cuda/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace tune {
namespace {

constexpr DevicePeaks kPeaks = {.memory_bandwidth = 4e12, .clock = 2e9};
constexpr double kFloatPeak = 10000;  // fused instructions of threads, a cycle: 4e13 operations a second
constexpr double kDoublePeak = 5000;

struct Operations {
  double add = 0;
  double multiply = 0;
  double fused = 0;
};

// The counters of a launch: those of Table 2, bytes of the memory, operations, and nanoseconds.
CounterValues Launch(std::vector<double> values, double time, double bytes = 0, Operations single = {},
                     Operations twice = {}) {
  for (const double value : {bytes, single.add, single.multiply, single.fused, twice.add, twice.multiply,
                             twice.fused, kFloatPeak, kDoublePeak, time})
    values.push_back(value);
  return values;
}

std::map<std::string, v1::Metric> ByName(const std::vector<CounterValues>& launches,
                                         double launch_seconds = 0) {
  std::map<std::string, v1::Metric> metrics;
  for (const v1::Metric& metric : MakeMetrics(launches, kPeaks, launch_seconds))
    metrics[metric.name()] = metric;
  return metrics;
}

TEST(MetricsTest, EachIsNormalisedByItsOwnPeak) {
  const auto metrics = ByName({Launch({2.5, 60, 1e6, 2e6, 75, 40}, 1000)});  // 1 us
  ASSERT_EQ(metrics.size(), 6u);
  EXPECT_DOUBLE_EQ(metrics.at("executed_ipc").value(), 2.5);
  EXPECT_DOUBLE_EQ(metrics.at("executed_ipc").normalised(), 0.625);
  EXPECT_DOUBLE_EQ(metrics.at("achieved_occupancy").normalised(), 0.6);
  EXPECT_DOUBLE_EQ(metrics.at("global_load_throughput").value(), 1e12);
  EXPECT_DOUBLE_EQ(metrics.at("global_load_throughput").normalised(), 0.25);
  EXPECT_DOUBLE_EQ(metrics.at("global_store_throughput").normalised(), 0.5);
  EXPECT_DOUBLE_EQ(metrics.at("l2_hit_rate").normalised(), 0.75);
  EXPECT_DOUBLE_EQ(metrics.at("l1_hit_rate").normalised(), 0.4);
}

TEST(MetricsTest, LoadsThatTheCachesServeMayExceedTheMemory) {
  const auto metrics = ByName({Launch({4.001, 100, 1e5, 0, 100, 100}, 5)});
  EXPECT_EQ(metrics.at("executed_ipc").normalised(), 1);
  EXPECT_EQ(metrics.at("global_load_throughput").value(), 2e13);
  EXPECT_EQ(metrics.at("global_load_throughput").normalised(), 1);
  EXPECT_EQ(metrics.at("global_store_throughput").normalised(), 0);
}

TEST(MetricsTest, LaunchesWeighByTheirTime) {
  const auto metrics = ByName({Launch({1, 10, 0, 0, 50, 0}, 3000), Launch({3, 50, 0, 0, 90, 0}, 1000)});
  EXPECT_DOUBLE_EQ(metrics.at("executed_ipc").value(), 1.5);
  EXPECT_DOUBLE_EQ(metrics.at("achieved_occupancy").value(), 20);
  EXPECT_DOUBLE_EQ(metrics.at("l2_hit_rate").value(), 60);
}

TEST(MetricsTest, AmountsAreByTheSecondOfLaunchesWithoutCounters) {
  const std::vector<CounterValues> launches = {Launch({1, 10, 3e6, 0, 0, 0}, 1000),
                                               Launch({1, 10, 1e6, 2e6, 0, 0}, 9000)};
  EXPECT_DOUBLE_EQ(ByName(launches).at("global_load_throughput").value(), 4e11);  // 4 MB in 10 us
  EXPECT_DOUBLE_EQ(ByName(launches, 2e-6).at("global_load_throughput").value(), 1e12);
  EXPECT_DOUBLE_EQ(ByName(launches, 2e-6).at("global_store_throughput").value(), 0.5e12);
}

TEST(MetricsTest, ValuesThatAreNoNumbersDoNotCount) {
  const double nan = std::nan("");
  const auto metrics = ByName({Launch({1, 10, 5, 5, nan, nan}, 10), Launch({1, 10, 5, 5, 80, nan}, 10)});
  EXPECT_DOUBLE_EQ(metrics.at("l2_hit_rate").value(), 80);
  EXPECT_EQ(metrics.count("l1_hit_rate"), 0u);
  EXPECT_TRUE(ByName({}).empty());
  EXPECT_TRUE(ByName({Launch({1, 10, 5, 5, 1, 1}, 0)}).empty());
  EXPECT_TRUE(ByName({CounterValues{1, 10}}).empty());
}

const std::vector<double> kTable2 = {1, 10, 0, 0, 50, 50};

TEST(MetricsTest, AFusedOperationIsTwoForTheRoofline) {
  const auto metrics = ByName({Launch(kTable2, 1000, 1e6, {.add = 2e6, .multiply = 4e6, .fused = 7e6})});
  EXPECT_DOUBLE_EQ(metrics.at("flop_throughput").value(), 2e13);  // 20 million in 1 us
  EXPECT_DOUBLE_EQ(metrics.at("flop_throughput").normalised(), 0.5);
  EXPECT_DOUBLE_EQ(metrics.at("arithmetic_intensity").value(), 20);
  EXPECT_EQ(metrics.at("arithmetic_intensity").normalised(), 1);  // the ridge is at 10
}

TEST(MetricsTest, ThePeakIsThatOfTheMixtureOfPrecisions) {
  const auto metrics = ByName({Launch(kTable2, 1000, 4e6, {.fused = 1e6}, {.fused = 1e6})});
  const v1::Metric& rate = metrics.at("flop_throughput");
  EXPECT_DOUBLE_EQ(rate.value(), 4e12);
  EXPECT_DOUBLE_EQ(rate.value() / rate.normalised(), 4 / (2 / 4e13 + 2 / 2e13));
  EXPECT_DOUBLE_EQ(metrics.at("arithmetic_intensity").value(), 1);
}

TEST(MetricsTest, TheRooflineSumsLaunchesAndUsesTheirOwnTime) {
  const std::vector<CounterValues> launches = {Launch(kTable2, 1000, 1e6, {.add = 3e6}),
                                               Launch(kTable2, 3000, 3e6, {.add = 1e6})};
  EXPECT_DOUBLE_EQ(ByName(launches).at("flop_throughput").value(), 1e12);
  EXPECT_DOUBLE_EQ(ByName(launches, 1e-6).at("flop_throughput").value(), 2e12);
  EXPECT_DOUBLE_EQ(ByName(launches).at("arithmetic_intensity").value(), 1);
}

TEST(MetricsTest, WithoutOperationsOrBytesThereIsNoPlaceUnderTheRoof) {
  EXPECT_EQ(ByName({Launch(kTable2, 1000, 1e6)}).size(), 6u);
  const auto cached = ByName({Launch(kTable2, 1000, 0, {.add = 1e6})});
  EXPECT_EQ(cached.count("flop_throughput"), 1u);
  EXPECT_EQ(cached.count("arithmetic_intensity"), 0u);
  CounterValues unknown = Launch(kTable2, 1000, 1e6, {.add = 1e6});
  unknown[unknown.size() - 3] = 0;  // the peak of single precision
  EXPECT_EQ(ByName({unknown}).size(), 6u);
}

}  // namespace
}  // namespace tune
