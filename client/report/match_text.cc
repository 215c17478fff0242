#include "client/report/match_text.h"

#include "absl/strings/str_join.h"
#include "client/report/objective_report.h"
#include "client/report/summary.h"
#include "client/report/table.h"
#include "client/report/units.h"
#include "client/report/words.h"
#include "common/evaluation/architecture.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

constexpr int kMaxArraysShown = 3;

std::string DeviceMatchText(const v1::Match& match) {
  const v1::Device& device = match.study().device();
  const std::string model = device.model().empty() ? "a device without a name" : OneLine(device.model());
  switch (match.device()) {
    case v1::Match::SAME_DEVICE:
      return absl::StrCat("same device (", model, ")");
    case v1::Match::SAME_ARCHITECTURE: {
      const std::string architecture = ArchitectureOf(device);
      return absl::StrCat("other device of the same architecture (", model, architecture.empty() ? "" : ", ",
                          architecture, ")");
    }
    case v1::Match::OTHER_DEVICE:
      return absl::StrCat("other device (", model, ")");
    default:
      return absl::StrCat("on ", model, ", which was compared with none");
  }
}

std::string SizeMatchText(const v1::Match& match) {
  const std::string sizes = SizesText(match.study().reference());
  const std::string there = sizes.empty() ? "" : absl::StrCat(" (", sizes, " there)");
  switch (match.size()) {
    case v1::Match::SAME_SIZES:
      return absl::StrCat("same sizes", sizes.empty() ? "" : absl::StrCat(" (", sizes, ")"));
    case v1::Match::SAME_SETTINGS:
      return absl::StrCat("same macros and arguments, so presumably the same sizes", there);
    case v1::Match::UNKNOWN_SIZES:
      return absl::StrCat("sizes not compared", there, "; --parameter NAME=VALUE tells those of here");
    default:
      return absl::StrCat("other sizes", there);
  }
}

const char* DeviceMatchWord(v1::Match::DeviceMatch match) {
  switch (match) {
    case v1::Match::SAME_DEVICE:
      return "same";
    case v1::Match::SAME_ARCHITECTURE:
      return "architecture";
    case v1::Match::OTHER_DEVICE:
      return "other";
    default:
      return "not compared";
  }
}

const char* SizeMatchWord(v1::Match::SizeMatch match) {
  switch (match) {
    case v1::Match::SAME_SIZES:
      return "same";
    case v1::Match::SAME_SETTINGS:
      return "settings";
    case v1::Match::OTHER_SIZES:
      return "other";
    default:
      return "unknown";
  }
}

}  // namespace

std::string MatchText(const v1::Match& match) {
  return absl::StrCat(DeviceMatchText(match), ", ", SizeMatchText(match));
}

bool IsExact(const v1::Match& match) {
  return match.device() == v1::Match::SAME_DEVICE && match.size() == v1::Match::SAME_SIZES;
}

std::string SizesText(const v1::Reference& reference) {
  std::vector<std::string> parts;
  for (const v1::ParameterValue& parameter : reference.parameters())
    parts.push_back(absl::StrCat(OneLine(parameter.name()), " = ", parameter.value()));
  if (!parts.empty()) return absl::StrJoin(parts, ", ");
  for (const v1::ArrayExtents& array : reference.arrays()) {
    if (array.extents().empty()) continue;
    if (static_cast<int>(parts.size()) == kMaxArraysShown) {
      parts.push_back("...");
      break;
    }
    parts.push_back(absl::StrCat(OneLine(array.name()), "[", absl::StrJoin(array.extents(), "]["), "]"));
  }
  return absl::StrJoin(parts, ", ");
}

std::string KnownResultText(const v1::Study& study, absl::Time now) {
  std::string text = absl::StrCat(study.id(), " (", OneLine(StudyTitle(study)), ")");
  if (!study.owner().empty()) absl::StrAppend(&text, " of ", OneLine(study.owner()));
  const int64_t time = study.finished_unix_ms() > 0 ? study.finished_unix_ms() : study.created_unix_ms();
  if (time > 0) absl::StrAppend(&text, ", ", FormatAge(time, now));
  const v1::Measurement* best = BestMeasurement(study);
  const bool by_time = IsTimeObjective(study.search());
  absl::StrAppend(&text, ": ",
                  best == nullptr ? "-"
                  : by_time       ? FormatMeasurement(*best)
                                  : BestByObjective(study));
  if (GainByObjective(study) > 0)
    absl::StrAppend(&text, ", ", FormatGain(GainByObjective(study)), " over default");
  if (!by_time) {
    absl::StrAppend(&text, "; ", BestOtherwise(study));
  } else if (study.gain_over_sequential() > 0)
    absl::StrAppend(&text, ", ", FormatGain(study.gain_over_sequential()), " over sequential");
  if (!IsFinished(study.state())) absl::StrAppend(&text, "; still ", StudyStateName(study.state()));
  const std::string provenance = ProvenanceText(study);
  return provenance.empty() ? text : absl::StrCat(text, "; from ", provenance);
}

std::string ProvenanceText(const v1::Study& study) {
  if (!study.has_provenance()) return "";
  const v1::Provenance& provenance = study.provenance();
  std::vector<std::string> parts;
  for (const std::string* part : {&provenance.format(), &provenance.server(), &provenance.study_id()}) {
    if (!part->empty()) parts.push_back(OneLine(*part));
  }
  return absl::StrJoin(parts, " ");
}

Json ToJson(const v1::Match& match) {
  return {{"device", DeviceMatchWord(match.device())},
          {"sizes", SizeMatchWord(match.size())},
          {"exact", IsExact(match)},
          {"study", ToJson(match.study())},
          {"configuration", ToJson(match.configuration())}};
}

}  // namespace tune
