// A place in the program that can be computed in several ways.
#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

#include "libtune/runtime/input_state.h"
#include "libtune/wisdom/wisdom.h"

namespace libtune {

class Context;

// Defined by one thread, by way of `Define`, until its first call; then used by many. States are found
// without a lock and never go before the region does.
class Region {
 public:
  Region(Context* context, std::string name);
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region();

  Context* context() const { return context_; }
  // What was said so far, or null after the first call.
  RegionDefinition* Define();
  const RegionDefinition& definition() const { return definition_; }

  // How to compute now; `attempt->state` is null for inputs that are not searched for. INVALID_ARGUMENT for
  // another number of inputs than before, and for too many.
  struct Turn {
    Attempt attempt;
    InputState* state = nullptr;
  };
  Status Begin(const long* inputs, int count, Turn* turn);
  // What Begin gave took so many seconds, which are positive. The context is told when a search has ended
  // with it.
  void Report(const Turn& turn, double seconds);
  void ObserveSettled(const Turn& turn, double seconds);
  // For all inputs, now and later.
  void Drop(int parameter, int choice);
  Status LookUp(const long* inputs, int count, Values* values, tune_progress* progress);

 private:
  struct Entry {
    Entry(const RegionDefinition* definition, const SearchGraph* graph, const Inputs& inputs,
          const InputState::Start& start, const SearchOptions& options, double drift, bool searches)
        : state(definition, graph, inputs, start, options, drift, searches) {}
    InputState state;
    Entry* next = nullptr;
  };
  static constexpr size_t kBuckets = 256;

  static size_t BucketOf(const long* inputs, int count);
  InputState* Find(const long* inputs, int count) const;
  Status CheckInputs(const long* inputs, int count);
  // No more definitions from now on.
  Status Freeze(int count);
  // Null when there are too many already.
  InputState* Make(const Inputs& inputs);
  InputState::Start StartOf(const Inputs& inputs) const;
  // What the context learnt meanwhile of a state's inputs, such as from its file.
  void TakeNews(InputState* state, const Settled* settled) const;
  bool HasDropped(const Values& values) const;
  WisdomKey KeyOf(const Inputs& inputs) const;

  Context* const context_;
  RegionDefinition definition_;
  std::atomic<bool> frozen_{false};
  std::atomic<int> input_count_{-1};
  std::array<std::atomic<Entry*>, kBuckets> buckets_{};

  mutable std::mutex mutex_;
  std::unique_ptr<SearchGraph> graph_;
  std::deque<std::unique_ptr<Entry>> entries_;
  DroppedChoices dropped_;
  std::set<Values> looked_up_;  // of inputs that have no state
};

}  // namespace libtune
