#include "common/transform/wide_loads/wide_loads.h"

#include "common/transform/wide_loads/wide_loops.h"

namespace tune {
namespace {

class WideLoadsTransformation : public CudaTransformation {
  const char* name() const override { return "wide_loads"; }

  void ApplyAfterBarriers(const KernelPass& pass, DeviceKernel* kernel) const override {
    WidenLoops(pass.scop, pass.arrays, kernel);
  }
};

}  // namespace

const CudaTransformation& WideLoads() {
  static const WideLoadsTransformation transformation;
  return transformation;
}

}  // namespace tune
