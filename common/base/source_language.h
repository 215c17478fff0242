// Which language a source file is in.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune {

enum class SourceLanguage { kC, kCpp, kFortran };

// By the file's extension, as compilers take it; C where that says nothing. Files of CUDA are C++.
SourceLanguage LanguageOf(absl::string_view path);

bool IsCpp(absl::string_view path);

// The path without the extension of a file, or header, in C or C++; others as they are.
std::string WithoutSourceExtension(absl::string_view path);

// What the name of a tuned file ends with that stands in for the file: ".c"; in C++ the extension of the file
// itself, but ".cpp" for one of CUDA, whose name the device's code has.
std::string ExtensionOfTuned(absl::string_view path);

}  // namespace tune
