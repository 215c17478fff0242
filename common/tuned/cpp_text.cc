#include "common/tuned/cpp_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

absl::string_view WordOfCpp(absl::string_view word) {
  if (word == "_Bool") return "bool";
  if (word == "restrict") return "__restrict__";
  return word == "__auto_type" ? "auto" : word;
}

std::string WithWordsOfCpp(absl::string_view line) {
  std::string text;
  bool quoted = false;
  for (size_t i = 0; i < line.size();) {
    size_t end = i;
    while (end < line.size() && IsNameCharacter(line[end])) ++end;
    if (end == i) {
      if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
      text += line[i++];
      continue;
    }
    const absl::string_view word = line.substr(i, end - i);
    absl::StrAppend(&text, quoted ? word : WordOfCpp(word));
    i = end;
  }
  return text;
}

// Takes what the line declares out of it.
void TakeDeclarations(std::string* line, std::string* declarations) {
  for (size_t begin; (begin = line->find("extern ")) != std::string::npos;) {
    const size_t end = line->find(';', begin);
    if (end == std::string::npos) return;
    const std::string declaration = line->substr(begin, end + 1 - begin);
    absl::StrAppend(declarations, "extern \"C\" ", absl::StripPrefix(declaration, "extern "), "\n");
    line->erase(begin, end + 1 - begin);
  }
}

}  // namespace

CppCode ToCpp(absl::string_view code) {
  CppCode result;
  for (const absl::string_view line : absl::StrSplit(code, '\n')) {
    const bool directive = absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "#");
    std::string text = directive ? std::string(line) : WithWordsOfCpp(line);
    const bool declares = !directive && absl::StrContains(text, "extern ");
    if (declares) TakeDeclarations(&text, &result.declarations);
    if (declares && absl::StripAsciiWhitespace(text).empty()) continue;
    absl::StrAppend(&result.text, text, "\n");
  }
  if (!result.text.empty()) result.text.pop_back();  // StrSplit gives one piece more than there are line ends
  return result;
}

}  // namespace tune
