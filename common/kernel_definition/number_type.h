// What arguments of kernels are made of.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/expression/value.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// An element: `lanes` numbers of one type.
struct ElementForm {
  v1::NumberType type = v1::NUMBER_TYPE_UNSPECIFIED;
  int lanes = 1;

  bool operator==(const ElementForm&) const = default;
};

// Of "float", "float4", "int32", "uint8", "half2", "custom", and of C's and CUDA's names: "unsigned int",
// "size_t", "uint32_t", "uchar4", "__half2". INVALID_ARGUMENT with the names that there are.
absl::StatusOr<ElementForm> ParseElementType(absl::string_view text);

// "float4", "int32": one that ParseElementType reads.
std::string ElementName(const ElementForm& form);
ElementForm FormOf(const v1::KernelArgument& argument);

// 1, 2, 3, 4, 8 or 16.
bool IsLaneCount(int lanes);
// Bytes of one number; 0 of NUMBER_CUSTOM.
int NumberBytes(v1::NumberType type);
// Bytes of an element.
int64_t ElementBytes(const v1::KernelArgument& argument);

// INVALID_ARGUMENT, "300 does not fit into uint8", where a number of the type cannot be the value. Floats are
// rounded; custom structs can be all zeros alone.
absl::Status CheckFits(const Value& value, v1::NumberType type);

}  // namespace tune
