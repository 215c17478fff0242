#include "server/model/samples.h"

#include <algorithm>

namespace tune {

Samples::Samples(const std::vector<std::vector<float>>& values, std::vector<double> targets)
    : targets_(std::move(targets)) {
  const size_t attributes = values.empty() ? 0 : values[0].size();
  levels_.resize(attributes);
  codes_.resize(attributes);
  for (size_t attribute = 0; attribute < attributes; ++attribute) {
    std::vector<float>& levels = levels_[attribute];
    for (const std::vector<float>& row : values) levels.push_back(row[attribute]);
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    for (const std::vector<float>& row : values) {
      const auto level = std::lower_bound(levels.begin(), levels.end(), row[attribute]);
      codes_[attribute].push_back(static_cast<uint32_t>(level - levels.begin()));
    }
  }
}

}  // namespace tune
