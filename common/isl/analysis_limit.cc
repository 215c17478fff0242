#include "common/isl/analysis_limit.h"

#include <cstdlib>

#include "absl/strings/numbers.h"

namespace tune {
namespace {

int LimitOfEnvironment() {
  const char* const text = std::getenv(kAnalysisLimitVariable);
  int limit = 1;
  const bool is_one =
      text != nullptr && absl::SimpleAtoi(text, &limit) && limit >= 1 && limit <= kMostAnalysisLimit;
  return is_one ? limit : 1;
}

}  // namespace

int AnalysisLimit() {
  static const int limit = LimitOfEnvironment();
  return limit;
}

}  // namespace tune
