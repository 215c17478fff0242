#include "worker/codegen/kernel_signature.h"

#include <algorithm>

#include "absl/strings/str_join.h"

namespace tune {
namespace {

constexpr int64_t kMostBlocksInYZ = 65535;
constexpr int64_t kMostBlocks = INT32_MAX;

int64_t ToInt(isl_val* value) { return isl_val_get_num_si(isl::manage(value).get()); }

// The values of a function, { [v] }: isl cannot tell the extremes of one whose quotients are whole only on
// its domain.
isl::set Values(const isl::pw_aff& function) {
  return isl::manage(isl_map_range(isl_map_from_pw_aff(function.copy())));
}

GridAxis MakeAxis(const isl::pw_aff& first, const isl::pw_aff& last) {
  GridAxis axis;
  const isl::pw_aff count = last.sub(first);  // K -> [blocks - 1]
  axis.first = ToInt(isl_set_dim_min_val(Values(first).release(), 0));
  axis.first_is_constant = axis.first == ToInt(isl_set_dim_max_val(Values(first).release(), 0));
  axis.most_blocks = ToInt(isl_set_dim_max_val(Values(count).release(), 0)) + 1;
  return axis;
}

// What was decided, but a texture object only for what it can hold, and not where one launch runs kernels
// that read the array in different ways.
ArrayLoads PossibleLoads(const MappedKernel& kernel, const DeviceArray& array, const std::string& name,
                         bool together) {
  const ArrayLoads loads = kernel.plan->Loads(name);
  if (loads != ArrayLoads::kTexture) return loads;
  return together || !FitsTexture(array) ? ArrayLoads::kReadOnly : loads;
}

}  // namespace

absl::StatusOr<KernelSignature> MakeKernelSignature(const MappedKernel& kernel, const ParsedScop& scop,
                                                    const std::vector<DeviceArray>& arrays,
                                                    const std::string& function, bool together) {
  KernelSignature signature;
  signature.function = function;
  signature.is_function = together;
  signature.host_depth = kernel.kernel->host_depth;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::string& name = scop.proto.arrays(static_cast<int>(i)).name();
    bool used = false, writes = false;
    for (const std::string& statement : kernel.kernel->statements) {
      for (const ParsedAccess& access : scop.statement(statement).accesses) {
        if (access.array != name) continue;
        used = true;
        writes = writes || access.writes();
      }
    }
    if (!used) continue;
    signature.arrays.push_back({&arrays[i], writes, together && arrays[i].written});
    if (!writes) signature.arrays.back().loads = PossibleLoads(kernel, arrays[i], name, together);
  }
  double blocks = 1;
  for (size_t axis = 0; axis < kernel.first_block.size(); ++axis) {
    signature.axes.push_back(MakeAxis(kernel.first_block[axis], kernel.last_block[axis]));
    const int64_t most = signature.axes.back().most_blocks;
    blocks *= static_cast<double>(most);
    signature.linear_grid = signature.linear_grid || (!together && axis > 0 && most > kMostBlocksInYZ);
  }
  const bool too_many = signature.linear_grid || together
                            ? blocks > kMostBlocks
                            : !signature.axes.empty() && signature.axes[0].most_blocks > kMostBlocks;
  if (too_many) {
    return absl::InvalidArgumentError(absl::StrCat("kernel ", kernel.kernel->name, " would need ", blocks,
                                                   " blocks, and CUDA allows ", kMostBlocks,
                                                   "; its tiles must be larger"));
  }
  return signature;
}

std::string PrintParameters(const KernelSignature& signature, const HelperNames& names) {
  std::vector<std::string> parameters;
  for (const KernelSignature::Array& array : signature.arrays) {
    const bool restricted = !array.shared && array.loads == ArrayLoads::kReadOnly;
    parameters.push_back(array.loads == ArrayLoads::kTexture
                             ? absl::StrCat("const cudaTextureObject_t ", array.array->name)
                             : DeviceParameter(*array.array, array.writes, restricted));
  }
  const auto number = [&](const std::string& name, size_t index) {
    parameters.push_back(absl::StrCat("const ", signature.integer_type, " ", name, index));
  };
  for (int depth = 0; depth < signature.host_depth; ++depth) number(names.host, depth);
  for (size_t axis = 0; axis < signature.axes.size(); ++axis) {
    if (!signature.axes[axis].first_is_constant) number(names.first, axis);
  }
  for (size_t axis = 0; signature.linear_grid && axis + 1 < signature.axes.size(); ++axis)
    number(names.count, axis);
  if (signature.is_function) {
    for (const std::string& name : {names.block_index, names.thread_index})
      parameters.push_back(absl::StrCat("const uint3 ", name));
  }
  return absl::StrJoin(parameters, ", ");
}

}  // namespace tune
