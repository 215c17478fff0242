#include "worker/check/program_tiles_check.h"

#include <set>

#include "common/program/loop_condition.h"
#include "common/program/thread_subscripts.h"
#include "common/program/tile_nest.h"
#include "common/program/tile_subscripts.h"

namespace tune {
namespace {

template <typename... Parts>
absl::Status TilesFault(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat("the launches of tiles: ", parts...));
}

class TilesCheck {
 public:
  TilesCheck(const DeviceProgram& program, const MappedProgram& mapped)
      : program_(program), mapped_(mapped) {}

  absl::Status Check() {
    absl::Status status;
    ForEachNode(program_.host, [&](const Node& node) {
      const auto* const merged = node.As<MergedLaunch>();
      if (merged != nullptr && merged->tiles) status.Update(CheckLaunch(*merged));
    });
    ForEachNode(program_.host, [&](const Node& node) {
      const auto* const loop = node.As<Loop>();
      if (loop != nullptr && loop->parallel && known_.count(loop) == 0)
        status.Update(TilesFault("the loop of ", loop->iterator, " begins none"));
    });
    return status;
  }

 private:
  // Enters the launch's loops into known_.
  absl::Status CheckLaunch(const MergedLaunch& merged) {
    const std::vector<const Loop*> loops = TileNest(merged.body);
    const std::vector<std::string> iterators = IteratorsOf(loops);
    int64_t blocks = 1;
    for (const Loop* loop : loops) {
      const std::optional<int64_t> iterations = FixedIterations(*loop);
      if (!iterations)
        return TilesFault("the loop of ", loop->iterator, " has no fixed number of iterations");
      blocks *= *iterations;
      known_.insert(loop);
    }
    if (loops.empty() || blocks != merged.blocks)
      return TilesFault(merged.function, " has other blocks than tiles");
    absl::Status status;
    ForEachNode(merged.body, [&](const Node& node) {
      if (const auto* turns = node.As<BlockTurns>()) status.Update(CheckTurns(turns->launch, iterators));
    });
    return status;
  }

  absl::Status CheckTurns(const Launch& launch, const std::vector<std::string>& iterators) const {
    const TileLoops& tiles = mapped_.kernels[launch.kernel].kernel->tile_loops;
    bool same = tiles.count == static_cast<int>(iterators.size()) &&
                tiles.first + tiles.count <= static_cast<int>(launch.host.size());
    for (int i = 0; same && i < tiles.count; ++i) same = launch.host[tiles.first + i].IsName(iterators[i]);
    if (same) return absl::OkStatus();
    return TilesFault(program_.kernels[launch.kernel].name,
                      " is launched in loops that are not those of its tiles");
  }

  const DeviceProgram& program_;
  const MappedProgram& mapped_;
  std::set<const Loop*> known_;
};

}  // namespace

absl::Status CheckProgramTiles(const DeviceProgram& program, const MappedProgram& mapped,
                               const HelperNames& names) {
  TUNE_RETURN_IF_ERROR(TilesCheck(program, mapped).Check());
  for (size_t i = 0; i < program.arrays.size(); ++i) {
    const int64_t kept = program.arrays[i].of_block;
    if (kept != 0 && kept != TileSubscripts(program, names, static_cast<int>(i)))
      return TilesFault("a block touches other parts of array ", program.arrays[i].scop_name,
                        " than its own");
    const int64_t own = program.arrays[i].of_thread;
    if (own != 0 && own != ThreadSubscripts(program, names, static_cast<int>(i), kept))
      return TilesFault("a thread touches other elements of array ", program.arrays[i].scop_name,
                        " than its own");
  }
  return absl::OkStatus();
}

}  // namespace tune
