// The notation of schedule trees, checked before isl reads one: its reader trusts what it gets.
#pragma once

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Whether `text` is a tree as isl_schedule_to_str prints it: nodes in braces, of the kinds domain (the root
// and nothing else), schedule (a band), filter, sequence, set (whose children are filters) and mark, each
// with the entries that belong to its kind, in any order after the first, each once; sets, functions (as
// isl_grammar.h has them) and names in quotes, numbers 0 or 1. At most 200 levels and kLongestIslTree bytes.
// INVALID_ARGUMENT says where and what was expected.
absl::Status CheckScheduleNotation(absl::string_view text);

}  // namespace tune
