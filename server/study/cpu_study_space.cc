// The space of the cpu target as strategies see it.
#include "common/scop/parameter_values.h"
#include "common/space/cpu_space.h"
#include "server/study/study_space.h"

namespace tune {
namespace {

class CpuStudySpaceAdaptor : public Space {
 public:
  explicit CpuStudySpaceAdaptor(std::unique_ptr<CpuSpace> space) : space_(std::move(space)) {}
  absl::Status Walk(Chooser& chooser) override { return space_->Walk(chooser).status(); }

 private:
  std::unique_ptr<CpuSpace> space_;
};

}  // namespace

SpaceFactory CpuStudySpace() {
  return [](const v1::StudySpec& spec, const v1::Reference& reference,
            const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    const std::map<std::string, int64_t> values = ParameterValueMap(reference);
    CpuSpaceOptions options;
    options.hardware_threads = device.cores() > 0 ? device.cores() : 1;
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CpuSpace> space,
                          CpuSpace::Make(WithParameterFacts(spec.scop(), values), values, options));
    return std::make_unique<CpuStudySpaceAdaptor>(std::move(space));
  };
}

}  // namespace tune
