#include "worker/codegen/size_classes.h"

#include <algorithm>
#include <utility>

namespace tune {
namespace {

// The one that is the nearest to all others.
size_t MiddleOf(const std::vector<size_t>& cells, const SizeGrid& grid) {
  std::vector<double> middle(grid.axes.size());
  for (const size_t cell : cells) {
    const std::vector<size_t> place = grid.PlaceOf(cell);
    for (size_t axis = 0; axis < place.size(); ++axis)
      middle[axis] += static_cast<double>(place[axis]) / static_cast<double>(cells.size());
  }
  const auto distance = [&](size_t cell) {
    const std::vector<size_t> place = grid.PlaceOf(cell);
    double squares = 0;
    for (size_t axis = 0; axis < place.size(); ++axis) {
      const double away = static_cast<double>(place[axis]) - middle[axis];
      squares += away * away;
    }
    return squares;
  };
  return *std::min_element(cells.begin(), cells.end(),
                           [&](size_t a, size_t b) { return distance(a) < distance(b); });
}

}  // namespace

SizeClasses FindClasses(const SymbolicPlans& plans, const SizeGrid& grid, absl::Status* status,
                        const CellValues& values) {
  SizeClasses classes = {grid, std::vector<SizeCell>(grid.CellCount()), {}};
  std::map<std::string, std::vector<size_t>> by_decisions;
  for (size_t cell = 0; cell < classes.cells.size(); ++cell) {
    absl::StatusOr<SizeValues> sizes = values ? values(cell) : grid.ValuesAt(cell);
    if (sizes.ok()) sizes = plans.Complete(*std::move(sizes));
    status->Update(sizes.status());
    if (!sizes.ok()) continue;
    absl::StatusOr<DefaultsAtSizes> defaults = plans.DefaultsAt(*sizes);
    status->Update(defaults.status());
    if (!defaults.ok()) continue;
    classes.cells[cell].sizes = *std::move(sizes);
    classes.cells[cell].iterations = std::move(defaults->iterations);
    by_decisions[defaults->decisions].push_back(cell);
  }
  std::vector<std::vector<size_t>> sorted;
  for (auto& [decisions, cells] : by_decisions) sorted.push_back(std::move(cells));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const std::vector<size_t>& cells : sorted) {
    for (const size_t cell : cells) classes.cells[cell].size_class = static_cast<int>(classes.typical.size());
    classes.typical.push_back(MiddleOf(cells, grid));
  }
  return classes;
}

}  // namespace tune
