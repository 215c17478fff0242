#include "client/cli/objective_options.h"

#include "absl/strings/str_cat.h"
#include "client/cli/session.h"

namespace tune {

void AddObjectiveOptions(CLI::App& verb, v1::SearchOptions& search, std::vector<std::string>& metrics,
                         const std::string& group) {
  verb.add_option_function<std::string>(
          "--objective", [&search](const std::string& name) { search.set_objective(name); },
          "What the search makes small: time; energy of a run, power or edp (energy x time), by a GPU's "
          "NVML; or "
          "a --metric. Default: time")
      ->type_name("NAME")
      ->group(group);
  verb.add_flag_callback(
          "--maximise", [&search] { search.set_maximise(true); },
          "More of the objective, a --metric, is better")
      ->group(group);
  verb.add_option("--metric", metrics,
                  "A quantity of each candidate, such as 'gflops=2*n**3/time/1e9': an expression over the "
                  "parameters, the sizes, time (s) and, on a GPU, energy (J) and power (W). May be repeated")
      ->type_name("NAME=EXPRESSION")
      ->allow_extra_args(false)
      ->group(group);
  verb.add_flag_callback(
          "--energy", [&search] { search.set_energy(true); },
          "Measure the energy of each correct candidate, which takes about three seconds, also where nothing "
          "else needs it; on a GPU alone")
      ->group(group);
}

absl::StatusOr<std::vector<v1::MetricDefinition>> ParseMetrics(const std::vector<std::string>& texts) {
  std::vector<v1::MetricDefinition> metrics;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return UsageError(absl::StrCat("--metric ", text, ": write NAME=EXPRESSION, such as rate=n/time"));
    v1::MetricDefinition& metric = metrics.emplace_back();
    metric.set_name(text.substr(0, equals));
    metric.set_expression(text.substr(equals + 1));
  }
  return metrics;
}

}  // namespace tune
