#include "libtune/search/nelder_mead.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "libtune/search/penalty.h"

namespace libtune {
namespace {

constexpr double kReach = 0.25;     // of the first simplex, in intervals
constexpr double kAccuracy = 0.01;  // of reals, in intervals
constexpr double kSameTime = 0.005;
// Rounds without a new measurement would be endless where many points round to few.
constexpr int kMostKnown = 200;

}  // namespace

NelderMead::NelderMead(std::vector<NumericScale> scales, const std::vector<double>& start)
    : scales_(std::move(scales)) {
  for (size_t i = 0; i < scales_.size(); ++i) trial_.push_back(scales_[i].CoordinateOf(start[i]));
  next_ = ValuesAt(trial_);
}

std::vector<double> NelderMead::ValuesAt(const std::vector<double>& coordinates) const {
  std::vector<double> values(scales_.size());
  for (size_t i = 0; i < scales_.size(); ++i) values[i] = scales_[i].At(coordinates[i]);
  return values;
}

void NelderMead::Observe(double seconds) {
  if (Converged()) return;
  slowest_ = std::max(slowest_, seconds);
  StepWhileKnown(seconds);
}

void NelderMead::Reject() {
  if (Converged()) return;
  StepWhileKnown(Penalty(slowest_, steps_));
}

void NelderMead::StepWhileKnown(double seconds) {
  measured_[next_] = seconds;
  ++steps_;
  for (int i = 0; i < kMostKnown; ++i) {
    Step(seconds);
    if (Converged()) return;
    const auto known = measured_.find(next_);
    if (known == measured_.end()) return;
    seconds = known->second;
  }
  std::stable_sort(simplex_.begin(), simplex_.end(),
                   [](const Vertex& a, const Vertex& b) { return a.seconds < b.seconds; });
  Propose(State::kConverged, simplex_.front().at);
}

void NelderMead::Propose(State state, std::vector<double> coordinates) {
  state_ = state;
  trial_ = std::move(coordinates);
  next_ = ValuesAt(trial_);
}

void NelderMead::Step(double seconds) {
  switch (state_) {
    case State::kFirstSimplex:
      return StepFirstSimplex(seconds);
    case State::kReflected:
      return StepReflected(seconds);
    case State::kExpanded:
      if (seconds < reflected_.seconds) {
        ReplaceWorst(trial_, seconds);
      } else {
        ReplaceWorst(reflected_.at, reflected_.seconds);
      }
      return NextRound();
    case State::kContracted:
      return StepContracted(seconds);
    case State::kShrunk:
      return StepShrunk(seconds);
    case State::kConverged:
      return;
  }
}

void NelderMead::StepFirstSimplex(double seconds) {
  simplex_.push_back({trial_, seconds});
  const size_t axis = simplex_.size() - 1;
  if (axis >= scales_.size()) return NextRound();
  std::vector<double> coordinates = simplex_.front().at;
  const double reach = std::max(kReach, scales_[axis].count() > 0 ? 1 / scales_[axis].count() : 0);
  coordinates[axis] += coordinates[axis] + reach < 1 ? reach : -reach;
  Propose(State::kFirstSimplex, std::move(coordinates));
}

void NelderMead::NextRound() {
  std::stable_sort(simplex_.begin(), simplex_.end(),
                   [](const Vertex& a, const Vertex& b) { return a.seconds < b.seconds; });
  if (HasCollapsed()) return Propose(State::kConverged, simplex_.front().at);
  Propose(State::kReflected, AlongLine(1));
}

bool NelderMead::HasCollapsed() const {
  if (simplex_.back().seconds <= simplex_.front().seconds * (1 + kSameTime)) return true;
  for (size_t axis = 0; axis < scales_.size(); ++axis) {
    const double best = simplex_.front().at[axis];
    for (const Vertex& vertex : simplex_) {
      if (std::fabs(vertex.at[axis] - best) > kAccuracy &&
          (scales_[axis].count() == 0 || scales_[axis].At(vertex.at[axis]) != scales_[axis].At(best))) {
        return false;
      }
    }
  }
  return true;
}

std::vector<double> NelderMead::AlongLine(double factor) const {
  std::vector<double> point(scales_.size());
  const std::vector<double>& worst = simplex_.back().at;
  for (size_t axis = 0; axis < scales_.size(); ++axis) {
    double sum = 0;
    for (size_t i = 0; i + 1 < simplex_.size(); ++i) sum += simplex_[i].at[axis];
    const double centre = sum / static_cast<double>(simplex_.size() - 1);
    point[axis] = centre + factor * (centre - worst[axis]);
  }
  return point;
}

void NelderMead::StepReflected(double seconds) {
  reflected_ = {trial_, seconds};
  if (seconds < simplex_.front().seconds) return Propose(State::kExpanded, AlongLine(2));
  if (seconds < simplex_[simplex_.size() - 2].seconds) {
    ReplaceWorst(trial_, seconds);
    return NextRound();
  }
  const bool outside = seconds < simplex_.back().seconds;
  Propose(State::kContracted, AlongLine(outside ? 0.5 : -0.5));
}

void NelderMead::StepContracted(double seconds) {
  if (seconds < std::min(reflected_.seconds, simplex_.back().seconds)) {
    ReplaceWorst(trial_, seconds);
    return NextRound();
  }
  shrunk_ = 0;
  ProposeShrunk();
}

void NelderMead::ProposeShrunk() {
  ++shrunk_;
  std::vector<double> coordinates = simplex_[shrunk_].at;
  for (size_t axis = 0; axis < scales_.size(); ++axis) {
    coordinates[axis] = (coordinates[axis] + simplex_.front().at[axis]) / 2;
  }
  Propose(State::kShrunk, std::move(coordinates));
}

void NelderMead::StepShrunk(double seconds) {
  simplex_[shrunk_] = {trial_, seconds};
  if (shrunk_ + 1 == simplex_.size()) return NextRound();
  ProposeShrunk();
}

void NelderMead::ReplaceWorst(std::vector<double> coordinates, double seconds) {
  simplex_.back() = {std::move(coordinates), seconds};
}

}  // namespace libtune
