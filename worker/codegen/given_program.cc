#include "worker/codegen/given_program.h"

#include "common/program/program_reader.h"

namespace tune {
namespace {

// What a person may change is left out.
DeviceKernel Fixed(DeviceKernel kernel) {
  Block definitions;
  ForEachNode(kernel.body, [&](const Node& node) {
    if (node.As<Definition>() != nullptr) definitions.push_back(node);
  });
  kernel.body = std::move(definitions);
  kernel.coordinates.clear();
  for (Tile& tile : kernel.tiles) {
    tile.offset = 0;
    tile.row_length = 0;
  }
  kernel.given_shared_bytes = 0;
  kernel.min_blocks = 0;
  kernel.carveout = 0;
  for (KernelArray& array : kernel.arrays) array.loads = ArrayLoads::kReadOnly;
  return kernel;
}

// Without what they run.
std::vector<MergedLaunch> MergedLaunches(const DeviceProgram& program) {
  std::vector<MergedLaunch> all;
  ForEachNode(program.host, [&](const Node& node) {
    if (const auto* merged = node.As<MergedLaunch>()) all.push_back(*merged);
  });
  for (MergedLaunch& merged : all) merged.body.clear();
  return all;
}

absl::Status CheckFixed(const DeviceProgram& given, const DeviceProgram& made) {
  const auto error = [](const std::string& what) {
    return absl::InvalidArgumentError(absl::StrCat(
        "program: ", what, "; what may be changed are nodes of kernels and host, and where tiles lie"));
  };
  if (given.arrays != made.arrays) return error("the arrays are not those of the region");
  if (MergedLaunches(given) != MergedLaunches(made) || given.graph != made.graph ||
      given.host_index_type != made.host_index_type || given.kernels.size() != made.kernels.size()) {
    return error("kernels are not launched in the way of the decisions");
  }
  for (size_t i = 0; i < made.kernels.size(); ++i) {
    if (Fixed(given.kernels[i]) != Fixed(made.kernels[i]))
      return error(absl::StrCat("kernel ", made.kernels[i].name,
                                " has other parameters, tiles or definitions than the decisions make"));
    if (given.kernels[i].given_shared_bytes > 0 && made.kernels[i].given_shared_bytes == 0)
      return error(absl::StrCat("kernel ", made.kernels[i].name, " is given no shared memory"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<DeviceProgram> TakeProgram(const std::string& text, const CudaPlan& plan,
                                          const CudaSpaceOptions& options, const MappedPlan& mapped,
                                          std::vector<DeviceArray> arrays) {
  absl::StatusOr<DeviceProgram> given = ReadDeviceProgram(text);
  if (!given.ok()) return absl::InvalidArgumentError(absl::StrCat("program: ", given.status().message()));
  TUNE_ASSIGN_OR_RETURN(const DeviceProgram made,
                        LowerMapped(plan, options, mapped, std::move(arrays), /*origins=*/true));
  TUNE_RETURN_IF_ERROR(CheckFixed(*given, made));
  return *std::move(given);
}

}  // namespace tune
