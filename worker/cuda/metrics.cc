#include "worker/cuda/metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "common/evaluation/roofline_metric.h"

namespace tune {
namespace {

constexpr double kSchedulers = 4;  // of a multiprocessor; each starts one instruction a cycle at most

// A metric that is one counter.
struct MetricSource {
  const char* name;
  const char* counter;
  bool amount = false;  // of a launch, that the metric has by the second
};
constexpr MetricSource kSources[] = {
    {"executed_ipc", "sm__inst_executed.avg.per_cycle_active"},
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"global_load_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", true},
    {"global_store_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", true},
    {"l2_hit_rate", "lts__t_sector_hit_rate.pct"},
    {"l1_hit_rate", "l1tex__t_sector_hit_rate.pct"},
};
constexpr size_t kSourceCount = std::size(kSources);

// What follows the sources in CounterNames(): the amounts of the roofline, then constants of the device.
enum RooflineCounter : size_t {
  kMemoryBytes = kSourceCount,
  kFloatAdd,
  kFloatMultiply,
  kFloatFused,
  kDoubleAdd,
  kDoubleMultiply,
  kDoubleFused,
  kFloatFusedPeak,   // threads' instructions a cycle
  kDoubleFusedPeak,  // likewise
  kTime,
  kCounterCount
};

double Peak(const std::string& name, const DevicePeaks& peaks) {
  if (name == "executed_ipc") return kSchedulers;
  if (name == "global_load_throughput" || name == "global_store_throughput") return peaks.memory_bandwidth;
  return 100;  // percent
}

v1::Metric MakeMetric(const std::string& name, double value, double normalised) {
  v1::Metric metric;
  metric.set_name(name);
  metric.set_value(value);
  metric.set_normalised(std::clamp(normalised, 0.0, 1.0));
  return metric;
}

bool Counts(const CounterValues& launch, size_t counter) {
  return launch.size() == kCounterCount && launch[kTime] > 0 && std::isfinite(launch[counter]);
}

// The time that an amount of the launch belongs to.
double Seconds(const CounterValues& launch, double launch_seconds) {
  return launch_seconds > 0 ? launch_seconds : 1e-9 * launch[kTime];
}

// Sums over the launches of a kernel.
struct DeviceWork {
  double operations = 0;
  double bytes = 0;
  double seconds = 0;
  double least_cycles = 0;  // that the operations take
};

// Cycles of operations of which the device does `peak` a cycle.
double LeastCycles(double operations, double peak) { return operations > 0 ? operations / peak : 0; }

void AddWork(const CounterValues& launch, double launch_seconds, DeviceWork* work) {
  const double single = launch[kFloatAdd] + launch[kFloatMultiply] + 2 * launch[kFloatFused];
  const double twice = launch[kDoubleAdd] + launch[kDoubleMultiply] + 2 * launch[kDoubleFused];
  work->operations += single + twice;
  work->bytes += launch[kMemoryBytes];
  work->seconds += Seconds(launch, launch_seconds);
  work->least_cycles +=
      LeastCycles(single, 2 * launch[kFloatFusedPeak]) + LeastCycles(twice, 2 * launch[kDoubleFusedPeak]);
}

void AddRoofline(const std::vector<CounterValues>& launches, const DevicePeaks& peaks, double launch_seconds,
                 std::vector<v1::Metric>* metrics) {
  DeviceWork work;
  for (const CounterValues& launch : launches) {
    bool counts = true;
    for (size_t i = kMemoryBytes; i < kTime; ++i) counts = counts && Counts(launch, i);
    if (counts) AddWork(launch, launch_seconds, &work);
  }
  const double peak = work.operations * peaks.clock / work.least_cycles;  // operations a second
  if (!std::isfinite(peak) || !(peak > 0)) return;
  const double rate = work.operations / work.seconds;
  metrics->push_back(MakeMetric(kFlopThroughput, rate, rate / peak));
  if (!(work.bytes > 0)) return;  // all of it was in the caches
  const double intensity = work.operations / work.bytes;
  metrics->push_back(MakeMetric(kArithmeticIntensity, intensity, intensity * peaks.memory_bandwidth / peak));
}

}  // namespace

const std::vector<std::string>& CounterNames() {
  static const auto* const names = [] {
    auto* all = new std::vector<std::string>;
    for (const MetricSource& source : kSources) all->push_back(source.counter);
    all->push_back("dram__bytes.sum");
    for (const char* operation : {"fadd", "fmul", "ffma", "dadd", "dmul", "dfma"})
      all->push_back(std::string("sm__sass_thread_inst_executed_op_") + operation + "_pred_on.sum");
    for (const char* fused : {"ffma", "dfma"})
      all->push_back(std::string("sm__sass_thread_inst_executed_op_") + fused +
                     "_pred_on.sum.peak_sustained");
    all->push_back("gpu__time_duration.sum");
    return all;
  }();
  return *names;
}

std::vector<v1::Metric> MakeMetrics(const std::vector<CounterValues>& launches, const DevicePeaks& peaks,
                                    double launch_seconds) {
  std::vector<v1::Metric> metrics;
  for (size_t i = 0; i < kSourceCount; ++i) {
    double sum = 0, weight = 0;
    for (const CounterValues& launch : launches) {
      if (!Counts(launch, i)) continue;
      const bool amount = kSources[i].amount;
      sum += launch[i] * (amount ? 1 : launch[kTime]);
      weight += amount ? Seconds(launch, launch_seconds) : launch[kTime];
    }
    if (weight == 0) continue;
    const double value = sum / weight;
    metrics.push_back(MakeMetric(kSources[i].name, value, value / Peak(kSources[i].name, peaks)));
  }
  AddRoofline(launches, peaks, launch_seconds, &metrics);
  return metrics;
}

}  // namespace tune
