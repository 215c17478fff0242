#include "client/report/program_gain.h"

#include "absl/strings/str_cat.h"
#include "client/report/objective_report.h"
#include "client/report/units.h"
#include "common/evaluation/compared_times.h"
#include "common/evaluation/objective.h"
#include "common/evaluation/outcome.h"
#include "common/evaluation/study_result.h"

namespace tune {
namespace {

// `what`: what it is compared with.
std::string GainText(const v1::ComparedTimes& times, absl::string_view what, absl::string_view how,
                     bool on_gpu) {
  const absl::string_view verdict = SpeedVerdict(times);
  if (verdict == "faster") return absl::StrCat(RatioText(times), " as fast as ", what, how);
  if (verdict == "slower") {
    return absl::StrCat("slower than ", what, ", ", RatioText(times), how,
                        on_gpu ? "; stay on the host: " : ": ", FormatSeconds(times.original_seconds()),
                        " there, ", FormatSeconds(times.tuned_seconds()), " here");
  }
  return absl::StrCat("cannot be told apart from ", what, ", ", RatioText(times), how);
}

}  // namespace

std::string ProgramGain(const v1::Study& study) {
  if (IsTimeObjective(study.search()) || HasFailedInProgram(study)) return ProgramGainInTime(study);
  return GainOfObjective(study);
}

std::string ProgramGainInTime(const v1::Study& study) {
  const bool on_gpu = study.device().target() == v1::CUDA;
  const v1::ProgramCheck& check = study.confirmation().check();
  if (HasFailedInProgram(study))
    return absl::StrCat("not right in your program (", OutcomeName(check.outcome()), "): ", check.message());
  const ResultTimes times = TimesOfResult(study);
  if (times.in_program)
    return GainText(times.compared, "the original", on_gpu ? ", with copies to the device and back" : "",
                    on_gpu);
  if (!times.known()) return "";
  // Both ran where the study's target is, but for a reference that is a function of the host's.
  if (IsOfKernels(study)) return GainText(times.compared, "the reference", "", /*on_gpu=*/false);
  return GainText(times.compared, "the sequential region",
                  absl::StrCat(on_gpu ? ", without copies" : "", study.reference().seeded()
                                                                     ? "; by itself, as the file has no main"
                                                                     : "; by itself, not in your program"),
                  on_gpu);
}

std::string RatioText(const v1::ComparedTimes& times) {
  std::string ratio = FormatRatio(times.ratio());
  if (times.ratio_high() > 0)
    absl::StrAppend(&ratio, " (", FormatRatio(times.ratio_low()), " .. ", FormatRatio(times.ratio_high()),
                    ")");
  return ratio;
}

std::string HostAndDevice(const v1::Study& study) {
  const ResultTimes times = TimesOfResult(study);
  if (times.host <= 0 || times.device <= 0 || IsOfKernels(study)) return "";
  return absl::StrCat(
      "host ", FormatSeconds(times.host), "; device ", FormatSeconds(times.device), " without copies",
      times.device_with_copies > 0 ? absl::StrCat(", ", FormatSeconds(times.device_with_copies), " with them")
                                   : "");
}

}  // namespace tune
