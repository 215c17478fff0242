#include "common/transform/wavefront_tiles/wavefront_tiles.h"

#include "common/decision/simple_choices.h"
#include "common/transform/time_tiles/time_tiles.h"
#include "common/transform/wavefront_tiles/wavefront_scop.h"

namespace tune {
namespace {

class WavefrontTilesTransformation : public ScopTransformation {
  const char* name() const override { return "wavefront_tiles"; }
  bool HasOrder() const override { return true; }
  bool TakesOriginal() const override { return true; }
  const ScopTransformation* GivesWayTo() const override { return &TimeTiles(); }

  absl::StatusOr<std::optional<v1::Scop>> Make(AnalysedScop& analysed,
                                               const std::map<std::string, int64_t>& values,
                                               const FormLimits&) const override {
    return TileWavefronts(analysed, values);
  }

  absl::StatusOr<bool> Decide(Chooser& chooser, bool standard) const override {
    return ChooseSwitch(chooser, "wavefront_tiles", standard);
  }
};

// Whether the schedule is one loop that is not parallel, with all else inside of it.
bool IsSerial(const isl::schedule& schedule) {
  const isl::schedule_node node = schedule.root().child(0);
  if (!node.isa<isl::schedule_node_band>()) return false;
  const auto band = node.as<isl::schedule_node_band>();
  return band.n_member() > 0 && !band.member_get_coincident(0);
}

}  // namespace

const ScopTransformation& WavefrontTiles() {
  static const WavefrontTilesTransformation transformation;
  return transformation;
}

absl::StatusOr<std::optional<v1::Scop>> TileWavefronts(AnalysedScop& analysed,
                                                       const std::map<std::string, int64_t>& values,
                                                       const WavefrontLimits& limits) {
  const absl::StatusOr<isl::schedule> parallel = analysed.Schedule();
  if (!parallel.ok()) return std::nullopt;
  const ParsedScop& scop = analysed.scop();
  IslContext& context = analysed.context();
  const absl::StatusOr<bool> serial =
      context.Run("looking for wavefronts", [&]() -> absl::StatusOr<bool> { return IsSerial(*parallel); });
  TUNE_RETURN_IF_ERROR(serial.status());
  if (!*serial) return std::nullopt;
  ScheduleOptions options;
  options.parallel_loops = false;
  const absl::StatusOr<isl::schedule> schedule = analysed.Schedule(options);
  if (!schedule.ok()) return std::nullopt;
  return context.Run("tiling wavefronts", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    const isl::set known = ParameterValues(context, values);
    const std::optional<WavefrontBand> band = FindWavefrontBand(*schedule, scop, known);
    if (!band) return std::nullopt;
    const std::optional<WavefrontShape> shape = ChooseWavefrontShape(*band, scop, known, limits);
    if (!shape) return std::nullopt;
    return RunOnWavefronts(scop, analysed.dependences(), *band, *shape, known);
  });
}

}  // namespace tune
