#include "common/scop/member_type.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

constexpr absl::string_view kBegin = "__typeof__(((", kMiddle = " *)0)->", kEnd = ")";

bool IsStructureName(absl::string_view text) {
  absl::ConsumePrefix(&text, "struct ");
  return IsCIdentifier(text) || IsQualifiedName(text);
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
