// Generated C as C++.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune {

struct CppCode {
  std::string text;
  // Of the functions that the code declares in its blocks, for the file's beginning, a line each: as in C,
  // and where templates find them, too.
  std::string declarations;
};

// The generated code with what C++ calls otherwise in its words: `_Bool`, `restrict`, `__auto_type`. Text in
// quotes and directives keep theirs. Each declaration of a function is on one line.
CppCode ToCpp(absl::string_view code);

}  // namespace tune
