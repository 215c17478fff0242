// Values as text, as Python writes them.
#pragma once

#include <string>

#include "common/expression/value.h"

namespace tune {

// What reads back as the same value: `64`, `0.5`, `True`, `'half'`, `[1, 2]` (Python's repr).
std::string PrintValue(const Value& value);

// The same, but a string stands for itself (Python's str).
std::string TextOfValue(const Value& value);

}  // namespace tune
