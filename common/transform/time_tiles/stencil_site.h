// The one stencil loop of a region, and what is known of it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "common/schedule/analysed_scop.h"
#include "common/transform/time_tiles/stencil_loop.h"

namespace tune {

struct StencilSite {
  const ParsedScop& scop;
  const Dependences& dependences;
  isl::schedule schedule;  // of the scop, in which the loop was found
  StencilLoop loop;
  isl::set values;  // of the parameters
};

// What `make` makes of the region's stencil loop, at the `values` of the parameters. nullopt: it makes
// nothing, the region has no such loop or several, or isl's scheduler finds no schedule within the limits.
// `what`: that is done, for errors, which are those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> WithStencilLoop(
    AnalysedScop& analysed, const std::map<std::string, int64_t>& values, const char* what,
    const std::function<std::optional<v1::Scop>(const StencilSite&)>& make);

}  // namespace tune
