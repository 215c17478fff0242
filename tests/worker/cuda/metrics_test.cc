#include "worker/cuda/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace tune {
namespace {

constexpr double kBandwidth = 4.8e12;

std::map<std::string, v1::Metric> ByName(const std::vector<CounterValues>& launches,
                                         double launch_seconds = 0) {
  std::map<std::string, v1::Metric> metrics;
  for (const v1::Metric& metric : MakeMetrics(launches, kBandwidth, launch_seconds))
    metrics[metric.name()] = metric;
  return metrics;
}

TEST(MetricsTest, EachIsNormalisedByItsOwnPeak) {
  const auto metrics = ByName({{{2.5, 60, 1.2e6, 2.4e6, 75, 40}, 1000}});  // 1 us
  ASSERT_EQ(metrics.size(), 6u);
  EXPECT_DOUBLE_EQ(metrics.at("executed_ipc").value(), 2.5);
  EXPECT_DOUBLE_EQ(metrics.at("executed_ipc").normalised(), 0.625);
  EXPECT_DOUBLE_EQ(metrics.at("achieved_occupancy").normalised(), 0.6);
  EXPECT_DOUBLE_EQ(metrics.at("global_load_throughput").value(), 1.2e12);
  EXPECT_DOUBLE_EQ(metrics.at("global_load_throughput").normalised(), 0.25);
  EXPECT_DOUBLE_EQ(metrics.at("global_store_throughput").normalised(), 0.5);
  EXPECT_DOUBLE_EQ(metrics.at("l2_hit_rate").normalised(), 0.75);
  EXPECT_DOUBLE_EQ(metrics.at("l1_hit_rate").normalised(), 0.4);
}

TEST(MetricsTest, LoadsThatTheCachesServeMayExceedTheMemory) {
  const auto metrics = ByName({{{4.001, 100, 1e5, 0, 100, 100}, 5}});
  EXPECT_EQ(metrics.at("executed_ipc").normalised(), 1);
  EXPECT_EQ(metrics.at("global_load_throughput").value(), 2e13);
  EXPECT_EQ(metrics.at("global_load_throughput").normalised(), 1);
  EXPECT_EQ(metrics.at("global_store_throughput").normalised(), 0);
}

TEST(MetricsTest, LaunchesWeighByTheirTime) {
  const auto metrics = ByName({{{1, 10, 0, 0, 50, 0}, 3000}, {{3, 50, 0, 0, 90, 0}, 1000}});
  EXPECT_DOUBLE_EQ(metrics.at("executed_ipc").value(), 1.5);
  EXPECT_DOUBLE_EQ(metrics.at("achieved_occupancy").value(), 20);
  EXPECT_DOUBLE_EQ(metrics.at("l2_hit_rate").value(), 60);
}

TEST(MetricsTest, AmountsAreByTheSecondOfLaunchesWithoutCounters) {
  const std::vector<CounterValues> launches = {{{1, 10, 3e6, 0, 0, 0}, 1000},
                                               {{1, 10, 1e6, 2e6, 0, 0}, 9000}};
  EXPECT_DOUBLE_EQ(ByName(launches).at("global_load_throughput").value(), 4e11);  // 4 MB in 10 us
  EXPECT_DOUBLE_EQ(ByName(launches, 2e-6).at("global_load_throughput").value(), 1e12);
  EXPECT_DOUBLE_EQ(ByName(launches, 2e-6).at("global_store_throughput").value(), 0.5e12);
}

TEST(MetricsTest, ValuesThatAreNoNumbersDoNotCount) {
  const double nan = std::nan("");
  const auto metrics = ByName({{{1, 10, 5, 5, nan, nan}, 10}, {{1, 10, 5, 5, 80, nan}, 10}});
  EXPECT_DOUBLE_EQ(metrics.at("l2_hit_rate").value(), 80);
  EXPECT_EQ(metrics.count("l1_hit_rate"), 0u);
  EXPECT_TRUE(ByName({}).empty());
  EXPECT_TRUE(ByName({{{1, 10, 5, 5, 1, 1}, 0}}).empty());
}

}  // namespace
}  // namespace tune
