// Texts of a scop that become text of generated C: only what can do no harm there.
#pragma once

#include <string>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// A constant that tells whether plain characters have a sign: -1 or 255.
constexpr char kSignOfCharacters[] = "(char)-1";

// A C expression of names, numbers and operators: no assignment, no string, and calls of nothing.
// INVALID_ARGUMENT says what is wrong.
absl::Status CheckCExpression(const std::string& text);

// Of each kind what the front end writes: macros by name or by a call with balanced parentheses, names of
// types of numbers and variables whose types are some, constants. INVALID_ARGUMENT says what is wrong.
absl::Status CheckMeaning(const v1::Meaning& meaning);

// Of an array's structures: their type is named by words, members are paths, and all of them lie inside.
// INVALID_ARGUMENT says what is wrong.
absl::Status CheckStructure(const v1::Array& array);

}  // namespace tune
