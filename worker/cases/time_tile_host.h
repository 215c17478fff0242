// The host's function that launches time tiles.
#pragma once

#include <string>

#include "worker/cases/time_tiles.h"

namespace tune {

// C++: LaunchTiles and what it needs (time_tile_host_text.h).
std::string TimeTilesHostFunction(const TimeTiles& tiles, const ParametricRegion& region);

}  // namespace tune
