// Where the inputs and expected outputs of a study lie on the worker.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"
#include "tune/v1/runner.pb.h"
#include "tune/v1/scop.pb.h"
#include "tune/v1/worker_service.pb.h"
#include "worker/build/compiler.h"
#include "worker/run/runner.h"

namespace tune {

// The folder of one study's reference:
//   in/NAME.bin, out/NAME.bin   values of each array that is not declared inside the region, at entry
//                               and exit of its first execution; row-major, the element type's bytes, host
//                               order. out/ holds only arrays that the region writes.
//   fresh/SET/in, fresh/SET/out the same of inputs that no candidate has seen (fresh_inputs.h), where there
//                               are such; SET from 0.
//   reference.pb                v1::Reference, serialized; written last, so its presence means complete.
struct ReferenceData {
  std::string folder;
  v1::Reference reference;
  int fresh_sets = 0;
};

// Arrays of a study, in the order in which candidates get them: those of a scop, or what kernels' arguments
// are.
using StudyArrays = google::protobuf::RepeatedPtrField<v1::Array>;

// Whom the reference run works with; not owned.
struct ReferenceTools {
  Compiler* compiler = nullptr;
  Runner* runner = nullptr;              // null: only for programs with main, and there are no fresh inputs
  Cancellation* cancellation = nullptr;  // may be null
};

// A reference run: RunReference, or another of the same meaning.
using ReferenceRun = std::function<absl::StatusOr<ReferenceData>(
    const v1::StudySetup& setup, const ReferenceTools& tools, const std::string& folder, std::string* log)>;

// Runs the program once, instrumented, under setup.limits, or makes seeded inputs and runs the region alone
// when it has no main. `folder` is made anew. Errors are for the user: one line saying what failed, where
// and what to do; `log` gets the compiler's or the program's output. CANCELLED when the tools' cancellation
// ended it.
absl::StatusOr<ReferenceData> RunReference(const v1::StudySetup& setup, const ReferenceTools& tools,
                                           const std::string& folder, std::string* log);

// Reads what an earlier RunReference left in `folder`. NOT_FOUND when absent or incomplete.
absl::StatusOr<ReferenceData> LoadReference(const std::string& folder);

// The first and the last step of a reference run. An empty folder with in/ and out/:
absl::StatusOr<ReferenceData> BeginReference(const std::string& folder);
// When all arrays are in the folder: what the server recognises them by, and reference.pb.
absl::Status CompleteReference(const StudyArrays& arrays, ReferenceData* data);

// The arrays as tune-runner takes them, in their order: inputs of the reference and, with
// `compare_outputs`, its outputs as what is expected, and fresh inputs and outputs where there are such.
absl::StatusOr<std::vector<v1::RunnerArray>> RunnerArrays(const StudyArrays& arrays,
                                                          const ReferenceData& data, bool compare_outputs);

}  // namespace tune
