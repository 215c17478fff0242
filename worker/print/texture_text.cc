#include "worker/print/texture_text.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "common/array/element_type.h"

namespace tune {
namespace {

// "tune_texture_double"
std::string FunctionName(v1::ElementType type, const std::string& prefix) {
  switch (type) {
    case v1::ELEMENT_TYPE_DOUBLE:
      return prefix + "_double";
    case v1::ELEMENT_TYPE_LONG:
      return prefix + "_long";
    default:
      return prefix + "_unsigned_long";
  }
}

}  // namespace

CText TextureFetch(const DeviceArray& array, const std::vector<CText>& subscripts,
                   const std::string& prefix) {
  CText element = subscripts.at(0);
  for (size_t i = 1; i < subscripts.size(); ++i) {
    element = BinaryText("+", BinaryText("*", element, {absl::StrCat(array.extents[i]), CText::kPostfix}),
                         subscripts[i]);
  }
  const bool one_word = ElementSize(array.type) == 4;
  const std::string function = one_word ? absl::StrCat("tex1Dfetch<", ElementCType(array.type), ">")
                                        : FunctionName(array.type, prefix);
  return CallText(function, {{array.name, CText::kPostfix}, element});
}

std::string TextureFunctions(const std::vector<DeviceArray>& arrays, const std::string& prefix) {
  std::set<v1::ElementType> types;
  for (const DeviceArray& array : arrays) {
    if (array.texture && ElementSize(array.type) == 8) types.insert(array.type);
  }
  std::string text;
  for (const v1::ElementType type : types) {
    const std::string c_type(ElementCType(type));
    const std::string value =
        type == v1::ELEMENT_TYPE_DOUBLE
            ? "__hiloint2double(words.y, words.x)"
            : absl::StrCat("(", c_type, ")((unsigned long)(unsigned)words.y << 32 | (unsigned)words.x)");
    absl::StrAppend(&text, "static __device__ __forceinline__ ", c_type, " ", FunctionName(type, prefix),
                    "(cudaTextureObject_t texture, int element) {\n",
                    "  const int2 words = tex1Dfetch<int2>(texture, element);\n  return ", value, ";\n}\n\n");
  }
  return text;
}

}  // namespace tune
