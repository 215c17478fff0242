#include "client/exchange/application_captures.h"

#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "libtune/wisdom/capture_file.h"

namespace tune {

absl::StatusOr<ApplicationCaptures> ReadCaptures(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  ApplicationCaptures captures;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(content, '\n')) {
    ++number;
    if (line.empty()) continue;
    libtune::Captured captured;
    const libtune::Status parsed = libtune::ParseCaptureLine({line.data(), line.size()}, &captured);
    if (!parsed.ok()) {
      captures.refused.push_back({number, parsed.text()});
      continue;
    }
    const libtune::WisdomKey& key = captured.key;
    captures.captured.push_back({number, key.region, {key.inputs.begin(), key.inputs.end()}});
  }
  return captures;
}

}  // namespace tune
