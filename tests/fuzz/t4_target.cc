// Files of results of other tuners.
#include "client/exchange/bounded_json.h"
#include "client/exchange/kernel_tuner_cache.h"
#include "client/exchange/t4.h"
#include "tests/fuzz/sample_studies.h"
#include "tests/fuzz/targets.h"

namespace tune::testing {
namespace {

void FuzzT4(absl::string_view input) {
  const absl::StatusOr<Json> json = ParseBoundedJson(input);
  if (!json.ok()) return;
  const absl::StatusOr<v1::ArchivedStudy> study =
      IsKernelTunerCache(*json) ? ReadKernelTunerCache(*json, "fuzz") : ReadT4(*json, "fuzz");
  if (!study.ok()) return;
  WriteT4(*study).IgnoreError();
  WriteKernelTunerCache(*study).IgnoreError();
}

std::vector<std::string> T4Seeds() {
  return {WriteT4(StudyOf(GemmScop())).value().dump(),
          R"({"schema_version": "1.1.0", "metadata": {"timeunit": "seconds"}, "results": [{"timestamp":
          "2020-01-01T00:00:00Z", "configuration": {"x": 32, "y": "a"}, "times": {"runtimes": [1, 2.5]},
          "invalidity": "correct", "correctness": 1, "objectives": ["energy"], "measurements":
          [{"name": "time", "value": 1.5, "unit": "ms", "type": "Double"}, {"name": "energy", "value": 2,
          "unit": "mJ"}, {"name": "GB/s", "value": 7}]}]})",
          R"({"tune_params_keys": ["x"], "objective": ["GFLOP/s"], "tuned": {"maximise": true}, "cache": {"1":
          {"x": 1, "time": 2.5, "times": [2, 3], "nvml_power": 200, "GFLOP/s": 9.5, "compile_time": 3},
          "2": {"x": 2, "time": "RuntimeFailedConfig"}}})"};
}

}  // namespace

FuzzTarget T4Target() { return {"t4", FuzzT4, T4Seeds}; }

}  // namespace tune::testing
