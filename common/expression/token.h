// The words of an expression's text.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

struct Token {
  enum class Kind { kName, kInteger, kFloat, kString, kSymbol, kEnd };

  Kind kind = Kind::kEnd;
  int column = 1;        // of its first character, in bytes from 1
  std::string text;      // as written; of a string what it stands for
  uint64_t integer = 0;  // at most 2^63, which is one only after a minus
  double number = 0;

  bool Is(absl::string_view symbol_or_word) const {
    return (kind == Kind::kSymbol || kind == Kind::kName) && text == symbol_or_word;
  }
};

// For messages: `"b"`, `the number 12`, `the string "half"`, `the end`.
std::string Describe(const Token& token);

// Goes through a text, which outlives it.
class Lexer {
 public:
  explicit Lexer(absl::string_view text) : text_(text) {}

  // The next token; kEnd again and again after the last. INVALID_ARGUMENT with the column where there is
  // none.
  absl::StatusOr<Token> Next();

 private:
  absl::StatusOr<Token> TakeNumber();
  absl::StatusOr<Token> TakeBasedInteger(int base);
  absl::StatusOr<Token> TakeString();
  // Digits with single underscores between them, without these.
  absl::StatusOr<std::string> TakeDigits(int base);
  Token Made(Token::Kind kind, size_t begin) const;
  char At(size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
  absl::Status Refuse(size_t at, absl::string_view why) const;

  absl::string_view text_;
  size_t at_ = 0;
};

}  // namespace tune
