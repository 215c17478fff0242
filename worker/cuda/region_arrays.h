// A job's arrays on the device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/v1/runner.pb.h"
#include "worker/cuda/array_copies.h"
#include "worker/cuda/device_memory.h"
#include "worker/cuda/loaded_candidate.h"
#include "worker/cuda/output_compare.h"

namespace tune {

// What a candidate's launch sequence is called with.
struct CandidateMemory {
  std::vector<DeviceMemory> own;  // of arrays declared inside the region, and of the candidate's own
  std::vector<std::string> own_names;
  std::optional<ArrayCopies> copies;  // destroyed after the textures
  std::vector<TextureObject> textures;
  std::vector<void*> memory;  // device addresses, then the textures' bits (worker/print/launch_sequence.h)
  std::vector<const void*> host;  // of values that are passed
};

// Of each array with an input: the input, which candidates never see, a copy for them to work on, and the
// expected output if it is compared.
class RegionArrays {
 public:
  // Reads all files of the job. RESOURCE_EXHAUSTED: the device is too small for the program; other errors are
  // the worker's fault or the system's.
  static absl::StatusOr<RegionArrays> Load(const DeviceSession& session, const v1::CudaJob& job);

  // Of device memory, all arrays together.
  int64_t bytes() const;

  // Arrays are matched by name: a candidate's may stand in another order than the job's, without some that
  // are declared inside the region and with others of its own. RESOURCE_EXHAUSTED: the candidate's own arrays
  // do not fit. FAILED_PRECONDITION: its module lacks a variable of an array's size. INVALID_ARGUMENT: the
  // candidate expects a larger array than the job has, the worker's fault. The result is valid as long as
  // this object and `loaded`, which is the candidate.
  absl::StatusOr<CandidateMemory> Bind(const v1::CudaCandidate& candidate,
                                       const LoadedCandidate& loaded) const;

  // Compares inputs and expected outputs on the device with the files, which takes long, and copies what
  // differs again. True when something did: a candidate wrote where it owns nothing.
  absl::StatusOr<bool> Repair();

  // Enqueues copies of the inputs over what a candidate left: of all arrays, or of those that the region may
  // write. Returns the bytes copied.
  absl::StatusOr<int64_t> RestoreAll() { return Restore(true); }
  absl::StatusOr<int64_t> RestoreWritten() { return Restore(false); }

  // Sets of inputs that no candidate has seen (RunnerArray.fresh), which stay on the host.
  int fresh_sets() const;
  // Gives all arrays, and the values that are passed, those of the set; and the recorded ones again. The
  // files are read, with the errors of Load.
  absl::Status GiveFresh(int set);
  absl::Status GiveRecorded();

  // Name of an array behind whose end something was written, or empty; the pattern is then restored.
  absl::StatusOr<std::string> OverrunArray(CandidateMemory& memory);

  // Name of an array that the region only reads and that differs from its input, or empty.
  absl::StatusOr<std::string> ChangedInput(OutputCompare& compare) const;

  // Writes what arrays hold that are not read only to FOLDER/NAME.bin. Errors of the disk, too.
  absl::Status Record(const std::string& folder) const;

  // One entry for each array that has an expected output.
  absl::StatusOr<std::vector<v1::ArrayError>> Check(OutputCompare& compare,
                                                    const OutputTolerance& tolerance) const;
  // The same with what is expected for fresh inputs.
  absl::StatusOr<std::vector<v1::ArrayError>> CheckFresh(int set, OutputCompare& compare,
                                                         const OutputTolerance& tolerance) const;

 private:
  struct Entry {
    v1::RunnerArray array;
    std::optional<DeviceMemory> input, working, expected;  // absent when declared inside the region
    // The bytes of a scalar, aligned for any type: those that are passed, and those recorded.
    std::vector<uint64_t> value, recorded_value;
  };
  explicit RegionArrays(const DeviceSession& session) : session_(&session) {}
  absl::Status LoadEntry(const v1::RunnerArray& array);
  absl::StatusOr<int64_t> Restore(bool all);
  absl::Status BindVariables(const v1::CudaCandidate& candidate, const LoadedCandidate& loaded,
                             CandidateMemory* bound) const;
  absl::Status BindTextures(const v1::CudaCandidate& candidate, CandidateMemory* bound) const;
  absl::StatusOr<TextureObject> MakeTexture(const v1::CudaTexture& texture, CUdeviceptr address,
                                            int64_t bytes, CandidateMemory* bound) const;

  const DeviceSession* session_;
  std::vector<Entry> entries_;
};

}  // namespace tune
