// The runner's own kernels.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tune/v1/scop.pb.h"
#include "worker/cuda/device_session.h"

namespace tune {

// Compiled with NVRTC for the session's device, once a process.
class UtilityKernels {
 public:
  // Threads of a block of the comparing kernels; their `partial` has kCompareSums doubles for each block.
  static constexpr int kCompareThreads = 256;
  static constexpr int kCompareSums = 5;

  // NOT_FOUND without NVRTC, INTERNAL when it does not know the device. Whoever has no kernels does without:
  // outputs are then compared on the host, and clocks are not warmed.
  static absl::StatusOr<std::unique_ptr<UtilityKernels>> Make(const DeviceSession& session);

  // CUDA text of all of them; of those that compare arrays of these types; and the name of the latter.
  static std::string Text();
  static std::string ComparisonText(const std::vector<v1::ElementType>& types);
  static std::string ComparisonName(v1::ElementType type);

  // For each block and in this order, over its elements: the sum of squared differences, the sum of squares
  // of finite expected values, the sum of differences, the largest one, and the largest of those above
  // kLeastRelatedDifference over what is expected. All is enqueued only.
  absl::Status Compare(v1::ElementType type, CUdeviceptr expected, CUdeviceptr found, int64_t count,
                       CUdeviceptr partial, int blocks) const;

  // Keeps one multiprocessor busy for this time, touching no memory.
  absl::Status Wait(double seconds) const;

  // Keeps every multiprocessor busy for so many clocks.
  absl::Status SpinClocks(int64_t clocks) const;

 private:
  explicit UtilityKernels(const DeviceSession& session) : session_(session) {}
  absl::StatusOr<CUfunction> Function(const std::string& name) const;

  const DeviceSession& session_;
  std::map<v1::ElementType, CUfunction> compare_;
  CUfunction wait_ = nullptr, spin_ = nullptr;
  CUmodule module_ = nullptr;  // stays loaded
};

}  // namespace tune
