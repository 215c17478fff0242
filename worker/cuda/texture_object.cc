#include "worker/cuda/texture_object.h"

#include <algorithm>

#include "common/array/element_type.h"

namespace tune {
namespace {

CUarray_format FormatOf(v1::ElementType type) {
  if (type == v1::ELEMENT_TYPE_FLOAT) return CU_AD_FORMAT_FLOAT;
  return type == v1::ELEMENT_TYPE_UNSIGNED_INT ? CU_AD_FORMAT_UNSIGNED_INT32 : CU_AD_FORMAT_SIGNED_INT32;
}

struct NumberFormat {
  CUarray_format format;
  size_t bytes;
};

NumberFormat FormatOf(v1::NumberType type) {
  switch (type) {
    case v1::NUMBER_INT8:
      return {CU_AD_FORMAT_SIGNED_INT8, 1};
    case v1::NUMBER_UINT8:
      return {CU_AD_FORMAT_UNSIGNED_INT8, 1};
    case v1::NUMBER_INT16:
      return {CU_AD_FORMAT_SIGNED_INT16, 2};
    case v1::NUMBER_UINT16:
      return {CU_AD_FORMAT_UNSIGNED_INT16, 2};
    case v1::NUMBER_INT32:
      return {CU_AD_FORMAT_SIGNED_INT32, 4};
    case v1::NUMBER_UINT32:
      return {CU_AD_FORMAT_UNSIGNED_INT32, 4};
    case v1::NUMBER_HALF:
      return {CU_AD_FORMAT_HALF, 2};
    default:
      return {CU_AD_FORMAT_FLOAT, 4};
  }
}

CUaddress_mode ModeOf(v1::TextureAddress address) {
  switch (address) {
    case v1::TEXTURE_BORDER:
      return CU_TR_ADDRESS_MODE_BORDER;
    case v1::TEXTURE_WRAP:
      return CU_TR_ADDRESS_MODE_WRAP;
    case v1::TEXTURE_MIRROR:
      return CU_TR_ADDRESS_MODE_MIRROR;
    default:
      return CU_TR_ADDRESS_MODE_CLAMP;
  }
}

CUDA_TEXTURE_DESC DescriptionOf(const v1::TextureForm& form) {
  CUDA_TEXTURE_DESC description = {};
  std::fill_n(description.addressMode, 3, ModeOf(form.address()));
  description.filterMode = form.linear() ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (!form.linear()) description.flags |= CU_TRSF_READ_AS_INTEGER;
  if (form.normalized()) description.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  return description;
}

// 0 where there is none.
size_t Extent(const v1::TextureForm& form, int axis) {
  return axis < form.extents_size() ? static_cast<size_t>(form.extents(axis)) : 0;
}

}  // namespace

absl::StatusOr<TextureMemory> TextureMemory::Make(const DeviceSession& session, const v1::TextureForm& form) {
  TextureMemory memory(session, form);
  CUDA_ARRAY3D_DESCRIPTOR shape = {};
  shape.Width = Extent(form, 0);
  shape.Height = Extent(form, 1);
  shape.Depth = Extent(form, 2);
  shape.Format = FormatOf(form.type()).format;
  shape.NumChannels = static_cast<unsigned>(form.lanes());
  TUNE_RETURN_IF_ERROR(
      session.Check(session.driver().cuArray3DCreate(&memory.handle_, &shape),
                    absl::StrCat("a texture of ", shape.Width, " x ", shape.Height, " x ", shape.Depth)));
  return memory;
}

TextureMemory::~TextureMemory() {
  if (handle_ != nullptr) session_->driver().cuArrayDestroy(handle_);
}

TextureMemory::TextureMemory(TextureMemory&& other) noexcept
    : session_(other.session_),
      form_(std::move(other.form_)),
      handle_(std::exchange(other.handle_, nullptr)) {}

absl::Status TextureMemory::CopyFrom(CUdeviceptr source) const {
  const size_t row = Extent(form_, 0) * FormatOf(form_.type()).bytes * static_cast<size_t>(form_.lanes());
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = source;
  copy.srcPitch = row;
  copy.srcHeight = std::max<size_t>(1, Extent(form_, 1));
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = handle_;
  copy.WidthInBytes = row;
  copy.Height = copy.srcHeight;
  copy.Depth = std::max<size_t>(1, Extent(form_, 2));
  return session_->Check(session_->driver().cuMemcpy3DAsync(&copy, session_->stream()), "cuMemcpy3DAsync");
}

absl::StatusOr<TextureObject> TextureObject::Make(const DeviceSession& session,
                                                  const CUDA_RESOURCE_DESC& resource,
                                                  const CUDA_TEXTURE_DESC& description) {
  TextureObject object(session);
  TUNE_RETURN_IF_ERROR(
      session.Check(session.driver().cuTexObjectCreate(&object.handle_, &resource, &description, nullptr),
                    "cuTexObjectCreate"));
  return object;
}

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
  return Make(session, resource, CUDA_TEXTURE_DESC{});
}

absl::StatusOr<TextureObject> TextureObject::MakeLinear(const DeviceSession& session, CUdeviceptr address,
                                                        int64_t bytes, const v1::TextureForm& form) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = address;
  resource.res.linear.format = FormatOf(form.type()).format;
  resource.res.linear.numChannels = static_cast<unsigned>(form.lanes());
  resource.res.linear.sizeInBytes = static_cast<size_t>(bytes);
  return Make(session, resource, DescriptionOf(form));
}

absl::StatusOr<TextureObject> TextureObject::Make(const DeviceSession& session, const TextureMemory& memory,
                                                  const v1::TextureForm& form) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = memory.handle();
  return Make(session, resource, DescriptionOf(form));
}

TextureObject::~TextureObject() {
  if (handle_ != 0) session_->driver().cuTexObjectDestroy(handle_);
}

}  // namespace tune
