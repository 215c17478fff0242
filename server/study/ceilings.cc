#include "server/study/ceilings.h"

#include "absl/strings/escaping.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr double kHour = 3600, kMi = 1 << 20, kGi = 1 << 30;
constexpr size_t kLongestName = 200;
constexpr size_t kLongestPath = 1000;

// Of everything but the files' contents and the scop.
double SettingsBytes(const v1::StudySpec& spec) {
  const v1::Program& program = spec.program();
  size_t bytes = 0;
  for (const auto* texts : {&program.sources(), &program.include_directories(), &program.defines(),
                            &program.compile_flags(), &program.link_flags(), &program.arguments()}) {
    for (const std::string& text : *texts) bytes += text.size() + 1;
  }
  for (const v1::SourceFile& file : program.files()) bytes += file.path().size() + 1;
  for (const auto& [name, value] : program.parameter_values()) bytes += name.size() + sizeof(value);
  return static_cast<double>(bytes);
}

double SeedBytes(const v1::StudySpec& spec) {
  size_t bytes = 0;
  for (const v1::Configuration& seed : spec.seeds()) bytes += seed.ByteSizeLong();
  return static_cast<double>(bytes);
}

double KnownBytes(const v1::StudySpec& spec) {
  size_t bytes = 0;
  for (const v1::KnownResults& known : spec.known()) bytes += known.ByteSizeLong();
  return static_cast<double>(bytes);
}

absl::Status CheckShown(absl::string_view field, absl::string_view text, size_t longest) {
  if (text.size() <= longest && IsPlainLine(text)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("spec.", field, ": '", absl::CHexEscape(text.substr(0, 60)),
                                                 "' has ", text.size(), " bytes; it may have ", longest,
                                                 " of UTF-8 without line breaks and control characters"));
}

}  // namespace

const std::vector<Ceiling>& Ceilings() {
  using Spec = const v1::StudySpec&;
  static const auto* const ceilings = new std::vector<Ceiling>{
      {"limits.reference_seconds", 4 * kHour, "s", [](Spec s) { return s.limits().reference_seconds(); }},
      {"limits.evaluation_seconds", kHour, "s", [](Spec s) { return s.limits().evaluation_seconds(); }},
      {"limits.compile_seconds", kHour, "s", [](Spec s) { return s.limits().compile_seconds(); }},
      {"limits.memory_bytes", 4096 * kGi, "bytes", [](Spec s) { return 1.0 * s.limits().memory_bytes(); }},
      {"limits.file_bytes", 256 * kGi, "bytes", [](Spec s) { return 1.0 * s.limits().file_bytes(); }},
      {"tolerance.float_relative", 1, "", [](Spec s) { return s.tolerance().float_relative(); }},
      {"tolerance.double_relative", 1, "", [](Spec s) { return s.tolerance().double_relative(); }},
      {"search.evaluations", kMostEvaluations, "", [](Spec s) { return 1.0 * s.search().evaluations(); }},
      {"search.ants", 10'000, "", [](Spec s) { return 1.0 * s.search().ants(); }},
      {"search.iterations", 100'000, "", [](Spec s) { return 1.0 * s.search().iterations(); }},
      {"search.alpha", 100, "", [](Spec s) { return s.search().alpha(); }},
      {"search.beta", 100, "", [](Spec s) { return s.search().beta(); }},
      {"search.rho", 1, "", [](Spec s) { return s.search().rho(); }},
      {"search.tau_min", 1, "", [](Spec s) { return s.search().tau_min(); }},
      {"search.tau_max", 1, "", [](Spec s) { return s.search().tau_max(); }},
      {"search.confirm", 100, "", [](Spec s) { return 1.0 * s.search().confirm(); }},
      {"search.level", 3, "", [](Spec s) { return 1.0 * s.search().level(); }},
      {"search.sigma", 100, "", [](Spec s) { return s.search().sigma(); }},
      {"search.base_offset", 10'000, "", [](Spec s) { return s.search().base_offset(); }},
      {"program.files", 10'000, "files", [](Spec s) { return 1.0 * s.program().files_size(); }},
      {"program", kMi, "bytes of names, flags and arguments", SettingsBytes},
      {"scop", 4 * kMi, "bytes", [](Spec s) { return 1.0 * s.scop().ByteSizeLong(); }},
      {"scop.statements", 10'000, "statements", [](Spec s) { return 1.0 * s.scop().statements_size(); }},
      {"kernel", 4 * kMi, "bytes", [](Spec s) { return 1.0 * s.kernel().ByteSizeLong(); }},
      {"search.seconds", 365 * 24 * kHour, "s", [](Spec s) { return s.search().seconds(); }},
      {"known", 100, "studies", [](Spec s) { return 1.0 * s.known_size(); }},
      {"known", 8 * kMi, "bytes", KnownBytes},
      {"seeds", 100, "configurations", [](Spec s) { return 1.0 * s.seeds_size(); }},
      {"seeds", kMi, "bytes", SeedBytes}};
  return *ceilings;
}

absl::Status CheckCeilings(const v1::StudySpec& spec) {
  for (const Ceiling& ceiling : Ceilings()) {
    const double asked = ceiling.asked(spec);
    if (asked <= ceiling.most) continue;
    const std::string unit = ceiling.unit.empty() ? "" : " " + ceiling.unit;
    return absl::InvalidArgumentError(absl::StrCat("spec.", ceiling.field, ": ", asked, unit,
                                                   " are asked for; this server allows ", ceiling.most, unit,
                                                   " at most"));
  }
  return absl::OkStatus();
}

absl::Status CheckNames(const v1::StudySpec& spec) {
  TUNE_RETURN_IF_ERROR(CheckShown("name", spec.name(), kLongestName));
  TUNE_RETURN_IF_ERROR(CheckShown("owner", spec.owner(), kLongestName));
  TUNE_RETURN_IF_ERROR(CheckShown("scop.name", spec.scop().name(), kLongestName));
  TUNE_RETURN_IF_ERROR(CheckShown("scop.region.function", spec.scop().region().function(), kLongestName));
  TUNE_RETURN_IF_ERROR(CheckShown("kernel.file", spec.kernel().file(), kLongestPath));
  for (const v1::KernelFunction& kernel : spec.kernel().kernels())
    TUNE_RETURN_IF_ERROR(CheckShown("kernel.kernels", kernel.name(), kLongestName));
  for (const v1::SourceFile& file : spec.program().files()) {
    TUNE_RETURN_IF_ERROR(CheckShown("program.files", file.path(), kLongestPath));
  }
  return absl::OkStatus();
}

}  // namespace tune
