// The arrays of a job inside the runner.
#pragma once

#include <optional>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/runner.pb.h"
#include "worker/run/guarded_memory.h"
#include "worker/run/output_check.h"
#include "worker/run/run_report.h"

namespace tune {

// Memory, inputs and expected outputs of every array of a job.
class RunArrays {
 public:
  // Maps inputs and expected outputs, and makes the memory; Restore has been called once. Errors are the
  // worker's fault or the system's, not the candidate's.
  static absl::StatusOr<RunArrays> Load(const v1::RunnerJob& job);

  // Gives every array that is not read-only its input again.
  void Restore();

  // tune_region's argument.
  void** pointers() { return pointers_.data(); }

  // Where the arrays lie, in the order of the job.
  std::vector<ArrayRange> Ranges() const;

  // One entry for each array that has an expected output.
  std::vector<v1::ArrayError> Check(const OutputTolerance& tolerance) const;

  // Name of an array behind whose end something was written within the last page, or empty.
  std::string OverrunArray() const;

  // Writes every array that is not read-only to folder/NAME.bin.
  absl::Status Record(const std::string& folder) const;

 private:
  struct Entry {
    const v1::RunnerArray* array;         // into the job
    std::optional<GuardedMemory> memory;  // absent when declared inside the region
    std::optional<MappedFile> input, expected;
  };
  RunArrays() = default;

  std::vector<Entry> entries_;
  std::vector<void*> pointers_;
};

}  // namespace tune
