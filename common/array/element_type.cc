#include "common/array/element_type.h"

#include "absl/strings/str_join.h"

namespace tune {

size_t ElementSize(v1::ElementType type) {
  switch (type) {
    case v1::ELEMENT_TYPE_SHORT:
    case v1::ELEMENT_TYPE_UNSIGNED_SHORT:
    case v1::ELEMENT_TYPE_FLOAT16:
      return sizeof(short);
    case v1::ELEMENT_TYPE_INT:
    case v1::ELEMENT_TYPE_UNSIGNED_INT:
      return sizeof(int);
    case v1::ELEMENT_TYPE_LONG:
    case v1::ELEMENT_TYPE_UNSIGNED_LONG:
      return sizeof(long);
    case v1::ELEMENT_TYPE_FLOAT:
      return sizeof(float);
    case v1::ELEMENT_TYPE_DOUBLE:
      return sizeof(double);
    case v1::ELEMENT_TYPE_COMPLEX_FLOAT:
      return 2 * sizeof(float);
    case v1::ELEMENT_TYPE_COMPLEX_DOUBLE:
      return 2 * sizeof(double);
    default:
      return 1;
  }
}

int64_t CAlignment(v1::ElementType type) { return static_cast<int64_t>(ElementSize(ComponentType(type))); }

absl::string_view ElementCType(v1::ElementType type) {
  switch (type) {
    case v1::ELEMENT_TYPE_SIGNED_CHAR:
      return "signed char";
    case v1::ELEMENT_TYPE_UNSIGNED_CHAR:
      return "unsigned char";
    case v1::ELEMENT_TYPE_SHORT:
      return "short";
    case v1::ELEMENT_TYPE_UNSIGNED_SHORT:
      return "unsigned short";
    case v1::ELEMENT_TYPE_INT:
      return "int";
    case v1::ELEMENT_TYPE_UNSIGNED_INT:
      return "unsigned int";
    case v1::ELEMENT_TYPE_LONG:
      return "long";
    case v1::ELEMENT_TYPE_UNSIGNED_LONG:
      return "unsigned long";
    case v1::ELEMENT_TYPE_FLOAT:
      return "float";
    case v1::ELEMENT_TYPE_DOUBLE:
      return "double";
    case v1::ELEMENT_TYPE_FLOAT16:
      return kHalfType;
    case v1::ELEMENT_TYPE_COMPLEX_FLOAT:
      return kComplexFloatType;
    case v1::ELEMENT_TYPE_COMPLEX_DOUBLE:
      return kComplexDoubleType;
    default:
      return "char";
  }
}

bool IsFloating(v1::ElementType type) {
  return type == v1::ELEMENT_TYPE_FLOAT || type == v1::ELEMENT_TYPE_DOUBLE ||
         type == v1::ELEMENT_TYPE_FLOAT16 || IsComplex(type);
}

bool IsComplex(v1::ElementType type) { return ComponentType(type) != type; }

bool IsComplexType(absl::string_view c_type) {
  return c_type == kComplexFloatType || c_type == kComplexDoubleType;
}

v1::ElementType ComponentType(v1::ElementType type) {
  if (type == v1::ELEMENT_TYPE_COMPLEX_FLOAT) return v1::ELEMENT_TYPE_FLOAT;
  return type == v1::ELEMENT_TYPE_COMPLEX_DOUBLE ? v1::ELEMENT_TYPE_DOUBLE : type;
}

absl::StatusOr<int64_t> ArrayBytes(absl::string_view array, v1::ElementType type,
                                   const std::vector<int64_t>& extents) {
  int64_t bytes = static_cast<int64_t>(ElementSize(type));
  for (int64_t extent : extents) {
    if (extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes)) {
      return absl::InvalidArgumentError(
          absl::StrCat("array ", array, "[", absl::StrJoin(extents, "]["),
                       "]: ", extent < 0 ? "an extent is negative" : "its size does not fit 63 bits"));
    }
  }
  return bytes;
}

}  // namespace tune
