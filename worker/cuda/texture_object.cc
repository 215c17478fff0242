#include "worker/cuda/texture_object.h"

#include "common/array/element_type.h"

namespace tune {
namespace {

CUarray_format FormatOf(v1::ElementType type) {
  if (type == v1::ELEMENT_TYPE_FLOAT) return CU_AD_FORMAT_FLOAT;
  return type == v1::ELEMENT_TYPE_UNSIGNED_INT ? CU_AD_FORMAT_UNSIGNED_INT32 : CU_AD_FORMAT_SIGNED_INT32;
}

}  // namespace

absl::StatusOr<TextureObject> TextureObject::Make(const DeviceSession& session, CUdeviceptr address,
                                                  int64_t bytes, v1::ElementType type) {
  const size_t size = ElementSize(type);
  if (size < 4) return absl::InvalidArgumentError("a texture of elements with less than 4 bytes");
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = address;
  resource.res.linear.format = FormatOf(type);
  resource.res.linear.numChannels = size == 8 ? 2 : 1;
  resource.res.linear.sizeInBytes = static_cast<size_t>(bytes);
  const CUDA_TEXTURE_DESC description = {};
  TextureObject object(session);
  TUNE_RETURN_IF_ERROR(
      session.Check(session.driver().cuTexObjectCreate(&object.handle_, &resource, &description, nullptr),
                    "cuTexObjectCreate"));
  return object;
}

TextureObject::~TextureObject() {
  if (handle_ != 0) session_->driver().cuTexObjectDestroy(handle_);
}

}  // namespace tune
