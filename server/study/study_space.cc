#include "server/study/study_space.h"

namespace tune {

SpaceFactory StudySpaces() {
  return [cpu = CpuStudySpace(), cuda = CudaStudySpace()](
             const v1::StudySpec& spec, const v1::Reference& reference,
             const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    if (device.target() == v1::CPU) return cpu(spec, reference, device);
    if (device.target() == v1::CUDA) return cuda(spec, reference, device);
    return absl::InvalidArgumentError(absl::StrCat("the study is bound to ", device.model(),
                                                   ", a device of target ", static_cast<int>(device.target()),
                                                   ", which this server does not know; update it"));
  };
}

}  // namespace tune
