#include "worker/print/matrix_functions.h"

#include "absl/strings/str_cat.h"
#include "common/program/warp_product.h"
#include "worker/print/half_product_text.h"
#include "worker/print/warp_product_text.h"

namespace tune {

std::string MatrixFunctions(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names) {
  bool floats = false, halves = false;
  for (const DeviceKernel& kernel : program.kernels) {
    ForEachNode(kernel.body, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop == nullptr || !loop->warp_product) return;
      const auto product = FindWarpProduct(*loop, kernel, program.arrays, scop, names);
      (product.value().halves.empty() ? floats : halves) = true;
    });
  }
  return absl::StrCat(floats ? Tf32Functions(names) : "", halves ? HalfFunctions(names) : "");
}

}  // namespace tune
