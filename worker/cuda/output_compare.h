// Comparison of outputs on the device.
#pragma once

#include <optional>

#include "tune/v1/runner.pb.h"
#include "worker/cuda/device_memory.h"
#include "worker/cuda/utility_kernels.h"
#include "worker/run/output_check.h"

namespace tune {

// Of all elements: UtilityKernels::Compare.
struct OutputSums {
  double difference_square = 0, expected_square = 0, difference_sum = 0, largest = 0, largest_relative = 0;
};

// Says what worker/run/output_check.h says, but the arrays stay on the device unless they differ too much (or
// the sums of squares leave the range of a double: then the host compares, with more digits).
class OutputCompare {
 public:
  // `kernels` may be null: everything is then compared on the host. Both outlive this object.
  static absl::StatusOr<OutputCompare> Make(const DeviceSession& session, const UtilityKernels* kernels);

  // Both have the elements of `array`. Waits for the stream.
  absl::StatusOr<v1::ArrayError> Compare(const v1::RunnerArray& array, const DeviceMemory& expected,
                                         const DeviceMemory& found, const OutputTolerance& tolerance);

  // Byte for byte.
  absl::StatusOr<bool> Same(const DeviceMemory& a, const DeviceMemory& b);

 private:
  OutputCompare(const DeviceSession& session, const UtilityKernels* kernels)
      : session_(&session), kernels_(kernels) {}
  absl::StatusOr<OutputSums> SumUp(v1::ElementType type, CUdeviceptr expected, CUdeviceptr found,
                                   int64_t count);

  const DeviceSession* session_;
  const UtilityKernels* kernels_;
  std::optional<DeviceMemory> partial_;  // absent without kernels
};

}  // namespace tune
