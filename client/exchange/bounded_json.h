// JSON from elsewhere.
#pragma once

#include "absl/strings/string_view.h"
#include "client/report/json.h"
#include "common/base/status.h"

namespace tune {

// Deeper ones are refused: to print or to copy a value takes a frame of the stack for each level.
inline constexpr int kDeepestJson = 100;

// INVALID_ARGUMENT when it is no JSON, or one of more than kDeepestJson levels.
absl::StatusOr<Json> ParseBoundedJson(absl::string_view text);

// Members of an object, without a value of another type; `otherwise` also where `json` is no object.
std::string TextMember(const Json& json, const char* name);
int64_t IntMember(const Json& json, const char* name, int64_t otherwise);

}  // namespace tune
