// Inputs that no candidate of a study has seen, and what the region makes of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/scop.pb.h"
#include "worker/reference/recorded_run.h"

namespace tune {

// The bytes of an array with every floating point value changed by one part in a hundred to one in two
// hundred, up or down, which is far above the tolerances of outputs. Zeros, values that are not finite and
// integers stay, so that indices, sizes and sparsity do.
std::string FreshValues(v1::ElementType type, absl::string_view bytes, uint64_t seed, uint64_t stream);

// Where fresh inputs come from, and what computes their outputs.
struct FreshSource {
  const StudyArrays* arrays = nullptr;
  std::string what;  // that computes: "the region, run alone"
  RecordedProgram program;
  // Fresh bytes of the array of this index, which recorded ones it may change.
  std::function<absl::StatusOr<std::string>(int array, absl::string_view recorded, uint64_t seed)> values;
  std::string nothing_changes;  // what there is to say where no array differs from the recorded one
};

// Makes sets of them, with seeds that nobody can know, runs the program on them and puts all into
// data->folder: fresh/SET/in, fresh/SET/out. Three of what is small and soon done, whose runs may be slow by
// chance, else one. What they are left out for, or empty; an error status is CANCELLED, or the disk's.
absl::StatusOr<std::string> MakeFreshSets(const FreshSource& source, ReferenceData* data);
// A line of `log` where they are left out.
void TellNoFreshInputs(absl::string_view why, std::string* log);

// Makes sets of them from the recorded inputs, but for those that say which elements are accessed, with seeds
// that nobody can know, runs the region on them (the user's own text; as extracted, where that does not
// compile outside of its function), and puts them into data->folder: fresh/SET/in, fresh/SET/out. Three of a
// small region that is soon done, whose runs may be slow by chance, else one. Where that says nothing (no
// value to change, outputs that are not finite where the recorded ones are) or cannot be done there are none,
// and a line of `log` says why. An error status is CANCELLED, or the disk's.
absl::Status MakeFreshInputs(const v1::StudySetup& setup, const ReferenceTools& tools, ReferenceData* data,
                             std::string* log);

}  // namespace tune
