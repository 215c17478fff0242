#include "common/decision/offer.h"

#include "absl/strings/str_cat.h"

namespace tune {

int64_t NumberOffer::Nearest(int64_t wanted) const {
  int64_t nearest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (legal[i] && (nearest == 0 || values[i] <= wanted)) nearest = values[i];
  }
  return nearest;
}

absl::StatusOr<int> Ask(Chooser& chooser, const Offer& offer, int standard) {
  DecisionPoint point;
  point.key = offer.key;
  point.options = offer.options;
  point.allowed = offer.legal.empty() ? std::vector<bool>(offer.options.size(), true) : offer.legal;
  point.default_option = standard;
  point.unrecorded_option = offer.unrecorded;
  return chooser.Choose(point);
}

absl::StatusOr<int64_t> Ask(Chooser& chooser, const NumberOffer& offer, int64_t standard) {
  Offer numbers{offer.key, {}, offer.legal};
  int default_option = 0;
  for (size_t i = 0; i < offer.values.size(); ++i) {
    numbers.options.push_back(absl::StrCat(offer.values[i]));
    if (offer.values[i] == standard) default_option = static_cast<int>(i);
  }
  TUNE_ASSIGN_OR_RETURN(const int chosen, Ask(chooser, numbers, default_option));
  return offer.values[chosen];
}

}  // namespace tune
