#include "server/study/study_space.h"

#include "common/evaluation/generator.h"
#include "common/kernel_definition/configuration_reader.h"
#include "common/scop/parameter_values.h"
#include "common/space/cpu_space.h"
#include "common/space/cuda_device_options.h"
#include "common/space/ppcg_record.h"
#include "common/space/shared_space.h"
#include "server/search/parameter_search_space.h"

namespace tune {
namespace {

// A target's space as strategies see it: its decisions, without the plan that they make.
template <typename TargetSpace>
class StudySpace : public Space {
 public:
  StudySpace(std::unique_ptr<TargetSpace> space, ScheduleLevel level)
      : space_(std::move(space)), level_(level) {}
  absl::Status Walk(Chooser& chooser) override { return space_->Walk(chooser, level_).status(); }

 private:
  const std::unique_ptr<TargetSpace> space_;
  const ScheduleLevel level_;
};

class PpcgSpace : public Space {
 public:
  PpcgSpace(std::unique_ptr<ScheduleSpace> schedules, PpcgRecord record, const PpcgSpaceOptions& options)
      : schedules_(std::move(schedules)), record_(std::move(record)), options_(options) {}

  absl::Status Walk(Chooser& chooser) override {
    ScheduleSpace* const builtin = record_.has_builtin_schedules() ? schedules_.get() : nullptr;
    const auto shapes = [this](const PpcgSchedulePlan& schedule) { return record_.Shapes(schedule); };
    return WalkPpcg(builtin, shapes, options_, chooser).status();
  }

 private:
  const std::unique_ptr<ScheduleSpace> schedules_;
  const PpcgRecord record_;
  const PpcgSpaceOptions options_;
};

class SharedSpace : public Space {
 public:
  absl::Status Walk(Chooser& chooser) override { return WalkShared(chooser).status(); }
};

CpuSpaceOptions CpuOptionsOfStudy(const v1::StudySpec&, const v1::Device& device) {
  CpuSpaceOptions options;
  options.hardware_threads = device.cores() > 0 ? device.cores() : 1;
  return options;
}

CudaSpaceOptions CudaOptionsOfStudy(const v1::StudySpec& spec, const v1::Device& device) {
  return CudaOptionsOf(device, spec.rounding());
}

// `options_of`: a study's options of the target's space.
template <typename TargetSpace, typename Options>
SpaceFactory FactoryOf(Options (*options_of)(const v1::StudySpec& spec, const v1::Device& device)) {
  return [options_of](const v1::StudySpec& spec, const v1::Reference& reference,
                      const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    TUNE_ASSIGN_OR_RETURN(const ScheduleLevel level, ParseScheduleLevel(spec.search().level()));
    const std::map<std::string, int64_t> values = ParameterValueMap(reference);
    TUNE_ASSIGN_OR_RETURN(
        std::unique_ptr<TargetSpace> space,
        TargetSpace::Make(WithParameterFacts(spec.scop(), values), values, options_of(spec, device)));
    return std::make_unique<StudySpace<TargetSpace>>(std::move(space), level);
  };
}

}  // namespace

SpaceFactory CpuStudySpace() { return FactoryOf<CpuSpace>(CpuOptionsOfStudy); }

SpaceFactory CudaStudySpace() { return FactoryOf<CudaSpace>(CudaOptionsOfStudy); }

SpaceFactory PpcgStudySpace() {
  return [](const v1::StudySpec& spec, const v1::Reference& reference,
            const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    const std::map<std::string, int64_t> values = ParameterValueMap(reference);
    TUNE_ASSIGN_OR_RETURN(PpcgRecord record, PpcgRecord::Read(reference));
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> schedules,
                          ScheduleSpace::Make(WithParameterFacts(spec.scop(), values), values, {}));
    return std::make_unique<PpcgSpace>(std::move(schedules), std::move(record), PpcgOptionsOf(device));
  };
}

SpaceFactory SharedStudySpace() {
  return [](const v1::StudySpec&, const v1::Reference&,
            const v1::Device&) -> absl::StatusOr<std::unique_ptr<Space>> {
    return std::make_unique<SharedSpace>();
  };
}

SpaceFactory KernelStudySpace() {
  return [](const v1::StudySpec& spec, const v1::Reference&,
            const v1::Device&) -> absl::StatusOr<std::unique_ptr<Space>> {
    TUNE_ASSIGN_OR_RETURN(const ConfigurationReader reader, ConfigurationReader::Make(spec.kernel()));
    return std::make_unique<ParameterSearchSpace>(reader.space(), reader.default_choice());
  };
}

SpaceFactory StudySpaces() {
  return [cpu = CpuStudySpace(), cuda = CudaStudySpace(), ppcg = PpcgStudySpace(),
          shared = SharedStudySpace(),
          kernel = KernelStudySpace()](const v1::StudySpec& spec, const v1::Reference& reference,
                                       const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    if (spec.has_kernel()) return kernel(spec, reference, device);
    if (device.target() == v1::CPU) return cpu(spec, reference, device);
    if (device.target() == v1::CUDA && spec.generator() == kSharedGenerator)
      return shared(spec, reference, device);
    const bool by_ppcg = spec.generator() == kPpcgGenerator;
    if (device.target() == v1::CUDA && by_ppcg) return ppcg(spec, reference, device);
    if (device.target() == v1::CUDA) return cuda(spec, reference, device);
    return absl::InvalidArgumentError(absl::StrCat("the study is bound to ", device.model(),
                                                   ", a device of target ", static_cast<int>(device.target()),
                                                   ", which this server does not know; update it"));
  };
}

}  // namespace tune
