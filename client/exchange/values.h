// Options of decisions as values of JSON, and back.
#pragma once

#include <optional>
#include <string>

#include "client/report/json.h"

namespace tune {

// A number where the option is the decimal text of one, else a string.
Json OptionValue(const std::string& option);

// The text of a value: a string itself, everything else as JSON.
std::string OptionText(const Json& value);

// "2026-11-22T13:05:09Z"; empty for 0.
std::string IsoTime(int64_t unix_ms);

// Inverse, also with an offset or without a zone; 0 when it cannot be read.
int64_t ParseIsoTime(const std::string& text);

// Of what a file has below our key `tuned`: whether more of its objective is better. No value: it does not
// say.
std::optional<bool> MaximiseOf(const Json& tuned);

}  // namespace tune
