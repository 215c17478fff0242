#include "client/exchange/wisdom.h"

#include <algorithm>

#include "client/exchange/parameter_json.h"
#include "client/exchange/values.h"
#include "common/evaluation/objective.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

struct WisdomRecord {
  const v1::Study* study = nullptr;
  Json options = Json::object();  // by decision, of hand-written kernels by parameter
};

std::string KernelName(const v1::ArchivedStudy& archived) {
  const v1::KernelDefinition& kernels = archived.spec().kernel();
  const std::string& function =
      kernels.kernels().empty() ? archived.spec().scop().name() : kernels.kernels(0).name();
  return function.empty() ? archived.study().name() : function;
}

// Values of the parameters; where there are none, the extents of the largest array.
Json ProblemSize(const v1::Reference& reference) {
  Json size = Json::array();
  for (const v1::ParameterValue& parameter : reference.parameters()) size.push_back(parameter.value());
  if (!size.empty()) return size;
  for (const v1::ArrayExtents& array : reference.arrays()) {
    if (array.extents_size() <= static_cast<int>(size.size())) continue;
    size = Json::array();
    for (const int64_t extent : array.extents()) size.push_back(extent);
  }
  return size;
}

absl::StatusOr<v1::Configuration> BestConfiguration(const v1::ArchivedStudy& archived) {
  for (const v1::ArchivedCandidate& candidate : archived.candidates()) {
    if (candidate.candidate().index() == archived.study().best_index())
      return candidate.candidate().configuration();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(archived.study().id(), ": nothing correct was found, so there is no wisdom to write"));
}

Json RecordLine(const WisdomRecord& record, const std::vector<std::string>& keys) {
  const v1::Study& study = *record.study;
  Json config = Json::array();
  for (const std::string& key : keys) {
    const auto option = record.options.find(key);
    config.push_back(option == record.options.end() ? Json("") : *option);
  }
  const std::string objective = ObjectiveOf(study.search());
  const double value = BestQuantity(study) * (objective == kTimeObjective ? 1e3 : 1);
  return {{"config", config},
          {"problem_size", ProblemSize(study.reference())},
          {objective, value},
          {"environment",
           {{"device_name", study.device().model()},
            {"date", IsoTime(study.finished_unix_ms())},
            {"tuned", {{"version", kVersion}, {"study", study.id()}}}}}};
}

}  // namespace

absl::StatusOr<std::string> WriteWisdom(const std::vector<v1::ArchivedStudy>& studies) {
  std::vector<std::string> keys;  // in the order in which they are met
  std::vector<WisdomRecord> records;
  for (const v1::ArchivedStudy& archived : studies) {
    if (KernelName(archived) != KernelName(studies[0])) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a wisdom file is of one kernel: ", studies[0].study().id(), " is of ", KernelName(studies[0]),
          ", ", archived.study().id(), " of ", KernelName(archived), "; export them to files of their own"));
    }
    if (ObjectiveOf(archived.study().search()) != ObjectiveOf(studies[0].study().search())) {
      return absl::InvalidArgumentError(
          absl::StrCat("a wisdom file compares by one quantity: ", studies[0].study().id(), " is tuned for ",
                       ObjectiveOf(studies[0].study().search()), ", ", archived.study().id(), " for ",
                       ObjectiveOf(archived.study().search()), "; export them to files of their own"));
    }
    TUNE_ASSIGN_OR_RETURN(const v1::Configuration best, BestConfiguration(archived));
    WisdomRecord& record = records.emplace_back();
    record.study = &archived.study();
    record.options = ParametersOf(archived.spec(), best);
    for (const auto& [key, option] : record.options.items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  }
  if (records.empty()) return absl::InvalidArgumentError("there is no study to write");
  std::string text = PrintJsonLine({{"version", "1.0"},
                                    {"key", KernelName(studies[0])},
                                    {"objective", ObjectiveOf(studies[0].study().search())},
                                    {"tunable_parameters", keys}});
  for (const WisdomRecord& record : records) text += PrintJsonLine(RecordLine(record, keys));
  return text;
}

}  // namespace tune
