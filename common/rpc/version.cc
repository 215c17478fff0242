#include "common/rpc/version.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"

namespace tune {

bool CompatibleVersion(absl::string_view version) {
  const std::vector<std::string> other = absl::StrSplit(version, '.');
  const std::vector<std::string> own = absl::StrSplit(kVersion, '.');
  return other.size() == 3 && other[0] == own[0] && other[1] == own[1] && !other[2].empty();
}

}  // namespace tune
