#include "worker/ptx/ptx_lexer.h"

#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr double kMostTrips = 1e15;

bool IsWordPart(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '%' || c == '.'; }

// N of " tune: trips N"; negative where the comment says something else.
double TripsOf(absl::string_view comment) {
  comment = absl::StripAsciiWhitespace(comment);
  if (!absl::ConsumePrefix(&comment, "tune:")) return -1;
  comment = absl::StripLeadingAsciiWhitespace(comment);
  if (!absl::ConsumePrefix(&comment, "trips ")) return -1;
  double trips = 0;
  if (!absl::SimpleAtod(comment, &trips) || !std::isfinite(trips) || trips < 0 || trips > kMostTrips)
    return -1;
  return trips;
}

}  // namespace

absl::Status PtxError(int line, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("PTX, line ", line, ": ", what));
}

PtxToken PtxLexer::Made(PtxToken::Kind kind, size_t begin) const {
  PtxToken token;
  token.kind = kind;
  token.text = text_.substr(begin, at_ - begin);
  token.line = line_;
  return token;
}

void PtxLexer::SkipSpace() {
  for (; at_ < text_.size() && absl::ascii_isspace(text_[at_]); ++at_) {
    if (text_[at_] == '\n') ++line_;
  }
}

absl::string_view PtxLexer::TakeLine() {
  const size_t begin = at_;
  at_ = std::min(text_.find('\n', at_), text_.size());
  return text_.substr(begin, at_ - begin);
}

absl::Status PtxLexer::SkipBlockComment() {
  const int begin = line_;
  for (at_ += 2; at_ < text_.size(); ++at_) {
    if (At(0) == '*' && At(1) == '/') {
      at_ += 2;
      return absl::OkStatus();
    }
    if (At(0) == '\n') ++line_;
  }
  return PtxError(begin, "this comment has no end");
}

absl::StatusOr<PtxToken> PtxLexer::Next() {
  for (;;) {
    SkipSpace();
    if (At(0) == '/' && At(1) == '/') {
      const size_t begin = at_;
      at_ += 2;
      const double trips = TripsOf(TakeLine());
      if (trips < 0) continue;
      PtxToken token = Made(PtxToken::Kind::kTrips, begin);
      token.number = trips;
      return token;
    }
    if (At(0) != '/' || At(1) != '*') break;
    TUNE_RETURN_IF_ERROR(SkipBlockComment());
  }
  const size_t begin = at_;
  if (at_ == text_.size()) return Made(PtxToken::Kind::kEnd, begin);
  if (absl::ascii_isdigit(At(0))) return TakeNumber();
  if (IsWordPart(At(0))) {
    while (IsWordPart(At(0)) || (At(0) == ':' && At(1) == ':')) at_ += At(0) == ':' ? 2 : 1;
    return Made(PtxToken::Kind::kWord, begin);
  }
  if (At(0) == '"') {
    for (++at_; at_ < text_.size() && At(0) != '"' && At(0) != '\n';) ++at_;
    if (At(0) != '"') return PtxError(line_, "this string has no closing quote");
    ++at_;
    return Made(PtxToken::Kind::kString, begin);
  }
  if (!absl::ascii_ispunct(At(0)))
    return PtxError(line_, absl::StrCat("\"", EscapeLine(text_.substr(at_, 1)), "\" begins no word"));
  ++at_;
  return Made(PtxToken::Kind::kSymbol, begin);
}

absl::StatusOr<PtxToken> PtxLexer::TakeNumber() {
  const size_t begin = at_;
  while (IsWordPart(At(0))) ++at_;
  PtxToken token = Made(PtxToken::Kind::kInteger, begin);
  absl::string_view digits = token.text;
  const char second = digits.size() > 1 ? absl::ascii_tolower(digits[1]) : '\0';
  const bool hexadecimal = digits[0] == '0' && second == 'x';
  if (digits.find('.') != absl::string_view::npos || (digits[0] == '0' && (second == 'f' || second == 'd'))) {
    token.kind = PtxToken::Kind::kNumber;
    return token;
  }
  if (absl::EndsWith(digits, "U")) digits.remove_suffix(1);
  uint64_t value = 0;
  const bool read = hexadecimal ? absl::SimpleHexAtoi(digits, &value) : absl::SimpleAtoi(digits, &value);
  if (!read) return PtxError(line_, absl::StrCat("\"", EscapeLine(token.text), "\" is no number"));
  token.integer = static_cast<int64_t>(value);
  return token;
}

}  // namespace tune
