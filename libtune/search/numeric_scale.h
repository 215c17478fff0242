// The values of a numeric parameter, as a search sees them.
#pragma once

namespace libtune {

// Searches move in an unbounded space of reals: a coordinate is mirrored at 0 and 1, so that the space
// repeats itself and has no border to know of, and then becomes one of the parameter's values by rounding
// (section 3.1 of Pfaffe, Grosser, Tillmann: Efficient Hierarchical Online-Autotuning). Each of `count`
// values has as much of the unit interval as the others. Immutable.
class NumericScale {
 public:
  static NumericScale Real(double low, double high);
  // low, low + step, ..., at most high.
  static NumericScale Steps(double low, double high, double step);
  // low, low * base, ..., at most high; low is positive and base is above 1.
  static NumericScale Powers(double low, double high, double base);

  double low() const { return low_; }
  double high() const { return high_; }    // the largest value
  double count() const { return count_; }  // of values; 0: all reals of the interval
  // Any real; what is no number is taken for 0.
  double At(double coordinate) const;
  // In [0, 1]: the middle of what becomes `value`; of a value that is none of the scale's, of the nearest.
  double CoordinateOf(double value) const;
  bool Has(double value) const;

 private:
  enum class Kind { kReal, kSteps, kPowers };

  NumericScale(Kind kind, double low, double high, double unit, double count)
      : kind_(kind), low_(low), high_(high), unit_(unit), count_(count) {}
  double Value(double index) const;

  Kind kind_;
  double low_;
  double high_;
  double unit_;  // the step or the base
  double count_;
};

}  // namespace libtune
