#include "worker/lower/kernel_parameters.h"

#include "common/mapping/cuda_limits.h"

namespace tune {
namespace {

int64_t ToInt(isl::val value) { return value.num_si(); }

// The values of a function, { [v] }: isl cannot tell the extremes of one whose quotients are whole only on
// its domain.
isl::set Values(const isl::pw_aff& function) { return function.as_map().range(); }

GridAxis MakeAxis(const isl::pw_aff& first, const isl::pw_aff& last) {
  GridAxis axis;
  const isl::pw_aff count = last.sub(first);  // K -> [blocks - 1]
  axis.first = ToInt(Values(first).dim_min_val(0));
  axis.first_is_constant = axis.first == ToInt(Values(first).dim_max_val(0));
  axis.most_blocks = ToInt(Values(count).dim_max_val(0)) + 1;
  return axis;
}

std::vector<KernelArray> Arrays(const MappedKernel& kernel, const ParsedScop& scop,
                                const std::vector<DeviceArray>& arrays) {
  std::vector<KernelArray> used;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::string& name = arrays[i].scop_name;
    bool reads = false, writes = false;
    for (const std::string& statement : kernel.kernel->statements) {
      for (const ParsedAccess& access : scop.statement(statement).accesses) {
        if (access.array != name) continue;
        reads = true;
        writes = writes || access.writes();
      }
    }
    if (!reads && !writes) continue;
    used.push_back({static_cast<int>(i), writes});
  }
  return used;
}

// Parameters that have no value, and extents that have names.
std::vector<std::string> Sizes(const std::vector<KernelArray>& used, const ParsedScop& scop,
                               const std::vector<DeviceArray>& arrays) {
  std::vector<std::string> sizes;
  for (const v1::Parameter& parameter : scop.proto.parameters()) sizes.push_back(parameter.name());
  for (const KernelArray& one : used) {
    const std::vector<std::string>& names = arrays[one.array].extent_names;
    sizes.insert(sizes.end(), names.begin(), names.end());
  }
  return sizes;
}

absl::Status SetAxes(const MappedKernel& kernel, DeviceKernel* lowered) {
  double blocks = 1;
  for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
    lowered->axes.push_back(MakeAxis(kernel.first_block[axis], kernel.last_block[axis]));
    const int64_t most = lowered->axes.back().most_blocks;
    blocks *= static_cast<double>(most);
    lowered->linear_grid = lowered->linear_grid || (axis > 0 && most > kMostBlocksInYZ);
  }
  const bool too_many = lowered->linear_grid
                            ? blocks > kMostBlocks
                            : !lowered->axes.empty() && lowered->axes[0].most_blocks > kMostBlocks;
  if (!too_many) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("kernel ", lowered->name, " would need ", blocks,
                                                 " blocks, and CUDA allows ", kMostBlocks,
                                                 "; its tiles must be larger"));
}

}  // namespace

absl::StatusOr<DeviceKernel> LowerKernelParameters(const MappedKernel& kernel, const ParsedScop& scop,
                                                   const std::vector<DeviceArray>& arrays,
                                                   const std::string& function) {
  DeviceKernel lowered;
  lowered.function = function;
  lowered.name = kernel.kernel->name;
  lowered.threads = kernel.threads;
  lowered.host_depth = kernel.kernel->host_depth;
  lowered.arrays = Arrays(kernel, scop, arrays);
  lowered.sizes = Sizes(lowered.arrays, scop, arrays);
  TUNE_RETURN_IF_ERROR(SetAxes(kernel, &lowered));
  return lowered;
}

}  // namespace tune
