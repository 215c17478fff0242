// How often loops iterate, as comments of the kernels' source say it.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/kernel_definition/definition_names.h"
#include "tune/v1/program.pb.h"
#include "worker/ptx/compiled_kernels.h"

namespace tune {

// `// tune: trips EXPRESSION`: the loop whose head or condition stands on the line `line` iterates so often
// each time that it is entered, on average.
struct TripNote {
  int line = 0;            // from 1
  std::string expression;  // of a configuration (kernel.proto)
};

// The notes of a source. One that stands alone on its line is of the next line that has code.
std::vector<TripNote> TripNotesIn(absl::string_view source);

// Those of all sources and headers of the program, at a configuration. FAILED_PRECONDITION with file and
// line: an expression that has no value there, or none from 0 on.
absl::StatusOr<std::vector<SourceTrips>> TripsOfSources(const v1::Program& program, const NamedValues& names);

}  // namespace tune
