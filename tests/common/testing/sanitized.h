// Whether this build looks for faults of memory or races, which makes it several times slower.
#pragma once

namespace tune::testing {

// Of what a test repeats with other numbers, a sanitized build does less: each repetition runs the same code.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// Whether it looks for races between threads. Fibers are threads to it, whose clocks it compares at each
// switch: what runs on thousands of them, on one thread, takes hours and has no races to find.
#if defined(__SANITIZE_THREAD__)
constexpr bool kSanitizedThreads = true;
#else
constexpr bool kSanitizedThreads = false;
#endif

}  // namespace tune::testing
