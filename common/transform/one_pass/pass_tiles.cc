#include "common/transform/one_pass/pass_tiles.h"

#include <algorithm>

namespace tune {
namespace {

// Of the memory that is shared memory and L1 cache in one, what is left for rows of the matrix beside the
// vectors.
constexpr double kShareOfRows = 0.75;
constexpr double kLaunchSeconds = 2e-6;
constexpr double kLeastGain = 0.1;

int64_t Quotient(int64_t number, int64_t divisor) { return (number + divisor - 1) / divisor; }

}  // namespace

PassTiles ChoosePassTiles(const PassPair& pair, const DeviceFacts& device) {
  const auto cache =
      static_cast<int64_t>(kShareOfRows * static_cast<double>(device.shared_bytes_per_multiprocessor));
  const int64_t most = pair.row_bytes == 0 ? 0 : cache / pair.row_bytes;
  if (most == 0) return {};
  const int64_t rounds = Quotient(pair.row_count, most * device.multiprocessors);
  PassTiles tiles;
  tiles.rows = Quotient(pair.row_count, rounds * device.multiprocessors);
  tiles.count = Quotient(pair.row_count, tiles.rows);
  return tiles;
}

bool PassGains(const PassPair& pair, const PassTiles& tiles, int64_t element_bytes,
               const DeviceFacts& device) {
  if (device.memory_bandwidth <= 0 || device.multiprocessors <= 1 || tiles.rows == 0) return false;
  // Where both can run at once the one finds in the device's cache what the other one reads.
  if (pair.apart) return false;
  // With more, a multiprocessor may have several at once, whose rows its cache does not hold.
  if (tiles.count > device.multiprocessors) return false;
  const auto seconds = [&](int64_t bytes) { return static_cast<double>(bytes) / device.memory_bandwidth; };
  const double pass = seconds(pair.row_bytes * pair.row_count);
  // Partial sums are written and read once.
  const double parts = seconds(2 * tiles.count * pair.column_count * element_bytes);
  const double apart = 2 * (pass + kLaunchSeconds);
  const double together = pass + parts + 2 * kLaunchSeconds;
  return together < (1 - kLeastGain) * apart;
}

}  // namespace tune
