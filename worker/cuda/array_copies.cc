#include "worker/cuda/array_copies.h"

namespace tune {

absl::Status ArrayCopies::Copy(CUdeviceptr target, CUdeviceptr source, size_t bytes) const {
  return session_->Check(session_->driver().cuMemcpyDtoDAsync(target, source, bytes, session_->stream()),
                         "cuMemcpyDtoDAsync");
}

absl::Status ArrayCopies::Give() const {
  for (const Variable& variable : variables_)
    TUNE_RETURN_IF_ERROR(Copy(variable.address, variable.array, variable.bytes));
  for (const auto& [memory, array] : textures_) TUNE_RETURN_IF_ERROR(memory.CopyFrom(array));
  return absl::OkStatus();
}

absl::Status ArrayCopies::TakeBack() const {
  for (const Variable& variable : variables_) {
    if (variable.is_output) TUNE_RETURN_IF_ERROR(Copy(variable.array, variable.address, variable.bytes));
  }
  return absl::OkStatus();
}

}  // namespace tune
