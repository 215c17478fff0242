#include "client/report/program_gain.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "client/report/summary.h"
#include "client/report/units.h"
#include "common/evaluation/compared_times.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

constexpr char kFaster[] = "faster";

constexpr char kSlower[] = "slower";

// In the user's program, in turns with the original.
bool WasCompared(const v1::Study& study) {
  const v1::ProgramCheck& check = study.confirmation().check();
  return check.outcome() == v1::CORRECT && check.has_fresh();
}

// The program ran with the tuned region, and not as it should.
bool HasFailed(const v1::Study& study) {
  const v1::Outcome outcome = study.confirmation().check().outcome();
  return outcome != v1::OUTCOME_UNSPECIFIED && outcome != v1::CORRECT;
}

// Its later executions where there are any.
const v1::ComparedTimes& ProgramTimes(const v1::ProgramCheck& check) {
  return check.has_warm() ? check.warm() : check.fresh();
}

// The region by itself, each measured alone: the ratio's range is what the intervals of both allow.
std::optional<v1::ComparedTimes> RegionTimes(const v1::Study& study) {
  const v1::Measurement& sequential = study.confirmation().sequential();
  const v1::Measurement* best = BestMeasurement(study);
  if (best == nullptr || sequential.confidence_low() <= 0 || best->confidence_low() <= 0) return std::nullopt;
  v1::ComparedTimes times;
  times.set_original_seconds(sequential.median());
  times.set_tuned_seconds(best->median());
  times.set_ratio(sequential.median() / best->median());
  times.set_ratio_low(sequential.confidence_low() / best->confidence_high());
  times.set_ratio_high(sequential.confidence_high() / best->confidence_low());
  return times;
}

std::string RatioText(const v1::ComparedTimes& times) {
  std::string ratio = FormatRatio(times.ratio());
  if (times.ratio_high() > 0)
    absl::StrAppend(&ratio, " (", FormatRatio(times.ratio_low()), " .. ", FormatRatio(times.ratio_high()),
                    ")");
  return ratio;
}

// `what`: what it is compared with.
std::string GainText(const v1::ComparedTimes& times, absl::string_view what, absl::string_view how,
                     bool on_gpu) {
  const absl::string_view verdict = SpeedVerdict(times);
  if (verdict == kFaster) return absl::StrCat(RatioText(times), " as fast as ", what, how);
  if (verdict == kSlower) {
    return absl::StrCat("slower than ", what, ", ", RatioText(times), how,
                        on_gpu ? "; stay on the host: " : ": ", FormatSeconds(times.original_seconds()),
                        " there, ", FormatSeconds(times.tuned_seconds()), " here");
  }
  return absl::StrCat("cannot be told apart from ", what, ", ", RatioText(times), how);
}

}  // namespace

std::string ProgramGain(const v1::Study& study) {
  const bool on_gpu = study.device().target() == v1::CUDA;
  const v1::ProgramCheck& check = study.confirmation().check();
  if (HasFailed(study))
    return absl::StrCat("not right in your program (", OutcomeName(check.outcome()), "): ", check.message());
  if (WasCompared(study)) {
    return GainText(ProgramTimes(check), "the original", on_gpu ? ", with copies to the device and back" : "",
                    on_gpu);
  }
  const auto region = RegionTimes(study);
  if (!region.has_value()) return "";
  return GainText(*region, "the sequential region",
                  absl::StrCat(on_gpu ? ", without copies" : "", study.reference().seeded()
                                                                     ? "; by itself, as the file has no main"
                                                                     : "; by itself, not in your program"),
                  on_gpu);
}

bool IsNotFaster(const v1::Study& study) {
  if (HasFailed(study)) return true;
  if (WasCompared(study)) {
    const v1::ProgramCheck& check = study.confirmation().check();
    return SpeedVerdict(check.fresh()) != kFaster &&
           !(check.has_warm() && SpeedVerdict(check.warm()) == kFaster);
  }
  const auto region = RegionTimes(study);
  return region.has_value() && SpeedVerdict(*region) != kFaster;
}

ResultTimes TimesOfResult(const v1::Study& study) {
  ResultTimes result;
  if (WasCompared(study) && !HasFailed(study)) {
    result.compared = ProgramTimes(study.confirmation().check());
    result.in_program = true;
  } else if (const auto region = RegionTimes(study); region.has_value() && !HasFailed(study)) {
    result.compared = *region;
  }
  if (study.device().target() != v1::CUDA) return result;
  result.host = result.compared.original_seconds();
  if (const v1::Measurement* best = BestMeasurement(study)) result.device = best->median();
  if (result.in_program) result.device_with_copies = result.compared.tuned_seconds();
  return result;
}

std::string HostAndDevice(const v1::Study& study) {
  const ResultTimes times = TimesOfResult(study);
  if (times.host <= 0 || times.device <= 0) return "";
  return absl::StrCat(
      "host ", FormatSeconds(times.host), "; device ", FormatSeconds(times.device), " without copies",
      times.device_with_copies > 0 ? absl::StrCat(", ", FormatSeconds(times.device_with_copies), " with them")
                                   : "");
}

}  // namespace tune
