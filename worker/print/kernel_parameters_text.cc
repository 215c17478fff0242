#include "worker/print/kernel_parameters_text.h"

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"

namespace tune {

std::string DeviceParameter(const DeviceArray& array, bool writes, bool restricted) {
  const absl::string_view type = ElementCType(array.type);
  if (array.by_value) return absl::StrCat("const ", type, " ", array.name);
  std::string inner;  // extents below the outermost
  const size_t extents = array.extents.size() - array.of_thread;
  for (size_t i = 1 + array.of_block; array.extent_names.empty() && i < extents; ++i)
    absl::StrAppend(&inner, "[", array.extents[i], "]");
  const std::string pointer = absl::StrCat(restricted ? "*__restrict__ " : "*", array.name);
  return absl::StrCat(writes ? "" : "const ", type, " ",
                      inner.empty() ? pointer : absl::StrCat("(", pointer, ")"), inner);
}

CText ElementOf(const DeviceArray& array, const std::vector<CText>& subscripts) {
  if (array.extent_names.empty() || subscripts.empty()) {
    std::string text = array.name;
    for (const CText& subscript : subscripts) absl::StrAppend(&text, "[", subscript.text, "]");
    return {text, CText::kPostfix};
  }
  CText place = subscripts[0];
  for (size_t i = 1; i < subscripts.size(); ++i) {
    place = BinaryText("+", BinaryText("*", place, {array.extent_names[i], CText::kPostfix}), subscripts[i]);
  }
  return {absl::StrCat(array.name, "[", place.text, "]"), CText::kPostfix};
}

std::string PrintParameters(const DeviceKernel& kernel, const std::vector<DeviceArray>& arrays,
                            const HelperNames& names) {
  std::vector<std::string> parameters;
  for (const KernelArray& used : kernel.arrays) {
    const DeviceArray& array = arrays[used.array];
    const bool restricted =
        !used.shared && (used.loads == ArrayLoads::kReadOnly || used.loads == ArrayLoads::kStreaming);
    parameters.push_back(used.loads == ArrayLoads::kTexture
                             ? absl::StrCat("const cudaTextureObject_t ", array.name)
                             : DeviceParameter(array, used.writes, restricted));
  }
  for (const std::string& size : kernel.sizes)
    parameters.push_back(absl::StrCat("const ", kernel.index_type, " ", size));
  const auto number = [&](const std::string& name, size_t index) {
    parameters.push_back(absl::StrCat("const ", kernel.index_type, " ", name, index));
  };
  for (int depth = 0; depth < kernel.host_depth; ++depth) number(names.host, depth);
  for (size_t axis = 0; axis < kernel.axes.size(); ++axis) {
    if (!kernel.axes[axis].first_is_constant) number(names.first, axis);
  }
  for (size_t axis = 0; kernel.linear_grid && axis + 1 < kernel.axes.size(); ++axis)
    number(names.count, axis);
  if (kernel.is_function) {
    for (const std::string& name : {names.block_index, names.thread_index})
      parameters.push_back(absl::StrCat("const uint3 ", name));
  }
  return absl::StrJoin(parameters, ", ");
}

}  // namespace tune
