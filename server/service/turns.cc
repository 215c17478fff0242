#include "server/service/turns.h"

#include <utility>

namespace tune {

bool Turns::Take(const std::string& caller, std::function<void()> begin) {
  {
    absl::MutexLock lock(&mutex_);
    Calls& calls = callers_[caller];
    if (calls.going_on >= at_once_) {
      if (calls.waiting.size() >= waiting_) return false;
      calls.waiting.push_back(std::move(begin));
      return true;
    }
    ++calls.going_on;
  }
  begin();
  return true;
}

void Turns::Give(const std::string& caller) {
  std::function<void()> next;
  {
    absl::MutexLock lock(&mutex_);
    const auto found = callers_.find(caller);
    Calls& calls = found->second;
    if (!calls.waiting.empty()) {
      next = std::move(calls.waiting.front());
      calls.waiting.pop_front();
    } else if (--calls.going_on == 0) {
      callers_.erase(found);
    }
  }
  if (next != nullptr) next();
}

}  // namespace tune
