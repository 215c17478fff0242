#include "client/kernels/source_tokens.h"

#include <algorithm>

#include "absl/strings/ascii.h"

namespace tune {
namespace {

bool IsNameCharacter(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

class SourceLexer {
 public:
  explicit SourceLexer(absl::string_view source) : source_(source) {}

  SourceTokens Read() {
    while (at_ < source_.size()) {
      if (SkipBlank()) continue;
      if (Peek() == '#' && begins_line_) {
        ReadDirective();
      } else {
        begins_line_ = false;
        tokens_.code.push_back(Take());
      }
    }
    return std::move(tokens_);
  }

 private:
  char Peek(size_t offset = 0) const { return at_ + offset < source_.size() ? source_[at_ + offset] : '\0'; }

  void Step() {
    if (Peek() == '\n') ++line_;
    ++at_;
  }

  // A blank, a comment or a continued line.
  bool SkipBlank() {
    if (Peek() == '\n') {
      begins_line_ = true;
      Step();
    } else if (absl::ascii_isspace(static_cast<unsigned char>(Peek()))) {
      Step();
    } else if (Peek() == '\\' && (Peek(1) == '\n' || Peek(1) == '\r')) {
      Step();
      if (Peek() == '\r') Step();
      if (Peek() == '\n') Step();
    } else if (Peek() == '/' && Peek(1) == '/') {
      while (at_ < source_.size() && Peek() != '\n') Step();
    } else if (Peek() == '/' && Peek(1) == '*') {
      const size_t end = source_.find("*/", at_ + 2);
      const size_t next = end == absl::string_view::npos ? source_.size() : end + 2;
      while (at_ < next) Step();
    } else {
      return false;
    }
    return true;
  }

  SourceToken Take() {
    SourceToken token;
    token.line = line_;
    const size_t begin = at_;
    const char c = Peek();
    if (c == '"' || c == '\'') {
      token.kind = SourceToken::Kind::kString;
      TakeString(c);
    } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      token.kind = SourceToken::Kind::kNumber;
      while (IsNameCharacter(Peek()) || Peek() == '.' || Peek() == '\'') Step();
    } else if (IsNameCharacter(c)) {
      token.kind = SourceToken::Kind::kName;
      while (IsNameCharacter(Peek())) Step();
    } else {
      const absl::string_view rest = source_.substr(at_);
      const size_t length = rest.substr(0, 3) == "..."                               ? 3
                            : rest.substr(0, 2) == "::" || rest.substr(0, 2) == "->" ? 2
                                                                                     : 1;
      at_ += length;
    }
    token.text = std::string(source_.substr(begin, at_ - begin));
    return token;
  }

  // Ends with the line at the latest.
  void TakeString(char quote) {
    Step();
    while (at_ < source_.size() && Peek() != quote && Peek() != '\n') {
      if (Peek() == '\\') Step();
      if (at_ < source_.size()) Step();
    }
    if (Peek() == quote) Step();
  }

  void ReadDirective() {
    SourceDirective directive;
    directive.line = line_;
    directive.at = tokens_.code.size();
    Step();
    while (at_ < source_.size() && Peek() != '\n') {
      if (!SkipBlank()) directive.tokens.push_back(Take());
    }
    if (!directive.tokens.empty() && directive.tokens[0].IsName()) {
      directive.name = directive.tokens[0].text;
      directive.tokens.erase(directive.tokens.begin());
    }
    tokens_.directives.push_back(std::move(directive));
  }

  absl::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool begins_line_ = true;
  SourceTokens tokens_;
};

}  // namespace

SourceTokens TokensOf(absl::string_view source) { return SourceLexer(source).Read(); }

}  // namespace tune
