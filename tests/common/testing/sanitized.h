// Whether this build looks for faults of memory or races, which makes it several times slower.
#pragma once

namespace tune::testing {

// Of what a test repeats with other numbers, a sanitized build does less: each repetition runs the same code.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace tune::testing
