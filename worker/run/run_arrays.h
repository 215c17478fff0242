// The arrays of a job inside the runner.
#pragma once

#include <optional>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/runner.pb.h"
#include "worker/run/fault_report.h"
#include "worker/run/guarded_memory.h"
#include "worker/run/output_check.h"

namespace tune {

// Memory, inputs and expected outputs of every array of a job. The memory is shared with the processes of the
// candidates, which have the inputs too, but neither the expected outputs nor what belongs to fresh inputs.
class RunArrays {
 public:
  // Maps inputs and expected outputs, and makes the memory; RestoreAll has been called once. Errors are the
  // worker's fault or the system's, not the candidate's.
  static absl::StatusOr<RunArrays> Load(const v1::RunnerJob& job);

  // Gives every array that is not read-only its input again.
  void Restore();
  // Every array. For the judge: in a candidate's process some cannot be written to.
  void RestoreAll();

  // Sets of inputs that the candidates have not seen, one of each array that has an input.
  int fresh_sets() const { return fresh_sets_; }
  // Gives every array its input of the set.
  void GiveFresh(int set);

  // In a candidate's process: a write to a read-only array ends it from now on.
  absl::Status ProtectReadOnly();

  // tune_region's argument.
  void** pointers() { return pointers_.data(); }

  // Where the arrays lie, in the order of the job.
  std::vector<ArrayRange> Ranges() const;

  // One entry for each array that has an expected output; on recorded inputs, and on fresh ones.
  std::vector<v1::ArrayError> Check(const OutputTolerance& tolerance) const;
  std::vector<v1::ArrayError> CheckFresh(int set, const OutputTolerance& tolerance) const;

  // Name of an array behind whose end something was written within the last page, or empty.
  std::string OverrunArray() const;

  // Writes every array that is not read-only to folder/NAME.bin.
  absl::Status Record(const std::string& folder) const;

 private:
  static constexpr int kRecorded = -1;  // in place of a fresh set
  struct Values {
    std::optional<MappedFile> input, expected;
  };
  struct Entry {
    const v1::RunnerArray* array = nullptr;  // into the job
    std::optional<GuardedMemory> memory;     // absent when declared inside the region
    Values recorded;
    std::vector<Values> fresh;
    const Values& Of(int set) const { return set == kRecorded ? recorded : fresh[set]; }
  };
  RunArrays() = default;
  static absl::StatusOr<Entry> LoadEntry(const v1::RunnerArray& array, bool huge_pages);
  std::vector<v1::ArrayError> Compare(int set, const OutputTolerance& tolerance) const;
  void Give(int set, bool all);

  std::vector<Entry> entries_;
  std::vector<void*> pointers_;
  int fresh_sets_ = 0;
};

}  // namespace tune
