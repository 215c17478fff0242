// Nelder and Mead's simplex search.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "libtune/search/numeric_scale.h"

namespace libtune {

// Asks for one point after another and is told how long it took. Coefficients are the classical ones:
// reflection 1, expansion 2, contraction and shrinking 1/2. What rounds to a point that was measured already
// takes its value from there, without another measurement.
//
// It has converged when all points of the simplex are the same values (reals: within a hundredth of their
// interval), or take the same time within half a percent.
class NelderMead {
 public:
  // `start`: a value for each of `scales`; the others of the first simplex lie a quarter of each interval
  // from it, two neighbouring values at least.
  NelderMead(std::vector<NumericScale> scales, const std::vector<double>& start);

  // What to measure next: a value for each scale. The best point once it has converged.
  const std::vector<double>& Next() const { return next_; }
  // Of the point of Next: positive seconds.
  void Observe(double seconds);
  // The point of Next cannot be run.
  void Reject();
  bool Converged() const { return state_ == State::kConverged; }

 private:
  enum class State { kFirstSimplex, kReflected, kExpanded, kContracted, kShrunk, kConverged };

  struct Vertex {
    std::vector<double> at;  // coordinates
    double seconds;
  };

  std::vector<double> ValuesAt(const std::vector<double>& coordinates) const;
  // The point on the line from the worst vertex through the others' centre: 1 is the centre's mirror image of
  // it.
  std::vector<double> AlongLine(double factor) const;
  void Propose(State state, std::vector<double> coordinates);
  // Takes steps until a point has to be measured, or the search has converged.
  void StepWhileKnown(double seconds);
  void Step(double seconds);
  void StepFirstSimplex(double seconds);
  void StepReflected(double seconds);
  void StepContracted(double seconds);
  void StepShrunk(double seconds);
  void ReplaceWorst(std::vector<double> coordinates, double seconds);
  void ProposeShrunk();
  void NextRound();
  bool HasCollapsed() const;

  const std::vector<NumericScale> scales_;
  std::map<std::vector<double>, double> measured_;  // by values
  std::vector<Vertex> simplex_;                     // the best one first, at the start of a round
  State state_ = State::kFirstSimplex;
  std::vector<double> trial_;  // coordinates of next_
  std::vector<double> next_;
  Vertex reflected_;
  size_t shrunk_ = 0;  // vertex that is being measured again
  double slowest_ = 0;
  double steps_ = 0;
};

}  // namespace libtune
