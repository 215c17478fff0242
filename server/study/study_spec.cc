#include "server/study/study_spec.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "common/evaluation/generator.h"
#include "common/kernel_definition/definition_check.h"
#include "common/kernel_definition/definition_space.h"
#include "server/search/search_options.h"
#include "server/study/ceilings.h"
#include "server/study/study_metrics.h"

namespace tune {
namespace {

absl::Status Invalid(absl::string_view field, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("spec.", field, ": ", problem));
}

absl::Status CheckNumber(absl::string_view field, double value) {
  if (std::isfinite(value) && value >= 0) return absl::OkStatus();
  return Invalid(field,
                 absl::StrCat(value, " is not accepted; give a positive number, or 0 for the default"));
}

absl::Status CheckScop(const v1::Scop& scop) {
  if (scop.statements().empty()) {
    return Invalid(
        "scop", "it has no statements; extract it with `tunectl extract FILE` from a file with #pragma scop");
  }
  if (scop.schedule().empty()) return Invalid("scop.schedule", "it is empty; extract the scop again");
  const auto statement = [](const v1::Statement& s) { return s.kind() != v1::Statement::KILL; };
  if (std::none_of(scop.statements().begin(), scop.statements().end(), statement)) {
    return Invalid("scop", "it only declares variables; there is nothing to tune");
  }
  return absl::OkStatus();
}

// Every file that the definition names is one of the program's.
absl::Status CheckKernelFiles(const v1::KernelDefinition& kernel, const std::set<std::string>& paths) {
  const auto check = [&](const std::string& path) {
    if (path.empty() || paths.count(path) > 0) return absl::OkStatus();
    return Invalid("kernel", absl::StrCat("its file '", path, "' is not among program.files"));
  };
  TUNE_RETURN_IF_ERROR(check(kernel.file()));
  TUNE_RETURN_IF_ERROR(check(kernel.reference().plain_kernel().file()));
  TUNE_RETURN_IF_ERROR(check(kernel.reference().host_function().file()));
  for (const v1::KernelArgument& argument : kernel.arguments())
    TUNE_RETURN_IF_ERROR(check(argument.fill().file().path()));
  for (const v1::OutputCheck& output : kernel.reference().checks())
    TUNE_RETURN_IF_ERROR(check(output.expected().file().path()));
  return absl::OkStatus();
}

// What only regions have.
absl::Status CheckKernel(const v1::StudySpec& spec) {
  const bool on_gpu = spec.kernel().language() == v1::KERNEL_LANGUAGE_CUDA;
  if (!on_gpu && spec.target() == v1::CUDA)
    return Invalid("target", "kernels in C run on the host; use cpu, or leave it open");
  if (on_gpu && spec.target() == v1::CPU)
    return Invalid("target", "kernels in CUDA run on a GPU; use cuda, or leave it open");
  if (spec.rounding() == v1::ROUNDING_EXACT) {
    return Invalid("rounding", absl::StrCat("a kernel's arithmetic is as it is written; give ",
                                            on_gpu ? "-fmad=false" : "-ffp-contract=off",
                                            " as an option of its compiler instead"));
  }
  if (spec.rounding() != v1::ROUNDING_UNSPECIFIED)
    return Invalid("rounding", "a kernel's arithmetic is as it is written; leave --tf32x3 out");
  if (GeneratorOf(spec.generator()) != kBuiltinGenerator)
    return Invalid("generator", "hand-written kernels are not generated; leave it out");
  if (spec.search().level() > 1)
    return Invalid("search.level", "hand-written kernels have no schedules; leave it out");
  if (spec.cases()) return Invalid("cases", "they are of regions; leave it out");
  return Annotate(CheckDefinition(spec.kernel()), "spec.kernel");
}

// What a case discussion needs.
absl::Status CheckCases(const v1::StudySpec& spec) {
  if (!spec.cases()) return absl::OkStatus();
  if (spec.target() == v1::CPU)
    return Invalid("cases", "they are of GPUs; use the target cuda, or leave it open");
  if (GeneratorOf(spec.generator()) == kBuiltinGenerator) return absl::OkStatus();
  return Invalid("cases", absl::StrCat("they are made by the builtin generator, not by ", spec.generator()));
}

// What products on tensor cores need.
absl::Status CheckRounding(const v1::StudySpec& spec) {
  if (!v1::Rounding_IsValid(spec.rounding())) {
    return Invalid("rounding", absl::StrCat(static_cast<int>(spec.rounding()),
                                            " is not known; use exact or tf32x3, or leave it out"));
  }
  if (spec.rounding() != v1::ROUNDING_TF32X3) return absl::OkStatus();
  if (spec.target() == v1::CPU)
    return Invalid("rounding", "tf32x3 is of tensor cores; use the target cuda, or leave it open");
  if (GeneratorOf(spec.generator()) != kBuiltinGenerator)
    return Invalid("rounding", absl::StrCat("tf32x3 is of the builtin generator, not of ", spec.generator()));
  if (spec.cases())
    return Invalid("rounding", "tf32x3 is of code for given sizes; leave it or the cases out");
  return absl::OkStatus();
}

absl::Status CheckPath(const std::string& path) {
  const std::vector<std::string> parts = absl::StrSplit(path, '/');
  const bool escapes = std::find(parts.begin(), parts.end(), "..") != parts.end();
  if (!path.empty() && path[0] != '/' && !escapes) return absl::OkStatus();
  return Invalid("program.files", absl::StrCat("the path '", path, "' must be relative and without '..'"));
}

// `region`: as NewStudy has it.
absl::Status CheckProgram(const v1::StudySpec& spec, const v1::SourceRegion& region) {
  const v1::Program& program = spec.program();
  if (program.sources().empty()) {
    return Invalid("program.sources", absl::StrCat("it is empty; name the file with the ",
                                                   spec.has_kernel() ? "kernels" : "region"));
  }
  int64_t bytes = static_cast<int64_t>(program.standard_input().size());
  std::set<std::string> paths;
  for (const v1::SourceFile& file : program.files()) {
    TUNE_RETURN_IF_ERROR(CheckPath(file.path()));
    if (!paths.insert(file.path()).second) {
      return Invalid("program.files", absl::StrCat("'", file.path(), "' is there twice"));
    }
    bytes += static_cast<int64_t>(file.content().size());
    if (file.path() == region.file() &&
        !(0 <= region.begin_offset() && region.begin_offset() <= region.body_begin_offset() &&
          region.body_begin_offset() <= region.body_end_offset() &&
          region.body_end_offset() <= region.end_offset() &&
          region.end_offset() <= static_cast<int64_t>(file.content().size()))) {
      return Invalid("scop.region", "its offsets lie outside the file; extract the scop again");
    }
  }
  if (bytes > kMaxProgramBytes) {
    return Invalid("program",
                   absl::StrCat("files and standard input have ", bytes, " bytes; at most ", kMaxProgramBytes,
                                " are accepted: leave out what is not compiled"));
  }
  for (const std::string& source : program.sources()) {
    if (paths.count(source) == 0) {
      return Invalid("program.sources", absl::StrCat("'", source, "' is not among program.files"));
    }
  }
  if (spec.has_kernel()) return CheckKernelFiles(spec.kernel(), paths);
  if (paths.count(region.file()) == 0) {
    return Invalid("scop.region.file", absl::StrCat("'", region.file(), "' is not among program.files"));
  }
  return absl::OkStatus();
}

// Of a region that CPU and GPU share: what is known of its candidates are times in the user's program.
absl::Status CheckShared(const v1::StudySpec& spec) {
  if (spec.target() == v1::CPU)
    return Invalid("generator", "cpu+cuda needs a GPU; leave the target open, or use cuda");
  if (!spec.program().has_main())
    return Invalid("generator",
                   "candidates that CPU and GPU share run in the user's program, and the file has no main; "
                   "submit it with the file that has one");
  if (spec.search().has_carve() || spec.search().strategy() == kCarvingStrategy)
    return Invalid("search.carve", "carving looks at kernels, not at regions that CPU and GPU share");
  if (NeedsEnergy(spec)) return Invalid("search", "energy is not measured of regions that CPU and GPU share");
  return absl::OkStatus();
}

absl::Status CheckGenerator(const v1::StudySpec& spec) {
  const std::string generator = GeneratorOf(spec.generator());
  if (generator == kBuiltinGenerator) return absl::OkStatus();
  if (generator != kPpcgGenerator && generator != kSharedGenerator) {
    return Invalid("generator",
                   absl::StrCat("'", generator, "' is not known; use builtin, ppcg or cpu+cuda"));
  }
  if (generator == kSharedGenerator) TUNE_RETURN_IF_ERROR(CheckShared(spec));
  if (spec.target() == v1::CPU)
    return Invalid("generator", "ppcg makes code for GPUs alone; use builtin with target cpu");
  if (spec.search().level() > 1) {
    return Invalid("generator", absl::StrCat(generator, " has no decisions of level ", spec.search().level(),
                                             "; leave the level out, or use builtin"));
  }
  return absl::OkStatus();
}

// Of filled options. What carving looks at is code for GPUs.
absl::Status CheckCarving(const v1::StudySpec& spec, const v1::SearchOptions& search) {
  const bool has_no_gpu = spec.target() == v1::CPU || (spec.has_kernel() && spec.target() != v1::CUDA);
  if (!search.has_carve() || !has_no_gpu) return absl::OkStatus();
  return Invalid("search.carve",
                 "carving looks at compiled code for GPUs, and the target is cpu; use target cuda, or leave "
                 "--carve, --inspect and strategy carving out");
}

// What was left open, where something else decides it.
v1::Target TargetFor(const v1::StudySpec& spec) {
  if (spec.has_kernel()) return TargetOf(spec.kernel());
  if (GeneratorOf(spec.generator()) != kBuiltinGenerator) return v1::CUDA;
  const bool needs_gpu = spec.search().has_carve() || spec.search().strategy() == kCarvingStrategy ||
                         NeedsEnergy(spec) || spec.cases() || spec.rounding() == v1::ROUNDING_TF32X3;
  return spec.target() == v1::TARGET_UNSPECIFIED && needs_gpu ? v1::CUDA : spec.target();
}

std::string DefaultName(const v1::StudySpec& spec) {
  const v1::SourceRegion region = RegionOf(spec);
  if (spec.has_kernel()) return region.function();
  const std::string file = region.file().substr(region.file().rfind('/') + 1);
  const std::string& function = spec.scop().name().empty() ? region.function() : spec.scop().name();
  return function.empty() ? file : absl::StrCat(file, ":", function);
}

// Of all valid configurations so large a part, one at least; where they cannot be counted the most that a
// study may have: making the space will tell why.
int32_t EvaluationsFor(const v1::KernelDefinition& kernel, double fraction) {
  const absl::StatusOr<ParameterSpace> space = ParameterSpaceOf(kernel);
  const double all = space.ok() ? static_cast<double>(space->count()) : kMostEvaluations;
  return static_cast<int32_t>(std::clamp<double>(std::ceil(fraction * all), 1, kMostEvaluations));
}

// What the definition asks for where nothing else was said. Of several budgets the one that is used up first
// counts.
void TakeSearch(const v1::KernelDefinition& kernel, v1::SearchOptions* search) {
  const v1::KernelSearch& asked = kernel.search();
  if (search->strategy().empty()) search->set_strategy(asked.strategy());
  if (asked.count_all()) search->set_count_all(true);
  if (search->evaluations() != 0 || search->ants() != 0 || search->iterations() != 0) return;
  search->set_evaluations(static_cast<int32_t>(asked.evaluations()));
  if (search->seconds() == 0) search->set_seconds(asked.seconds());
  if (asked.fraction() == 0 && (asked.seconds() == 0 || asked.evaluations() != 0)) return;
  const int32_t most = EvaluationsFor(kernel, asked.fraction() == 0 ? 1 : asked.fraction());
  search->set_evaluations(asked.evaluations() == 0 ? most : std::min(most, search->evaluations()));
}

absl::Status CheckNumbers(const v1::StudySpec& spec) {
  const v1::Limits& limits = spec.limits();
  TUNE_RETURN_IF_ERROR(CheckNumber("limits.reference_seconds", limits.reference_seconds()));
  TUNE_RETURN_IF_ERROR(CheckNumber("limits.evaluation_seconds", limits.evaluation_seconds()));
  TUNE_RETURN_IF_ERROR(CheckNumber("limits.memory_bytes", static_cast<double>(limits.memory_bytes())));
  TUNE_RETURN_IF_ERROR(CheckNumber("limits.compile_seconds", limits.compile_seconds()));
  TUNE_RETURN_IF_ERROR(CheckNumber("limits.file_bytes", static_cast<double>(limits.file_bytes())));
  TUNE_RETURN_IF_ERROR(CheckNumber("tolerance.float_relative", spec.tolerance().float_relative()));
  return CheckNumber("tolerance.double_relative", spec.tolerance().double_relative());
}

}  // namespace

absl::Status CheckSpec(const v1::StudySpec& spec) {
  if (!spec.has_scop() && !spec.has_kernel())
    return Invalid("scop", "it is missing; `tunectl submit FILE` makes one");
  if (spec.has_scop() && spec.has_kernel())
    return Invalid("kernel",
                   "a study is of a region or of hand-written kernels; leave one of scop and kernel out");
  if (!spec.has_program()) return Invalid("program", "it is missing; `tunectl submit FILE` makes one");
  TUNE_RETURN_IF_ERROR(CheckCeilings(spec));
  TUNE_RETURN_IF_ERROR(CheckNames(spec));
  TUNE_RETURN_IF_ERROR(spec.has_kernel() ? CheckKernel(spec) : CheckScop(spec.scop()));
  TUNE_RETURN_IF_ERROR(CheckProgram(spec, RegionOf(spec)));
  if (!v1::Target_IsValid(spec.target())) {
    return Invalid("target",
                   absl::StrCat(static_cast<int>(spec.target()),
                                " is not a target of this server; use cpu or cuda, or leave it open"));
  }
  TUNE_RETURN_IF_ERROR(CheckGenerator(spec));
  TUNE_RETURN_IF_ERROR(CheckCases(spec));
  TUNE_RETURN_IF_ERROR(CheckRounding(spec));
  TUNE_RETURN_IF_ERROR(CheckNumbers(spec));
  v1::SearchOptions search = spec.search();
  if (spec.has_kernel()) TakeSearch(spec.kernel(), &search);
  FillDefaults(&search);
  TUNE_RETURN_IF_ERROR(CheckCarving(spec, search));
  v1::StudySpec filled;
  *filled.mutable_metrics() = spec.metrics();
  if (spec.has_kernel()) *filled.mutable_kernel() = spec.kernel();
  if (spec.has_scop()) *filled.mutable_scop() = spec.scop();
  *filled.mutable_search() = search;
  filled.set_target(TargetFor(spec));
  TUNE_RETURN_IF_ERROR(CheckObjectives(filled));
  return Annotate(CheckSearchOptions(search), "spec");
}

v1::SourceRegion RegionOf(const v1::StudySpec& spec) {
  if (!spec.has_kernel()) return spec.scop().region();
  v1::SourceRegion region;
  region.set_file(spec.kernel().file());
  if (!spec.kernel().kernels().empty()) region.set_function(spec.kernel().kernels(0).name());
  return region;
}

void FillDefaults(v1::StudySpec* spec) {
  if (spec->name().empty()) spec->set_name(DefaultName(*spec));
  if (spec->has_kernel()) TakeSearch(spec->kernel(), spec->mutable_search());
  spec->set_generator(GeneratorOf(spec->generator()));
  FillDefaults(spec->mutable_search());
  spec->set_target(TargetFor(*spec));
  v1::Limits* limits = spec->mutable_limits();
  if (limits->reference_seconds() == 0) limits->set_reference_seconds(300);
  if (limits->evaluation_seconds() == 0) limits->set_evaluation_seconds(60);
  if (limits->memory_bytes() == 0) limits->set_memory_bytes(int64_t{8} << 30);
  if (limits->compile_seconds() == 0) limits->set_compile_seconds(60);
  if (limits->file_bytes() == 0) limits->set_file_bytes(int64_t{4} << 30);
  v1::Tolerance* tolerance = spec->mutable_tolerance();
  if (tolerance->float_relative() == 0) tolerance->set_float_relative(1e-3);
  if (tolerance->double_relative() == 0) tolerance->set_double_relative(1e-8);
}

v1::Study NewStudy(const v1::StudySpec& spec, int64_t now_unix_ms) {
  v1::Study study;
  study.set_name(spec.name());
  study.set_owner(spec.owner());
  study.set_state(v1::QUEUED);
  study.set_target(spec.target());
  study.set_generator(spec.generator());
  study.set_rounding(spec.rounding());
  *study.mutable_search() = spec.search();
  study.set_budget(spec.search().evaluations());
  study.set_best_index(-1);
  study.set_created_unix_ms(now_unix_ms);
  *study.mutable_region() = RegionOf(spec);
  return study;
}

}  // namespace tune
