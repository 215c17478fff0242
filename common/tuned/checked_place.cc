#include "common/tuned/checked_place.h"

namespace tune {

std::optional<std::string> OriginalBehind(absl::string_view file, int64_t end) {
  const auto place = PlaceOfOriginal(file, end);
  if (!place) return std::nullopt;
  return std::string(
      file.substr(static_cast<size_t>(place->first), static_cast<size_t>(place->second - place->first)));
}

}  // namespace tune
