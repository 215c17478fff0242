// How many rows of a matrix a block keeps, and what one pass over it gains.
#pragma once

#include <cstdint>

#include "common/device/device_facts.h"
#include "common/transform/one_pass/pass_pair.h"

namespace tune {

// Tiles of rows, one for each block.
struct PassTiles {
  int64_t rows = 0;   // of a tile; 0: rows are too long for a multiprocessor's cache
  int64_t count = 0;  // of tiles: for each there are partial sums of all columns
};

// As many rows as leave each multiprocessor equally many tiles, as few as there can be where its L1 cache is
// to hold those that it runs at once.
PassTiles ChoosePassTiles(const PassPair& pair, const DeviceFacts& device);

// Whether both sums in one pass over the matrix take less time on the device than each by itself, by an
// estimate; false where nothing is known of the device, where both can run at once, or where
// multiprocessors have several tiles each.
// `element_bytes`: of the columns' sums.
bool PassGains(const PassPair& pair, const PassTiles& tiles, int64_t element_bytes,
               const DeviceFacts& device);

}  // namespace tune
