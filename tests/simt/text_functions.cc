#include "tests/simt/text_functions.h"

#include <algorithm>
#include <functional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "common/base/c_identifier.h"

namespace tune::simt {
namespace {

using Tokens = std::vector<absl::string_view>;

bool IsName(absl::string_view token) { return absl::ascii_isalpha(token[0]) || token[0] == '_'; }

bool Contains(const Tokens& tokens, size_t begin, size_t end, absl::string_view token) {
  return std::find(tokens.begin() + begin, tokens.begin() + end, token) != tokens.begin() + end;
}

// Bytes of the literal or comment at the begin of `text`; 0 when there is none.
size_t OpaqueBytes(absl::string_view text) {
  const auto until = [&](absl::string_view end) {
    const size_t at = text.find(end, 2);
    return at == absl::string_view::npos ? text.size() : at + end.size();
  };
  if (absl::StartsWith(text, "//")) return until("\n") - (text.find('\n') != absl::string_view::npos ? 1 : 0);
  if (absl::StartsWith(text, "/*")) return until("*/");
  if (text[0] != '"' && text[0] != '\'') return 0;
  size_t at = 1;
  while (at < text.size() && text[at] != text[0]) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

// Names, numbers, literals as their first character, single characters otherwise; no comments. Directives of
// the preprocessor go to `directive`.
Tokens Split(absl::string_view text, const std::function<void(absl::string_view)>& directive) {
  Tokens tokens;
  bool line_begins = true;
  while (!text.empty()) {
    size_t bytes = OpaqueBytes(text);
    if (bytes > 0) {
      if (text[0] != '/') tokens.push_back(text.substr(0, 1));
    } else if (text[0] == '#' && line_begins) {
      do bytes = std::min(text.find('\n', bytes + 1), text.size());
      while (bytes < text.size() && text[bytes - 1] == '\\');
      directive(text.substr(0, bytes));
    } else {
      bytes = 1;
      if (IsNameCharacter(text[0]))
        bytes = std::find_if_not(text.begin(), text.end(), IsNameCharacter) - text.begin();
      if (!absl::ascii_isspace(text[0])) tokens.push_back(text.substr(0, bytes));
    }
    line_begins = text[0] == '\n' || (line_begins && absl::ascii_isspace(text[0]));
    text.remove_prefix(bytes);
  }
  return tokens;
}

// Index behind the bracket that closes the one at `open`.
size_t Behind(const Tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i] == "(" || tokens[i] == "{") ++depth;
    if ((tokens[i] == ")" || tokens[i] == "}") && --depth == 0) return i + 1;
  }
  return tokens.size();
}

// Index of the bracket that opens the parameters of the function that a statement declares; `end` when it
// declares none. The statement is [begin, end).
size_t FindParameters(const Tokens& tokens, size_t begin, size_t end) {
  static const auto* others = new std::set<absl::string_view>{
      "__launch_bounds__", "__attribute__", "__align__", "alignas", "noexcept", "decltype"};
  size_t found = end;
  for (size_t i = begin; i < end; ++i) {
    if (tokens[i] == ":" && found != end && tokens[i - 1] == ")") break;  // initialisers of a constructor
    if (tokens[i] != "(") continue;
    if (i > begin && IsName(tokens[i - 1]) && others->count(tokens[i - 1]) == 0) found = i;
    i = Behind(tokens, i) - 1;
  }
  return found;
}

bool IsConstant(const Tokens& tokens, size_t begin, size_t end) {
  const auto first = tokens.begin() + begin, last = tokens.begin() + end;
  const auto star = std::find(first, last, "*");
  if (star == last || std::count(first, last, "*") != 1) return false;
  return std::find(first, star, "const") != star && std::any_of(star, last, [](absl::string_view token) {
           return absl::StartsWith(token, "__restrict");
         });
}

std::vector<bool> ReadParameters(const Tokens& tokens, size_t open) {
  std::vector<bool> constant;
  const size_t close = Behind(tokens, open) - 1;
  int depth = 0;
  size_t begin = open + 1;
  for (size_t i = begin; i <= close && close > open + 1; ++i) {
    if (tokens[i] == "(" || tokens[i] == "<") ++depth;
    if (i == close || (tokens[i] == "," && depth == 0)) {
      constant.push_back(IsConstant(tokens, begin, i));
      begin = i + 1;
    }
    if (tokens[i] == ")" || tokens[i] == ">") --depth;
  }
  return constant;
}

}  // namespace

TextFunctions::TextFunctions(absl::string_view text) {
  ReadFunctions(Split(text, [this](absl::string_view line) { ReadDirective(line); }));
}

void TextFunctions::ReadDirective(absl::string_view line) {
  line.remove_prefix(1);
  const Tokens tokens = Split(line, [](absl::string_view) {});
  if (tokens.size() < 2 || tokens[0] != "define") return;
  makes_names_ |= absl::StrContains(line, "##");
  std::set<std::string>& mentioned = functions_[std::string(tokens[1])].mentioned;
  for (const absl::string_view token : tokens) {
    if (IsName(token)) mentioned.emplace(token);
  }
}

void TextFunctions::ReadFunctions(const Tokens& tokens) {
  size_t begin = 0;  // of the statement
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == ";" || tokens[i] == "}") begin = i + 1;
    if (tokens[i] == "(") i = Behind(tokens, i) - 1;
    if (i >= tokens.size() || tokens[i] != "{") continue;
    const size_t parameters = FindParameters(tokens, begin, i);
    if (parameters == i) {
      bool scope = false;
      for (const char* word : {"namespace", "extern", "struct", "class", "union"})
        scope |= Contains(tokens, begin, i, word);
      if (!scope || Contains(tokens, begin, i, "=")) i = Behind(tokens, i) - 1;  // an initialiser, an enum
    } else {
      Function& function = functions_[std::string(tokens[parameters - 1])];
      function.constant_parameters = ReadParameters(tokens, parameters);
      const size_t end = Behind(tokens, i);
      for (size_t j = begin; j < end; ++j) {
        if (IsName(tokens[j])) function.mentioned.emplace(tokens[j]);
      }
      i = end - 1;
    }
    begin = i + 1;
  }
}

std::optional<std::set<std::string>> TextFunctions::Mentioned(const std::string& function) const {
  if (makes_names_ || !Has(function)) return std::nullopt;
  std::set<std::string> result = {function};
  std::vector<std::string> open = {function};
  while (!open.empty()) {
    const auto found = functions_.find(open.back());
    open.pop_back();
    if (found == functions_.end()) continue;
    for (const std::string& name : found->second.mentioned) {
      if (result.insert(name).second) open.push_back(name);
    }
  }
  return result;
}

std::vector<bool> TextFunctions::ConstantParameters(const std::string& function) const {
  const auto found = functions_.find(function);
  return found == functions_.end() ? std::vector<bool>() : found->second.constant_parameters;
}

}  // namespace tune::simt
