#include "worker/check/program_warps_check.h"

#include <set>

#include "common/program/warp_product.h"

namespace tune {

absl::Status CheckWarpProducts(const CheckedKernel& checked) {
  if (!HasWarpProducts(*checked.kernel)) return absl::OkStatus();
  DeviceKernel kernel = *checked.kernel;
  std::set<const Loop*> products;  // those that are right
  ForEachUniformLoop(checked.names, &kernel, [&](Loop* loop) {
    if (FindWarpProduct(*loop, kernel, checked.program->arrays, checked.scop->proto, checked.names))
      products.insert(loop);
  });
  absl::Status status;
  ForEachNode(kernel.body, [&](const Node& node) {
    if (node.As<BlockReduction>() != nullptr)
      status = checked.Fault("threads that warps' products arrange combine values of their own");
    const auto* const loop = node.As<Loop>();
    if (loop != nullptr && loop->warp_product && products.count(loop) == 0)
      status = checked.Fault("the loop of ", loop->iterator, " is no product that a warp can compute");
  });
  return status;
}

}  // namespace tune
