#include "common/transform/time_tiles/time_tiles.h"

#include "common/decision/simple_choices.h"
#include "common/transform/time_tiles/stencil_site.h"
#include "common/transform/time_tiles/tiled_scop.h"

namespace tune {
namespace {

class TimeTilesTransformation : public ScopTransformation {
  const char* name() const override { return "time_tiles"; }
  bool HasOrder() const override { return true; }
  bool TakesOriginal() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return TileTime(analysed, values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "time_tiles", standard);
  }
};

}  // namespace

const ScopTransformation& TimeTiles() {
  static const TimeTilesTransformation transformation;
  return transformation;
}

absl::StatusOr<std::optional<v1::Scop>> TileTime(AnalysedScop& analysed,
                                                 const std::map<std::string, int64_t>& values,
                                                 const TileLimits& limits) {
  return WithStencilLoop(
      analysed, values, "tiling time", [&](const StencilSite& site) -> std::optional<v1::Scop> {
        const std::optional<TileShape> shape =
            ChooseTileShape(site.loop, site.scop, site.dependences, site.values, limits);
        if (!shape) return std::nullopt;
        const std::optional<std::vector<TiledArray>> arrays =
            FindTiledArrays(site.loop, site.scop, site.dependences, site.values, shape->steps);
        if (!arrays) return std::nullopt;
        return TileStencil(site.scop, site.schedule, site.loop, *shape, *arrays, site.values);
      });
}

}  // namespace tune
