#include "common/program/tile_subscripts.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/program/node_accesses.h"
#include "common/program/tile_nest.h"

namespace tune {

bool UsesArray(const DeviceKernel& kernel, int array) {
  return std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                     [&](const KernelArray& used) { return used.array == array; });
}

namespace {

// What the kernel calls the iterators, each passed to it as the value of a host loop; empty: some is not.
std::vector<std::string> NamesInKernel(const Launch& launch, const std::vector<std::string>& iterators,
                                       const HelperNames& names) {
  std::vector<std::string> inside;
  for (const std::string& iterator : iterators) {
    for (size_t depth = 0; depth < launch.host.size(); ++depth) {
      if (!launch.host[depth].IsName(iterator)) continue;
      inside.push_back(absl::StrCat(names.host, depth));
      break;
    }
  }
  return inside.size() == iterators.size() ? inside : std::vector<std::string>();
}

// Whether the subscripts do wherever the kernel touches the array; `or_number`: or are numbers.
bool BeginWith(const DeviceKernel& kernel, const std::string& array, const std::vector<std::string>& names,
               bool or_number) {
  bool begin = true;
  const auto check = [&](const ElementAccess& access) {
    if (access.array != array) return;
    begin = begin && names.size() <= access.subscripts.size();
    for (size_t i = 0; begin && i < names.size(); ++i)
      begin = access.subscripts[i].IsName(names[i]) || (or_number && access.subscripts[i].IsConstant());
  };
  ForEachNode(kernel.body, [&](const Node& node) {
    ForEachAccess(node, check);
    begin = begin && node.As<Fill>() == nullptr;
  });
  return begin;
}

// TileSubscripts, or with numbers in their places; `in_kernels`: the names that they have, or are to have.
int64_t SubscriptsOf(const DeviceProgram& program, const HelperNames& names, int array, bool or_number,
                     std::map<int, std::vector<std::string>>* in_kernels) {
  const DeviceArray& used = program.arrays[array];
  if (!used.local) return 0;
  int64_t subscripts = 0;
  bool fits = true;
  ForEachNode(program.host, [&](const Node& node) {
    const auto* const merged = node.As<MergedLaunch>();
    if (merged == nullptr || !merged->tiles) return;
    const std::vector<std::string> iterators = IteratorsOf(TileNest(merged->body));
    bool uses = false;
    ForEachNode(merged->body, [&](const Node& part) {
      const auto* const turns = part.As<BlockTurns>();
      if (turns == nullptr || !UsesArray(program.kernels[turns->launch.kernel], array)) return;
      uses = true;
      const std::vector<std::string> own = NamesInKernel(turns->launch, iterators, names);
      in_kernels->emplace(turns->launch.kernel, own);
      fits = fits && !own.empty() && in_kernels->at(turns->launch.kernel) == own &&
             BeginWith(program.kernels[turns->launch.kernel], used.scop_name, own, or_number);
    });
    if (!uses) return;
    fits = fits && subscripts == 0;
    subscripts = static_cast<int64_t>(iterators.size());
  });
  for (size_t k = 0; k < program.kernels.size(); ++k)
    fits = fits && (in_kernels->count(static_cast<int>(k)) > 0 || !UsesArray(program.kernels[k], array));
  return fits && subscripts < static_cast<int64_t>(used.extents.size()) ? subscripts : 0;
}

}  // namespace

int64_t TileSubscripts(const DeviceProgram& program, const HelperNames& names, int array) {
  std::map<int, std::vector<std::string>> in_kernels;
  return SubscriptsOf(program, names, array, /*or_number=*/false, &in_kernels);
}

int64_t TileSubscriptsOrNumbers(const DeviceProgram& program, const HelperNames& names, int array,
                                std::map<int, std::vector<std::string>>* in_kernels) {
  return SubscriptsOf(program, names, array, /*or_number=*/true, in_kernels);
}

}  // namespace tune
