// Candidates of tests/programs for the `cuda` target.
#pragma once

#include <string>
#include <utility>

#include "common/decision/configuration.h"
#include "tests/common/testing/random_chooser.h"
#include "worker/codegen/cuda_generator.h"

namespace tune {

// Little isl work: a random schedule that needs more is a candidate's outcome, not a fault. Counted, so that
// it is the same one on a busy machine.
inline IslContext::Limits LittleWork() {
  IslContext::Limits limits;
  limits.operations = 2'000'000;
  limits.processor_time = absl::Minutes(10);
  return limits;
}

// One configuration and its program.
struct Candidate {
  std::string configuration;
  CudaProgram program;
};

// The default configuration for seed 0, else a random one; its mapping is checked, which takes most of the
// time, where `check` says so.
inline absl::StatusOr<Candidate> MakeCandidate(CudaSpace& space, const v1::Reference& reference,
                                               uint64_t seed, bool check = true) {
  DefaultChooser standard;
  testing::RandomChooser random(seed);
  RecordingChooser recording(seed == 0 ? static_cast<Chooser*>(&standard) : &random);
  TUNE_ASSIGN_OR_RETURN(const CudaPlan plan, space.Walk(recording));
  // A check that is too hard says nothing about the mapping.
  const absl::Status checked = check ? CheckCuda(plan, space.options(), reference) : absl::OkStatus();
  if (!absl::IsResourceExhausted(checked)) TUNE_RETURN_IF_ERROR(checked);
  TUNE_ASSIGN_OR_RETURN(CudaProgram program, GenerateCuda(plan, space.options(), reference));
  return Candidate{PrintConfiguration(recording.configuration()), std::move(program)};
}

}  // namespace tune
