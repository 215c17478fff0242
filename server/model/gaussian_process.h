// Regression by a Gaussian process (Rasmussen, Williams 2006, algorithm 2.1).
#pragma once

#include <vector>

#include "server/model/prediction.h"

namespace tune {

// Matern covariance of smoothness 5/2 over the Euclidean distance of the inputs, which the caller scales, and
// noise of a hundredth of the variance. Length is one of four, variance any: those that make the targets
// likeliest. Takes n^2 / 2 doubles for n samples and n^3 steps to make. Copyable: a copy may expect other
// inputs.
class GaussianProcess {
 public:
  // One target an input. All inputs have one length. Precondition: not empty.
  GaussianProcess(std::vector<std::vector<float>> inputs, const std::vector<double>& targets);

  // An input whose target is to come: predictions near it become surer, their means stay ("kriging believer":
  // Ginsbourger, Le Riche, Carraro 2010).
  void Expect(const std::vector<float>& input);
  // Of the target without noise.
  Prediction Predict(const std::vector<float>& input) const;

 private:
  double Covariance(const std::vector<float>& a, const std::vector<float>& b) const;
  // One more row of the factor for an input; `inputs_` are those of the rows before it.
  void AppendRow(const std::vector<float>& input);
  // Solves with the factor in place, forwards; as many rows as `right` is long.
  void SolveForwards(std::vector<double>* right) const;
  void SolveBackwards(std::vector<double>* right) const;
  // Factors the covariances of these inputs with this length; negative log likelihood of the targets but for
  // a constant.
  double Factor(const std::vector<std::vector<float>>& inputs, const std::vector<double>& targets,
                double length);
  const double* Row(size_t row) const { return factor_.data() + row * (row + 1) / 2; }

  double length_ = 1;
  double mean_ = 0;
  double variance_ = 1;
  std::vector<std::vector<float>> inputs_;  // of the rows of the factor
  std::vector<double> factor_;              // Cholesky's, the lower triangle by rows
  std::vector<double> weights_;             // of the covariances with the inputs that have targets
};

}  // namespace tune
