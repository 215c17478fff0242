#include "common/transform/register_sums/device_sums.h"

#include <algorithm>

#include "common/transform/register_sums/register_sums.h"

namespace tune {
namespace {

class DeviceSumsTransformation : public CudaTransformation {
  const char* name() const override { return "register_sums"; }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    const std::vector<ReferenceName>& constant = pass.kernel.constant_reads;
    const auto is_other = [&](const std::string& statement, int access) {
      return std::find(constant.begin(), constant.end(), ReferenceName(statement, access)) != constant.end();
    };
    KeepSumsInRegisters(pass.scop, is_other, &kernel->body);
  }
};

}  // namespace

const CudaTransformation& DeviceSums() {
  static const DeviceSumsTransformation transformation;
  return transformation;
}

}  // namespace tune
