#include "common/decision/offer.h"

#include "common/decision/simple_choices.h"

namespace tune {

int64_t NumberOffer::Nearest(int64_t wanted) const { return tune::Nearest(values, legal, wanted); }

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
  return ChooseNumber(chooser, offer.key, offer.values, offer.legal, standard);
}

}  // namespace tune
