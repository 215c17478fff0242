// Values of tuning parameters: as messages, in expressions, in C.
#pragma once

#include <string>

#include "common/expression/value.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// A value that is not set is 0.
Value ToValue(const v1::TuningValue& value);
// INVALID_ARGUMENT for a list, and for what is no value of C: an infinite float, a text of several lines.
absl::StatusOr<v1::TuningValue> ToTuningValue(const Value& value);

// As in expressions: `64`, `'float'`; for messages.
std::string PrintTuningValue(const v1::TuningValue& value);

// `64`, `0.5`, `1` for True, a string as it stands: what a macro is replaced by. INVALID_ARGUMENT as above.
absl::StatusOr<std::string> MacroText(const Value& value);
// The same, but `true` and `false`.
absl::StatusOr<std::string> TemplateText(const Value& value);

}  // namespace tune
