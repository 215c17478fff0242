#include "worker/lease/lease_loop.h"

#include <spdlog/spdlog.h>

#include <thread>

#include "absl/time/clock.h"

namespace tune {
namespace {

// Beyond the time for which the server may hold a call.
constexpr absl::Duration kCallMargin = absl::Seconds(30);
// A worker that is told to stop does not wait long for the server to hear of it.
constexpr absl::Duration kFarewellLimit = absl::Seconds(2);

// The server was reached and will refuse every later call in the same way.
bool IsFinal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

std::string Describe(const v1::Lease& lease) {
  const std::string what =
      lease.has_evaluate()  ? absl::StrCat("candidate ", lease.evaluate().candidate_index())
      : lease.has_inspect() ? absl::StrCat("inspection ", lease.inspect().inspection_index())
      : lease.has_confirm() ? "confirmation"
                            : "reference";
  return absl::StrCat(lease.study_id(), " ", what);
}

}  // namespace

LeaseLoop::LeaseLoop(WorkerIdentity identity, Transport* transport, TaskExecutor* executor,
                     uint64_t jitter_seed, absl::Duration patience)
    : transport_(transport),
      executor_(executor),
      slots_(std::max(1, identity.slots)),
      patience_(patience),
      state_(std::move(identity), jitter_seed) {}

absl::Status LeaseLoop::Run() {
  std::vector<std::thread> executors;
  for (int slot = 0; slot < slots_; ++slot) executors.emplace_back([this] { ExecuteAll(); });
  absl::Status status;
  while (status.ok()) {
    {
      absl::MutexLock lock(&mutex_);
      const auto left = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        return state_.done() || (stopping_ && state_.told());
      };
      while (!left() && absl::Now() < state_.next()) changed_.WaitWithDeadline(&mutex_, state_.next());
      if (left()) break;
    }
    status = Synchronize();
    absl::MutexLock lock(&mutex_);
    // A server that cannot be told goodbye will see the lease expire.
    if (stopping_ && state_.failures() > 0) break;
  }
  LeaveExecutors(std::move(executors));
  return status;
}

// Cancels what is running and waits for it a little.
void LeaseLoop::LeaveExecutors(std::vector<std::thread> executors) {
  {
    absl::MutexLock lock(&mutex_);
    finished_ = true;
    for (const auto& [lease_id, cancellation] : cancellations_) cancellation->Cancel();
    changed_.SignalAll();
    const absl::Time deadline = absl::Now() + patience_;
    while (working_ > 0 && absl::Now() < deadline) changed_.WaitWithDeadline(&mutex_, deadline);
    abandoned_ = working_ > 0;
  }
  for (std::thread& executor : executors) {
    if (abandoned_) {
      executor.detach();
    } else {
      executor.join();
    }
  }
}

void LeaseLoop::Stop() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = interrupted_ = true;
    for (const std::string& lease_id : state_.Stop(absl::Now())) {
      const auto cancellation = cancellations_.find(lease_id);
      if (cancellation != cancellations_.end()) cancellation->second->Cancel();
    }
    changed_.SignalAll();
  }
  transport_->Interrupt();
}

void LeaseLoop::Drain() {
  {
    absl::MutexLock lock(&mutex_);
    interrupted_ = true;
    state_.Drain(absl::Now());
    changed_.SignalAll();
  }
  transport_->Interrupt();
}

// One call. An error only when there is no point in calling again.
absl::Status LeaseLoop::Synchronize() {
  v1::SynchronizeRequest request;
  absl::Duration limit;
  {
    absl::MutexLock lock(&mutex_);
    request = state_.MakeRequest();
    limit = stopping_ ? kFarewellLimit : absl::Milliseconds(request.wait_ms()) + kCallMargin;
    waiting_ = request.wait_ms() > 0;
  }
  const absl::StatusOr<v1::SynchronizeResponse> response = transport_->Synchronize(request, limit);
  absl::MutexLock lock(&mutex_);
  waiting_ = false;
  // Interrupted because there is something to tell: it goes with the next call.
  if (absl::IsCancelled(response.status()) && std::exchange(interrupted_, false)) return absl::OkStatus();
  LogConnection(response.status());
  if (!response.ok()) {
    if (IsFinal(response.status())) return response.status();
    state_.OnFailure(absl::Now());
    return absl::OkStatus();
  }
  Apply(state_.OnResponse(request, *response, absl::Now()));
  return absl::OkStatus();
}

void LeaseLoop::Apply(const LeaseActions& actions) {
  for (const std::string& lease_id : actions.cancel) {
    const auto cancellation = cancellations_.find(lease_id);
    if (cancellation != cancellations_.end()) cancellation->second->Cancel();
    spdlog::info("lease {} is cancelled by the server", lease_id);
  }
  for (const v1::Lease& lease : actions.start) {
    Work work{lease, std::make_shared<Cancellation>()};
    cancellations_[lease.lease_id()] = work.cancellation;
    queue_.push_back(std::move(work));
  }
  changed_.SignalAll();
  if (state_.quarantine() == logged_quarantine_) return;
  logged_quarantine_ = state_.quarantine();
  if (logged_quarantine_.empty()) {
    spdlog::info("the server's quarantine is over");
  } else {
    spdlog::warn("the server gives this worker no work: {}", logged_quarantine_);
  }
}

// Once when the server is lost, once when it is back.
void LeaseLoop::LogConnection(const absl::Status& status) {
  if (!status.ok() && !IsFinal(status) && state_.failures() == 0) {
    spdlog::warn("the server cannot be reached ({}); trying again", std::string(status.message()));
  } else if (status.ok() && state_.failures() > 0) {
    spdlog::info("the server is back");
    executor_->ForgetStudies();
  }
}

void LeaseLoop::ExecuteAll() {
  while (true) {
    Work work;
    {
      absl::MutexLock lock(&mutex_);
      while (queue_.empty() && !finished_) changed_.Wait(&mutex_);
      if (finished_) return;
      work = std::move(queue_.front());
      queue_.pop_front();
      ++working_;
    }
    Execute(work);
    absl::MutexLock lock(&mutex_);
    --working_;
    changed_.SignalAll();
  }
}

void LeaseLoop::Execute(const Work& work) {
  const std::string& lease_id = work.lease.lease_id();
  TaskControl control;
  control.cancellation = work.cancellation.get();
  control.stage = [&](const std::string& stage) {
    spdlog::debug("{}: {}", Describe(work.lease), stage);
    absl::MutexLock lock(&mutex_);
    state_.OnStage(lease_id, stage);
  };
  const absl::Time start = absl::Now();
  absl::StatusOr<v1::LeaseResult> result =
      control.cancelled() ? absl::CancelledError("cancelled") : executor_->Execute(work.lease, control);
  bool interrupt = false;
  {
    absl::MutexLock lock(&mutex_);
    Finish(work.lease, std::move(result), absl::Now() - start);
    interrupt = waiting_ && state_.news();
    interrupted_ |= interrupt;
  }
  if (interrupt) transport_->Interrupt();
}

void LeaseLoop::Finish(const v1::Lease& lease, absl::StatusOr<v1::LeaseResult> result, absl::Duration time) {
  const std::string& lease_id = lease.lease_id();
  cancellations_.erase(lease_id);
  if (result.ok()) {
    spdlog::info("{}: finished after {:.3f} s", Describe(lease), absl::ToDoubleSeconds(time));
    result->set_lease_id(lease_id);
    result->set_study_id(lease.study_id());
    state_.OnFinished(*result, absl::Now());
  } else {
    if (!absl::IsCancelled(result.status())) {
      spdlog::warn("{}: given back: {}", Describe(lease), std::string(result.status().message()));
    }
    state_.OnDropped(lease_id, absl::Now());
  }
  changed_.SignalAll();
}

}  // namespace tune
