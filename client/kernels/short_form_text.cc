#include "client/kernels/short_form_text.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/expression/compiled_expression.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/definition_names.h"

namespace tune {
namespace {

// Goes through a text and knows what is outside of quotes and brackets.
class OutsideWalk {
 public:
  explicit OutsideWalk(absl::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  size_t at() const { return at_; }
  bool in_quotes() const { return quote_ != 0; }
  bool outside() const { return quote_ == 0 && depth_ == 0; }

  void Step() {
    const char c = text_[at_];
    if (quote_ != 0) {
      if (c == '\\') ++at_;
      if (c == quote_) quote_ = 0;
    } else if (c == '\'' || c == '"') {
      quote_ = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth_;
    } else if ((c == ')' || c == ']' || c == '}') && depth_ > 0) {
      --depth_;
    }
    ++at_;
  }

 private:
  absl::string_view text_;
  size_t at_ = 0;
  int depth_ = 0;
  char quote_ = 0;
};

bool IsSimplePath(absl::string_view path) {
  for (const char c : path) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && !absl::StrContains("_./+-@=", c)) return false;
  }
  return !path.empty();
}

}  // namespace

std::vector<std::string> SplitOutside(absl::string_view text, char separator) {
  std::vector<std::string> parts;
  if (absl::StripAsciiWhitespace(text).empty()) return parts;
  size_t begin = 0;
  for (OutsideWalk walk(text); !walk.AtEnd(); walk.Step()) {
    if (!walk.outside() || text[walk.at()] != separator) continue;
    const bool is_doubled =
        (walk.at() > 0 && text[walk.at() - 1] == ':') || text.substr(walk.at() + 1, 1) == ":";
    if (separator == ':' && is_doubled) continue;
    parts.emplace_back(absl::StripAsciiWhitespace(text.substr(begin, walk.at() - begin)));
    begin = walk.at() + 1;
  }
  parts.emplace_back(absl::StripAsciiWhitespace(text.substr(begin)));
  return parts;
}

size_t FindOutside(absl::string_view text, absl::string_view what) {
  for (OutsideWalk walk(text); !walk.AtEnd(); walk.Step()) {
    if (walk.outside() && text.substr(walk.at(), what.size()) == what) return walk.at();
  }
  return absl::string_view::npos;
}

absl::string_view WithoutComment(absl::string_view line) {
  for (OutsideWalk walk(line); !walk.AtEnd(); walk.Step()) {
    const size_t at = walk.at();
    if (line[at] != '#' || walk.in_quotes()) continue;
    if (at == 0 || absl::ascii_isspace(static_cast<unsigned char>(line[at - 1]))) return line.substr(0, at);
  }
  return line;
}

bool IsBareText(absl::string_view text) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ', absl::SkipWhitespace());
  for (const absl::string_view word : words) {
    // `float` and `int` are functions of expressions, too, but without parentheses they are types.
    if (!IsDefinitionName(word) && word != "float" && word != "int" && word != "bool") return false;
  }
  return !words.empty();
}

absl::StatusOr<std::string> ReadPath(absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (text.empty()) return absl::InvalidArgumentError("a name is missing");
  if (text[0] != '\'' && text[0] != '"') return std::string(text);
  TUNE_ASSIGN_OR_RETURN(const Value value, EvaluateText(text, {}));
  if (value.IsString()) return value.string();
  return absl::InvalidArgumentError(absl::StrCat("\"", EscapeLine(text), "\" is no name"));
}

std::string WritePath(const std::string& path) {
  return IsSimplePath(path) ? path : PrintValue(Value::String(path));
}

absl::StatusOr<NamedText> ReadNamedText(absl::string_view text) {
  const size_t sign = text.find('=');
  const absl::string_view name = absl::StripAsciiWhitespace(text.substr(0, sign));
  if (sign == absl::string_view::npos || !IsCIdentifier(name))
    return absl::InvalidArgumentError(absl::StrCat("\"", EscapeLine(text), "\": write NAME=..."));
  return NamedText{std::string(name), std::string(absl::StripAsciiWhitespace(text.substr(sign + 1)))};
}

}  // namespace tune
