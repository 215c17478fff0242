#include "common/expression/token.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/expression/expression_node.h"

namespace tune {
namespace {

// Longer ones first.
constexpr absl::string_view kSymbols[] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                          "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",
                                          "~",  "!",  "(",  ")",  "[",  "]",  ",",  ".",  ":"};

bool IsNameStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }

// 16 and more: no digit.
int DigitOf(char c) {
  if (absl::ascii_isdigit(c)) return c - '0';
  return absl::ascii_isxdigit(c) ? absl::ascii_tolower(c) - 'a' + 10 : 16;
}

int BaseOf(char prefix) {
  switch (absl::ascii_tolower(prefix)) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 10;
  }
}

// False where it is more than 2^63.
bool ToInteger(const std::string& digits, int base, uint64_t* value) {
  constexpr uint64_t kMost = uint64_t{1} << 63;
  *value = 0;
  for (const char c : digits) {
    const uint64_t digit = DigitOf(c);
    if (*value > (kMost - digit) / base) return false;
    *value = *value * base + digit;
  }
  return true;
}

}  // namespace

std::string Describe(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end";
    case Token::Kind::kInteger:
    case Token::Kind::kFloat:
      return absl::StrCat("the number ", token.text);
    case Token::Kind::kString:
      return absl::StrCat("the string \"", EscapeLine(token.text), "\"");
    default:
      return absl::StrCat("\"", token.text, "\"");
  }
}

absl::Status Lexer::Refuse(size_t at, absl::string_view why) const {
  return ExpressionError(static_cast<int>(at) + 1, why);
}

Token Lexer::Made(Token::Kind kind, size_t begin) const {
  Token token;
  token.kind = kind;
  token.column = static_cast<int>(begin) + 1;
  token.text = std::string(text_.substr(begin, at_ - begin));
  return token;
}

absl::StatusOr<Token> Lexer::Next() {
  while (at_ < text_.size() && absl::ascii_isspace(text_[at_])) ++at_;
  const size_t begin = at_;
  if (at_ == text_.size()) return Made(Token::Kind::kEnd, begin);
  if (IsNameStart(At(0))) {
    while (IsNameCharacter(At(0))) ++at_;
    return Made(Token::Kind::kName, begin);
  }
  if (absl::ascii_isdigit(At(0)) || (At(0) == '.' && absl::ascii_isdigit(At(1)))) return TakeNumber();
  if (At(0) == '"' || At(0) == '\'') return TakeString();
  for (const absl::string_view symbol : kSymbols) {
    if (!absl::StartsWith(text_.substr(at_), symbol)) continue;
    at_ += symbol.size();
    return Made(Token::Kind::kSymbol, begin);
  }
  return Refuse(begin, absl::StrCat("\"", EscapeLine(text_.substr(begin, 1)),
                                    "\" begins no number, name, string or operator"));
}

absl::StatusOr<std::string> Lexer::TakeDigits(int base) {
  std::string digits;
  while (DigitOf(At(0)) < base || At(0) == '_') {
    if (At(0) == '_' && DigitOf(At(1)) >= base) return Refuse(at_, "an underscore stands between two digits");
    if (At(0) != '_') digits += At(0);
    ++at_;
  }
  return digits;
}

absl::StatusOr<Token> Lexer::TakeNumber() {
  const size_t begin = at_;
  const int base = At(0) == '0' ? BaseOf(At(1)) : 10;
  if (base != 10) return TakeBasedInteger(base);
  TUNE_ASSIGN_OR_RETURN(std::string digits, TakeDigits(10));
  bool whole = true;
  if (At(0) == '.') {
    whole = false;
    ++at_;
    if (At(0) == '_') return Refuse(at_, "an underscore stands between two digits");
    TUNE_ASSIGN_OR_RETURN(const std::string fraction, TakeDigits(10));
    absl::StrAppend(&digits, ".", fraction);
  }
  const size_t sign = At(1) == '+' || At(1) == '-' ? 1 : 0;
  if (absl::ascii_tolower(At(0)) == 'e' && absl::ascii_isdigit(At(1 + sign))) {
    whole = false;
    absl::StrAppend(&digits, "e", text_.substr(at_ + 1, sign));
    at_ += 1 + sign;
    TUNE_ASSIGN_OR_RETURN(const std::string exponent, TakeDigits(10));
    digits += exponent;
  }
  if (IsNameCharacter(At(0)))
    return Refuse(at_, absl::StrCat("\"", text_.substr(at_, 1), "\" follows a number"));
  Token token = Made(whole ? Token::Kind::kInteger : Token::Kind::kFloat, begin);
  if (!whole) {
    // Past the largest number it is infinite, as in Python.
    if (!absl::SimpleAtod(digits, &token.number)) return Refuse(begin, "this is no number");
    return token;
  }
  const bool zero = std::all_of(digits.begin(), digits.end(), [](char c) { return c == '0'; });
  if (digits[0] == '0' && !zero) return Refuse(begin, "a number begins with no zero; octal ones with 0o");
  if (!ToInteger(digits, 10, &token.integer))
    return Refuse(begin, absl::StrCat(digits, " does not fit into 64 bits"));
  return token;
}

absl::StatusOr<Token> Lexer::TakeBasedInteger(int base) {
  const size_t begin = at_;
  at_ += 2;
  TUNE_ASSIGN_OR_RETURN(const std::string digits, TakeDigits(base));
  if (digits.empty() || IsNameCharacter(At(0)))
    return Refuse(at_, absl::StrCat("expected a digit of base ", base, " here"));
  Token token = Made(Token::Kind::kInteger, begin);
  if (!ToInteger(digits, base, &token.integer))
    return Refuse(begin, absl::StrCat(token.text, " does not fit into 64 bits"));
  return token;
}

absl::StatusOr<Token> Lexer::TakeString() {
  const size_t begin = at_;
  const char quote = At(0);
  std::string value;
  for (++at_; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == quote) {
      ++at_;
      Token token = Made(Token::Kind::kString, begin);
      token.text = std::move(value);
      return token;
    }
    if (c == '\n') return Refuse(begin, "the line ends before this string does");
    if (c != '\\') {
      value += c;
      continue;
    }
    static constexpr absl::string_view kEscapes = "\\'\"ntr";
    static constexpr absl::string_view kMeanings = "\\'\"\n\t\r";
    ++at_;
    const size_t escape = kEscapes.find(At(0));
    if (at_ == text_.size() || escape == absl::string_view::npos)
      return Refuse(at_ - 1, "after a backslash in a string comes one of \\ ' \" n t r");
    value += kMeanings[escape];
  }
  return Refuse(begin, "this string has no closing quote");
}

}  // namespace tune
