#include "common/program/text_cursor.h"

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "common/program/name_text.h"

namespace tune {
namespace {

// So much of what stands in place of something else is shown.
constexpr size_t kMostShown = 24;

}  // namespace

void TextCursor::SkipSpaces() {
  while (at_ < line_.size() && absl::ascii_isspace(line_[at_])) ++at_;
}

bool TextCursor::AtEnd() {
  SkipSpaces();
  return at_ == line_.size();
}

char TextCursor::Next() { return AtEnd() ? '\0' : line_[at_]; }

bool TextCursor::Take(absl::string_view symbol) {
  SkipSpaces();
  if (!absl::StartsWith(line_.substr(at_), symbol)) return false;
  at_ += symbol.size();
  return true;
}

bool TextCursor::TakeWords(absl::string_view words) {
  SkipSpaces();
  if (!absl::StartsWith(line_.substr(at_), words)) return false;
  const size_t end = at_ + words.size();
  if (end < line_.size() && IsPlainNameCharacter(line_[end])) return false;
  at_ = end;
  return true;
}

bool TextCursor::AtName() {
  const char next = Next();
  return next == '"' || IsPlainNameBegin(next);
}

bool TextCursor::AtNumber() {
  const bool signed_number = Next() == '-';
  const size_t first = at_ + (signed_number ? 1 : 0);
  return first < line_.size() && absl::ascii_isdigit(line_[first]);
}

absl::StatusOr<std::string> TextCursor::TakeQuoted() {
  size_t end = at_ + 1;
  while (end < line_.size() && line_[end] != '"') end += line_[end] == '\\' ? 2 : 1;
  std::string name;
  if (end >= line_.size() || !absl::CUnescape(line_.substr(at_ + 1, end - at_ - 1), &name))
    return Expected("a name between quotes, escaped as in C");
  at_ = end + 1;
  return name;
}

absl::StatusOr<std::string> TextCursor::TakeName() {
  if (!AtName()) return Expected("a name");
  if (AtQuotes()) return TakeQuoted();
  const size_t begin = at_;
  while (at_ < line_.size() && IsPlainNameCharacter(line_[at_])) ++at_;
  return std::string(line_.substr(begin, at_ - begin));
}

absl::StatusOr<std::string> TextCursor::TakeLongName() {
  if (AtQuotes()) return TakeQuoted();
  const size_t begin = at_;
  while (at_ < line_.size() && IsLongNameCharacter(line_[at_])) ++at_;
  if (at_ > begin && line_[at_ - 1] == ',') --at_;
  if (at_ == begin) return Expected("a name");
  return std::string(line_.substr(begin, at_ - begin));
}

absl::StatusOr<std::string> TextCursor::TakeTypeName() {
  if (AtQuotes()) return TakeQuoted();
  std::string type;
  do {
    TUNE_ASSIGN_OR_RETURN(const std::string word, TakeName());
    absl::StrAppend(&type, type.empty() ? "" : " ", word);
  } while (AtName() && !AtQuotes());
  return type;
}

absl::StatusOr<int64_t> TextCursor::TakeNumber() {
  if (!AtNumber()) return Expected("a number");
  size_t end = at_ + 1;
  while (end < line_.size() && absl::ascii_isdigit(line_[end])) ++end;
  int64_t number = 0;
  if (!absl::SimpleAtoi(line_.substr(at_, end - at_), &number)) return Expected("a number that fits 64 bits");
  at_ = end;
  return number;
}

absl::Status TextCursor::Expect(absl::string_view symbol) {
  return Take(symbol) ? absl::OkStatus() : Expected(absl::StrCat("\"", symbol, "\""));
}

absl::Status TextCursor::ExpectEnd() { return AtEnd() ? absl::OkStatus() : Expected("the end of the line"); }

absl::Status TextCursor::Expected(absl::string_view what) {
  if (AtEnd()) return Refuse(absl::StrCat("expected ", what, ", not the end of the line"));
  const absl::string_view rest = line_.substr(at_);
  return Refuse(absl::StrCat("expected ", what, ", not \"", absl::CHexEscape(rest.substr(0, kMostShown)),
                             rest.size() > kMostShown ? "..." : "", "\""));
}

absl::Status TextCursor::Refuse(absl::string_view why) {
  SkipSpaces();
  return absl::InvalidArgumentError(absl::StrCat("line ", number_, ", column ", column(), ": ", why));
}

}  // namespace tune
