#include "client/exchange/wisdom.h"

#include <algorithm>
#include <map>

#include "client/exchange/values.h"
#include "common/rpc/version.h"

namespace tune {
namespace {

struct WisdomRecord {
  const v1::Study* study = nullptr;
  std::map<std::string, std::string> options;
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
    config.push_back(option == record.options.end() ? Json("") : OptionValue(option->second));
  }
  return {{"config", config},
          {"problem_size", ProblemSize(study.reference())},
          {"time", study.best().median() * 1e3},
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
    TUNE_ASSIGN_OR_RETURN(const v1::Configuration best, BestConfiguration(archived));
    WisdomRecord& record = records.emplace_back();
    record.study = &archived.study();
    for (const v1::Decision& decision : best.decisions()) {
      record.options[decision.key()] = decision.option();
      if (std::find(keys.begin(), keys.end(), decision.key()) == keys.end()) keys.push_back(decision.key());
    }
  }
  if (records.empty()) return absl::InvalidArgumentError("there is no study to write");
  std::string text = PrintJsonLine({{"version", "1.0"},
                                    {"key", KernelName(studies[0])},
                                    {"objective", "time"},
                                    {"tunable_parameters", keys}});
  for (const WisdomRecord& record : records) text += PrintJsonLine(RecordLine(record, keys));
  return text;
}

}  // namespace tune
