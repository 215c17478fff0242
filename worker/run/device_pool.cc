#include "worker/run/device_pool.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "absl/time/clock.h"

namespace tune {
namespace {

// How soon a cancellation is noticed by who waits for a device.
constexpr absl::Duration kPollInterval = absl::Milliseconds(50);
// So many better second opinions in a row retire a device: one may be a race in a candidate.
constexpr int kBlamesToRetire = 2;

bool AllCorrect(const RunOutcome& outcome) {
  return std::all_of(outcome.verdicts.begin(), outcome.verdicts.end(),
                     [](const v1::RunnerVerdict& verdict) { return verdict.outcome() == v1::CORRECT; });
}

// Failures for which a device may be the reason.
bool MayBeTheDevices(v1::Outcome outcome) {
  return outcome == v1::RUNTIME || outcome == v1::OOM || outcome == v1::CORRECTNESS;
}

bool SomeMayBeTheDevices(const RunOutcome& outcome) {
  return outcome.unanswered ||
         std::any_of(outcome.verdicts.begin(), outcome.verdicts.end(),
                     [](const v1::RunnerVerdict& verdict) { return MayBeTheDevices(verdict.outcome()); });
}

bool AnyMember(size_t) { return true; }

std::string FailureText(const absl::StatusOr<RunOutcome>& result) {
  if (!result.ok()) return std::string(result.status().message());
  for (const v1::RunnerVerdict& verdict : result->verdicts) {
    if (verdict.outcome() != v1::CORRECT) return verdict.message();
  }
  return "";
}

}  // namespace

DevicePool::DevicePool(std::vector<Member> members)
    : members_(std::move(members)), conduct_(members_.size()) {
  for (size_t i = members_.size(); i > 0; --i) free_.push_back(i - 1);
}

bool DevicePool::Has(const Wanted& wanted) const {
  for (size_t i = 0; i < conduct_.size(); ++i) {
    if (conduct_[i].retired.empty() && wanted(i)) return true;
  }
  return false;
}

bool DevicePool::HasOther(size_t member) const {
  return Has([member](size_t other) { return other != member; });
}

std::optional<size_t> DevicePool::Take(Cancellation* cancellation, const Wanted& wanted) {
  absl::MutexLock lock(&mutex_);
  const auto decided = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return std::any_of(free_.begin(), free_.end(), wanted) || !Has(wanted);
  };
  while (!mutex_.AwaitWithTimeout(absl::Condition(&decided), kPollInterval)) {
    if (cancellation != nullptr && cancellation->cancelled()) return std::nullopt;
  }
  const auto last = std::find_if(free_.rbegin(), free_.rend(), wanted);
  if (last == free_.rend()) return std::nullopt;
  const size_t member = *last;
  free_.erase(std::next(last).base());
  return member;
}

void DevicePool::Return(size_t member) {
  absl::MutexLock lock(&mutex_);
  if (conduct_[member].retired.empty()) free_.push_back(member);
}

DevicePool::Result DevicePool::RunOn(size_t member, CudaRunRequest* request,
                                     const std::function<void(v1::CudaJob*)>& at_last) {
  if (at_last) at_last(&request->job);
  Result result = members_[member].runner->Run(*request);
  if (result.ok()) result->device = members_[member].name;
  return result;
}

bool DevicePool::Doubt(size_t member, const Result& result) {
  absl::MutexLock lock(&mutex_);
  Conduct& conduct = conduct_[member];
  if (result.ok() && AllCorrect(*result)) {
    conduct.failures = conduct.blames = 0;
    conduct.allowed = kSuspiciousFailures;
    return false;
  }
  if (absl::IsCancelled(result.status())) return false;
  if (result.ok() && !SomeMayBeTheDevices(*result)) return false;
  ++conduct.failures;
  return (!result.ok() || conduct.failures >= conduct.allowed) && HasOther(member);
}

bool DevicePool::PreferSecond(size_t member, const Result& first, size_t other, const Result& second) {
  absl::MutexLock lock(&mutex_);
  Conduct& conduct = conduct_[member];
  const bool better = second.ok() && (!first.ok() || AllCorrect(*second));
  if (!better && first.ok() == second.ok()) {
    conduct.failures = conduct.blames = 0;
    conduct.allowed *= 2;
  }
  if (!better) return false;
  ++conduct.blames;
  if (conduct.blames >= kBlamesToRetire && conduct.retired.empty() && HasOther(member)) {
    Retire(member, other, first);
  }
  return true;
}

void DevicePool::Retire(size_t member, size_t other, const Result& first) {
  std::string why = FailureText(first);
  why = why.substr(0, why.find('\n'));
  conduct_[member].retired = absl::StrCat(
      "failed ", kBlamesToRetire, " times in a row at what ", members_[other].name,
      " did (the last time: ", why, "); see what nvidia-smi says of it, repair it and restart tune-worker");
  free_.erase(std::remove(free_.begin(), free_.end(), member), free_.end());
  spdlog::warn("{} is used no more: it {}", members_[member].name, conduct_[member].retired);
}

absl::Status DevicePool::CheckClocks(const std::vector<int>& mhz, Cancellation* cancellation) {
  const std::optional<size_t> member = Take(cancellation, AnyMember);
  if (!member.has_value()) return absl::CancelledError("cancelled");
  const absl::Status checked = members_[*member].runner->CheckClocks(mhz);
  Return(*member);
  return checked;
}

absl::StatusOr<RunOutcome> DevicePool::Run(CudaRunRequest request,
                                           const std::function<void(v1::CudaJob*)>& at_last) {
  const absl::Time start = absl::Now();
  const std::optional<size_t> member = Take(request.cancellation, AnyMember);
  if (!member.has_value()) return absl::CancelledError("cancelled");
  const double waited = absl::ToDoubleSeconds(absl::Now() - start);
  Result result = RunOn(*member, &request, at_last);
  const bool doubt = Doubt(*member, result);
  Return(*member);
  if (doubt) {
    const std::optional<size_t> other =
        Take(request.cancellation, [&](size_t second) { return second != *member; });
    if (other.has_value()) {
      Result second = RunOn(*other, &request, at_last);
      Return(*other);
      if (PreferSecond(*member, result, *other, second)) result = std::move(second);
    }
  }
  if (result.ok()) result->waited_seconds = waited;
  return result;
}

void DevicePool::Prepare() {
  const std::map<int, std::string> retired = Retired();
  for (const Member& member : members_) {
    if (retired.count(member.ordinal) == 0) member.runner->Prepare();
  }
}

bool DevicePool::WithDevice(Cancellation* cancellation, const std::function<void(int ordinal)>& use) {
  const std::optional<size_t> member = Take(cancellation, AnyMember);
  if (!member.has_value()) return false;
  use(members_[*member].ordinal);
  Return(*member);
  return true;
}

bool DevicePool::WithDevice(int ordinal, Cancellation* cancellation, const std::function<void()>& use) {
  const auto wanted = [&](size_t member) { return members_[member].ordinal == ordinal; };
  const std::optional<size_t> member = Take(cancellation, wanted);
  if (!member.has_value()) return false;
  use();
  Return(*member);
  return true;
}

std::map<int, std::string> DevicePool::Retired() const {
  absl::MutexLock lock(&mutex_);
  std::map<int, std::string> retired;
  for (size_t i = 0; i < members_.size(); ++i) {
    if (!conduct_[i].retired.empty()) retired[members_[i].ordinal] = conduct_[i].retired;
  }
  return retired;
}

}  // namespace tune
