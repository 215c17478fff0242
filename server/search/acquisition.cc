#include "server/search/acquisition.h"

#include <algorithm>

namespace tune {
namespace {

constexpr uint64_t kModelStream = uint64_t{1} << 62;  // apart from the ants' random sequences

}  // namespace

const WalkModel& Acquisition::model() {
  if (!model_.has_value() || rows_ != memory_->known_rows()) {
    rows_ = memory_->known_rows();
    model_.emplace(&memory_->table(), rows_, Random(seed_, kModelStream + rows_), memory_->Expectations());
  }
  return *model_;
}

const GaussianProcess& Acquisition::ProcessWithAnts(const WalkModel& model) {
  const auto& ants = walker_->ants();
  if (!process_.has_value()) {
    process_ = model.process();
    expected_ = 0;
  }
  for (auto it = ants.lower_bound(expected_); it != ants.end(); ++it) {
    process_->Expect(model.InputOf(it->second.trace));
    expected_ = it->first + 1;
  }
  return *process_;
}

std::optional<Acquisition::Entry> Acquisition::MostPromising(
    int count, const std::function<Entry(int, const Entry*)>& walk) {
  const WalkModel& model = this->model();
  const GaussianProcess& process = ProcessWithAnts(model);
  const Prior& prior = memory_->prior();
  std::optional<Entry> best;
  double promise = 0;
  for (int i = 0; i < count; ++i) {
    Entry entry = walk(i, best.has_value() ? &*best : nullptr);
    const double expected = prior.empty() ? 0 : prior.MeanOf(prior.SayingsOf(entry.trace));
    const double improvement = model.Improvement(entry.trace, process, expected);
    // No reliability is above 1.
    if ((best.has_value() && improvement <= promise) || !walker_->IsNew(entry)) continue;
    const double value = improvement * LeastReliability(entry.trace);
    if (best.has_value() && value <= promise) continue;
    promise = value;
    best = std::move(entry);
  }
  return best;
}

double Acquisition::LeastReliability(const Trace& trace) const {
  double least = 1;
  for (const TracedDecision& traced : trace) {
    const std::string& option = traced.point.options[traced.chosen];
    least = std::min(least, memory_->experience().Reliability(traced.point.key, option));
  }
  return least;
}

void Acquisition::EndIteration() { process_.reset(); }

}  // namespace tune
