// Nobody's calls keep those of others waiting.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace tune {

// Long calls of each caller: some go on at once, the others of the same caller begin when one of those has
// ended. Thread safe.
class Turns {
 public:
  // At most `at_once` of one caller go on, and `waiting` more are kept.
  Turns(int at_once, size_t waiting) : at_once_(at_once), waiting_(waiting) {}

  // Runs `begin`, which must not wait, now or in another thread's Give. False: too many are waiting, and it
  // will not be run.
  bool Take(const std::string& caller, std::function<void()> begin);
  // A call has ended that had begun.
  void Give(const std::string& caller);

 private:
  struct Calls {
    int going_on = 0;
    std::deque<std::function<void()>> waiting;
  };

  const int at_once_;
  const size_t waiting_;
  absl::Mutex mutex_;
  std::map<std::string, Calls> callers_ ABSL_GUARDED_BY(mutex_);  // those with calls
};

}  // namespace tune
