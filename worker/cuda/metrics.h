// What the device's counters say about a kernel: the metrics of the paper's Table 2.
#pragma once

#include <string>
#include <vector>

#include "tune/v1/evaluation.pb.h"

namespace tune {

// name                     value                                     normalised by
// executed_ipc             instructions a cycle and multiprocessor   4, one for each scheduler
// achieved_occupancy       percent of the warps that fit             100
// global_load_throughput   bytes a second asked of the L1 cache      the memory's bandwidth
// global_store_throughput  likewise                                  likewise
// l2_hit_rate              percent of sectors                        100
// l1_hit_rate              percent of sectors, L1 and texture cache  100
struct MetricSource {
  const char* name;
  const char* counter;  // CUPTI's name, for compute capability 7.5 and newer
  bool amount = false;  // of a launch, that the metric has by the second
};
const std::vector<MetricSource>& MetricSources();

// The counter of a range's time, in nanoseconds: the weight of its values.
extern const char kTimeCounter[];

// Counter values of one launch, in the order of MetricSources, and its time.
struct CounterValues {
  std::vector<double> values;
  double time = 0;
};

// Means over the launches, weighted by their time; amounts of all of them over the time of all. A value that
// is no finite number (a hit rate without an access) does not count; a metric without values is left out.
// normalised is 0..1: a cache may deliver more than the memory could. `memory_bandwidth`: bytes a second,
// more than 0. `launch_seconds`: of the kernel's launches on average, where it is known from runs without
// counters: a range lasts longer than the launch in it.
std::vector<v1::Metric> MakeMetrics(const std::vector<CounterValues>& launches, double memory_bandwidth,
                                    double launch_seconds);

}  // namespace tune
