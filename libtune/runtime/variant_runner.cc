#include "libtune/runtime/variant_runner.h"

#include <cxxabi.h>

#include <new>

#include "libtune/runtime/context.h"
#include "libtune/runtime/monotonic_clock.h"
#include "libtune/runtime/probe.h"

namespace libtune {

int VariantRunner::VariantOf(const Values& values) const {
  return static_cast<int>(values[*region_->definition().variant_parameter]);
}

VariantRunner::Timed VariantRunner::Call(const Values& values, void* arguments, bool settled) const {
  tune_call call = {};
  call.values = values.data();
  call.count = static_cast<int>(values.size());
  call.settled = settled ? 1 : 0;
  const tune_function function = region_->definition().variants[VariantOf(values)];
  const int64_t start = Nanoseconds();
  bool done = false;
  try {
    done = function(arguments, &call) == 0;
  } catch (abi::__forced_unwind&) {  // the thread is being cancelled
    throw;
  } catch (...) {
    done = false;
  }
  // Two readings of the clock may be the same.
  const double seconds = static_cast<double>(Nanoseconds() - start) * 1e-9;
  return {done, seconds > 0 ? seconds : 1e-9};
}

Status VariantRunner::Run(const long* inputs, int count, void* arguments) {
  const RegionDefinition& definition = region_->definition();
  if (!definition.variant_parameter.has_value()) {
    return WrongState("region " + definition.name + " has no variants; add them with tune_add_variants");
  }
  Region::Turn turn;
  if (Status status = region_->Begin(inputs, count, &turn); !status.ok()) return status;
  const Values& values = *turn.attempt.values;
  const bool is_original = VariantOf(values) == 0;
  if (!is_original && (check_.has_value() || probe_seconds_ > 0) && !IsVetted(turn)) {
    // A child of fork waits for nothing: it takes what is vetted, or the original.
    return region_->context()->InForkedChild() ? RunOriginal(arguments) : RunVetted(turn, arguments);
  }
  const Timed timed = Call(values, arguments, turn.attempt.settled != nullptr);
  if (timed.done) {
    Report(turn, timed.seconds);
    return {};
  }
  if (is_original) {
    Abandon(turn);
    return {TUNE_FAILED, "region " + definition.name + ": the original failed"};
  }
  if (region_->context()->InForkedChild()) return RunOriginal(arguments);
  Refuse(turn, "failed");
  return RunOriginal(arguments);
}

Status VariantRunner::RunOriginal(void* arguments) const {
  if (Call(region_->definition().defaults, arguments, false).done) return {};
  return {TUNE_FAILED, "region " + region_->definition().name + ": the original failed"};
}

bool VariantRunner::IsVetted(const Region::Turn& turn) {
  Settled* settled = turn.attempt.settled;
  if (settled != nullptr && settled->vetted.load(std::memory_order_acquire)) return true;
  if (region_->context()->InForkedChild()) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool vetted = vetted_.count(*turn.attempt.values) > 0;
  if (vetted && settled != nullptr) settled->vetted.store(true, std::memory_order_release);
  return vetted;
}

void VariantRunner::SetVetted(const Region::Turn& turn) {
  if (Settled* settled = turn.attempt.settled; settled != nullptr) {
    settled->vetted.store(true, std::memory_order_release);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  vetted_.insert(*turn.attempt.values);
}

bool VariantRunner::PassesProbe(const Values& values, void* arguments) {
  if (probe_seconds_ == 0) return true;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (probed_.count(VariantOf(values)) > 0) return true;
  }
  if (!SurvivesInChild(probe_seconds_, [&] { return Call(values, arguments, false).done; })) return false;
  const std::lock_guard<std::mutex> lock(mutex_);
  probed_.insert(VariantOf(values));
  return true;
}

Status VariantRunner::RunVetted(const Region::Turn& turn, void* arguments) {
  if (!PassesProbe(*turn.attempt.values, arguments)) {
    Refuse(turn, "crashed, failed or took too long in a child process");
    return RunOriginal(arguments);
  }
  if (check_.has_value()) return RunChecked(turn, arguments);
  const Timed timed = Call(*turn.attempt.values, arguments, turn.attempt.settled != nullptr);
  if (!timed.done) {
    Refuse(turn, "failed");
    return RunOriginal(arguments);
  }
  SetVetted(turn);
  Report(turn, timed.seconds);
  return {};
}

Status VariantRunner::RunChecked(const Region::Turn& turn, void* arguments) {
  const tune_check& check = *check_;
  void* before = check.save(check.user, arguments);
  if (before == nullptr) {
    Abandon(turn);
    return RunOriginal(arguments);
  }
  if (Status status = RunOriginal(arguments); !status.ok()) {
    check.release(check.user, before);
    Abandon(turn);
    return status;
  }
  void* expected = check.save(check.user, arguments);
  if (expected == nullptr) {
    check.release(check.user, before);
    Abandon(turn);
    return {};
  }
  check.restore(check.user, arguments, before);
  const Timed timed = Call(*turn.attempt.values, arguments, turn.attempt.settled != nullptr);
  const bool right = timed.done && check.agree(check.user, arguments, expected) == 1;
  if (right) {
    SetVetted(turn);
    Report(turn, timed.seconds);
  } else {
    check.restore(check.user, arguments, expected);
    Refuse(turn, timed.done ? "gave other results than the original" : "failed");
  }
  check.release(check.user, expected);
  check.release(check.user, before);
  return {};
}

void VariantRunner::Refuse(const Region::Turn& turn, const char* reason) {
  Abandon(turn);
  try {
    Drop(turn, reason);
  } catch (const std::bad_alloc&) {
    // It fails again the next time.
  }
}

void VariantRunner::Drop(const Region::Turn& turn, const char* reason) {
  const RegionDefinition& definition = region_->definition();
  const int variant = VariantOf(*turn.attempt.values);
  region_->context()->Message("region " + definition.name + ": the variant " +
                              definition.space.at(*definition.variant_parameter).choices[variant] + " " +
                              reason + "; it is not run again");
  region_->Drop(*definition.variant_parameter, variant);
}

void VariantRunner::Report(const Region::Turn& turn, double seconds) {
  if (turn.state == nullptr) return;
  try {
    if (turn.attempt.settled != nullptr) {
      region_->ObserveSettled(turn, seconds);
    } else if (turn.attempt.ticket != 0) {
      region_->Report(turn, seconds);
    }
  } catch (const std::bad_alloc&) {
    // The computation is done, and that is what counts.
  }
}

void VariantRunner::Abandon(const Region::Turn& turn) const {
  if (turn.state != nullptr && turn.attempt.ticket != 0) turn.state->Abandon(turn.attempt.ticket);
}

}  // namespace libtune
