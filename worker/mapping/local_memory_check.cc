#include "worker/mapping/local_memory_check.h"

#include "worker/mapping/barrier.h"
#include "worker/mapping/partial_tile_check.h"
#include "worker/mapping/register_tile_check.h"
#include "worker/mapping/shared_tile_check.h"
#include "worker/mapping/tile_copy.h"

namespace tune {

absl::Status CheckLocalMemory(const KernelPlacement& placement, const ParsedScop& scop,
                              const isl::set& values) {
  TUNE_RETURN_IF_ERROR(CheckBarriers(placement));
  TUNE_RETURN_IF_ERROR(CheckCopies(placement));
  TUNE_ASSIGN_OR_RETURN(const std::vector<TileUse> uses, FindTileUses(placement, scop, values));
  for (const TileUse& use : uses) TUNE_RETURN_IF_ERROR(CheckIndex(placement, use));
  TUNE_RETURN_IF_ERROR(CheckSharedTiles(placement, uses, scop, values));
  TUNE_RETURN_IF_ERROR(CheckRegisterTiles(placement, uses, scop, values));
  return CheckPartialTiles(placement, uses);
}

}  // namespace tune
