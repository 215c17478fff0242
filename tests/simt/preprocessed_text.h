// CUDA text with its macros and its own files' headers in place.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace tune::simt {

// Headers that texts may include for nvcc, of which the prelude has what they would give: empty files in
// `folder`.
absl::Status WriteEmptyHeaders(const std::string& folder);

// `file` by the preprocessor, with those of the flags that are its: -D, -U, -I. What the prelude defines
// stays as it is. INVALID_ARGUMENT with the preprocessor's words.
absl::StatusOr<std::string> PreprocessText(const std::string& file, const std::vector<std::string>& flags);

}  // namespace tune::simt
