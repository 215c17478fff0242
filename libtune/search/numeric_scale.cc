#include "libtune/search/numeric_scale.h"

#include <algorithm>
#include <cmath>

namespace libtune {
namespace {

constexpr double kSlack = 1e-9;  // of rounding: 0.1 + 2 * 0.1 is a step of 0.1

double Mirrored(double coordinate) {
  if (!std::isfinite(coordinate)) return 0;
  const double turn = std::fabs(std::fmod(coordinate, 2.0));
  return turn <= 1 ? turn : 2 - turn;
}

}  // namespace

NumericScale NumericScale::Real(double low, double high) { return {Kind::kReal, low, high, 0, 0}; }

NumericScale NumericScale::Steps(double low, double high, double step) {
  const double count = std::floor((high - low) / step + kSlack) + 1;
  return {Kind::kSteps, low, low + (count - 1) * step, step, count};
}

NumericScale NumericScale::Powers(double low, double high, double base) {
  const double count = std::floor(std::log(high / low) / std::log(base) + kSlack) + 1;
  NumericScale scale(Kind::kPowers, low, high, base, count);
  scale.high_ = scale.Value(count - 1);
  return scale;
}

double NumericScale::Value(double index) const {
  if (kind_ == Kind::kSteps) return low_ + index * unit_;
  const double value = low_ * std::pow(unit_, index);
  // Powers of integers are integers.
  return std::floor(low_) == low_ && std::floor(unit_) == unit_ ? std::round(value) : value;
}

double NumericScale::At(double coordinate) const {
  const double unit = Mirrored(coordinate);
  if (kind_ == Kind::kReal) return low_ + unit * (high_ - low_);
  return Value(std::min(std::floor(unit * count_), count_ - 1));
}

double NumericScale::CoordinateOf(double value) const {
  if (!(value > low_)) value = low_;
  value = std::min(value, high_);
  if (kind_ == Kind::kReal) return high_ > low_ ? (value - low_) / (high_ - low_) : 0;
  const double index =
      kind_ == Kind::kSteps ? (value - low_) / unit_ : std::log(value / low_) / std::log(unit_);
  return (std::round(index) + 0.5) / count_;
}

bool NumericScale::Has(double value) const {
  if (!(value >= low_ && value <= high_)) return false;
  return kind_ == Kind::kReal || std::fabs(At(CoordinateOf(value)) - value) <= kSlack * std::fabs(high_);
}

}  // namespace libtune
