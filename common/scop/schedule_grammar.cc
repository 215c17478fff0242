#include "common/scop/schedule_grammar.h"

#include <set>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "common/scop/isl_bounds.h"
#include "common/scop/isl_grammar.h"

namespace tune {
namespace {

constexpr int kMostLevels = 200;
constexpr size_t kShown = 20;  // characters of the text in a message

enum class ValueKind { kSet, kBand, kMark, kFlag, kFlags, kTree, kTrees };

// The entries that a node of one kind may have; the first one names the kind.
struct Entry {
  const char* kind;
  const char* key;
  ValueKind value;
};
constexpr Entry kEntries[] = {
    {"domain", "domain", ValueKind::kSet},
    {"domain", "child", ValueKind::kTree},
    {"schedule", "schedule", ValueKind::kBand},
    {"schedule", "permutable", ValueKind::kFlag},
    {"schedule", "coincident", ValueKind::kFlags},
    {"schedule", "options", ValueKind::kSet},
    {"schedule", "child", ValueKind::kTree},
    {"filter", "filter", ValueKind::kSet},
    {"filter", "child", ValueKind::kTree},
    {"sequence", "sequence", ValueKind::kTrees},
    {"set", "set", ValueKind::kTrees},
    {"mark", "mark", ValueKind::kMark},
    {"mark", "child", ValueKind::kTree},
};

const Entry* Find(const std::string& kind, const std::string& key) {
  for (const Entry& entry : kEntries) {
    if (kind == entry.kind && key == entry.key) return &entry;
  }
  return nullptr;
}

// Reads from the front of the text what it is asked for.
class Reader {
 public:
  explicit Reader(absl::string_view text) : text_(text) {}

  absl::Status Root() {
    TUNE_RETURN_IF_ERROR(Node("domain", 0));
    SkipSpace();
    return at_ == text_.size() ? absl::OkStatus() : Expected("the end");
  }

 private:
  absl::Status Expected(absl::string_view what) const {
    const absl::string_view rest = text_.substr(at_, kShown);
    return absl::InvalidArgumentError(
        absl::StrCat("byte ", at_, ": expected ", what, ", found ",
                     rest.empty() ? "the end" : absl::StrCat("\"", absl::CHexEscape(rest), "\"")));
  }

  void SkipSpace() {
    while (at_ < text_.size() && absl::ascii_isspace(text_[at_])) ++at_;
  }
  bool Accept(char c) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  absl::Status Take(char c) {
    return Accept(c) ? absl::OkStatus() : Expected(absl::StrCat("'", std::string(1, c), "'"));
  }
  std::string Word() {
    SkipSpace();
    const size_t begin = at_;
    while (at_ < text_.size() && (absl::ascii_isalpha(text_[at_]) || text_[at_] == '_')) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  // What stands between quotes.
  absl::StatusOr<absl::string_view> Quoted() {
    TUNE_RETURN_IF_ERROR(Take('"'));
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' || text_[at_] == '\0') return Expected("a text without this character");
      ++at_;
    }
    const absl::string_view text = text_.substr(begin, at_ - begin);
    TUNE_RETURN_IF_ERROR(Take('"'));
    return text;
  }
  absl::Status Text(IslKind kind) {
    TUNE_ASSIGN_OR_RETURN(const absl::string_view text, Quoted());
    const absl::Status status = CheckIslText(kind, text);
    if (status.ok()) return status;
    return absl::InvalidArgumentError(absl::StrCat("the text before byte ", at_, ": ", status.message()));
  }
  absl::Status Mark() {
    TUNE_ASSIGN_OR_RETURN(const absl::string_view name, Quoted());
    if (!name.empty() && name.size() <= kLongestIslName) return absl::OkStatus();
    return Expected(absl::StrCat("a mark's name of at most ", kLongestIslName, " bytes before it"));
  }
  absl::Status Flag() { return Accept('0') || Accept('1') ? absl::OkStatus() : Expected("0 or 1"); }

  template <typename Item>
  absl::Status List(const Item& item) {
    TUNE_RETURN_IF_ERROR(Take('['));
    do {
      TUNE_RETURN_IF_ERROR(item());
    } while (Accept(','));
    return Take(']');
  }

  // `wanted`: the kind that the node must be of; empty: any but the root's.
  absl::Status Node(const std::string& wanted, int depth) {
    if (depth > kMostLevels) return Expected(absl::StrCat("at most ", kMostLevels, " levels"));
    TUNE_RETURN_IF_ERROR(Take('{'));
    std::string kind;
    std::set<std::string> seen;
    do {
      SkipSpace();
      const size_t begin = at_;
      const std::string key = Word();
      const bool first = kind.empty();
      if (first) kind = key;
      const Entry* const entry = Find(kind, key);
      const bool right_kind = wanted.empty() ? kind != "domain" : kind == wanted;
      if (entry == nullptr || (first && (key == "child" || !right_kind)) || !seen.insert(key).second) {
        at_ = begin;
        return Expected(first ? absl::StrCat("a node of kind ", wanted.empty() ? "schedule, sequence, set, "
                                                                                 "filter or mark"
                                                                               : wanted)
                              : absl::StrCat("another entry of a node of kind ", kind));
      }
      TUNE_RETURN_IF_ERROR(Take(':'));
      TUNE_RETURN_IF_ERROR(ReadValue(entry->value, depth));
    } while (Accept(','));
    return Take('}');
  }

  absl::Status ReadValue(ValueKind value, int depth) {
    switch (value) {
      case ValueKind::kSet:
        return Text(IslKind::kSet);
      case ValueKind::kBand:
        return Text(IslKind::kBand);
      case ValueKind::kMark:
        return Mark();
      case ValueKind::kFlag:
        return Flag();
      case ValueKind::kFlags:
        return List([&] { return Flag(); });
      case ValueKind::kTrees:
        return List([&] { return Node("filter", depth + 1); });
      case ValueKind::kTree:
        break;
    }
    return Node("", depth + 1);
  }

  const absl::string_view text_;
  size_t at_ = 0;
};

}  // namespace

absl::Status CheckScheduleNotation(absl::string_view text) {
  if (text.size() > kLongestIslTree)
    return absl::InvalidArgumentError(absl::StrCat("longer than ", kLongestIslTree, " bytes"));
  return Reader(text).Root();
}

}  // namespace tune
