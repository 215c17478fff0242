#include "client/kernels/source_tokens.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

class SourceLexer {
 public:
  explicit SourceLexer(absl::string_view source) : source_(source) {}

  SourceTokens Read() {
    while (at_ < source_.size()) {
      if (SkipBlank()) {
        behind_blank_ = true;
        continue;
      }
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
    token.behind_blank = behind_blank_;
    behind_blank_ = false;
    token.is_in_later_branch = later_branches_ > 0;
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
      if (SkipBlank()) {
        behind_blank_ = true;
      } else {
        directive.tokens.push_back(Take());
      }
    }
    if (!directive.tokens.empty() && directive.tokens[0].IsName()) {
      directive.name = directive.tokens[0].text;
      directive.tokens.erase(directive.tokens.begin());
    }
    FollowConditional(directive.name);
    tokens_.directives.push_back(std::move(directive));
  }

  void FollowConditional(absl::string_view name) {
    if (name == "if" || name == "ifdef" || name == "ifndef") {
      conditionals_.push_back({tokens_.code.size(), false});
    } else if (conditionals_.empty()) {
      return;
    } else if (name == "else" || name == "elif") {
      Conditional& conditional = conditionals_.back();
      for (size_t i = conditional.branch; i < tokens_.code.size(); ++i)
        tokens_.code[i].is_in_earlier_branch = true;
      conditional.branch = tokens_.code.size();
      if (!conditional.is_later) ++later_branches_;
      conditional.is_later = true;
    } else if (name == "endif") {
      if (conditionals_.back().is_later) --later_branches_;
      conditionals_.pop_back();
    }
  }

  absl::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool begins_line_ = true, behind_blank_ = false;
  struct Conditional {
    size_t branch;  // tokens before the branch that it is in
    bool is_later;  // than the first one
  };
  std::vector<Conditional> conditionals_;  // around
  int later_branches_ = 0;                 // of these, how many are in one
  SourceTokens tokens_;
};

}  // namespace

SourceTokens TokensOf(absl::string_view source) { return SourceLexer(source).Read(); }

}  // namespace tune
