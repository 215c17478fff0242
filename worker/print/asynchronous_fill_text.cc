#include "worker/print/asynchronous_fill_text.h"

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

constexpr char kFunction[] = "static __device__ __forceinline__ void ";
constexpr char kIfAsynchronous[] = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n";

// Bytes of the copies that kernels begin.
std::set<int64_t> CopySizes(const DeviceProgram& program) {
  std::set<int64_t> sizes;
  for (const DeviceKernel& kernel : program.kernels) {
    ForEachTileFill(kernel, [&](const TileFill& part, const Tile& tile) {
      if (part.asynchronous) sizes.insert(BytesAtOnce(part, tile));
    });
  }
  return sizes;
}

// Sixteen bytes need not stay in the L1 cache, smaller copies have no such form.
std::string CopyFunction(int64_t bytes, const std::string& prefix) {
  const char* const type = bytes == 16 ? "int4" : bytes == 8 ? "int2" : "int";
  return absl::StrCat(kFunction, prefix, "_", bytes, "(void *to, const void *from) {\n", kIfAsynchronous,
                      "  asm volatile(\"cp.async.", bytes == 16 ? "cg" : "ca", ".shared.global [%0], [%1], ",
                      bytes,
                      ";\"\n               : : \"r\"((unsigned)__cvta_generic_to_shared(to)), "
                      "\"l\"(__cvta_generic_to_global(from)) : \"memory\");\n",
                      "#else\n  *(", type, " *)to = *(const ", type, " *)from;\n#endif\n}\n\n");
}

}  // namespace

std::string FillFunctions(const DeviceProgram& program, const std::string& prefix) {
  return FillFunctions(CopySizes(program), prefix);
}

std::string FillFunctions(const std::set<int64_t>& sizes, const std::string& prefix) {
  if (sizes.empty()) return "";
  std::string text;
  for (const int64_t bytes : sizes) text += CopyFunction(bytes, prefix);
  absl::StrAppend(&text, kFunction, prefix, "_commit() {\n", kIfAsynchronous,
                  "  asm volatile(\"cp.async.commit_group;\" : : : \"memory\");\n#endif\n}\n\n");
  absl::StrAppend(&text, "template <int open> ", kFunction, prefix, "_await() {\n", kIfAsynchronous,
                  "  asm volatile(\"cp.async.wait_group %0;\" : : \"n\"(open) : \"memory\");\n#endif\n}\n\n");
  return text;
}

}  // namespace tune
