#include "worker/ppcg/c_token.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Splitter {
 public:
  explicit Splitter(absl::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<CToken>> Split() {
    while (Skip()) {
      if (!error_.ok()) return error_;
      const size_t begin = place_;
      const int line = line_;
      const CToken::Kind kind = Next();
      if (!error_.ok()) return error_;
      tokens_.push_back({kind, text_.substr(begin, place_ - begin), line});
      line_start_ = false;
    }
    if (!error_.ok()) return error_;
    return std::move(tokens_);
  }

 private:
  char At(size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  void Advance() {
    if (text_[place_] == '\n') {
      ++line_;
      line_start_ = true;
    }
    ++place_;
  }

  void Fail(absl::string_view what, int line) {
    error_ = absl::InvalidArgumentError(absl::StrCat("line ", line, ": ", what, " does not end"));
  }

  // To the next token; false: there is none.
  bool Skip() {
    while (place_ < text_.size()) {
      if (absl::ascii_isspace(static_cast<unsigned char>(text_[place_]))) {
        Advance();
      } else if (absl::StartsWith(text_.substr(place_), "//")) {
        while (place_ < text_.size() && text_[place_] != '\n') ++place_;
      } else if (absl::StartsWith(text_.substr(place_), "/*")) {
        const int line = line_;
        const size_t end = text_.find("*/", place_ + 2);
        if (end == absl::string_view::npos) {
          Fail("a comment", line);
          return true;
        }
        while (place_ < end + 2) Advance();
      } else {
        return true;
      }
    }
    return false;
  }

  CToken::Kind Next() {
    const char c = text_[place_];
    if (c == '#' && line_start_) return Directive();
    if (c == '"' || c == '\'') return String(c);
    const bool number = IsDigit(c) || (c == '.' && IsDigit(At(place_ + 1)));
    if (number) return Number();
    if (!IsNameCharacter(c)) {
      ++place_;
      return CToken::Kind::kPunctuation;
    }
    while (IsNameCharacter(At(place_))) ++place_;
    return CToken::Kind::kName;
  }

  CToken::Kind Directive() {
    while (place_ < text_.size() && (text_[place_] != '\n' || text_[place_ - 1] == '\\')) Advance();
    return CToken::Kind::kDirective;
  }

  CToken::Kind String(char quote) {
    const int line = line_;
    ++place_;
    while (place_ < text_.size() && text_[place_] != quote && text_[place_] != '\n')
      place_ += text_[place_] == '\\' && place_ + 1 < text_.size() ? 2 : 1;
    if (At(place_) != quote) Fail("a string", line);
    ++place_;
    return CToken::Kind::kString;
  }

  // A preprocessing number: also "1e-5", "0x1p+3".
  CToken::Kind Number() {
    while (true) {
      const char c = At(place_), before = place_ == 0 ? '\0' : text_[place_ - 1];
      const bool sign = (c == '+' || c == '-') && (absl::StrContains("eEpP", std::string(1, before)));
      if (!IsNameCharacter(c) && c != '.' && !sign) return CToken::Kind::kNumber;
      ++place_;
    }
  }

  absl::string_view text_;
  size_t place_ = 0;
  int line_ = 1;
  bool line_start_ = true;
  absl::Status error_;
  std::vector<CToken> tokens_;
};

}  // namespace

absl::StatusOr<std::vector<CToken>> SplitCText(absl::string_view text) { return Splitter(text).Split(); }

std::string TokenText(const CToken* begin, const CToken* end) {
  if (begin == end) return "";
  const CToken& last = *(end - 1);
  std::string text(begin->text.data(), last.text.data() + last.text.size() - begin->text.data());
  absl::RemoveExtraAsciiWhitespace(&text);
  return text;
}

bool IsAdjacent(const CToken& before, const CToken& token) {
  return before.text.data() + before.text.size() == token.text.data();
}

}  // namespace tune
