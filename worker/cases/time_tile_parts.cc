#include "worker/cases/time_tile_parts.h"

#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "common/tuned/device_interface.h"

namespace tune {
namespace {

constexpr int kPointsOfThread = 8;  // in a column, of tiles of two dimensions
constexpr int64_t kSmallSide = 32;  // of tiles whose threads have one point: of a square of 1024

bool IsSmall(const TimeTiles& tiles) {
  return tiles.dimensions == 2 && tiles.sides == std::vector<int64_t>{kSmallSide, kSmallSide};
}

}  // namespace

std::string FunctionOfTiles(const TimeTiles& tiles, const ParametricRegion& region) {
  return CIdentifier(region.scop.name()) + (IsSmall(tiles) ? "_small_tile" : "_tiles");
}

std::optional<TimeTiles> SmallTiles(const TimeTiles& tiles) {
  if (tiles.dimensions != 2 || tiles.sides[0] < kSmallSide || tiles.sides[1] < kSmallSide || IsSmall(tiles))
    return std::nullopt;
  TimeTiles small = tiles;
  small.sides = {kSmallSide, kSmallSide};
  return small;
}

TileBlock BlockOf(const TimeTiles& tiles) {
  if (tiles.dimensions == 1) return {kLineThreads, 1, tiles.sides[0] / kLineThreads};
  const int64_t points = IsSmall(tiles) ? 1 : kPointsOfThread;
  return {tiles.sides[1], tiles.sides[0] / points, points};
}

int64_t ElementsOfTile(const TimeTiles& tiles) {
  int64_t elements = 1;
  for (const int64_t side : tiles.sides) elements *= side;
  return elements;
}

int64_t BytesOfElement(const TimeTiles& tiles, const ParametricRegion& region) {
  int64_t bytes = 0;
  for (const int array : tiles.arrays)
    bytes += static_cast<int64_t>(ElementSize(region.scop.arrays(array).element_type()));
  return bytes;
}

std::vector<CaseArgument> ArgumentsOfTiles(const ParametricRegion& region) {
  ParametricKernel all;
  all.host_depth = 1;
  for (const ParametricKernel& kernel : region.kernels)
    all.statements.insert(all.statements.end(), kernel.statements.begin(), kernel.statements.end());
  KernelVariant plain;
  plain.coarsened = plain.cached = false;
  std::vector<CaseArgument> arguments = CaseArguments(all, region, plain);
  for (CaseArgument& argument : arguments)  // copies of an array are told beside it
    if (argument.type.compare(0, 6, "const ") != 0)
      argument.type = absl::StrReplaceAll(argument.type, {{"__restrict__ ", ""}});
  return arguments;
}

IndexExpression FirstUsed(const ParametricRegion& region, int array, int dimension) {
  const auto box = region.used.find(region.scop.arrays(array).name());
  const IndexExpression zero = IndexExpression::Constant(0);
  if (box == region.used.end() || box->second.first[dimension] == zero) return zero;
  return IndexExpression::Of(IndexExpression::Op::kMaximum, {zero, box->second.first[dimension]});
}
IndexExpression LastUsed(const ParametricRegion& region, int array, int dimension) {
  const auto box = region.used.find(region.scop.arrays(array).name());
  IndexExpression last =
      IndexExpression::Name(ExtentName(region.names, array, dimension)) - IndexExpression::Constant(1);
  if (box == region.used.end()) return last;
  return IndexExpression::Of(IndexExpression::Op::kMinimum, {last, box->second.last[dimension]});
}

}  // namespace tune
