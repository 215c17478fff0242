// The search for one region and one set of inputs, from its first call on.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "libtune/runtime/dropped_choices.h"
#include "libtune/runtime/region_definition.h"

namespace libtune {

// A configuration that calls take without a lock.
struct Settled {
  Settled(Values of, double time)
      : values(std::move(of)), seconds(time), news_calls(NewsCalls(time)), calls_to_news(news_calls) {}

  // Whether it is this call's turn to ask whether others know something faster: one in so many that they take
  // a millisecond, but of short ones not fewer than one in 256. Of threads that call at once some may not
  // count.
  bool AsksForNews() {
    const int left = calls_to_news.load(std::memory_order_relaxed);
    calls_to_news.store(left > 1 ? left - 1 : news_calls, std::memory_order_relaxed);
    return left <= 1;
  }

  const Values values;
  const double seconds;               // 0: not known
  std::atomic<int> strange_calls{0};  // in a row, with another time
  std::atomic<bool> vetted{false};    // by VariantRunner

 private:
  static int NewsCalls(double time) {
    constexpr double kSeconds = 1e-3, kLeast = 8, kMost = 256;
    return static_cast<int>(time * kMost <= kSeconds ? kMost : std::max(kLeast, kSeconds / time));
  }
  const int news_calls;
  std::atomic<int> calls_to_news;
};

// What a call of the region is to do.
struct Attempt {
  const Values* values = nullptr;  // lives as long as the state
  uint64_t ticket = 0;             // 0: nothing is tried
  Settled* settled = nullptr;
};

// A search that has just ended.
struct Learned {
  Values values;
  double seconds;
  bool replaces;  // what was known no longer holds
};

// What a report made of an attempt.
struct Reported {
  // What was tried, which lives as long as the state; null where it does not count: it was the first call, or
  // given up meanwhile.
  const Values* tried = nullptr;
  std::optional<Learned> learned;
};

// May be used by several threads, of which one at a time tries a configuration; the others take the best one
// known. The first call's time does not count: it pays for pages and caches. The default configuration is
// always measured, unless a rule rejects it, and is settled on when nothing is faster.
class InputState {
 public:
  struct Start {
    Values values;
    tune_source source;
    double seconds = 0;  // of `values`, where they are to be settled at once
    bool settled = false;
  };

  // `definition` and `graph` outlive it. Without `searches` it tries nothing, ever, and `start` is settled.
  InputState(const RegionDefinition* definition, const SearchGraph* graph, Inputs inputs, const Start& start,
             const SearchOptions& options, double drift, bool searches);

  const Inputs& inputs() const { return inputs_; }
  Settled* settled() const { return settled_.load(std::memory_order_acquire); }

  Attempt Begin();
  // `seconds` is positive.
  Reported Report(uint64_t ticket, double seconds);
  void Abandon(uint64_t ticket);
  // WRONG_STATE for the default configuration, which is abandoned.
  Status Reject(uint64_t ticket);
  // Of a settled configuration.
  void ObserveSettled(Settled* settled, double seconds);
  // The choice is never taken again.
  void Drop(int parameter, int choice);
  // Others know this configuration, which is taken from now on where it is another one than `settled`, and
  // faster, or the time of that is not known; and where that is what calls take still. Not one that has been
  // settled on here, and then took another time: what is faster elsewhere may not be here.
  void TakeUp(const Settled* settled, const Start& known);

  void Fill(tune_progress* progress) const;
  // The best configuration known.
  Values Best() const;

 private:
  enum class Stage { kWarmUp, kDefault, kSearch };

  bool Holds(uint64_t ticket) const { return ticket != 0 && ticket == in_flight_; }
  void StartSearch(const Values& start);
  const Values* Kept(const Values& values);
  const Values& BestKnown() const;
  bool DefaultIsAllowed() const;
  std::optional<Learned> SettleIfDone();
  void SettleOn(const Values& values, double seconds);
  // A state whose configuration was settled on searches again.
  void Restart(const Values& start);
  void EndWarmUp();

  const RegionDefinition* const definition_;
  const SearchGraph* const graph_;
  const Inputs inputs_;
  const SearchOptions options_;
  const double drift_;
  const bool searches_;
  std::atomic<Settled*> settled_{nullptr};

  mutable std::mutex mutex_;
  std::unique_ptr<HierarchicalSearch> search_;  // null when settled
  Stage stage_ = Stage::kWarmUp;
  tune_source source_;
  Values start_;
  DroppedChoices dropped_;
  std::set<Values> left_;                // settled configurations whose time has changed
  const Settled* taken_over_ = nullptr;  // which the one that others knew stands for
  double default_seconds_ = 0;
  double best_seconds_ = 0;
  int tries_ = 0;
  uint64_t tickets_ = 0;
  uint64_t in_flight_ = 0;
  int calls_beside_ = 0;  // since the attempt in flight
  int drift_calls_;
  bool replaces_ = false;
  std::set<Values> kept_;
  std::vector<std::unique_ptr<Settled>> all_settled_;  // threads may still hold former ones
};

}  // namespace libtune
