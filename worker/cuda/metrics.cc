#include "worker/cuda/metrics.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr double kSchedulers = 4;  // of a multiprocessor; each starts one instruction a cycle at most

double Peak(const std::string& name, double memory_bandwidth) {
  if (name == "executed_ipc") return kSchedulers;
  if (name == "global_load_throughput" || name == "global_store_throughput") return memory_bandwidth;
  return 100;  // percent
}

}  // namespace

const char kTimeCounter[] = "gpu__time_duration.sum";

const std::vector<MetricSource>& MetricSources() {
  static const auto* const sources = new std::vector<MetricSource>{
      {"executed_ipc", "sm__inst_executed.avg.per_cycle_active"},
      {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
      {"global_load_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum", true},
      {"global_store_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum", true},
      {"l2_hit_rate", "lts__t_sector_hit_rate.pct"},
      {"l1_hit_rate", "l1tex__t_sector_hit_rate.pct"},
  };
  return *sources;
}

std::vector<v1::Metric> MakeMetrics(const std::vector<CounterValues>& launches, double memory_bandwidth,
                                    double launch_seconds) {
  std::vector<v1::Metric> metrics;
  for (size_t i = 0; i < MetricSources().size(); ++i) {
    double sum = 0, weight = 0;
    for (const CounterValues& launch : launches) {
      if (i >= launch.values.size() || !std::isfinite(launch.values[i]) || !(launch.time > 0)) continue;
      const bool amount = MetricSources()[i].amount;
      sum += launch.values[i] * (amount ? 1 : launch.time);
      weight += !amount ? launch.time : launch_seconds > 0 ? launch_seconds : 1e-9 * launch.time;
    }
    if (weight == 0) continue;
    v1::Metric metric;
    metric.set_name(MetricSources()[i].name);
    metric.set_value(sum / weight);
    metric.set_normalised(std::clamp(metric.value() / Peak(metric.name(), memory_bandwidth), 0.0, 1.0));
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

}  // namespace tune
