#include "libtune/search/feedback_rule.h"

#include <algorithm>
#include <limits>

namespace libtune {
namespace {

// Over all corners of the box of linear parameters.
double Maximum(const Metric& metric, const ParameterSpace& space, const std::vector<int>& linear,
               Values values, const Inputs& inputs) {
  double maximum = -std::numeric_limits<double>::infinity();
  for (unsigned corner = 0; corner < 1u << linear.size(); ++corner) {
    for (size_t i = 0; i < linear.size(); ++i) {
      const NumericScale& scale = *space.at(linear[i]).scale;
      values[linear[i]] = (corner >> i & 1u) != 0 ? scale.high() : scale.low();
    }
    maximum = std::max(maximum, metric.At(values, inputs));
  }
  return maximum;
}

}  // namespace

bool FeedbackRule::Rejects(const ParameterSpace& space, const Values& values, const Inputs& inputs) const {
  if (values[parameter] != choice) return false;
  const double most = Maximum(first, space, linear, values, inputs);
  switch (kind) {
    case TUNE_MIN_COMPUTE:
      return most < threshold;
    case TUNE_COMPUTE_INTENSITY:
      return most < threshold * Maximum(second, space, linear, values, inputs);
    case TUNE_MIN_REUSE:
      return most <= threshold;
  }
  return false;
}

}  // namespace libtune
