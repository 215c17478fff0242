// What a model expects of something that was not measured.
#pragma once

namespace tune {

struct Prediction {
  double mean = 0;
  double deviation = 0;  // standard deviation: how unsure the model is
};

// By how much the value is expected to fall below `best`, where it is normally distributed as predicted and
// where values above count as no improvement (expected improvement: Jones, Schonlau, Welch 1998). In the unit
// of the prediction; never negative.
double ExpectedImprovement(const Prediction& prediction, double best);

// Both models with equal weight: mean and standard deviation of the mixture of their distributions, so that
// where they disagree it is less sure than either.
Prediction Mix(const Prediction& a, const Prediction& b);

}  // namespace tune
