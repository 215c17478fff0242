#include "worker/parts/shared_generator.h"

#include "absl/strings/str_cat.h"
#include "common/base/fingerprint.h"
#include "common/decision/configuration.h"
#include "common/scop/parameter_values.h"
#include "common/space/shared_space.h"
#include "worker/parts/parts_file.h"

namespace tune {
namespace {

// Of one kernel, as the dimensions of its format are.
std::vector<int64_t> BlockOf(const SharedFormat& format, const ParametricKernel& kernel) {
  if (kernel.shares_sums && !kernel.neighbours_share) return {format.x, format.y};
  if (kernel.FormatDimensions() == 1) return {format.x * format.y};
  std::vector<int64_t> block = {format.y, format.x};
  block.insert(block.begin(), kernel.FormatDimensions() - 2, 1);
  return block;
}

class SharedGenerator : public CodeGenerator {
 public:
  SharedGenerator(DiscussedParts parts, const v1::Reference& reference, std::string model)
      : parts_(std::move(parts)), reference_(reference), model_(std::move(model)) {}

  absl::StatusOr<GeneratedProgram> Generate(const v1::Configuration& configuration) override {
    ReplayChooser chooser(configuration);
    TUNE_ASSIGN_OR_RETURN(const SharedPlan plan, WalkShared(chooser));
    TUNE_RETURN_IF_ERROR(chooser.CheckAllUsed());
    PartWishes wishes;
    wishes.parts = plan.parts;
    wishes.fewer_threads = plan.fewer_threads;
    wishes.formats = FormatsOf(plan.format);
    std::vector<std::string> notes;
    TUNE_ASSIGN_OR_RETURN(v1::CaseDiscussion made, parts_.Print(wishes, &notes));
    GeneratedProgram program;
    program.code = std::move(*made.mutable_code());
    program.device_file = std::move(*made.mutable_device_file());
    program.fingerprint = Fingerprint(absl::StrCat(program.code, "\n", program.device_file));
    return program;
  }

  absl::StatusOr<std::vector<v1::Finding>> Diagnose(const v1::Configuration&,
                                                    const v1::Diagnosis& diagnosis) override {
    if (diagnosis.check_mapping() || !diagnosis.stages().empty())
      return absl::InvalidArgumentError(
          "regions that CPU and GPU share have no stages to show; `tunectl replay` without --check and "
          "--dump runs the candidate again");
    return std::vector<v1::Finding>();
  }

 private:
  // The same for all kernels of the region, at the study's sizes.
  v1::CaseFormats FormatsOf(const SharedFormat& format) const {
    v1::CaseFormats formats;
    if (format.of_tables) return formats;
    for (const ParametricKernel& kernel : parts_.kernels()) {
      if (kernel.axes == 0) continue;
      v1::CaseFormat& one = *formats.add_formats();
      one.set_kernel(kernel.name);
      one.set_device(model_);
      *one.mutable_parameters() = reference_.parameters();
      for (const int64_t threads : BlockOf(format, kernel)) one.add_block(threads);
      one.set_points(format.points);
      one.set_strip(format.strip);
    }
    return formats;
  }

  const DiscussedParts parts_;
  const v1::Reference reference_;
  const std::string model_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CodeGenerator>> MakeSharedGenerator(const v1::Scop& scop,
                                                                   const v1::Reference& reference,
                                                                   const std::string& model, bool exact) {
  std::vector<std::string> notes;
  TUNE_ASSIGN_OR_RETURN(DiscussedParts parts, DiscussedParts::Make(scop, /*architecture=*/"", exact, &notes));
  TUNE_RETURN_IF_ERROR(parts.CheckSizes(ParameterValueMap(reference)));
  return std::make_unique<SharedGenerator>(std::move(parts), reference, model);
}

}  // namespace tune
