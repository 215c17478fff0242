#include "common/base/c_compiler.h"

#include <cstdlib>

#include "absl/strings/str_split.h"

namespace tune {

std::vector<std::string> CCompilerCommand() {
  const char* environment = std::getenv("CC");
  std::vector<std::string> words =
      absl::StrSplit(environment != nullptr ? environment : "", ' ', absl::SkipEmpty());
  if (words.empty()) words.push_back("cc");
  return words;
}

}  // namespace tune
