// Inputs that no candidate of a study has seen, and what the region makes of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "worker/reference/recorded_run.h"
#include "worker/run/output_check.h"

namespace tune {

// Fresh bytes of the array of this index, which recorded ones it may change.
using FreshBytes =
    std::function<absl::StatusOr<std::string>(int array, absl::string_view recorded, uint64_t seed)>;

// Where fresh inputs come from, and what computes their outputs.
struct FreshSource {
  const StudyArrays* arrays = nullptr;
  std::string what;  // that computes: "the region, run alone"
  RecordedProgram program;
  std::vector<FreshBytes> ways;  // of changing inputs; one is taken where those before it did not do
  OutputTolerance tolerance;
  std::string nothing_changes;  // what there is to say where no array differs from the recorded one
};

// Makes sets of them, with seeds that nobody can know, runs the program on them and puts all into
// data->folder: fresh/SET/in, fresh/SET/out. Three of what is small and soon done, whose runs may be slow by
// chance, else one. A way of changing inputs does where outputs stay finite, and within the tolerance when
// these inputs change by a few roundings: else a right candidate, which rounds in another order, would be
// refused (elimination without pivots, of a matrix that is no more definite). What they are left out for, or
// empty; an error status is CANCELLED, or the disk's.
absl::StatusOr<std::string> MakeFreshSets(const FreshSource& source, ReferenceData* data);

// A line of `log` where they are left out.
void TellNoFreshInputs(absl::string_view why, std::string* log);

// Makes them from the recorded inputs, but for those that say which elements are accessed: each value by
// itself, or all of an array alike (fresh_values.h). The region computes their outputs: the user's own text;
// as extracted, where that does not compile outside of its function. Where there are none a line of `log`
// says why. An error status is CANCELLED, or the disk's.
absl::Status MakeFreshInputs(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log);

}  // namespace tune
