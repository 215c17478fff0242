#include "server/dashboard/query.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"

namespace tune {
namespace {

constexpr size_t kLongestText = 200;

std::string Quoted(absl::string_view value) {
  const bool cut = value.size() > 60;
  return absl::StrCat("'", absl::Utf8SafeCHexEscape(value.substr(0, 60)), cut ? "..." : "", "'");
}

}  // namespace

const std::string* Query::Find(const std::string& name) {
  known_.insert(name);
  const auto [begin, end] = values_.equal_range(name);
  if (begin == end) return nullptr;
  if (std::next(begin) != end) Refuse(name, std::next(begin)->second, "the parameter once");
  return &begin->second;
}

void Query::Refuse(const std::string& name, const std::string& value, const std::string& accepted) {
  if (!refused_.ok()) return;
  refused_ = absl::InvalidArgumentError(
      absl::StrCat("parameter ", name, ": ", Quoted(value), " is not accepted; give ", accepted));
}

int64_t Query::Int(const std::string& name, int64_t otherwise, int64_t least, int64_t most) {
  const std::string* text = Find(name);
  if (text == nullptr) return otherwise;
  int64_t value = 0;
  if (absl::SimpleAtoi(*text, &value) && value >= least && value <= most) return value;
  Refuse(name, *text,
         most == INT64_MAX ? absl::StrCat("an integer from ", least, " on")
                           : absl::StrCat("an integer from ", least, " to ", most));
  return otherwise;
}

std::string Query::Text(const std::string& name) {
  const std::string* text = Find(name);
  if (text == nullptr) return "";
  if (text->size() <= kLongestText) return *text;
  Refuse(name, *text, absl::StrCat("at most ", kLongestText, " bytes"));
  return "";
}

std::string Query::Word(const std::string& name, const std::vector<std::string>& words) {
  const std::string* text = Find(name);
  if (text == nullptr || text->empty()) return "";
  if (std::find(words.begin(), words.end(), *text) != words.end()) return *text;
  Refuse(name, *text, absl::StrCat("one of ", absl::StrJoin(words, ", ")));
  return "";
}

absl::Status Query::Finish() const {
  TUNE_RETURN_IF_ERROR(refused_);
  for (const auto& [name, value] : values_) {
    if (known_.count(name) > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("parameter ", Quoted(name), " is not known here; ",
                     known_.empty() ? "this address takes none"
                                    : absl::StrCat("known are ", absl::StrJoin(known_, ", "))));
  }
  return absl::OkStatus();
}

bool HoldsText(absl::string_view text, absl::string_view part) {
  return absl::StrContains(absl::AsciiStrToLower(text), absl::AsciiStrToLower(part));
}

}  // namespace tune
