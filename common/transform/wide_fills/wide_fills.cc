#include "common/transform/wide_fills/wide_fills.h"

#include "common/array/element_type.h"
#include "common/program/known_factor.h"

namespace tune {
namespace {

const DeviceArray* FindArray(const std::vector<DeviceArray>& arrays, const std::string& name) {
  for (const DeviceArray& array : arrays) {
    if (array.scop_name == name) return &array;
  }
  return nullptr;
}

// The most elements that are copied at once.
int64_t WidthOf(const TileFill& part, const Tile& tile, const DeviceArray& array) {
  if (tile.extents.empty() || tile.transposed || array.extents.size() != tile.extents.size()) return 1;
  const bool rows = tile.extents.size() > 1;
  int64_t width = kTileAlignment / static_cast<int64_t>(ElementSize(tile.type));
  const auto fits = [&](int64_t number) { return number % width == 0; };
  while (width > 1 && !(fits(tile.extents.back()) && fits(KnownFactor(part.first.back())) &&
                        (!rows || (fits(tile.row_length) && fits(array.extents.back()))) &&
                        (!part.behind.back() || fits(array.extents.back()))))
    width /= 2;
  return std::max<int64_t>(width, 1);
}

class WideFillsTransformation : public CudaTransformation {
  const char* name() const override { return "wide_fills"; }

  void Apply(const KernelPass& pass, DeviceKernel* kernel) const override {
    ForEachTileFill(*kernel, [&](TileFill& part, const Tile& tile) {
      const DeviceArray* const array = FindArray(pass.arrays, tile.array);
      if (array != nullptr && LoadsPlainly(*kernel, pass.arrays, tile.array))
        part.width = WidthOf(part, tile, *array);
    });
  }
};

}  // namespace

const CudaTransformation& WideFills() {
  static const WideFillsTransformation transformation;
  return transformation;
}

}  // namespace tune
