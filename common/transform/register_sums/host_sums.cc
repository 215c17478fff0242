#include "common/transform/register_sums/host_sums.h"

#include "common/transform/register_sums/register_sums.h"

namespace tune {
namespace {

class HostSumsTransformation : public OpenMpTransformation {
  const char* name() const override { return "register_sums"; }

  void Apply(const v1::Scop& scop, const HelperNames&, OpenMpProgram* program) const override {
    KeepSumsInRegisters(
        scop, [](const std::string&, int) { return false; }, &program->body);
  }
};

}  // namespace

const OpenMpTransformation& HostSums() {
  static const HostSumsTransformation transformation;
  return transformation;
}

}  // namespace tune
