// Calls the variants of a region.
#pragma once

#include <mutex>
#include <optional>
#include <set>

#include "libtune/runtime/region.h"

namespace libtune {

// Picks, runs and times a variant. A variant that fails, and on request one that crashes in a child process
// or disagrees with the original, is dropped, and the original's results stand. May be used by several
// threads, but for SetCheck and SetProbe, which are called before.
class VariantRunner {
 public:
  explicit VariantRunner(Region* region) : region_(region) {}

  void SetCheck(std::optional<tune_check> check) { check_ = check; }
  void SetProbe(double seconds) { probe_seconds_ = seconds; }

  // WRONG_STATE without variants, FAILED when the original fails.
  Status Run(const long* inputs, int count, void* arguments);

 private:
  struct Timed {
    bool done;
    double seconds;
  };

  Timed Call(const Values& values, void* arguments, bool settled) const;
  int VariantOf(const Values& values) const;
  bool IsVetted(const Region::Turn& turn);
  void SetVetted(const Region::Turn& turn);
  bool PassesProbe(const Values& values, void* arguments);
  // The variant's results, or the original's where they differ or it fails.
  Status RunVetted(const Region::Turn& turn, void* arguments);
  Status RunChecked(const Region::Turn& turn, void* arguments);
  Status RunOriginal(void* arguments) const;
  // It is never called again.
  void Refuse(const Region::Turn& turn, const char* reason);
  void Drop(const Region::Turn& turn, const char* reason);
  void Report(const Region::Turn& turn, double seconds);
  void Abandon(const Region::Turn& turn) const;

  Region* const region_;
  std::optional<tune_check> check_;
  double probe_seconds_ = 0;
  std::mutex mutex_;
  std::set<Values> vetted_;
  std::set<int> probed_;  // variants
};

}  // namespace libtune
