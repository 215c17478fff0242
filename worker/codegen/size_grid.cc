#include "worker/codegen/size_grid.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tune {
namespace {

// Cells of an axis from 16 to 4096, of so many axes.
constexpr int kCells[] = {1, 24, 16, 16, 4};
constexpr size_t kMostAxes = std::size(kCells) - 1;
constexpr double kLeast = 16, kOctaves = 8;
// Of one parameter there are further cells of so many octaves, up to the largest arrays.
constexpr double kFurtherCell = 2, kOctavesOfArray = 30;
constexpr int64_t kMultiple = 4;  // as rows of whole pieces have it

std::vector<std::vector<std::string>> AxesOf(const v1::Scop& scop) {
  std::vector<std::vector<std::string>> axes;
  for (const v1::Parameter& parameter : scop.parameters())
    if (parameter.factors().empty()) axes.push_back({parameter.name()});
  if (axes.size() <= kMostAxes) return axes;
  std::vector<std::string> all;
  for (const std::vector<std::string>& axis : axes) all.push_back(axis[0]);
  return {all};
}

int MostDimensions(const v1::Scop& scop) {
  int most = 1;
  for (const v1::Array& array : scop.arrays()) most = std::max(most, array.extents_size());
  return most;
}

}  // namespace

size_t SizeGrid::CellCount() const {
  size_t count = 1;
  for (size_t axis = 0; axis < axes.size(); ++axis) count *= sizes.size();
  return count;
}

std::vector<size_t> SizeGrid::PlaceOf(size_t cell) const {
  std::vector<size_t> place(axes.size());
  for (size_t axis = axes.size(); axis-- > 0; cell /= sizes.size()) place[axis] = cell % sizes.size();
  return place;
}

SizeValues SizeGrid::ValuesAt(size_t cell) const {
  SizeValues values;
  const std::vector<size_t> place = PlaceOf(cell);
  for (size_t axis = 0; axis < axes.size(); ++axis)
    for (const std::string& parameter : axes[axis]) values[parameter] = sizes[place[axis]];
  return values;
}

size_t SizeGrid::Distance(size_t cell, size_t other) const {
  const std::vector<size_t> from = PlaceOf(cell), to = PlaceOf(other);
  size_t distance = 0;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    const size_t away = std::max(from[axis], to[axis]) - std::min(from[axis], to[axis]);
    distance += away * away;
  }
  return distance;
}

SizeGrid MakeSizeGrid(const v1::Scop& scop, const std::vector<int64_t>& sizes) {
  SizeGrid grid = {AxesOf(scop), sizes, {}};
  for (size_t i = 0; i + 1 < sizes.size(); ++i)
    grid.limits.push_back(std::sqrt(static_cast<double>(sizes[i]) * static_cast<double>(sizes[i + 1])));
  return grid;
}

SizeGrid DefaultSizeGrid(const v1::Scop& scop) {
  SizeGrid grid = {AxesOf(scop), {}, {}};
  const int count = kCells[grid.axes.size()];
  // From `begin` to `end`, in octaves.
  const auto add_cell = [&](double begin, double end) {
    if (begin > 0) grid.limits.push_back(kLeast * std::exp2(begin));
    const double middle = kLeast * std::exp2((begin + end) / 2);
    grid.sizes.push_back(std::llround(middle / kMultiple) * kMultiple);
  };
  for (int i = 0; i < count; ++i) add_cell(kOctaves * i / count, kOctaves * (i + 1) / count);
  if (grid.axes.size() != 1 || scop.parameters_size() != 1) return grid;
  const double octaves = kOctavesOfArray / MostDimensions(scop) - std::log2(kLeast);
  for (double begin = kOctaves; begin + kFurtherCell <= octaves; begin += kFurtherCell)
    add_cell(begin, begin + kFurtherCell);
  return grid;
}

}  // namespace tune
