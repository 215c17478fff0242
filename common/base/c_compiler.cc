#include "common/base/c_compiler.h"

#include <cstdlib>

#include "absl/strings/str_split.h"

namespace tune {
namespace {

std::vector<std::string> CommandIn(const char* variable, const char* otherwise) {
  const char* environment = std::getenv(variable);
  std::vector<std::string> words =
      absl::StrSplit(environment != nullptr ? environment : "", ' ', absl::SkipEmpty());
  if (words.empty()) words.push_back(otherwise);
  return words;
}

}  // namespace

std::vector<std::string> CCompilerCommand() { return CommandIn("CC", "cc"); }

std::vector<std::string> CppCompilerCommand() { return CommandIn("CXX", "c++"); }

}  // namespace tune
