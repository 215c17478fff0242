#include "client/report/kernel_table.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/report/table.h"
#include "client/report/units.h"

namespace tune {
namespace {

using Align = Table::Align;

// 0 is "not known".
std::string CountOrNothing(int64_t count) { return count > 0 ? absl::StrCat(count) : "-"; }

std::string PrintFacts(const v1::Evaluation& evaluation) {
  double total = 0;
  for (const v1::KernelEvaluation& kernel : evaluation.kernels()) total += kernel.seconds();
  Table table({{"kernel"},
               {"function"},
               {"launches", Align::kRight},
               {"time", Align::kRight},
               {"share", Align::kRight},
               {"threads", Align::kRight},
               {"registers", Align::kRight},
               {"shared", Align::kRight},
               {"local", Align::kRight},
               {"blocks/mp", Align::kRight}});
  for (const v1::KernelEvaluation& kernel : evaluation.kernels()) {
    const bool timed = kernel.seconds() > 0;
    table.AddRow({kernel.name(), kernel.function(), absl::StrCat(kernel.launches()),
                  timed ? FormatSeconds(kernel.seconds()) : "-",
                  timed ? absl::StrFormat("%.1f%%", 100 * kernel.seconds() / total) : "-",
                  CountOrNothing(kernel.threads_per_block()), CountOrNothing(kernel.registers()),
                  FormatBytes(kernel.shared_bytes()), FormatBytes(kernel.local_bytes()),
                  CountOrNothing(kernel.blocks_per_multiprocessor())});
  }
  return table.Print();
}

// Of all kernels, in the order in which they first occur.
std::vector<std::string> MetricNames(const v1::Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const v1::KernelEvaluation& kernel : evaluation.kernels()) {
    for (const v1::Metric& metric : kernel.metrics()) {
      if (std::find(names.begin(), names.end(), metric.name()) == names.end()) names.push_back(metric.name());
    }
  }
  return names;
}

std::string MetricCell(const v1::KernelEvaluation& kernel, const std::string& name) {
  for (const v1::Metric& metric : kernel.metrics()) {
    if (metric.name() == name) {
      return absl::StrFormat("%.3g (%.0f%%)", metric.value(), 100 * metric.normalised());
    }
  }
  return "-";
}

std::string PrintMetrics(const v1::Evaluation& evaluation, const std::vector<std::string>& names) {
  std::vector<Table::Column> columns = {{"function"}};
  for (const std::string& name : names) columns.push_back({name, Align::kRight});
  Table table(columns);
  for (const v1::KernelEvaluation& kernel : evaluation.kernels()) {
    std::vector<std::string> row = {kernel.function()};
    for (const std::string& name : names) row.push_back(MetricCell(kernel, name));
    table.AddRow(std::move(row));
  }
  return table.Print();
}

}  // namespace

std::string KernelTable(const v1::Evaluation& evaluation) {
  if (evaluation.kernels().empty()) return "";
  std::string text = PrintFacts(evaluation);
  const std::vector<std::string> metrics = MetricNames(evaluation);
  if (!metrics.empty()) absl::StrAppend(&text, "\n", PrintMetrics(evaluation, metrics));
  return text;
}

}  // namespace tune
