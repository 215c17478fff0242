// A wish to stop, seen by whoever works.
#pragma once

#include <atomic>

namespace tune {

// Thread safe. Once cancelled, for ever.
class Cancellation {
 public:
  void Cancel() { cancelled_ = true; }
  bool cancelled() const { return cancelled_; }

  // For SubprocessOptions::cancelled, with this object as argument.
  static bool Poll(void* cancellation) { return static_cast<const Cancellation*>(cancellation)->cancelled(); }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace tune
