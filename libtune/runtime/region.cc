#include "libtune/runtime/region.h"

#include <algorithm>
#include <new>
#include <utility>

#include "libtune/runtime/context.h"

namespace libtune {
namespace {

constexpr int kMostInputNumbers = 64;

}  // namespace

Region::Region(Context* context, std::string name) : context_(context) { definition_.name = std::move(name); }

Region::~Region() = default;

RegionDefinition* Region::Define() {
  return frozen_.load(std::memory_order_acquire) ? nullptr : &definition_;
}

size_t Region::BucketOf(const long* inputs, int count) {
  uint64_t hash = 0;
  for (int i = 0; i < count; ++i) hash = Random::Mixed(hash + static_cast<uint64_t>(inputs[i]) + 1);
  return hash % kBuckets;
}

InputState* Region::Find(const long* inputs, int count) const {
  const Entry* entry = buckets_[BucketOf(inputs, count)].load(std::memory_order_acquire);
  for (; entry != nullptr; entry = entry->next) {
    const Inputs& known = entry->state.inputs();
    if (std::equal(known.begin(), known.end(), inputs, inputs + count))
      return const_cast<InputState*>(&entry->state);
  }
  return nullptr;
}

Status Region::CheckInputs(const long* inputs, int count) {
  if (count < 0 || count > kMostInputNumbers || (count > 0 && inputs == nullptr)) {
    return Invalid("region " + definition_.name + ": " + std::to_string(count) + " inputs; 0 to " +
                   std::to_string(kMostInputNumbers) + " are accepted");
  }
  if (count == input_count_.load(std::memory_order_acquire) || context_->InForkedChild()) return {};
  return Freeze(count);
}

Status Region::Freeze(int count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!frozen_.load(std::memory_order_relaxed)) {
    for (const FeedbackRule& rule : definition_.rules) {
      for (const Metric* metric : {&rule.first, &rule.second}) {
        if (Status status = metric->Check(definition_.space.size(), count); !status.ok()) return status;
      }
    }
    graph_ = std::make_unique<SearchGraph>(definition_.space);
    input_count_.store(count, std::memory_order_release);
    frozen_.store(true, std::memory_order_release);
  }
  const int known = input_count_.load(std::memory_order_relaxed);
  if (count == known) return {};
  return Invalid("region " + definition_.name + " has " + std::to_string(known) + " inputs, and now " +
                 std::to_string(count) + "; all calls of a region give the same inputs");
}

Status Region::Begin(const long* inputs, int count, Turn* turn) {
  if (Status status = CheckInputs(inputs, count); !status.ok()) return status;
  InputState* state = Find(inputs, count);
  turn->state = state;
  if (Settled* settled = state == nullptr ? nullptr : state->settled(); settled != nullptr) {
    turn->attempt = {&settled->values, 0, settled};
    if (settled->AsksForNews() && !context_->InForkedChild()) TakeNews(state, settled);
    return {};
  }
  if (context_->InForkedChild()) {
    turn->state = nullptr;
    turn->attempt.values = &definition_.defaults;
    return {};
  }
  if (state == nullptr) state = Make(Inputs(inputs, inputs + count));
  turn->state = state;
  if (state != nullptr) {
    turn->attempt = state->Begin();
    return {};
  }
  const Values values = StartOf(Inputs(inputs, inputs + count)).values;
  const std::lock_guard<std::mutex> lock(mutex_);
  turn->attempt.values = &*looked_up_.insert(values).first;
  return {};
}

WisdomKey Region::KeyOf(const Inputs& inputs) const { return {definition_.name, context_->device(), inputs}; }

bool Region::HasDropped(const Values& values) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return IsDropped(dropped_, values);
}

InputState::Start Region::StartOf(const Inputs& inputs) const {
  InputState::Start start;
  start.values = definition_.defaults;
  start.source = TUNE_FROM_DEFAULT;
  const Context::Found found = context_->FindWisdom(KeyOf(inputs));
  const std::optional<Values> values =
      found.entry.has_value() ? ValuesOf(definition_.space, *found.entry) : std::nullopt;
  if (!values.has_value() || HasDropped(*values)) return start;
  start.values = *values;
  start.source = found.exact ? TUNE_FROM_WISDOM : TUNE_FROM_NEAR;
  start.settled = found.exact;
  start.seconds = found.exact ? found.entry->seconds : 0;
  return start;
}

// Calls from the next one on have it: this one needs neither file nor memory.
void Region::TakeNews(InputState* state, const Settled* settled) const {
  try {
    const InputState::Start known = StartOf(state->inputs());
    if (known.source != TUNE_FROM_DEFAULT && (known.settled || context_->mode() == TUNE_LOOKUP))
      state->TakeUp(settled, known);
  } catch (const std::bad_alloc&) {  // they wait for more memory
  }
}

InputState* Region::Make(const Inputs& inputs) {
  InputState::Start start = StartOf(inputs);
  if (start.source != TUNE_FROM_WISDOM) context_->Capture(KeyOf(inputs), definition_.arguments);
  start.settled |= context_->mode() == TUNE_LOOKUP;
  const std::lock_guard<std::mutex> lock(mutex_);
  const int count = static_cast<int>(inputs.size());
  if (InputState* other = Find(inputs.data(), count); other != nullptr) return other;
  if (entries_.size() >= static_cast<size_t>(context_->most_inputs())) return nullptr;
  SearchOptions options = context_->search_options();
  for (const long input : inputs) options.seed = Random::Mixed(options.seed + static_cast<uint64_t>(input));
  for (const char letter : definition_.name)
    options.seed = Random::Mixed(options.seed + static_cast<uint64_t>(letter));
  entries_.push_back(std::make_unique<Entry>(&definition_, graph_.get(), inputs, start, options,
                                             context_->drift(), context_->mode() == TUNE_ONLINE));
  Entry* entry = entries_.back().get();
  for (const auto& [parameter, choice] : dropped_) entry->state.Drop(parameter, choice);
  std::atomic<Entry*>& bucket = buckets_[BucketOf(inputs.data(), count)];
  entry->next = bucket.load(std::memory_order_relaxed);
  bucket.store(entry, std::memory_order_release);
  return &entry->state;
}

void Region::Report(const Turn& turn, double seconds) {
  const Reported reported = turn.state->Report(turn.attempt.ticket, seconds);
  const auto entry = [&](const Values& values, double time) {
    return EntryOf(definition_.space, values, time);
  };
  const WisdomKey key = KeyOf(turn.state->inputs());
  if (reported.tried != nullptr && context_->TellsTries())
    context_->Tell({TryKind::kTry, key, entry(*reported.tried, seconds)});
  if (!reported.learned.has_value()) return;
  const WisdomEntry settled = entry(reported.learned->values, reported.learned->seconds);
  if (context_->TellsTries()) context_->Tell({TryKind::kSettled, key, settled});
  context_->Learn(key, settled, reported.learned->replaces);
}

void Region::ObserveSettled(const Turn& turn, double seconds) {
  if (!context_->InForkedChild()) turn.state->ObserveSettled(turn.attempt.settled, seconds);
}

void Region::Drop(int parameter, int choice) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::pair<int, int> dropped = {parameter, choice};
  if (std::find(dropped_.begin(), dropped_.end(), dropped) != dropped_.end()) return;
  dropped_.push_back(dropped);
  for (const std::unique_ptr<Entry>& entry : entries_) entry->state.Drop(parameter, choice);
}

Status Region::LookUp(const long* inputs, int count, Values* values, tune_progress* progress) {
  if (Status status = CheckInputs(inputs, count); !status.ok()) return status;
  if (context_->InForkedChild()) {
    const InputState* state = Find(inputs, count);
    const Settled* settled = state == nullptr ? nullptr : state->settled();
    *values = settled == nullptr ? definition_.defaults : settled->values;
    progress->settled = settled == nullptr ? 0 : 1;
    progress->seconds = settled == nullptr ? 0 : settled->seconds;
    progress->source = settled == nullptr ? TUNE_FROM_DEFAULT : TUNE_FROM_WISDOM;
    return {};
  }
  if (const InputState* state = Find(inputs, count); state != nullptr) {
    *values = state->Best();
    state->Fill(progress);
    return {};
  }
  const InputState::Start start = StartOf(Inputs(inputs, inputs + count));
  *values = start.values;
  progress->source = start.source;
  progress->settled = start.settled ? 1 : 0;
  progress->seconds = start.seconds;
  return {};
}

}  // namespace libtune
