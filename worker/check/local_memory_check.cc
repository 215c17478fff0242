#include "worker/check/local_memory_check.h"

#include "worker/check/barrier.h"
#include "worker/check/partial_tile_check.h"
#include "worker/check/register_tile_check.h"
#include "worker/check/shared_tile_check.h"
#include "worker/check/tile_copy.h"

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
