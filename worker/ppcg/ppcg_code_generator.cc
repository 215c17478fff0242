#include "worker/ppcg/ppcg_code_generator.h"

#include <algorithm>

#include "common/decision/configuration.h"

namespace tune {
namespace {

class PpcgCodeGenerator : public CodeGenerator {
 public:
  explicit PpcgCodeGenerator(std::unique_ptr<PpcgGenerator> generator) : generator_(std::move(generator)) {}

  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override {
    ReplayChooser chooser(configuration);
    TUNE_ASSIGN_OR_RETURN(const PpcgPlan plan, generator_->Walk(chooser));
    TUNE_RETURN_IF_ERROR(chooser.CheckAllUsed());
    TUNE_ASSIGN_OR_RETURN(CudaProgram program, generator_->Generate(plan));
    return DeviceCode(std::move(program), generator_->scop().proto);
  }

  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration&,
                                                    const v1::Diagnosis& diagnosis) override {
    if (diagnosis.check_mapping()) {
      return absl::InvalidArgumentError(
          "the mapping is ppcg's own: only that of the builtin generator can be checked");
    }
    if (!diagnosis.stages().empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no stage \"", diagnosis.stages(0), "\" of ppcg: instructions"));
    }
    return std::vector<v1::Finding>();
  }

 private:
  const std::unique_ptr<PpcgGenerator> generator_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CodeGenerator>> MakePpcgCodeGenerator(const PpcgProgram& program,
                                                                     const v1::Scop& scop,
                                                                     const v1::Reference& reference,
                                                                     const PpcgOptions& options) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<PpcgGenerator> generator,
                        PpcgGenerator::Make(program, scop, reference, options));
  return std::make_unique<PpcgCodeGenerator>(std::move(generator));
}

absl::Status RecordPpcgSchedules(const PpcgProgram& program, const v1::Scop& scop, const PpcgOptions& options,
                                 int at_once, v1::Reference* reference) {
  reference->clear_ppcg();
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<PpcgGenerator> generator,
                        PpcgGenerator::Make(program, scop, *reference, options));
  TUNE_ASSIGN_OR_RETURN(const std::vector<v1::PpcgSchedule> record, generator->RecordShapes(at_once));
  *reference->mutable_ppcg() = {record.begin(), record.end()};
  const bool failed = std::all_of(record.begin(), record.end(), [](const v1::PpcgSchedule& schedule) {
    return !schedule.failure().empty();
  });
  if (!failed) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "ppcg makes nothing of the region with any schedule; tune it with --generator builtin. With "
      "its own schedule: ",
      record.empty() ? "" : record[0].failure()));
}

}  // namespace tune
