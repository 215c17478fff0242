#include "client/exchange/pull_budget.h"

namespace tune {
namespace {

absl::Status Over(const std::string& what) {
  return absl::ResourceExhaustedError(
      absl::StrCat("that server ", what,
                   ", which is more than one pull takes: name the studies that you want, or "
                   "pull again for the others"));
}

}  // namespace

PullBudget::PullBudget(const PullLimits& limits, const Clock* clock)
    : limits_(limits), clock_(clock), begin_(clock->Now()), last_news_(begin_) {}

void PullBudget::CountAnswer(int64_t bytes) {
  bytes_ += bytes;
  ++requests_;
}

absl::Status PullBudget::Check() const {
  if (bytes_ > limits_.bytes) return Over(absl::StrCat("has sent ", bytes_.load(), " bytes"));
  if (requests_ > limits_.requests) return Over(absl::StrCat("has been asked ", requests_.load(), " times"));
  const absl::Time now = clock_->Now();
  if (now - begin_ > limits_.whole)
    return Over(absl::StrCat("has been answering for ", absl::FormatDuration(now - begin_)));
  if (now - last_news_.load() > limits_.without_news) {
    return Over(absl::StrCat("has told nothing new for ", absl::FormatDuration(now - last_news_.load())));
  }
  return absl::OkStatus();
}

}  // namespace tune
