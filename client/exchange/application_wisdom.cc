#include "client/exchange/application_wisdom.h"

#include "absl/strings/str_cat.h"
#include "client/exchange/result_study.h"
#include "common/exchange/results_alone.h"
#include "libtune/wisdom/wisdom_file.h"

namespace tune {
namespace {

constexpr double kLockSeconds = 10;

absl::Status StatusOf(const libtune::Status& status) {
  switch (status.code()) {
    case TUNE_OK:
      return absl::OkStatus();
    case TUNE_NOT_FOUND:
      return absl::NotFoundError(status.text());
    case TUNE_REFUSED_FILE:
      return absl::InvalidArgumentError(status.text());
    default:
      return absl::UnavailableError(status.text());
  }
}

}  // namespace

absl::StatusOr<std::vector<LearntResult>> ReadLearntResults(const std::string& path) {
  libtune::Wisdom wisdom;
  if (const libtune::Status read = libtune::LoadWisdom(path, &wisdom); !read.ok()) return StatusOf(read);
  std::vector<LearntResult> results;
  for (const auto& [key, entry] : wisdom.entries())
    results.push_back(
        {key.region, key.device, {key.inputs.begin(), key.inputs.end()}, entry.seconds, entry.values});
  return results;
}

absl::Status AddLearntResults(const std::string& path, const std::vector<LearntResult>& results) {
  libtune::Wisdom wisdom;
  for (const LearntResult& result : results) {
    const libtune::Inputs inputs(result.inputs.begin(), result.inputs.end());
    wisdom.Add({result.region, result.device, inputs}, {result.seconds, result.values});
  }
  return StatusOf(libtune::SaveWisdom(path, wisdom, {}, kLockSeconds));
}

v1::ArchivedStudy StudyOfLearntResult(const LearntResult& result, const std::string& source) {
  v1::Study study = ResultStudy(kLibtuneFormat, source);
  study.set_name(result.region);
  study.set_owner("libtune");
  study.mutable_device()->set_model(result.device);
  for (size_t i = 0; i < result.inputs.size(); ++i) {
    v1::ParameterValue& input = *study.mutable_reference()->add_parameters();
    input.set_name(absl::StrCat("input", i + 1));
    input.set_value(result.inputs[i]);
  }
  v1::Candidate candidate = ResultCandidate(0);
  candidate.set_origin(v1::ONLINE);
  for (const auto& [name, value] : result.values) {
    v1::Decision& decision = *candidate.mutable_configuration()->add_decisions();
    decision.set_key(name);
    decision.set_option(value);
  }
  SetSamples({result.seconds}, candidate.mutable_evaluation());
  v1::ArchivedStudy archived = ArchiveOfResults(std::move(study), {std::move(candidate)});
  return archived;
}

std::optional<LearntResult> LearntResultOf(const v1::Study& study, const v1::Configuration& best) {
  if (study.provenance().format() != kLibtuneFormat || study.best().median() <= 0) return std::nullopt;
  LearntResult result = {study.name(), study.device().model(), {}, study.best().median(), {}};
  for (const v1::ParameterValue& input : study.reference().parameters())
    result.inputs.push_back(input.value());
  for (const v1::Decision& decision : best.decisions()) result.values[decision.key()] = decision.option();
  return result;
}

}  // namespace tune
