#include "common/transform/streamed_tiles/streamed_tiles.h"

#include "common/decision/simple_choices.h"
#include "common/transform/streamed_tiles/streamed_scop.h"

namespace tune {
namespace {

class StreamedTilesTransformation : public ScopTransformation {
  const char* name() const override { return "streamed_tiles"; }
  bool HasOrder() const override { return true; }
  bool TakesOriginal() const override { return true; }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return StreamTime(analysed, values);
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
                                                   const TileLimits& limits) {
  const absl::StatusOr<isl::schedule> schedule = analysed.Schedule();
  if (!schedule.ok()) return std::nullopt;
  const ParsedScop& scop = analysed.scop();
  const Dependences& dependences = analysed.dependences();
  IslContext& context = analysed.context();
  return context.Run("streaming tiles of time", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const isl::set known = ParameterValues(context, values);
    const std::vector<StencilLoop> loops = FindStencilLoops(*schedule, scop, known);
    if (loops.size() != 1 || loops[0].dimensions != 2) return std::nullopt;
    const std::optional<StreamPlan> plan = PlanStream(loops[0], scop, known);
    if (!plan) return std::nullopt;
    const std::optional<TileShape> shape = ChooseTileShape(loops[0], scop, dependences, known, limits);
    if (!shape) return std::nullopt;
    const std::optional<std::vector<TiledArray>> arrays =
        FindTiledArrays(loops[0], scop, dependences, known, shape->steps);
    if (!arrays) return std::nullopt;
    return StreamStencil(scop, *schedule, loops[0], *shape, *plan, *arrays, known);
  });
}

}  // namespace tune
