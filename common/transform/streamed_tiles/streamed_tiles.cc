#include "common/transform/streamed_tiles/streamed_tiles.h"

#include <utility>

#include "common/decision/simple_choices.h"
#include "common/transform/streamed_tiles/stream_gain.h"
#include "common/transform/streamed_tiles/streamed_scop.h"
#include "common/transform/time_tiles/stencil_site.h"

namespace tune {
namespace {

struct FoundStream {
  StreamPlan plan;
  StreamShape shape;
};

// Nothing where the site's loop cannot stream, or has no use for it.
std::optional<FoundStream> FindStream(const StencilSite& site, const DeviceFacts& device) {
  std::optional<StreamPlan> plan = PlanStream(site.loop, site.scop, site.values);
  if (!plan) return std::nullopt;
  std::optional<TileShapes> shapes = TileShapes::Find(site.loop, site.scop, site.dependences, site.values);
  if (!shapes) return std::nullopt;
  const std::optional<StreamShape> shape = ChooseStreamShape(site.loop, site.scop, *plan, device, &*shapes);
  if (!shape) return std::nullopt;
  return FoundStream{std::move(*plan), *shape};
}

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

  absl::StatusOr<bool> IsStandard(AnalysedScop& analysed, const std::map<std::string, int64_t>& values,
                                  const FormLimits& limits) const override {
    bool faster = false;
    const auto compare = [&](const StencilSite& site) -> std::optional<v1::Scop> {
      const std::optional<FoundStream> stream = FindStream(site, limits.device);
      faster = stream && StreamsFaster(site.loop, site.scop, stream->plan, stream->shape, limits.device);
      return std::nullopt;
    };
    TUNE_RETURN_IF_ERROR(WithStencilLoop(analysed, values, "comparing tiles of time", compare).status());
    return faster;
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "streamed_tiles", standard);
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
        const std::optional<FoundStream> stream = FindStream(site, device);
        if (!stream) return std::nullopt;
        const std::optional<std::vector<TiledArray>> arrays =
            FindTiledArrays(site.loop, site.scop, site.dependences, site.values, stream->shape.tile.steps);
        if (!arrays) return std::nullopt;
        return StreamStencil(site.scop, site.schedule, site.loop, stream->shape, stream->plan, *arrays,
                             site.values);
      });
}

}  // namespace tune
