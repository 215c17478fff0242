#include "client/extract/source/whole_lines.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "client/extract/source/pragma_words.h"

namespace tune {
namespace {

constexpr char kOwnLines[] = "put the statement on lines of its own";

// "if" of `#  if X`.
std::string NameOfDirective(llvm::StringRef directive) {
  directive = directive.drop_front(1).ltrim();
  return directive.take_while([](char c) { return absl::ascii_isalpha(c); }).str();
}

// Other than those that mark regions.
bool IsPragma(llvm::StringRef directive) {
  if (NameOfDirective(directive) != "pragma") return false;
  const llvm::StringRef words = directive.drop_front(directive.find("pragma") + 6).ltrim();
  return !words.startswith("scop") && !words.startswith("endscop");
}

}  // namespace

WrittenTokens::WrittenTokens(const clang::ASTContext& ast, const MainFile& file) : file_(file) {
  const llvm::StringRef text = file.text();
  clang::Lexer lexer(file.LocationOf(0), ast.getLangOpts(), text.begin(), text.begin(), text.end());
  lexer.SetCommentRetentionState(true);
  clang::Token token;
  bool in_directive = false;
  for (bool at_end = false; !at_end;) {
    at_end = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) break;
    const int64_t begin = file.Offset(token.getLocation()), end = begin + token.getLength();
    if (in_directive && !token.isAtStartOfLine()) {
      tokens_.back().end = end;
      tokens_.back().text = text.slice(tokens_.back().begin, end);
      continue;
    }
    in_directive = token.is(clang::tok::hash) && token.isAtStartOfLine();
    const Kind kind = in_directive                    ? Kind::kDirective
                      : token.is(clang::tok::comment) ? Kind::kComment
                                                      : Kind::kCode;
    tokens_.push_back({kind, begin, end, text.slice(begin, end)});
  }
}

std::optional<std::pair<size_t, size_t>> WrittenTokens::TokensOf(ByteRange statements) const {
  const std::optional<size_t> first_token = At(statements.first);
  const std::optional<size_t> last_token = At(statements.last);
  if (!first_token || !last_token) return std::nullopt;
  size_t first = *first_token, last = *last_token;
  while (const auto pragma = PragmaBefore(first)) first = *pragma;
  if (const auto next = Next(last); next && Is(*next, ";")) last = *next;
  return std::pair(first, last);
}

std::optional<WholeLines> WrittenTokens::BytesOf(ByteRange statements, bool ends_in_macro) const {
  const auto tokens = TokensOf(statements);
  if (!tokens) return std::nullopt;
  const auto [first, last] = *tokens;
  if (!Is(last, ";") && !Is(last, "}") && !ends_in_macro) return std::nullopt;
  return WholeLines{tokens_[first].begin, tokens_[last].end};
}

Accepted<WholeLines> WrittenTokens::LinesOf(ByteRange statements, bool ends_in_macro) const {
  const auto tokens = TokensOf(statements);
  if (!tokens) return Refusal{{}, "the statement is not written in the file itself", "write it out"};
  // 1. What belongs to the statement.
  auto [first, last] = *tokens;
  if (!Is(last, ";") && !Is(last, "}") && !ends_in_macro)
    return Refuse(last, "a directive parts the loop from its `;`", "put both into each branch");
  TUNE_ASSIGN_OR_REFUSE(last, EndOfConditions(first, last));
  // 2. Its lines, and what else they hold.
  const WholeLines lines = {file_.LineBegin(tokens_[first].begin), file_.TextEnd(tokens_[last].end - 1)};
  if (auto refusal = CheckBegin(first, lines)) return *std::move(refusal);
  if (auto refusal = CheckEnd(last, lines)) return *std::move(refusal);
  return lines;
}

std::optional<int64_t> WrittenTokens::ParallelPragma(int64_t first) const {
  const std::optional<size_t> token = At(first);
  return token ? NearestPragma(*token, IsParallelPragma) : std::nullopt;
}

std::optional<int64_t> WrittenTokens::PragmaOfStatement(int64_t directive) const {
  return NearestPragma(FirstFrom(directive), IsPragmaOfStatement);
}

std::vector<std::string> WrittenTokens::DirectivesIn(int64_t begin, int64_t end) const {
  std::vector<std::string> names;
  for (size_t i = FirstFrom(begin); i < tokens_.size() && tokens_[i].begin < end; ++i) {
    if (tokens_[i].kind != Kind::kDirective) continue;
    std::string name = NameOfDirective(tokens_[i].text);
    if (name == "pragma" && !tokens_[i].text.contains("_macro")) continue;
    names.push_back(std::move(name));
  }
  return names;
}

std::optional<int64_t> WrittenTokens::NearestPragma(size_t index, bool (*is)(llvm::StringRef)) const {
  const auto is_one = [&](const Written& token) { return token.kind != Kind::kComment && is(token.text); };
  while (const std::optional<size_t> pragma = PragmaBefore(index)) {
    if (std::any_of(tokens_.begin() + *pragma, tokens_.begin() + index, is_one))
      return tokens_[*pragma].begin;
    index = *pragma;
  }
  return std::nullopt;
}

bool WrittenTokens::Is(size_t index, llvm::StringRef text) const { return tokens_[index].text == text; }

size_t WrittenTokens::FirstFrom(int64_t byte) const {
  const auto token = std::lower_bound(tokens_.begin(), tokens_.end(), byte,
                                      [](const Written& written, int64_t at) { return written.begin < at; });
  return static_cast<size_t>(token - tokens_.begin());
}

std::optional<size_t> WrittenTokens::At(int64_t byte) const {
  const size_t index = FirstFrom(byte);
  if (index == tokens_.size() || tokens_[index].begin != byte || tokens_[index].kind != Kind::kCode)
    return std::nullopt;
  return index;
}

std::optional<size_t> WrittenTokens::PragmaBefore(size_t index) const {
  while (index > 0 && tokens_[index - 1].kind == Kind::kComment) --index;
  if (index == 0) return std::nullopt;
  if (tokens_[index - 1].kind == Kind::kDirective) {
    if (NameOfDirective(tokens_[index - 1].text) == "endif") return ConditionOfPragmas(index - 1);
    return IsPragma(tokens_[index - 1].text) ? std::optional<size_t>(index - 1) : std::nullopt;
  }
  const bool is_operator = index >= 4 && Is(index - 4, "_Pragma") && Is(index - 3, "(") && Is(index - 1, ")");
  return is_operator ? std::optional<size_t>(index - 4) : std::nullopt;
}

std::optional<size_t> WrittenTokens::ConditionOfPragmas(size_t endif) const {
  bool any = false;
  int depth = 0;
  for (size_t i = endif + 1; i-- > 0;) {
    if (tokens_[i].kind == Kind::kComment) continue;
    if (tokens_[i].kind == Kind::kCode) return std::nullopt;
    const std::string name = NameOfDirective(tokens_[i].text);
    if (IsPragma(tokens_[i].text)) {
      any = true;
    } else if (name == "endif") {
      ++depth;
    } else if (absl::StartsWith(name, "if")) {
      if (--depth == 0) return any ? std::optional<size_t>(i) : std::nullopt;
    } else if (!absl::StartsWith(name, "el")) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<size_t> WrittenTokens::Next(size_t index) const {
  for (++index; index < tokens_.size(); ++index) {
    if (tokens_[index].kind != Kind::kComment) return index;
  }
  return std::nullopt;
}

Refusal WrittenTokens::Refuse(size_t index, std::string reason, std::string remedy) const {
  const clang::SourceLocation place = file_.LocationOf(tokens_[index].begin);
  return {{place, place}, std::move(reason), std::move(remedy)};
}

std::optional<Refusal> WrittenTokens::CheckBegin(size_t first, const WholeLines& lines) const {
  // A comment may stand in the line, and must not reach into it.
  for (size_t before = first; before-- > 0 && tokens_[before].end > lines.begin;) {
    if (tokens_[before].kind == Kind::kComment && tokens_[before].begin >= lines.begin) continue;
    return Refuse(before, "the line in which the loop begins holds something else", kOwnLines);
  }
  const llvm::StringRef above = file_.text().take_front(lines.begin).rtrim("\r\n");
  if (above.endswith("\\"))
    return Refuse(first, "the line in which the loop begins goes on from the one before it", kOwnLines);
  return std::nullopt;
}

std::optional<Refusal> WrittenTokens::CheckEnd(size_t last, const WholeLines& lines) const {
  for (size_t behind = last + 1; behind < tokens_.size() && tokens_[behind].begin < lines.end; ++behind) {
    if (tokens_[behind].kind == Kind::kComment && tokens_[behind].end <= lines.end) continue;
    return Refuse(behind, "the line in which the loop ends holds something else", kOwnLines);
  }
  const std::optional<size_t> next = Next(last);
  if (next && Is(*next, "else"))
    return Refuse(*next, "the loop is followed by `else`", "put the loop into braces, each on its own line");
  return std::nullopt;
}

Accepted<size_t> WrittenTokens::EndOfConditions(size_t first, size_t last) const {
  int depth = 0;
  int skipping = 0;  // depth of the branch that is not taken, 0: none
  for (size_t i = first; i < tokens_.size() && (i <= last || depth > 0); ++i) {
    if (tokens_[i].kind == Kind::kCode && i > last && skipping == 0)
      return Refuse(i, "a conditional directive begins in the loop and ends behind it",
                    "put `#endif` before the loop's end");
    if (tokens_[i].kind != Kind::kDirective) continue;
    const std::string name = NameOfDirective(tokens_[i].text);
    const bool goes_on = absl::StartsWith(name, "el"), closes = name == "endif";
    if (depth == 0 && (goes_on || closes))
      return Refuse(i, "a part of a conditional directive stands in the loop, and its beginning before it",
                    "put the whole loop between `#if` and `#else` or `#endif`");
    if (absl::StartsWith(name, "if")) ++depth;
    if (goes_on && i > last && skipping == 0) skipping = depth;
    if (closes && --depth < skipping) skipping = 0;
    if (closes && depth == 0) last = std::max(last, i);
  }
  return last;
}

}  // namespace tune
