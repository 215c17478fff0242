#include "common/scop/member_type.h"

#include <algorithm>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

constexpr absl::string_view kBegin = "__typeof__(((", kMiddle = " *)0)->", kEnd = ")";

bool IsStructureName(absl::string_view text) {
  absl::ConsumePrefix(&text, "struct ");
  if (!absl::ConsumePrefix(&text, "::")) return IsCIdentifier(text);
  const std::vector<absl::string_view> words = absl::StrSplit(text, "::");
  return std::all_of(words.begin(), words.end(), [](absl::string_view word) { return IsCIdentifier(word); });
}

}  // namespace

std::string TypeOfMember(absl::string_view structure, absl::string_view member) {
  return absl::StrCat(kBegin, structure, kMiddle, member, kEnd);
}

bool IsTypeOfMember(absl::string_view text) {
  if (!absl::ConsumePrefix(&text, kBegin) || !absl::ConsumeSuffix(&text, kEnd)) return false;
  const size_t middle = text.find(kMiddle);
  return middle != absl::string_view::npos && IsStructureName(text.substr(0, middle)) &&
         IsCIdentifier(text.substr(middle + kMiddle.size()));
}

}  // namespace tune
