#include "common/transform/streamed_tiles/streamed_tiles.h"

#include "common/decision/simple_choices.h"
#include "common/transform/streamed_tiles/streamed_scop.h"
#include "common/transform/time_tiles/stencil_site.h"

namespace tune {
namespace {

class StreamedTilesTransformation : public ScopTransformation {
  const char* name() const override { return "streamed_tiles"; }
  bool HasOrder() const override { return true; }
  bool TakesOriginal() const override { return true; }
  bool IsAnalysedLate() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits& limits) const override {
    return StreamTime(analysed, values, limits.device);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser) const override {
    return ChooseSwitch(chooser, "streamed_tiles", false);
  }
};

}  // namespace

const ScopTransformation& StreamedTiles() {
  static const StreamedTilesTransformation transformation;
  return transformation;
}

absl::StatusOr<std::optional<v1::Scop>> StreamTime(AnalysedScop& analysed,
                                                   const std::map<std::string, int64_t>& values,
                                                   const DeviceFacts& device) {
  return WithStencilLoop(
      analysed, values, "streaming tiles of time", [&](const StencilSite& site) -> std::optional<v1::Scop> {
        const std::optional<StreamPlan> plan = PlanStream(site.loop, site.scop, site.values);
        if (!plan) return std::nullopt;
        std::optional<TileShapes> shapes =
            TileShapes::Find(site.loop, site.scop, site.dependences, site.values);
        if (!shapes) return std::nullopt;
        const std::optional<StreamShape> shape =
            ChooseStreamShape(site.loop, site.scop, *plan, device, &*shapes);
        if (!shape) return std::nullopt;
        const std::optional<std::vector<TiledArray>> arrays =
            FindTiledArrays(site.loop, site.scop, site.dependences, site.values, shape->tile.steps);
        if (!arrays) return std::nullopt;
        return StreamStencil(site.scop, site.schedule, site.loop, *shape, *plan, *arrays, site.values);
      });
}

}  // namespace tune
