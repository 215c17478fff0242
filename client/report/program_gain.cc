#include "client/report/program_gain.h"

#include "absl/strings/str_cat.h"
#include "client/report/units.h"
#include "common/evaluation/compared_times.h"

namespace tune {
namespace {

constexpr char kFaster[] = "faster";

bool WasCompared(const v1::Study& study) {
  const v1::ProgramCheck& check = study.confirmation().check();
  return check.outcome() == v1::CORRECT && check.has_fresh();
}

}  // namespace

std::string ProgramGain(const v1::Study& study) {
  if (!WasCompared(study)) return "";
  const v1::ProgramCheck& check = study.confirmation().check();
  const v1::ComparedTimes& times = check.has_warm() ? check.warm() : check.fresh();
  std::string ratio = FormatRatio(times.ratio());
  if (times.ratio_high() > 0)
    absl::StrAppend(&ratio, " (", FormatRatio(times.ratio_low()), " .. ", FormatRatio(times.ratio_high()),
                    ")");
  const absl::string_view verdict = SpeedVerdict(times);
  const std::string copies =
      study.device().target() == v1::CUDA ? ", with copies to the device and back" : "";
  if (verdict == kFaster) return absl::StrCat(ratio, " as fast as the original", copies);
  if (verdict == "slower") {
    return absl::StrCat("slower than the original, ", ratio, copies, ": ",
                        FormatSeconds(times.original_seconds()), " there, ",
                        FormatSeconds(times.tuned_seconds()), " here");
  }
  return absl::StrCat("cannot be told apart from the original, ", ratio, copies);
}

bool IsNotFaster(const v1::Study& study) {
  if (!WasCompared(study)) return false;
  const v1::ProgramCheck& check = study.confirmation().check();
  return SpeedVerdict(check.fresh()) != kFaster &&
         !(check.has_warm() && SpeedVerdict(check.warm()) == kFaster);
}

}  // namespace tune
