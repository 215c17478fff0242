#include "client/submit/study_request.h"

#include <sys/random.h>

#include <filesystem>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/source_language.h"
#include "common/evaluation/compile_flags.h"
#include "common/scop/parameter_product.h"
#include "common/scop/scop.h"
#include "common/scop/unmet_context.h"

namespace tune {
namespace {

bool HasParameter(const v1::Scop& scop, absl::string_view name) {
  for (const auto& parameter : scop.parameters()) {
    if (parameter.name() == name && parameter.factors().empty()) return true;
  }
  return false;
}

// Names may also stand in an array's declared extents without being parameters of the region.
bool OccursInExtents(const v1::Scop& scop, const std::string& name) {
  for (const auto& array : scop.arrays()) {
    for (const auto& extent : array.extents()) {
      if (absl::StrContains(extent.c_expression(), name)) return true;
    }
  }
  return false;
}

std::string ParameterNames(const v1::Scop& scop) {
  std::vector<std::string> names;
  for (const auto& parameter : scop.parameters()) {
    if (parameter.factors().empty()) names.push_back(parameter.name());
  }
  return names.empty() ? "it has none" : absl::StrCat("it has ", absl::StrJoin(names, ", "));
}

// The values of the scop's own parameters must be possible by its context.
absl::Status CheckContext(const v1::Scop& scop, const std::map<std::string, int64_t>& values) {
  std::map<std::string, int64_t> known;
  for (const auto& [name, value] : values) {
    if (HasParameter(scop, name)) known[name] = value;
  }
  if (known.empty() || scop.context().empty()) return absl::OkStatus();
  TUNE_RETURN_IF_ERROR(AddProducts(scop, &known));
  TUNE_ASSIGN_OR_RETURN(const std::string unmet, FindUnmetContext(scop, known));
  if (unmet.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--param: ", unmet));
}

// Without a main nothing but the user can tell the values of the scop's parameters.
absl::Status CheckAllGiven(const v1::Scop& scop, const std::string& file, const StudyWishes& wishes) {
  std::vector<std::string> missing;
  for (const auto& parameter : scop.parameters()) {
    if (parameter.factors().empty() && wishes.parameters.count(parameter.name()) == 0)
      missing.push_back(parameter.name());
  }
  if (missing.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(file, " has no main, so the value of ", absl::StrJoin(missing, ", "),
                   " is not known; give it with --param ", absl::StrJoin(missing, "=1000 --param "),
                   "=1000, or add files with --with"));
}

absl::Status CheckParameters(const v1::Extraction& extraction, const StudyWishes& wishes) {
  if (wishes.parameters.empty()) return absl::OkStatus();
  if (extraction.program().has_main()) {
    return absl::InvalidArgumentError(
        "--param: the program has a main, so values are taken from its own run; use -D or --arg to change "
        "them");
  }
  for (const auto& [name, value] : wishes.parameters) {
    bool found = false;
    for (const v1::Scop& scop : extraction.scops())
      found |= HasParameter(scop, name) || OccursInExtents(scop, name);
    if (!found) {
      return absl::InvalidArgumentError(absl::StrCat("--param: the region has no parameter ", name, "; ",
                                                     ParameterNames(extraction.scops(0))));
    }
  }
  for (const v1::Scop& scop : extraction.scops()) TUNE_RETURN_IF_ERROR(CheckContext(scop, wishes.parameters));
  return absl::OkStatus();
}

// Host code without fused multiply-add.
absl::Status RoundProducts(v1::Program* program) {
  for (const std::string& flag : program->compile_flags()) {
    if (flag == "-Ofast" || flag == "-ffast-math")
      return absl::InvalidArgumentError(absl::StrCat("--exact: leave ", flag, " out of --cflags"));
  }
  AddCompileFlags({"-ffp-contract=off"}, program);
  return absl::OkStatus();
}

std::string StudyName(const StudyWishes& wishes, const std::string& file, const v1::Scop& scop, int regions) {
  const std::string base = wishes.name.empty() ? FileStem(file) : wishes.name;
  return regions == 1 ? base : absl::StrCat(base, ":", scop.name());
}

}  // namespace

void SetWishes(const StudyWishes& wishes, v1::StudySpec* spec) {
  spec->set_target(wishes.target);
  *spec->mutable_search() = wishes.search;
  *spec->mutable_metrics() = {wishes.metrics.begin(), wishes.metrics.end()};
  *spec->mutable_limits() = wishes.limits;
  *spec->mutable_tolerance() = wishes.tolerance;
  spec->set_generator(wishes.generator);
  spec->set_rounding(wishes.rounding);
  spec->set_cases(wishes.cases);
}

absl::StatusOr<std::vector<v1::StudySpec>> MakeStudySpecs(const v1::Extraction& extraction,
                                                          const std::string& file, const StudyWishes& given) {
  StudyWishes wishes = given;
  if (!extraction.program().has_main())
    wishes.parameters.insert(given.constants.begin(), given.constants.end());
  const int regions = extraction.scops_size();
  if (wishes.region < 0 || wishes.region > regions) {
    return absl::InvalidArgumentError(absl::StrCat("--region ", wishes.region, ": ", file, " has ", regions,
                                                   regions == 1 ? " region" : " regions, counted from 1"));
  }
  TUNE_RETURN_IF_ERROR(CheckParameters(extraction, wishes));
  std::vector<v1::StudySpec> specs;
  for (int i = 0; i < regions; ++i) {
    if (wishes.region != 0 && i + 1 != wishes.region) continue;
    if (!extraction.program().has_main()) {
      TUNE_RETURN_IF_ERROR(CheckAllGiven(extraction.scops(i), file, wishes));
    }
    v1::StudySpec spec;
    spec.set_name(StudyName(wishes, file, extraction.scops(i), regions));
    *spec.mutable_scop() = extraction.scops(i);
    *spec.mutable_program() = extraction.program();
    auto& values = *spec.mutable_program()->mutable_parameter_values();
    for (const auto& [name, value] : wishes.parameters) values[name] = value;
    SetWishes(wishes, &spec);
    if (wishes.rounding == v1::ROUNDING_EXACT) TUNE_RETURN_IF_ERROR(RoundProducts(spec.mutable_program()));
    specs.push_back(std::move(spec));
  }
  return specs;
}

std::string NewRequestId() {
  std::string bytes(16, '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (n > 0) done += n;
  }
  return absl::BytesToHexString(bytes);
}

std::string FileStem(absl::string_view path) {
  return std::filesystem::path(std::string(path)).stem().string();
}

std::string TunedName(absl::string_view path) {
  return absl::StrCat(FileStem(path), ".tuned", ExtensionOfTuned(path));
}

}  // namespace tune
