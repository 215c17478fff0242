#include "client/exchange/values.h"

#include "absl/strings/numbers.h"
#include "absl/time/time.h"

namespace tune {

Json OptionValue(const std::string& option) {
  int64_t number = 0;
  if (absl::SimpleAtoi(option, &number) && absl::StrCat(number) == option) return number;
  return option;
}

std::string OptionText(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string IsoTime(int64_t unix_ms) {
  if (unix_ms == 0) return "";
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixMillis(unix_ms), absl::UTCTimeZone());
}

int64_t ParseIsoTime(const std::string& text) {
  absl::Time time;
  std::string error;
  for (const char* format : {"%Y-%m-%d%ET%H:%M:%E*S%Ez", "%Y-%m-%d%ET%H:%M:%E*S", "%Y-%m-%d %H:%M:%E*S%Ez",
                             "%Y-%m-%d %H:%M:%E*S"}) {
    if (absl::ParseTime(format, text, absl::UTCTimeZone(), &time, &error)) return absl::ToUnixMillis(time);
  }
  return 0;
}

std::optional<bool> MaximiseOf(const Json& tuned) {
  if (!tuned.is_object()) return std::nullopt;
  const auto told = tuned.find("maximise");
  return told != tuned.end() && told->is_boolean() ? std::optional<bool>(told->get<bool>()) : std::nullopt;
}

}  // namespace tune
