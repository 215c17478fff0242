// The space of the cuda target as strategies see it.
#include "common/scop/parameter_values.h"
#include "common/space/cuda_device_options.h"
#include "server/study/study_space.h"

namespace tune {
namespace {

class CudaStudySpaceAdaptor : public Space {
 public:
  explicit CudaStudySpaceAdaptor(std::unique_ptr<CudaSpace> space) : space_(std::move(space)) {}
  absl::Status Walk(Chooser& chooser) override { return space_->Walk(chooser).status(); }

 private:
  std::unique_ptr<CudaSpace> space_;
};

}  // namespace

SpaceFactory CudaStudySpace() {
  return [](const v1::StudySpec& spec, const v1::Reference& reference,
            const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    const std::map<std::string, int64_t> values = ParameterValueMap(reference);
    TUNE_ASSIGN_OR_RETURN(
        std::unique_ptr<CudaSpace> space,
        CudaSpace::Make(WithParameterFacts(spec.scop(), values), values, CudaOptionsOf(device)));
    return std::make_unique<CudaStudySpaceAdaptor>(std::move(space));
  };
}

}  // namespace tune
