#include "server/search/strategy.h"

#include "server/search/ant_colony.h"
#include "server/search/differential_evolution.h"
#include "server/search/list_search.h"
#include "server/search/local_search.h"
#include "server/search/portfolio.h"
#include "server/search/random_search.h"
#include "server/search/search_options.h"
#include "server/search/tree_search.h"
#include "server/search/uniform_search.h"

namespace tune {

absl::StatusOr<std::unique_ptr<Strategy>> MakeStrategy(const v1::SearchOptions& options, Space* space,
                                                       std::vector<v1::Configuration> seeds,
                                                       const std::vector<v1::KnownResults>& known) {
  TUNE_RETURN_IF_ERROR(CheckSearchOptions(options));
  const std::string& name = options.strategy();
  const uint64_t seed = options.seed();
  if (name == kCarvingStrategy) return std::make_unique<ListSearch>(space, std::move(seeds));
  if (name == "random") return std::make_unique<RandomSearch>(seed, space, std::move(seeds));
  if (name == "uniform") return std::make_unique<UniformSearch>(seed, space, std::move(seeds));
  if (name == "tree") return std::make_unique<TreeSearch>(options, space, std::move(seeds));
  if (name == "local_search") return std::make_unique<LocalSearch>(seed, space, std::move(seeds));
  if (name == "differential_evolution")
    return std::make_unique<DifferentialEvolution>(seed, space, std::move(seeds));
  if (name == "portfolio") return std::make_unique<Portfolio>(options, space, std::move(seeds), known);
  return std::make_unique<AntColony>(options, space, std::move(seeds), known);
}

}  // namespace tune
