#include "worker/lease/lease_state.h"

#include <algorithm>
#include <cmath>

namespace tune {
namespace {

constexpr absl::Duration kLongestWait = absl::Minutes(2);
// While leases are held, which a call renews when it begins.
constexpr absl::Duration kLongestBusyWait = absl::Seconds(5);
constexpr absl::Duration kFirstRetry = absl::Milliseconds(200);
constexpr absl::Duration kLongestRetry = absl::Seconds(2);
// The longest time between two requests, whatever the server says.
constexpr absl::Duration kLongestPause = absl::Minutes(5);
// The shortest, when the last one had no effect, and when the server could not store a result.
constexpr absl::Duration kShortestPause = absl::Milliseconds(50);
constexpr absl::Duration kStoreRetry = absl::Seconds(1);
// Of the results in one request, and of one result.
constexpr size_t kMostResultBytes = 8 << 20;

// A result that no request has room for, without its texts.
void Shorten(v1::LeaseResult* result) {
  if (result->ByteSizeLong() <= kMostResultBytes || !result->has_evaluate()) return;
  v1::Evaluation* evaluation = result->mutable_evaluate()->mutable_evaluation();
  evaluation->clear_findings();
  evaluation->clear_code();
  evaluation->clear_device_file();
  evaluation->set_log("(log, code and findings had more than 8 MiB; the worker has left them out)");
}

}  // namespace

LeaseState::LeaseState(WorkerIdentity identity, uint64_t jitter_seed)
    : identity_(std::move(identity)), random_(jitter_seed) {}

v1::SynchronizeRequest LeaseState::MakeRequest() {
  news_ = false;
  v1::SynchronizeRequest request;
  request.set_worker(identity_.name);
  request.set_session(identity_.session);
  request.set_secret(identity_.secret);
  request.set_version(identity_.version);
  std::vector<v1::Device> devices = identity_.devices;
  if (identity_.mark_devices) identity_.mark_devices(&devices);
  request.mutable_devices()->Assign(devices.begin(), devices.end());
  for (const auto& [lease_id, active] : active_) {
    if (active.cancelled) continue;
    v1::ActiveLease* entry = request.add_active();
    entry->set_lease_id(lease_id);
    entry->set_stage(active.stage);
  }
  size_t bytes = 0;
  for (const auto& [lease_id, result] : results_) {
    bytes += result.ByteSizeLong();
    if (request.results_size() == 0 || bytes <= kMostResultBytes) {
      *request.add_results() = result;
      continue;
    }
    // It goes with a later call, which follows at once; its lease is still held.
    request.add_active()->set_lease_id(lease_id);
    news_ = true;
  }
  for (const std::string& lease_id : returned_) request.add_returned(lease_id);
  request.set_draining(draining_);
  const int free = draining_ ? 0 : std::max(0, identity_.slots - static_cast<int>(active_.size()));
  request.set_free_slots(free);
  if (free > 0) request.set_wait_ms(absl::ToInt64Milliseconds(busy() ? kLongestBusyWait : kLongestWait));
  return request;
}

LeaseActions LeaseState::OnResponse(const v1::SynchronizeRequest& request,
                                    const v1::SynchronizeResponse& response, absl::Time now) {
  LeaseActions actions;
  failures_ = 0;
  quarantine_ = response.quarantine();
  for (const std::string& lease_id : request.returned()) returned_.erase(lease_id);
  for (const std::string& lease_id : response.acknowledged()) results_.erase(lease_id);
  for (const std::string& lease_id : response.cancelled()) {
    results_.erase(lease_id);
    const auto active = active_.find(lease_id);
    if (active == active_.end() || active->second.cancelled) continue;
    active->second.cancelled = true;
    actions.cancel.push_back(lease_id);
  }
  for (const v1::Lease& lease : response.leases()) {
    if (active_.count(lease.lease_id()) > 0) continue;
    if (static_cast<int>(active_.size()) >= identity_.slots || draining_) {
      returned_.insert(lease.lease_id());
      news_ = true;
      continue;
    }
    active_[lease.lease_id()] = Active{};
    actions.start.push_back(lease);
  }
  if (request.draining() && !news_) told_ = true;
  const bool not_stored = request.results_size() > response.acknowledged_size() && !results_.empty();
  const bool no_effect = actions.start.empty() && response.acknowledged().empty();
  const absl::Duration shortest = not_stored  ? kStoreRetry
                                  : no_effect ? kShortestPause
                                              : absl::ZeroDuration();
  const absl::Duration pause =
      std::clamp(absl::Milliseconds(response.next_synchronization_ms()), shortest, kLongestPause);
  next_ = news_ ? now : now + pause * (1 + 0.1 * random_.Uniform());
  return actions;
}

void LeaseState::OnFailure(absl::Time now) {
  const absl::Duration pause = std::min(kFirstRetry * std::pow(2.0, std::min(failures_, 20)), kLongestRetry);
  ++failures_;
  next_ = now + pause * (1 + 0.1 * random_.Uniform());
}

void LeaseState::OnStage(const std::string& lease_id, const std::string& stage) {
  const auto active = active_.find(lease_id);
  if (active != active_.end()) active->second.stage = stage;
}

void LeaseState::OnFinished(const v1::LeaseResult& result, absl::Time now) {
  const auto active = active_.find(result.lease_id());
  if (active == active_.end()) return;
  const bool wanted = !active->second.cancelled && returned_.count(result.lease_id()) == 0;
  active_.erase(active);
  if (wanted) {
    results_[result.lease_id()] = result;
    Shorten(&results_[result.lease_id()]);
  }
  news_ = true;
  // While the server cannot be reached, the pause between tries stays.
  if (failures_ == 0) next_ = now;
}

void LeaseState::OnDropped(const std::string& lease_id, absl::Time now) {
  active_.erase(lease_id);
  news_ = true;
  if (failures_ == 0) next_ = now;
}

void LeaseState::Drain(absl::Time now) {
  draining_ = true;
  told_ = false;
  news_ = true;
  next_ = now;
}

std::vector<std::string> LeaseState::Stop(absl::Time now) {
  std::vector<std::string> stopped;
  for (auto& [lease_id, active] : active_) {
    returned_.insert(lease_id);
    active.cancelled = true;
    stopped.push_back(lease_id);
  }
  Drain(now);
  return stopped;
}

}  // namespace tune
