#include "client/report/roofline_text.h"

#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "client/report/units.h"
#include "common/evaluation/roofline.h"

namespace tune {
namespace {

const char* RateUnit(Roofline::Limit limit) {
  return limit == Roofline::Limit::kOperations ? "FLOP/s" : "B/s";
}

const char* PlaceText(Roofline::Limit limit) {
  switch (limit) {
    case Roofline::Limit::kOperations:
      return "";
    case Roofline::Limit::kMemory:
      return " through memory";
    case Roofline::Limit::kCache:
      return " through the largest cache";
  }
  return "";
}

}  // namespace

std::string RooflineText(const v1::Study& study, double seconds) {
  const std::optional<Roofline> bound = RooflineOf(study);
  if (!bound.has_value() || seconds <= 0) return "";
  const double share = bound->bound_seconds / seconds;
  const char* unit = RateUnit(bound->limit);
  std::string text = absl::StrFormat("%.*f%% of the bound: %s of %s%s", share < 0.0995 ? 1 : 0, 100 * share,
                                     FormatRate(bound->amount / seconds, unit), FormatRate(bound->peak, unit),
                                     PlaceText(bound->limit));
  if (share > kDoubtfulShare) {
    absl::StrAppend(&text,
                    "; more than the device was seen to do, so check before believing: the compiler may have "
                    "dropped work, data stayed in a nearer cache, or the device was busy when its peaks were "
                    "measured");
  }
  return text;
}

std::string PeaksText(const v1::Device& device) {
  const v1::PeakRates& peaks = device.peaks();
  std::vector<std::string> parts;
  const auto add = [&](double rate, const char* unit, const char* what) {
    if (rate > 0) parts.push_back(absl::StrCat(FormatRate(rate, unit), " ", what));
  };
  add(peaks.float_operations(), "FLOP/s", "in float");
  add(peaks.double_operations(), "FLOP/s", "in double");
  add(peaks.memory_bytes(), "B/s", "of memory");
  add(peaks.cache_bytes(), "B/s", "of the largest cache");
  return absl::StrJoin(parts, ", ");
}

}  // namespace tune
