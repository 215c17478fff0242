#include "server/search/strategy.h"

#include "server/search/ant_colony.h"
#include "server/search/random_search.h"
#include "server/search/search_options.h"

namespace tune {

absl::StatusOr<std::unique_ptr<Strategy>> MakeStrategy(const v1::SearchOptions& options, Space* space,
                                                       std::vector<v1::Configuration> seeds) {
  TUNE_RETURN_IF_ERROR(CheckSearchOptions(options));
  if (options.strategy() == "random")
    return std::make_unique<RandomSearch>(options.seed(), space, std::move(seeds));
  return std::make_unique<AntColony>(options, space, std::move(seeds));
}

}  // namespace tune
