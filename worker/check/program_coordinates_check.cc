#include "worker/check/program_coordinates_check.h"

#include <array>
#include <map>

#include "common/program/warp_product.h"

namespace tune {
namespace {

using Triple = std::array<int64_t, 3>;

constexpr Triple kGrids[] = {{1, 1, 1}, {3, 2, 4}, {5, 3, 2}, {7, 1, 3}};
constexpr const char* kAxes[] = {".x", ".y", ".z"};

class CoordinateCheck {
 public:
  explicit CoordinateCheck(const CheckedKernel& checked) : checked_(checked), kernel_(*checked.kernel) {
    for (const Node& node : kernel_.coordinates) {
      if (const auto* definition = node.As<Definition>()) values_[definition->name] = &definition->value;
    }
  }

  absl::Status Check() const {
    TUNE_RETURN_IF_ERROR(CheckAllDefined());
    TUNE_RETURN_IF_ERROR(CheckThreads());
    for (const Triple& grid : kGrids) {
      for (int64_t iteration = 0; iteration < 2; ++iteration)
        TUNE_RETURN_IF_ERROR(CheckBlocks(grid, iteration));
    }
    return absl::OkStatus();
  }

 private:
  size_t axes() const { return kernel_.axes.size(); }

  absl::Status CheckAllDefined() const {
    std::set<std::string> used;
    CollectNames(kernel_.body, &used);
    for (size_t axis = 0; axis < axes(); ++axis) {
      for (const std::string& prefix : {checked_.names.block, checked_.names.thread}) {
        const std::string name = absl::StrCat(prefix, axis);
        if (used.count(name) > 0 && values_.count(name) == 0)
          return checked_.Fault("nothing says what ", name, " is");
      }
    }
    return absl::OkStatus();
  }

  // Coordinates of one block or thread by the axes that have a definition; others are 0.
  Triple CoordinatesOf(const std::string& prefix, const std::map<std::string, int64_t>& known) const {
    Triple coordinates = {};
    for (size_t axis = 0; axis < axes(); ++axis) {
      const auto value = values_.find(absl::StrCat(prefix, axis));
      if (value == values_.end()) continue;
      coordinates[axis] = Evaluate(*value->second, [&](const std::string& name) {
        const auto found = known.find(name);
        if (found == known.end()) throw isl::exception("a coordinate depends on what is not known");
        return found->second;
      });
    }
    return coordinates;
  }

  absl::Status CheckThreads() const {
    const std::string thread = kernel_.is_function ? checked_.names.thread_index : "threadIdx";
    for (int64_t number = 0; number < kernel_.ThreadCount(); ++number) {
      const Triple own = {number % kernel_.threads[0], number / kernel_.threads[0] % kernel_.threads[1],
                          number / kernel_.threads[0] / kernel_.threads[1]};
      std::map<std::string, int64_t> known;
      for (size_t axis = 0; axis < 3; ++axis) known[thread + kAxes[axis]] = own[axis];
      const Triple found = CoordinatesOf(checked_.names.thread, known);
      const Triple wanted = HasWarpProducts(kernel_) ? InWarps(number) : own;
      for (size_t axis = 0; axis < axes(); ++axis) {
        if (values_.count(absl::StrCat(checked_.names.thread, axis)) > 0 && found[axis] != wanted[axis])
          return checked_.Fault("thread ", number, " of a block has another coordinate than it should");
      }
    }
    return absl::OkStatus();
  }

  // Of the thread with that number, where warps compute products: a warp is a rectangle of the block's tile,
  // in which threads lie row by row, and warps lie row by row too.
  Triple InWarps(int64_t number) const {
    const int64_t size = kWarpColumns * kWarpRows, beside = kernel_.threads[0] / kWarpColumns;
    const int64_t warp = number / size, lane = number % size;
    return {warp % beside * kWarpColumns + lane % kWarpColumns,
            warp / beside % (kernel_.threads[1] / kWarpRows) * kWarpRows + lane / kWarpColumns,
            number / (kernel_.threads[0] * kernel_.threads[1])};
  }

  absl::Status CheckBlocks(const Triple& wanted, int64_t iteration) const {
    Triple grid = {1, 1, 1}, first = {};
    for (size_t axis = 0; axis < axes(); ++axis) {
      grid[axis] = wanted[axis];
      first[axis] =
          kernel_.axes[axis].first_is_constant ? kernel_.axes[axis].first : 10 + static_cast<int64_t>(axis);
    }
    std::map<Triple, int64_t> times;  // that a block with these coordinates runs
    const int64_t blocks = grid[0] * grid[1] * grid[2];
    for (int64_t number = 0; number < blocks; ++number)
      ++times[CoordinatesOf(checked_.names.block, Known(number, grid, first, iteration))];
    int64_t distinct = 1;
    for (size_t axis = 0; axis < axes(); ++axis) {
      if (values_.count(absl::StrCat(checked_.names.block, axis)) > 0) distinct *= grid[axis];
    }
    if (static_cast<int64_t>(times.size()) != distinct)
      return checked_.Fault("blocks of a launch do not have different coordinates");
    for (const auto& [coordinates, count] : times) {
      bool inside = count * distinct == blocks;
      for (size_t axis = 0; axis < axes(); ++axis) {
        if (values_.count(absl::StrCat(checked_.names.block, axis)) == 0) continue;
        inside = inside && coordinates[axis] >= first[axis] && coordinates[axis] < first[axis] + grid[axis];
      }
      if (!inside) return checked_.Fault("a block of a launch has coordinates that none should have");
    }
    return absl::OkStatus();
  }

  std::map<std::string, int64_t> Known(int64_t number, const Triple& grid, const Triple& first,
                                       int64_t iteration) const {
    std::map<std::string, int64_t> known;
    const std::string block = kernel_.is_function ? checked_.names.block_index : "blockIdx";
    const Triple index = kernel_.linear_grid ? Triple{number, 0, 0}
                                             : Triple{number % grid[0], number / grid[0] % grid[1],
                                                      number / grid[0] / grid[1]};
    const Triple launched = kernel_.linear_grid ? Triple{grid[0] * grid[1] * grid[2], 1, 1} : grid;
    for (size_t axis = 0; axis < 3; ++axis) {
      known[block + kAxes[axis]] = index[axis];
      known[std::string("gridDim") + kAxes[axis]] = launched[axis];
      known[absl::StrCat(checked_.names.first, axis)] = first[axis];
      known[absl::StrCat(checked_.names.count, axis)] = grid[axis];
    }
    for (int depth = 0; depth < kernel_.host_depth; ++depth)
      known[absl::StrCat(checked_.names.host, depth)] = iteration;
    return known;
  }

  const CheckedKernel& checked_;
  const DeviceKernel& kernel_;
  std::map<std::string, const IndexExpression*> values_;  // of the coordinates that have a definition
};

}  // namespace

absl::Status CheckProgramCoordinates(const CheckedKernel& checked) {
  return CoordinateCheck(checked).Check();
}

}  // namespace tune
