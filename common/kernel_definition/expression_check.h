// Expressions of a definition before there is a configuration.
#pragma once

#include <string>

#include "common/kernel_definition/definition_names.h"

namespace tune {

// INVALID_ARGUMENT with the text and the column where it cannot be read, or uses a name that is not among
// `names`; the message has those that there are.
absl::Status CheckExpression(absl::string_view text, const NamedValues& names);

}  // namespace tune
