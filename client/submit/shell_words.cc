#include "client/submit/shell_words.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace tune {

absl::StatusOr<std::vector<std::string>> SplitShellWords(absl::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;  // the open quote, or 0
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && absl::ascii_isspace(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\\' && quote != '\'') {
      if (++i == text.size()) return absl::InvalidArgumentError(absl::StrCat(text, ": ends in a backslash"));
      words.back() += text[i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote && quote != 0) {
      quote = 0;
    } else {
      words.back() += c;
    }
  }
  if (quote != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(text, ": the quote ", std::string(1, quote), " does not end"));
  }
  return words;
}

std::string JoinShellWords(const std::vector<std::string>& words) {
  constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+./:,@%^";
  return absl::StrJoin(words, " ", [&](std::string* out, const std::string& word) {
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      out->append(word);
    } else {
      absl::StrAppend(out, "'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
    }
  });
}

}  // namespace tune
