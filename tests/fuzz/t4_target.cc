// Files of results of other tuners.
#include "client/exchange/bounded_json.h"
#include "client/exchange/t4.h"
#include "tests/fuzz/sample_studies.h"
#include "tests/fuzz/targets.h"

namespace tune::testing {
namespace {

void FuzzT4(absl::string_view input) {
  const absl::StatusOr<Json> json = ParseBoundedJson(input);
  if (!json.ok()) return;
  const absl::StatusOr<v1::ArchivedStudy> study = ReadT4(*json, "fuzz");
  if (study.ok()) WriteT4(*study).IgnoreError();
}

std::vector<std::string> T4Seeds() {
  return {WriteT4(StudyOf(GemmScop())).value().dump(),
          R"({"schema_version": "1.1.0", "metadata": {"timeunit": "seconds"}, "results": [{"timestamp":
          "2020-01-01T00:00:00Z", "configuration": {"x": 32, "y": "a"}, "times": {"runtimes": [1, 2.5]},
          "invalidity": "correct", "correctness": 1, "objectives": ["time"], "measurements":
          [{"name": "time", "value": 1.5, "unit": "ms", "type": "Double"}]}]})"};
}

}  // namespace

FuzzTarget T4Target() { return {"t4", FuzzT4, T4Seeds}; }

}  // namespace tune::testing
