#include "server/analysis/scop_check.h"

#include "absl/cleanup/cleanup.h"
#include "absl/time/clock.h"
#include "common/base/fingerprint.h"
#include "common/scop/scop_texts.h"

namespace tune {
namespace {

// What another try may change is not remembered.
bool IsFinal(const absl::Status& status) { return !absl::IsUnavailable(status) && !absl::IsInternal(status); }

}  // namespace

absl::StatusOr<ScopIdentity> ScopCheck::Identify(const v1::Scop& scop) {
  TUNE_RETURN_IF_ERROR(CheckScopTexts(scop));  // what this tells needs no process
  const std::string name = Fingerprint(scop.SerializeAsString());
  {
    absl::MutexLock lock(&mutex_);
    if (const auto known = results_.find(name); known != results_.end()) return known->second;
    if (!mutex_.AwaitWithTimeout(absl::Condition(this, &ScopCheck::HasTurn), options_.patience)) {
      return absl::UnavailableError(absl::StrCat("the server has been looking at ", options_.processes,
                                                 " other regions for ",
                                                 absl::FormatDuration(options_.patience), "; try again"));
    }
    ++running_;
  }
  Lane lane = Lane::kBegun;
  const absl::Cleanup end = [this, &lane] {
    absl::MutexLock lock(&mutex_);
    --(lane == Lane::kSlow ? slow_ : running_);
  };
  Result result = Ask(scop, &lane);
  if (IsFinal(result.status())) Remember(name, result);
  return result;
}

bool ScopCheck::GoesOn(absl::Time since, Lane* lane) {
  if (*lane == Lane::kSlow || absl::Now() - since < options_.quick) return true;
  absl::MutexLock lock(&mutex_);
  if (slow_ >= options_.slow_processes) return false;
  --running_;
  ++slow_;
  *lane = Lane::kSlow;
  return true;
}

absl::StatusOr<ScopIdentity> ScopCheck::Ask(const v1::Scop& scop, Lane* lane) {
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<Analyser> analyser, Analyser::Start(options_.analyser));
  v1::AnalysisRequest request;
  *request.mutable_identify() = scop;
  const absl::Time begin = absl::Now();
  const absl::StatusOr<v1::AnalysisAnswer> asked =
      analyser->Ask(request, [&] { return !GoesOn(begin, lane); });
  if (absl::IsCancelled(asked.status())) {
    return absl::UnavailableError(absl::StrCat(
        "the region takes longer than ", absl::FormatDuration(options_.quick),
        " to look at, and the server is looking at ", options_.slow_processes, " others like it; try again"));
  }
  TUNE_RETURN_IF_ERROR(asked.status());
  const v1::AnalysisAnswer& answer = *asked;
  ScopIdentity identity;
  identity.fingerprint = answer.identity().fingerprint();
  identity.shape = answer.identity().shape();
  identity.sizes.assign(answer.identity().sizes().begin(), answer.identity().sizes().end());
  return identity;
}

void ScopCheck::Remember(const std::string& name, const Result& result) {
  absl::MutexLock lock(&mutex_);
  if (!results_.emplace(name, result).second) return;
  order_.push_back(name);
  if (order_.size() <= options_.kept) return;
  results_.erase(order_.front());
  order_.pop_front();
}

}  // namespace tune
