// Launch sequences: C that says which kernels to launch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/file.h"
#include "common/base/status.h"
#include "tests/simt/simulator.h"

namespace tune::simt {

// A loaded sequence (worker/codegen/launch_sequence.h), whose memory is the simulator's.
class LaunchSequence {
 public:
  // INVALID_ARGUMENT with the compiler's words when the text does not compile or does not define
  // tune_launch_sequence.
  static absl::StatusOr<std::unique_ptr<LaunchSequence>> Compile(const std::string& text);
  // One that was compiled before.
  static absl::StatusOr<std::unique_ptr<LaunchSequence>> Load(const std::string& object);
  ~LaunchSequence();
  LaunchSequence(const LaunchSequence&) = delete;
  LaunchSequence& operator=(const LaunchSequence&) = delete;

  // Runs the sequence; its launches run in `simulator` with the dynamic shared memory of their kernels,
  // cooperative where the kernel is. The first error is returned, with the number of the launch; nothing is
  // launched after it.
  absl::Status Run(Simulator& simulator, const std::vector<void*>& memory,
                   const std::vector<const void*>& host, uint64_t seed) const;

 private:
  LaunchSequence() = default;

  std::optional<TemporaryFolder> folder_;  // of one that was compiled here
  void* object_ = nullptr;
  void* function_ = nullptr;
};

// Compiles and runs a sequence once.
absl::Status RunLaunchSequence(const std::string& text, Simulator& simulator,
                               const std::vector<void*>& memory, const std::vector<const void*>& host,
                               uint64_t seed);

}  // namespace tune::simt
