#include "libtune/runtime/input_state.h"

#include <algorithm>

namespace libtune {
namespace {

constexpr int kMostCallsBeside = 1000;  // then an attempt is given up
constexpr int kDriftCalls = 32;
constexpr int kMostDriftCalls = 1 << 20;

}  // namespace

InputState::InputState(const RegionDefinition* definition, const SearchGraph* graph, Inputs inputs,
                       const Start& start, const SearchOptions& options, double drift, bool searches)
    : definition_(definition),
      graph_(graph),
      inputs_(std::move(inputs)),
      options_(options),
      drift_(drift),
      searches_(searches),
      source_(start.source),
      start_(start.values),
      drift_calls_(kDriftCalls) {
  if (start.settled) {
    SettleOn(start.values, start.seconds);
  } else {
    StartSearch(start.values);
  }
}

void InputState::StartSearch(const Values& start) {
  start_ = start;
  stage_ = Stage::kWarmUp;
  search_ = std::make_unique<HierarchicalSearch>(
      graph_, start,
      [this](int parameter, const Values& values) {
        return definition_->Rejects(parameter, values, inputs_);
      },
      options_);
  for (const auto& [parameter, choice] : dropped_) search_->Drop(parameter, choice);
}

const Values* InputState::Kept(const Values& values) { return &*kept_.insert(values).first; }

const Values& InputState::BestKnown() const {
  if (const Settled* settled = this->settled(); settled != nullptr) return settled->values;
  const Values* best = search_->best();
  if (best == nullptr) return definition_->defaults;
  const bool default_is_best = default_seconds_ > 0 && default_seconds_ <= search_->best_seconds();
  return default_is_best ? definition_->defaults : *best;
}

Attempt InputState::Begin() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Attempt attempt;
  attempt.settled = settled();
  if (attempt.settled != nullptr) {
    attempt.values = &attempt.settled->values;
    return attempt;
  }
  if (in_flight_ != 0 && ++calls_beside_ <= kMostCallsBeside) {
    attempt.values = Kept(BestKnown());
    return attempt;
  }
  in_flight_ = ++tickets_;
  calls_beside_ = 0;
  attempt.ticket = in_flight_;
  attempt.values = Kept(stage_ == Stage::kDefault ? definition_->defaults : search_->Next());
  return attempt;
}

bool InputState::DefaultIsAllowed() const {
  const std::vector<bool> existing = definition_->space.Existing(definition_->defaults);
  for (const int parameter : graph_->nominal()) {
    if (existing[parameter] && definition_->Rejects(parameter, definition_->defaults, inputs_)) return false;
  }
  return true;
}

void InputState::EndWarmUp() {
  const bool measures_default =
      search_->Next() != definition_->defaults && default_seconds_ == 0 && DefaultIsAllowed();
  stage_ = measures_default ? Stage::kDefault : Stage::kSearch;
}

Reported InputState::Report(uint64_t ticket, double seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!Holds(ticket)) return {};
  in_flight_ = 0;
  source_ = TUNE_FROM_SEARCH;
  const Values* tried = Kept(stage_ == Stage::kDefault ? definition_->defaults : search_->Next());
  switch (stage_) {
    case Stage::kWarmUp:
      EndWarmUp();
      return {};
    case Stage::kDefault:
      ++tries_;
      default_seconds_ = seconds;
      stage_ = Stage::kSearch;
      break;
    case Stage::kSearch:
      ++tries_;
      if (search_->Next() == definition_->defaults && (default_seconds_ == 0 || seconds < default_seconds_)) {
        default_seconds_ = seconds;
      }
      search_->Observe(seconds);
      break;
  }
  return {tried, SettleIfDone()};
}

std::optional<Learned> InputState::SettleIfDone() {
  const double searched = search_->best_seconds();
  best_seconds_ =
      searched == 0 || (default_seconds_ > 0 && default_seconds_ < searched) ? default_seconds_ : searched;
  if (!search_->settled() || search_->best() == nullptr) return std::nullopt;
  Learned learned = {BestKnown(), best_seconds_, replaces_};
  SettleOn(learned.values, learned.seconds);
  replaces_ = false;
  return learned;
}

void InputState::SettleOn(const Values& values, double seconds) {
  all_settled_.push_back(std::make_unique<Settled>(values, seconds));
  best_seconds_ = seconds;
  settled_.store(all_settled_.back().get(), std::memory_order_release);
  search_.reset();
}

void InputState::Abandon(uint64_t ticket) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (Holds(ticket)) in_flight_ = 0;
}

Status InputState::Reject(uint64_t ticket) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!Holds(ticket)) return {};
  in_flight_ = 0;
  if (stage_ == Stage::kDefault || search_->Next() == definition_->defaults) {
    return WrongState(
        "region " + definition_->name +
        ": the default configuration cannot be rejected; it is what the program does without tuning");
  }
  search_->Reject();
  if (stage_ == Stage::kWarmUp) EndWarmUp();
  return {};
}

void InputState::ObserveSettled(Settled* settled, double seconds) {
  if (!searches_ || drift_ == 0 || settled->seconds == 0) return;
  if (seconds <= settled->seconds * drift_ && seconds * drift_ >= settled->seconds) {
    if (settled->strange_calls.load(std::memory_order_relaxed) != 0) {
      settled->strange_calls.store(0, std::memory_order_relaxed);
    }
    return;
  }
  const int strange = settled->strange_calls.fetch_add(1, std::memory_order_relaxed) + 1;
  if (strange < kDriftCalls) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (this->settled() != settled || strange < drift_calls_) return;
  // What changes all the time is looked at ever more rarely.
  drift_calls_ = std::min(2 * drift_calls_, kMostDriftCalls);
  default_seconds_ = 0;
  replaces_ = true;
  left_.insert(settled->values);
  Restart(settled->values);
}

void InputState::Restart(const Values& start) {
  in_flight_ = 0;
  taken_over_ = nullptr;
  StartSearch(start);
  settled_.store(nullptr, std::memory_order_release);
}

void InputState::Drop(int parameter, int choice) {
  const std::lock_guard<std::mutex> lock(mutex_);
  dropped_.emplace_back(parameter, choice);
  in_flight_ = 0;
  if (Settled* settled = this->settled(); settled != nullptr) {
    if (settled->values[parameter] != choice) return;
    const Settled* const before = std::exchange(taken_over_, nullptr);
    const bool is_left = before != nullptr && !IsDropped(dropped_, before->values);
    const Values values = is_left ? before->values : definition_->defaults;
    if (!searches_) {
      SettleOn(values, is_left ? before->seconds : 0);
      return;
    }
    replaces_ = true;
    Restart(values);
    return;
  }
  if (start_[parameter] == choice) {
    StartSearch(definition_->defaults);
  } else {
    search_->Drop(parameter, choice);
    stage_ = Stage::kWarmUp;
  }
}

void InputState::TakeUp(const Settled* settled, const Start& known) {
  const bool may_be_faster = settled->seconds == 0 || (known.seconds > 0 && known.seconds < settled->seconds);
  if (!may_be_faster || known.values == settled->values) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (this->settled() != settled || IsDropped(dropped_, known.values) || left_.count(known.values) > 0)
    return;
  source_ = known.source;
  SettleOn(known.values, known.seconds);
  taken_over_ = settled;
}

void InputState::Fill(tune_progress* progress) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  progress->source = source_;
  progress->settled = settled() != nullptr ? 1 : 0;
  progress->tries = tries_;
  progress->seconds = best_seconds_;
  progress->default_seconds = default_seconds_;
}

Values InputState::Best() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return BestKnown();
}

}  // namespace libtune
