// A texture object of linear device memory, or of an array of the driver's.
#pragma once

#include <utility>

#include "tune/v1/runner.pb.h"
#include "worker/cuda/device_session.h"

namespace tune {

// Memory of a texture that interpolates, wraps or has several dimensions. Freed by the destructor. `session`
// outlives it.
class TextureMemory {
 public:
  // Precondition: the form has extents.
  static absl::StatusOr<TextureMemory> Make(const DeviceSession& session, const v1::TextureForm& form);
  ~TextureMemory();
  TextureMemory(TextureMemory&& other) noexcept;
  TextureMemory& operator=(TextureMemory&&) = delete;

  CUarray handle() const { return handle_; }
  // Enqueues a copy of the elements at `source`, the first extent fastest.
  absl::Status CopyFrom(CUdeviceptr source) const;

 private:
  TextureMemory(const DeviceSession& session, v1::TextureForm form)
      : session_(&session), form_(std::move(form)) {}

  const DeviceSession* session_;
  v1::TextureForm form_;
  CUarray handle_ = nullptr;
};

// Destroyed by the destructor. `session` outlives it.
class TextureObject {
 public:
  // Of `bytes` at `address`, as one word an element, or two for elements of 8 bytes. INVALID_ARGUMENT for
  // other types; the driver's errors.
  static absl::StatusOr<TextureObject> Make(const DeviceSession& session, CUdeviceptr address, int64_t bytes,
                                            v1::ElementType type);
  // Of elements of the form, which has no extents.
  static absl::StatusOr<TextureObject> MakeLinear(const DeviceSession& session, CUdeviceptr address,
                                                  int64_t bytes, const v1::TextureForm& form);
  // As the form says; integers of 8 and 16 bits that are interpolated are read as numbers from 0 or -1 to 1.
  static absl::StatusOr<TextureObject> Make(const DeviceSession& session, const TextureMemory& memory,
                                            const v1::TextureForm& form);
  ~TextureObject();
  TextureObject(TextureObject&& other) noexcept
      : session_(other.session_), handle_(std::exchange(other.handle_, 0)) {}
  TextureObject& operator=(TextureObject&&) = delete;

  CUtexObject handle() const { return handle_; }

 private:
  explicit TextureObject(const DeviceSession& session) : session_(&session) {}
  static absl::StatusOr<TextureObject> Make(const DeviceSession& session, const CUDA_RESOURCE_DESC& resource,
                                            const CUDA_TEXTURE_DESC& description);

  const DeviceSession* session_;
  CUtexObject handle_ = 0;
};

}  // namespace tune
