// The rules behind AllowOnly, made into programs for the kernel when this is built: libseccomp takes a
// millisecond for one, and each candidate's process needs one.
#pragma once

#include <cstdint>

#include "worker/confine/system_calls.h"

namespace tune {

// Stands for the number of the process that will load the filter.
inline constexpr uint32_t kOwnProcess = 0x7a5eed17;

// Writes the program (sock_filter of <linux/filter.h>, one after the other) to the file. 0, or an error
// number.
int WriteFilter(SystemCalls calls, bool alone, int file);

}  // namespace tune
