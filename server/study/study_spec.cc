#include "server/study/study_spec.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "common/evaluation/generator.h"
#include "server/search/search_options.h"
#include "server/study/ceilings.h"

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

absl::Status CheckPath(const std::string& path) {
  const std::vector<std::string> parts = absl::StrSplit(path, '/');
  const bool escapes = std::find(parts.begin(), parts.end(), "..") != parts.end();
  if (!path.empty() && path[0] != '/' && !escapes) return absl::OkStatus();
  return Invalid("program.files", absl::StrCat("the path '", path, "' must be relative and without '..'"));
}

absl::Status CheckProgram(const v1::Program& program, const v1::SourceRegion& region) {
  if (program.sources().empty())
    return Invalid("program.sources", "it is empty; name the file with the region");
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
  if (paths.count(region.file()) == 0) {
    return Invalid("scop.region.file", absl::StrCat("'", region.file(), "' is not among program.files"));
  }
  return absl::OkStatus();
}

absl::Status CheckGenerator(const v1::StudySpec& spec) {
  const std::string generator = GeneratorOf(spec.generator());
  if (generator == kBuiltinGenerator) return absl::OkStatus();
  if (generator != kPpcgGenerator) {
    return Invalid("generator", absl::StrCat("'", generator, "' is not known; use builtin or ppcg"));
  }
  if (spec.target() == v1::CPU)
    return Invalid("generator", "ppcg makes code for GPUs alone; use builtin with target cpu");
  if (spec.search().level() > 1) {
    return Invalid("generator", absl::StrCat("ppcg has no decisions of level ", spec.search().level(),
                                             "; leave the level out, or use builtin"));
  }
  return absl::OkStatus();
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
  if (!spec.has_scop()) return Invalid("scop", "it is missing; `tunectl submit FILE` makes one");
  if (!spec.has_program()) return Invalid("program", "it is missing; `tunectl submit FILE` makes one");
  TUNE_RETURN_IF_ERROR(CheckCeilings(spec));
  TUNE_RETURN_IF_ERROR(CheckNames(spec));
  TUNE_RETURN_IF_ERROR(CheckScop(spec.scop()));
  TUNE_RETURN_IF_ERROR(CheckProgram(spec.program(), spec.scop().region()));
  if (!v1::Target_IsValid(spec.target())) {
    return Invalid("target",
                   absl::StrCat(static_cast<int>(spec.target()),
                                " is not a target of this server; use cpu or cuda, or leave it open"));
  }
  TUNE_RETURN_IF_ERROR(CheckGenerator(spec));
  TUNE_RETURN_IF_ERROR(CheckNumbers(spec));
  v1::SearchOptions search = spec.search();
  FillDefaults(&search);
  return Annotate(CheckSearchOptions(search), "spec");
}

void FillDefaults(v1::StudySpec* spec) {
  if (spec->name().empty()) {
    const v1::SourceRegion& region = spec->scop().region();
    const std::string file = region.file().substr(region.file().rfind('/') + 1);
    const std::string& function = spec->scop().name().empty() ? region.function() : spec->scop().name();
    spec->set_name(function.empty() ? file : absl::StrCat(file, ":", function));
  }
  spec->set_generator(GeneratorOf(spec->generator()));
  if (spec->generator() == kPpcgGenerator) spec->set_target(v1::CUDA);
  FillDefaults(spec->mutable_search());
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
  study.set_exact(spec.exact());
  *study.mutable_search() = spec.search();
  study.set_budget(spec.search().evaluations());
  study.set_best_index(-1);
  study.set_created_unix_ms(now_unix_ms);
  *study.mutable_region() = spec.scop().region();
  return study;
}

}  // namespace tune
