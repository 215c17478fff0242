// Debian's Abseil is built without ThreadSanitizer, which would see none of its locks and report everything
// that they guard. In a TSan build every program gets these functions in place of the library's: each does
// what the library's does and tells ThreadSanitizer what that orders. cmake/tune.cmake links them.
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"

// Keeps the linker from leaving this file out.
extern "C" {
int tune_tsan_abseil = 1;
}

namespace {

// The library's function of that (mangled) name.
template <typename Function>
Function* Library(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define LIBRARY(type, name)                         \
  static auto* const library = Library<type>(name); \
  static_assert(true, "")

extern "C" {

void _ZN4absl7debian35Mutex4LockEv(absl::Mutex* mutex) {
  LIBRARY(void(absl::Mutex*), "_ZN4absl7debian35Mutex4LockEv");
  library(mutex);
  __tsan_acquire(mutex);
}

void _ZN4absl7debian35Mutex6UnlockEv(absl::Mutex* mutex) {
  LIBRARY(void(absl::Mutex*), "_ZN4absl7debian35Mutex6UnlockEv");
  __tsan_release(mutex);
  library(mutex);
}

void _ZN4absl7debian35Mutex10ReaderLockEv(absl::Mutex* mutex) {
  LIBRARY(void(absl::Mutex*), "_ZN4absl7debian35Mutex10ReaderLockEv");
  library(mutex);
  __tsan_acquire(mutex);
}

void _ZN4absl7debian35Mutex12ReaderUnlockEv(absl::Mutex* mutex) {
  LIBRARY(void(absl::Mutex*), "_ZN4absl7debian35Mutex12ReaderUnlockEv");
  __tsan_release(mutex);
  library(mutex);
}

bool _ZN4absl7debian35Mutex7TryLockEv(absl::Mutex* mutex) {
  LIBRARY(bool(absl::Mutex*), "_ZN4absl7debian35Mutex7TryLockEv");
  const bool locked = library(mutex);
  if (locked) __tsan_acquire(mutex);
  return locked;
}

void _ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE(absl::Mutex* mutex, const absl::Condition& condition) {
  LIBRARY(void(absl::Mutex*, const absl::Condition&), "_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE");
  __tsan_release(mutex);
  library(mutex, condition);
  __tsan_acquire(mutex);
}

bool _ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE(
    absl::Mutex* mutex, const absl::Condition& condition, absl::Duration timeout) {
  LIBRARY(bool(absl::Mutex*, const absl::Condition&, absl::Duration),
          "_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_8DurationE");
  __tsan_release(mutex);
  const bool met = library(mutex, condition, timeout);
  __tsan_acquire(mutex);
  return met;
}

bool _ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE(absl::Mutex* mutex,
                                                                           const absl::Condition& condition,
                                                                           absl::Time deadline) {
  LIBRARY(bool(absl::Mutex*, const absl::Condition&, absl::Time),
          "_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE");
  __tsan_release(mutex);
  const bool met = library(mutex, condition, deadline);
  __tsan_acquire(mutex);
  return met;
}

void _ZN4absl7debian37CondVar4WaitEPNS0_5MutexE(absl::CondVar* variable, absl::Mutex* mutex) {
  LIBRARY(void(absl::CondVar*, absl::Mutex*), "_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE");
  __tsan_release(mutex);
  library(variable, mutex);
  __tsan_acquire(mutex);
}

bool _ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE(absl::CondVar* variable,
                                                                          absl::Mutex* mutex,
                                                                          absl::Duration timeout) {
  LIBRARY(bool(absl::CondVar*, absl::Mutex*, absl::Duration),
          "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE");
  __tsan_release(mutex);
  const bool expired = library(variable, mutex, timeout);
  __tsan_acquire(mutex);
  return expired;
}

bool _ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE(absl::CondVar* variable,
                                                                       absl::Mutex* mutex,
                                                                       absl::Time deadline) {
  LIBRARY(bool(absl::CondVar*, absl::Mutex*, absl::Time),
          "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE");
  __tsan_release(mutex);
  const bool expired = library(variable, mutex, deadline);
  __tsan_acquire(mutex);
  return expired;
}

void _ZN4absl7debian312Notification6NotifyEv(absl::Notification* notification) {
  LIBRARY(void(absl::Notification*), "_ZN4absl7debian312Notification6NotifyEv");
  __tsan_release(notification);
  library(notification);
}

void _ZNK4absl7debian312Notification19WaitForNotificationEv(const absl::Notification* notification) {
  LIBRARY(void(const absl::Notification*), "_ZNK4absl7debian312Notification19WaitForNotificationEv");
  library(notification);
  __tsan_acquire(const_cast<absl::Notification*>(notification));
}

}  // extern "C"
