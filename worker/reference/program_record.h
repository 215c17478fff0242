// What the recorder left in its folder.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/evaluation.pb.h"

namespace tune {

// Parses record.txt, one fact a line:
//   parameter NAME VALUE
//   array NAME EXTENT...      (none for a scalar)
//   nanoseconds N             of the region's first execution
// Sets parameters, arrays and sequential_seconds. INTERNAL when a line is none of these.
absl::Status ParseRecord(absl::string_view text, v1::Reference* reference);

// How often the region was entered; 0 when the file is not as expected.
int64_t ReadCount(const std::string& path);

}  // namespace tune
