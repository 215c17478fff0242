#include "common/base/plain_text.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tune {
namespace {

struct Character {
  uint32_t code = 0;
  size_t bytes = 0;  // 0: not UTF-8
};

// The first character of a text that is not empty.
Character FirstCharacter(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return {};
  uint32_t code = first & (0x7F >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (too_long || surrogate || code > 0x10FFFF) return {};
  return {code, bytes};
}

bool IsPlain(uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  if (code == 0x2028 || code == 0x2029) return false;  // line and paragraph separators
  const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
                     code == 0x200E || code == 0x200F || code == 0x061C;
  return !turns;
}

// Calls `visit` with each character and whether it is plain; a byte that is no UTF-8 is one that is not.
template <typename Visit>
void VisitCharacters(absl::string_view text, Visit visit) {
  while (!text.empty()) {
    const Character first = FirstCharacter(text);
    const size_t bytes = first.bytes > 0 ? first.bytes : 1;
    visit(text.substr(0, bytes), first.bytes > 0 && IsPlain(first.code));
    text.remove_prefix(bytes);
  }
}

}  // namespace

bool IsPlainLine(absl::string_view text) {
  bool all = true;
  VisitCharacters(text, [&](absl::string_view, bool plain) { all &= plain; });
  return all;
}

std::string EscapeLine(absl::string_view text) {
  std::string escaped;
  VisitCharacters(text, [&](absl::string_view character, bool plain) {
    if (plain) return absl::StrAppend(&escaped, character);
    for (const char c : character) absl::StrAppendFormat(&escaped, "\\x%02x", static_cast<unsigned char>(c));
  });
  return escaped;
}

std::string BlankHidden(absl::string_view text, absl::string_view kept) {
  std::string blanked;
  VisitCharacters(text, [&](absl::string_view character, bool plain) {
    const bool keep = plain || kept.find(character) != absl::string_view::npos;
    absl::StrAppend(&blanked, keep ? character : " ");
  });
  return blanked;
}

}  // namespace tune
