// A texture object of linear device memory.
#pragma once

#include <utility>

#include "tune/v1/scop.pb.h"
#include "worker/cuda/device_session.h"

namespace tune {

// Destroyed by the destructor. `session` outlives it.
class TextureObject {
 public:
  // Of `bytes` at `address`, as one word an element, or two for elements of 8 bytes. INVALID_ARGUMENT for
  // other types; the driver's errors.
  static absl::StatusOr<TextureObject> Make(const DeviceSession& session, CUdeviceptr address, int64_t bytes,
                                            v1::ElementType type);
  ~TextureObject();
  TextureObject(TextureObject&& other) noexcept
      : session_(other.session_), handle_(std::exchange(other.handle_, 0)) {}
  TextureObject& operator=(TextureObject&&) = delete;

  CUtexObject handle() const { return handle_; }

 private:
  explicit TextureObject(const DeviceSession& session) : session_(&session) {}

  const DeviceSession* session_;
  CUtexObject handle_ = 0;
};

}  // namespace tune
