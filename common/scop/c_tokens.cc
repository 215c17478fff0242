#include "common/scop/c_tokens.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "common/array/element_type.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

constexpr absl::string_view kMarks[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "->", "+",
                                        "-",  "*",  "/",  "%",  "<",  ">",  "!",  "~",  "&",  "|",
                                        "^",  "?",  ":",  "(",  ")",  "[",  "]",  ".",  ","};

constexpr absl::string_view kArithmeticTypes[] = {"_Bool",
                                                  "bool",
                                                  "char",
                                                  "signed char",
                                                  "unsigned char",
                                                  "short",
                                                  "int",
                                                  "unsigned short",
                                                  "unsigned",
                                                  "unsigned int",
                                                  "long",
                                                  "unsigned long",
                                                  "long long",
                                                  "unsigned long long",
                                                  "__int128",
                                                  "unsigned __int128",
                                                  "float",
                                                  "double",
                                                  "long double",
                                                  "_Float16",
                                                  kComplexFloatType,
                                                  kComplexDoubleType};

size_t Skip(absl::string_view text, size_t at, bool (*of)(char)) {
  while (at < text.size() && of(text[at])) ++at;
  return at;
}

bool IsDigit(char c) { return absl::ascii_isdigit(c); }
bool IsHexDigit(char c) { return absl::ascii_isxdigit(c); }

bool IsIntegerSuffix(absl::string_view text) {
  constexpr absl::string_view kSuffixes[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu"};
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                     [&](absl::string_view suffix) { return absl::EqualsIgnoreCase(text, suffix); });
}

bool IsFloatingSuffix(absl::string_view text) {
  constexpr absl::string_view kSuffixes[] = {"", "f", "l", "f16", "i", "fi"};
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                     [&](absl::string_view suffix) { return absl::EqualsIgnoreCase(text, suffix); });
}

// Behind the exponent that `letter` begins at `at`; `at` where there is none, npos where it has no digits.
size_t SkipExponent(absl::string_view text, size_t at, char letter) {
  if (at == text.size() || absl::ascii_tolower(text[at]) != letter) return at;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const size_t end = Skip(text, at, IsDigit);
  return end == at ? absl::string_view::npos : end;
}

// Behind the quote that closes the one at `at`; npos where none does.
size_t SkipQuoted(absl::string_view text, size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) {
    if (!absl::ascii_isprint(text[at])) return absl::string_view::npos;
    at += text[at] == '\\' ? 2 : 1;
  }
  return at < text.size() ? at + 1 : absl::string_view::npos;
}

// Of a number that begins at `at`: all that C's preprocessor would take for it.
size_t SkipNumber(absl::string_view text, size_t at) {
  while (at < text.size() && (IsNameCharacter(text[at]) || text[at] == '.' ||
                              ((text[at] == '+' || text[at] == '-') &&
                               absl::StrContains("eEpP", absl::string_view(&text[at - 1], 1))))) {
    ++at;
  }
  return at;
}

size_t SkipMark(absl::string_view text, size_t at) {
  for (const absl::string_view comment : {"//", "/*"})
    if (absl::StartsWith(text.substr(at), comment)) return absl::string_view::npos;
  for (const absl::string_view mark : kMarks)
    if (absl::StartsWith(text.substr(at), mark)) return at + mark.size();
  return absl::string_view::npos;
}

}  // namespace

bool IsCConstant(absl::string_view text) {
  const bool hex = absl::StartsWithIgnoreCase(text, "0x");
  const auto digit = hex ? IsHexDigit : IsDigit;
  const size_t begin = hex ? 2 : 0;
  size_t at = Skip(text, begin, digit);
  size_t digits = at - begin;
  const bool point = at < text.size() && text[at] == '.';
  if (point) {
    const size_t end = Skip(text, at + 1, digit);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return false;
  const size_t end = SkipExponent(text, at, hex ? 'p' : 'e');
  if (end == absl::string_view::npos) return false;
  if (!point && end == at) return IsIntegerSuffix(text.substr(at));
  return (!hex || end > at) && IsFloatingSuffix(text.substr(end));
}

bool IsSpecialNumber(absl::string_view text) { return text == "INFINITY" || text == "NAN"; }

bool IsArithmeticType(absl::string_view text) {
  return std::count(std::begin(kArithmeticTypes), std::end(kArithmeticTypes), text) > 0;
}

std::optional<std::vector<CWord>> CTokens(absl::string_view text) {
  std::vector<CWord> words;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    const bool number =
        IsDigit(text[at]) || (text[at] == '.' && at + 1 < text.size() && IsDigit(text[at + 1]));
    const bool quoted = text[at] == '"' || text[at] == '\'';
    const CToken kind = number                      ? CToken::kNumber
                        : quoted                    ? CToken::kText
                        : IsNameCharacter(text[at]) ? CToken::kName
                                                    : CToken::kMark;
    const size_t end = number                      ? SkipNumber(text, at)
                       : quoted                    ? SkipQuoted(text, at)
                       : IsNameCharacter(text[at]) ? Skip(text, at, IsNameCharacter)
                                                   : SkipMark(text, at);
    if (end == absl::string_view::npos) return std::nullopt;
    words.push_back({kind, text.substr(at, end - at)});
    if (number && !IsCConstant(words.back().text)) return std::nullopt;
    at = end;
  }
  return words;
}

}  // namespace tune
