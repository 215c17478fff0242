#include "common/program/name_text.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tune {
namespace {

bool IsPlainName(absl::string_view name) {
  return !name.empty() && IsPlainNameBegin(name[0]) &&
         std::all_of(name.begin(), name.end(), IsPlainNameCharacter);
}

std::string Quoted(absl::string_view name) { return absl::StrCat("\"", absl::CEscape(name), "\""); }

}  // namespace

bool IsPlainNameCharacter(char character) {
  return IsPlainNameBegin(character) || absl::ascii_isdigit(character) || character == '.';
}

bool IsPlainNameBegin(char character) {
  return absl::ascii_isalpha(character) || character == '_' || character == '$' ||
         static_cast<unsigned char>(character) >= 0x80;
}

bool IsLongNameCharacter(char character) {
  return static_cast<unsigned char>(character) > ' ' && character != '"' && character != '(' &&
         character != '\x7f';
}

std::string PrintName(absl::string_view name) { return IsPlainName(name) ? std::string(name) : Quoted(name); }

std::string PrintLongName(absl::string_view name) {
  const bool plain =
      !name.empty() && name.back() != ',' && std::all_of(name.begin(), name.end(), IsLongNameCharacter);
  return plain ? std::string(name) : Quoted(name);
}

std::string PrintTypeName(absl::string_view type) {
  const std::vector<absl::string_view> words = absl::StrSplit(type, ' ');
  return std::all_of(words.begin(), words.end(), IsPlainName) ? std::string(type) : Quoted(type);
}

}  // namespace tune
