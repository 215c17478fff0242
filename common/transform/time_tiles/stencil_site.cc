#include "common/transform/time_tiles/stencil_site.h"

#include <utility>
#include <vector>

namespace tune {

absl::StatusOr<std::optional<v1::Scop>> WithStencilLoop(
    AnalysedScop& analysed, const std::map<std::string, int64_t>& values, const char* what,
    const std::function<std::optional<v1::Scop>(const StencilSite&)>& make) {
  const absl::StatusOr<isl::schedule> schedule = analysed.Schedule();
  if (!schedule.ok()) return std::nullopt;
  const ParsedScop& scop = analysed.scop();
  IslContext& context = analysed.context();
  return context.Run(what, [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const isl::set known = ParameterValues(context, values);
    std::vector<StencilLoop> loops = FindStencilLoops(*schedule, scop, known);
    if (loops.size() != 1) return std::nullopt;
    return make({scop, analysed.dependences(), *schedule, std::move(loops[0]), known});
  });
}

}  // namespace tune
