#include "worker/kernels/kernel_reference.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/array/element_type.h"
#include "common/base/file.h"
#include "common/evaluation/measurement.h"
#include "common/kernel_definition/argument_form.h"
#include "common/kernel_definition/configuration_reader.h"
#include "worker/kernels/argument_values.h"
#include "worker/kernels/kernel_arrays.h"
#include "worker/reference/fresh_inputs.h"

namespace tune {
namespace {

// One reference run.
class KernelReferenceRun {
 public:
  KernelReferenceRun(const v1::StudySetup& setup, const ReferenceTools& tools, const ReferenceDevice* device,
                     std::string* log)
      : setup_(setup), definition_(setup.kernel()), tools_(tools), device_(device), log_(log) {}

  absl::StatusOr<ReferenceData> Run(const std::string& folder) {
    // 1. The arguments.
    TUNE_ASSIGN_OR_RETURN(data_, BeginReference(folder));
    TUNE_RETURN_IF_ERROR(ReadDefinition());
    TUNE_RETURN_IF_ERROR(CheckMemory());
    TUNE_RETURN_IF_ERROR(CheckClocks());
    TUNE_RETURN_IF_ERROR(WriteInputs());
    // 2. What computes the outputs, and its run.
    TUNE_ASSIGN_OR_RETURN(const TemporaryFolder build, TemporaryFolder::Make());
    TUNE_ASSIGN_OR_RETURN(const RecordedProgram program, Compile(build.path() + "/kernels"));
    TUNE_RETURN_IF_ERROR(RunProgram(program));
    TUNE_ASSIGN_OR_RETURN(const bool given, WriteExpected());
    // 3. Other inputs.
    if (given) {
      TellNoFreshInputs("what is expected of an output is given, and holds for the recorded inputs alone",
                        log_);
    } else {
      TUNE_RETURN_IF_ERROR(MakeFresh(program));
    }
    // 4. What the server needs to recognise the data.
    TUNE_RETURN_IF_ERROR(CompleteReference(arrays_, &data_));
    return std::move(data_);
  }

 private:
  absl::Status ReadDefinition() {
    TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition_));
    fill_.study = StudyNames(definition_, problem);
    fill_.program = &setup_.program();
    fill_.cancellation = tools_.cancellation;
    fill_.deadline = absl::Now() + absl::Seconds(setup_.limits().reference_seconds());
    TUNE_ASSIGN_OR_RETURN(arrays_, KernelArrays(definition_));
    TUNE_RETURN_IF_ERROR(DescribeArrays(definition_, arrays_, &data_.reference));
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      if (IsArray(argument)) arguments_.push_back(&argument);
    }
    return absl::OkStatus();
  }

  // Before anything is measured: no configuration could be.
  absl::Status CheckClocks() const {
    std::vector<int> clocks;
    for (const v1::TuningParameterValues& parameter : definition_.parameters()) {
      if (parameter.name() != kGraphicsClock) continue;
      for (const v1::TuningValue& value : parameter.values())
        clocks.push_back(static_cast<int>(value.integer()));
    }
    if (clocks.empty() || device_ == nullptr || device_->tools.devices == nullptr) return absl::OkStatus();
    return Annotate(device_->tools.devices->CheckClocks(clocks, tools_.cancellation),
                    absl::StrCat("parameter ", kGraphicsClock));
  }

  absl::Status CheckMemory() const {
    int64_t total = 0;
    for (int i = 0; i < arrays_.size(); ++i) {
      const v1::ArrayExtents& entry = data_.reference.arrays(i);
      TUNE_ASSIGN_OR_RETURN(const int64_t bytes,
                            ArrayBytes(entry.name(), arrays_[i].element_type(),
                                       {entry.extents().begin(), entry.extents().end()}));
      if (!__builtin_add_overflow(total, bytes, &total) && total <= setup_.limits().memory_bytes()) {
        TUNE_RETURN_IF_ERROR(CheckDeviceMemory(entry.name(), total));
        continue;
      }
      return absl::ResourceExhaustedError(absl::StrFormat(
          "the arguments need more than the %.1f MiB allowed (up to argument %s: %.1f MiB); allow more with "
          "--memory, or give smaller sizes",
          setup_.limits().memory_bytes() / 1048576.0, entry.name(), total / 1048576.0));
    }
    return absl::OkStatus();
  }

  // Candidates work on copies.
  absl::Status CheckDeviceMemory(const std::string& argument, int64_t total) const {
    if (definition_.language() != v1::KERNEL_LANGUAGE_CUDA || device_ == nullptr) return absl::OkStatus();
    const int64_t memory = device_->device.memory_bytes();
    if (memory <= 0 || total <= memory / 2) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrFormat("the arguments need %.1f MiB of device memory twice, once to be restored from (up to "
                        "argument %s); %s "
                        "has %.1f MiB; give smaller sizes",
                        total / 1048576.0, argument, device_->device.model(), memory / 1048576.0));
  }

  std::string PathOf(absl::string_view folder, const std::string& name) const {
    return absl::StrCat(data_.folder, "/", folder, "/", name, ".bin");
  }

  absl::Status WriteInputs() const {
    for (const v1::KernelArgument* argument : arguments_) {
      TUNE_ASSIGN_OR_RETURN(const std::string bytes, FillBytes(*argument, argument->fill(), fill_));
      TUNE_RETURN_IF_ERROR(WriteFile(PathOf("in", argument->name()), bytes));
    }
    return absl::OkStatus();
  }

  std::string What() const { return ReferenceText(definition_); }

  absl::StatusOr<RecordedProgram> Compile(const std::string& folder) const {
    TUNE_ASSIGN_OR_RETURN(const ConfigurationReader reader, ConfigurationReader::Make(definition_));
    TUNE_ASSIGN_OR_RETURN(const EvaluatedConfiguration configuration, reader.Default());
    return BuildReferenceProgram(setup_, configuration, tools_, device_, folder, log_);
  }

  absl::Status RunProgram(const RecordedProgram& program) {
    RecordedRun run;
    run.folder = data_.folder + "/out";
    TUNE_ASSIGN_OR_RETURN(run.arrays, RunnerArrays(arrays_, data_, /*compare_outputs=*/false));
    TUNE_ASSIGN_OR_RETURN(const RunOutcome outcome, program(run));
    *log_ = outcome.log;
    const v1::RunnerVerdict& verdict = outcome.verdicts.at(0);
    if (verdict.outcome() == v1::CANCELLED) return absl::CancelledError("cancelled");
    if (verdict.outcome() != v1::CORRECT) {
      return absl::FailedPreconditionError(absl::StrCat(
          What(), " failed: ", verdict.message(),
          verdict.outcome() == v1::TIMEOUT ? "; give smaller sizes, or more time with --reference-time"
                                           : "; look at the counts of its arguments, and at what it reads"));
    }
    data_.reference.set_sequential_seconds(Median({verdict.samples().begin(), verdict.samples().end()}));
    data_.reference.set_executions(1);
    return absl::OkStatus();
  }

  // Outputs for which the definition says what they are to be. Whether there are such.
  absl::StatusOr<bool> WriteExpected() const {
    bool given = false;
    for (const v1::OutputCheck& check : definition_.reference().checks()) {
      if (!check.has_expected()) continue;
      for (const v1::KernelArgument* argument : arguments_) {
        if (argument->name() != check.argument()) continue;
        TUNE_ASSIGN_OR_RETURN(const std::string bytes, FillBytes(*argument, check.expected(), fill_));
        TUNE_RETURN_IF_ERROR(WriteFile(PathOf("out", argument->name()), bytes));
        given = true;
      }
    }
    return given;
  }

  absl::Status MakeFresh(const RecordedProgram& program) {
    FreshSource source;
    source.arrays = &arrays_;
    source.what = What() + " on fresh inputs";
    source.program = program;
    source.nothing_changes = "no argument is filled with random numbers";
    source.tolerance = ToleranceFrom(setup_.tolerance());
    source.ways.push_back(
        [this](int array, absl::string_view recorded, uint64_t seed) -> absl::StatusOr<std::string> {
          const v1::KernelArgument& argument = *arguments_[array];
          if (!argument.fill().has_random()) return std::string(recorded);
          FillContext other = fill_;
          other.seed = seed;
          return FillBytes(argument, argument.fill(), other);
        });
    TUNE_ASSIGN_OR_RETURN(const std::string obstacle, MakeFreshSets(source, &data_));
    if (!obstacle.empty()) TellNoFreshInputs(obstacle, log_);
    return absl::OkStatus();
  }

  const v1::StudySetup& setup_;
  const v1::KernelDefinition& definition_;
  const ReferenceTools& tools_;
  const ReferenceDevice* const device_;
  std::string* const log_;
  ReferenceData data_;
  FillContext fill_;
  StudyArrays arrays_;
  std::vector<const v1::KernelArgument*> arguments_;  // parallel to arrays_
};

}  // namespace

absl::StatusOr<ReferenceData> RunKernelReference(const v1::StudySetup& setup, const ReferenceTools& tools,
                                                 const ReferenceDevice* device, const std::string& folder,
                                                 std::string* log) {
  return KernelReferenceRun(setup, tools, device, log).Run(folder);
}

}  // namespace tune
