// What the device's counters say about a kernel: the metrics of the paper's Table 2, and its place under the
// roofs.
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
// arithmetic_intensity, flop_throughput: common/evaluation/roofline_metric.h
//
// CUPTI's names of what is read for them, for compute capability 7.5 and newer; the last is a range's time in
// nanoseconds: the weight of its values.
const std::vector<std::string>& CounterNames();

// The counters of one launch, in the order of CounterNames().
using CounterValues = std::vector<double>;

// What the device can do at most; both more than 0.
struct DevicePeaks {
  double memory_bandwidth = 0;  // bytes a second
  double clock = 0;             // cycles a second of the multiprocessors
};

// Means over the launches, weighted by their time; amounts of all of them over the time of all. A value that
// is no finite number (a hit rate without an access) does not count; a metric without values is left out, as
// are those of the roofline for a kernel without floating-point operations. normalised is 0..1: a cache may
// deliver more than the memory could. `launch_seconds`: of the kernel's launches on average, where it is
// known from runs without counters (0: not known): a range lasts longer than the launch in it.
std::vector<v1::Metric> MakeMetrics(const std::vector<CounterValues>& launches, const DevicePeaks& peaks,
                                    double launch_seconds);

}  // namespace tune
