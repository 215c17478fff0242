#include "server/study/finalist_check.h"

#include <spdlog/spdlog.h>

#include "absl/strings/str_join.h"
#include "common/evaluation/generator.h"
#include "common/kernel_definition/configuration_reader.h"

namespace tune {
namespace {

using Finalists = std::vector<StoredCandidate>;

constexpr char kMeasuredAgain[] = "what it measured of the best candidates is measured again by others";

// False when the finalists are of nobody who was set aside.
absl::StatusOr<bool> MeasureDoubtfulAgain(ActiveStudy& study, const Finalists& finalists) {
  std::map<std::string, std::set<int64_t>> doubtful;  // by worker
  for (const StoredCandidate& finalist : finalists) {
    if (study.IsDoubtful(finalist.candidate))
      doubtful[finalist.candidate.evaluation().worker()].insert(finalist.candidate.index());
  }
  for (const auto& [worker, indices] : doubtful) {
    TUNE_RETURN_IF_ERROR(
        study.MeasureAgain(indices, absl::StrCat("worker ", worker, " was set aside: ", kMeasuredAgain)));
  }
  return !doubtful.empty();
}

// Those with code that nobody has compared.
Finalists Uncompared(Finalists finalists) {
  std::erase_if(finalists, [](const StoredCandidate& finalist) {
    const v1::Evaluation& evaluation = finalist.candidate.evaluation();
    return evaluation.code().empty() || evaluation.has_comparison();
  });
  return finalists;
}

// Of hand-written kernels the code is what the configuration says of macros and launches.
absl::StatusOr<v1::GenerationAnswer> ReadKernelConfigurations(const v1::KernelDefinition& definition,
                                                              const Finalists& finalists) {
  TUNE_ASSIGN_OR_RETURN(const ConfigurationReader reader, ConfigurationReader::Make(definition));
  v1::GenerationAnswer answer;
  for (const StoredCandidate& finalist : finalists) {
    const auto configuration = reader.Read(finalist.candidate.configuration());
    v1::GeneratedCode& code = *answer.add_codes();
    if (configuration.ok()) code.set_code(PrintConfigurationHeader(*configuration));
    if (!configuration.ok()) code.set_failure(std::string(configuration.status().message()));
  }
  return answer;
}

absl::StatusOr<v1::GenerationAnswer> GenerateFor(const ActiveStudy& study, const Finalists& finalists,
                                                 const CodeGeneration& generate) {
  if (study.spec().has_kernel()) return ReadKernelConfigurations(study.spec().kernel(), finalists);
  if (study.spec().generator() == kPpcgGenerator) {
    return absl::UnimplementedError("it is made by ppcg, which the server does not run");
  }
  const v1::Study view = study.View();
  v1::GenerationRequest request;
  *request.mutable_scop() = study.spec().scop();
  *request.mutable_reference() = view.reference();
  *request.mutable_device() = view.device();
  request.set_rounding(study.spec().rounding());
  for (const StoredCandidate& finalist : finalists)
    *request.add_configurations() = finalist.candidate.configuration();
  return generate(request);
}

// What the comparison of all has told.
struct ComparedCodes {
  std::map<int64_t, v1::CodeComparison> kept;
  std::map<std::string, std::set<int64_t>> different;     // by worker
  std::map<std::string, std::set<int64_t>> not_compared;  // by the reason
};

void Compare(const StoredCandidate& finalist, const absl::StatusOr<v1::GenerationAnswer>& own, int place,
             ComparedCodes* comparison) {
  const int64_t index = finalist.candidate.index();
  const v1::Evaluation& sent = finalist.candidate.evaluation();
  const std::string failure = own.ok() ? own->codes(place).failure() : std::string(own.status().message());
  v1::CodeComparison& kept = comparison->kept[index];
  if (!failure.empty()) {
    kept.set_note(failure);
    comparison->not_compared[failure].insert(index);
  } else if (own->codes(place).code() == sent.code() &&
             own->codes(place).device_file() == sent.device_file()) {
    kept.set_same(true);
  } else {
    comparison->kept.erase(index);
    comparison->different[sent.worker()].insert(index);
  }
}

std::string NotComparedText(const ComparedCodes& comparison) {
  std::vector<std::string> reasons;
  for (const auto& [why, indices] : comparison.not_compared) {
    reasons.push_back(absl::StrCat("the code of candidate ", absl::StrJoin(indices, ", "),
                                   " was not compared with what this server makes of it: ", why));
  }
  return absl::StrJoin(reasons, "; ");
}

absl::Status SetAside(ActiveStudy& study, const std::string& worker, const std::set<int64_t>& indices) {
  const std::string what =
      absl::StrCat("sent other code for candidate ", absl::StrJoin(indices, ", "), " of study ", study.id(),
                   " than the server makes of the same configuration");
  spdlog::warn("worker {} {}", worker, what);
  study.SetAside(worker, what + " (so does a tune-worker that was built with another isl)");
  return study.MeasureAgain(
      indices, absl::StrCat("worker ", worker, " ", what, ", and was set aside: ", kMeasuredAgain));
}

}  // namespace

absl::StatusOr<bool> CheckFinalists(ActiveStudy& study, const CodeGeneration& generate) {
  // 1. Whom they come from.
  TUNE_ASSIGN_OR_RETURN(Finalists finalists, study.Finalists());
  TUNE_ASSIGN_OR_RETURN(const bool doubtful, MeasureDoubtfulAgain(study, finalists));
  if (doubtful) return false;
  // 2. What the server makes of the same configurations; no lock is held.
  finalists = Uncompared(std::move(finalists));
  if (generate == nullptr || finalists.empty()) return true;
  const absl::StatusOr<v1::GenerationAnswer> own = GenerateFor(study, finalists, generate);
  // 3. The two side by side.
  ComparedCodes comparison;
  for (size_t i = 0; i < finalists.size(); ++i) Compare(finalists[i], own, static_cast<int>(i), &comparison);
  TUNE_RETURN_IF_ERROR(study.KeepComparisons(comparison.kept, NotComparedText(comparison)));
  for (const auto& [worker, indices] : comparison.different)
    TUNE_RETURN_IF_ERROR(SetAside(study, worker, indices));
  return comparison.different.empty();
}

}  // namespace tune
