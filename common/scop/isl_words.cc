#include "common/scop/isl_words.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/scop/isl_bounds.h"

namespace tune {
namespace {

constexpr absl::string_view kIslKeywords[] = {"exists", "and",  "or",     "not",   "true", "false", "mod",
                                              "floor",  "ceil", "floord", "ceild", "min",  "max"};
// isl knows these in upper case, too.
constexpr absl::string_view kIslReserved[] = {"implies", "infty", "infinity", "nan", "rat"};
// Longer ones first.
constexpr absl::string_view kIslMarks[] = {"->", "<=", ">=", "!=", "<", ">", "=", "(", ")", "[", "]",
                                           "{",  "}",  ",",  ";",  ":", "+", "-", "*", "/", "%"};

absl::Status BadWord(size_t at, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("byte ", at, ": ", why));
}

bool BeginsName(char c) { return absl::ascii_isalpha(c) || c == '_'; }

class IslSplitter {
 public:
  explicit IslSplitter(absl::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<IslWord>> Split() {
    while (true) {
      while (at_ < text_.size() && absl::ascii_isspace(text_[at_])) ++at_;
      if (at_ == text_.size()) break;
      TUNE_RETURN_IF_ERROR(Next());
    }
    words_.push_back({IslToken::kEnd, "", at_});
    return std::move(words_);
  }

 private:
  absl::Status Next() {
    if (BeginsName(text_[at_])) return Name();
    if (absl::ascii_isdigit(text_[at_])) return Number();
    const absl::string_view rest = text_.substr(at_);
    const auto mark =
        std::find_if(std::begin(kIslMarks), std::end(kIslMarks),
                     [&](absl::string_view candidate) { return absl::StartsWith(rest, candidate); });
    if (mark != std::end(kIslMarks)) return Add(IslToken::kMark, mark->size());
    return BadWord(at_,
                   absl::StrCat("\"", absl::CHexEscape(rest.substr(0, 1)), "\" begins no word of a set"));
  }

  absl::Status Name() {
    size_t end = at_;
    while (end < text_.size() && (BeginsName(text_[end]) || absl::ascii_isdigit(text_[end]))) ++end;
    while (end < text_.size() && text_[end] == '\'') ++end;
    const absl::string_view name = text_.substr(at_, end - at_);
    if (name.size() > kLongestIslName)
      return BadWord(at_, absl::StrCat("a name of more than ", kLongestIslName, " bytes"));
    // Before a bracket any word names a tuple: a program's array may be called `min`.
    size_t next = end;
    while (next < text_.size() && absl::ascii_isspace(text_[next])) ++next;
    if (next < text_.size() && text_[next] == '[') return Add(IslToken::kName, name.size());
    if (std::count(std::begin(kIslKeywords), std::end(kIslKeywords), name) > 0)
      return Add(IslToken::kKeyword, name.size());
    const auto is_name = [&](absl::string_view word) { return absl::EqualsIgnoreCase(word, name); };
    if (std::any_of(std::begin(kIslKeywords), std::end(kIslKeywords), is_name) ||
        std::any_of(std::begin(kIslReserved), std::end(kIslReserved), is_name)) {
      return BadWord(at_, absl::StrCat("\"", name, "\" is a word of isl's that is not accepted here"));
    }
    return Add(IslToken::kName, name.size());
  }

  absl::Status Number() {
    size_t end = at_;
    while (end < text_.size() && absl::ascii_isdigit(text_[end])) ++end;
    if (end - at_ > kMostIslDigits)
      return BadWord(at_, absl::StrCat("a number of more than ", kMostIslDigits, " digits"));
    return Add(IslToken::kNumber, end - at_);
  }

  absl::Status Add(IslToken kind, size_t size) {
    words_.push_back({kind, text_.substr(at_, size), at_});
    at_ += size;
    return absl::OkStatus();
  }

  const absl::string_view text_;
  size_t at_ = 0;
  std::vector<IslWord> words_;
};

}  // namespace

absl::StatusOr<std::vector<IslWord>> IslWords(absl::string_view text) { return IslSplitter(text).Split(); }

}  // namespace tune
