// The words of a text in PTX.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

struct PtxToken {
  // kTrips: a comment "// tune: trips N", with N as `number`.
  enum class Kind { kWord, kInteger, kNumber, kString, kSymbol, kTrips, kEnd };

  Kind kind = Kind::kEnd;
  absl::string_view text;  // with its dots: "ld.global.f32", "%tid.x", ".reg"
  int64_t integer = 0;
  double number = 0;
  int line = 1;

  bool Is(absl::string_view word_or_symbol) const {
    return (kind == Kind::kWord || kind == Kind::kSymbol) && text == word_or_symbol;
  }
};

// Goes through a text, which outlives it and its tokens.
class PtxLexer {
 public:
  explicit PtxLexer(absl::string_view text) : text_(text) {}

  // The next token; kEnd again and again after the last. INVALID_ARGUMENT with the line where there is none.
  absl::StatusOr<PtxToken> Next();
  int line() const { return line_; }

 private:
  char At(size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }
  void SkipSpace();
  PtxToken Made(PtxToken::Kind kind, size_t begin) const;
  absl::string_view TakeLine();
  absl::Status SkipBlockComment();
  absl::StatusOr<PtxToken> TakeNumber();

  absl::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
};

absl::Status PtxError(int line, absl::string_view what);

}  // namespace tune
