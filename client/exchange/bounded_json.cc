#include "client/exchange/bounded_json.h"

#include <algorithm>

namespace tune {
namespace {

// Of the brackets outside of strings, whether or not they match.
int DepthOf(absl::string_view text) {
  int depth = 0, deepest = 0;
  bool inside_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside_string) {
      if (c == '\\') ++i;
      if (c == '"') inside_string = false;
    } else if (c == '"') {
      inside_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

absl::StatusOr<Json> ParseBoundedJson(absl::string_view text) {
  if (DepthOf(text) > kDeepestJson) {
    return absl::InvalidArgumentError(absl::StrCat("the JSON has more than ", kDeepestJson, " levels"));
  }
  Json json = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return absl::InvalidArgumentError("this is no JSON");
  return json;
}

std::string TextMember(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

int64_t IntMember(const Json& json, const char* name, int64_t otherwise) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  return found != json.end() && found->is_number_integer() ? found->get<int64_t>() : otherwise;
}

}  // namespace tune
