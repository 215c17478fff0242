#include "worker/ptx/compiled_kernels.h"

#include <algorithm>

#include "absl/strings/strip.h"
#include "common/base/plain_text.h"
#include "worker/ptx/cubin_resources.h"
#include "worker/ptx/ptx_reader.h"

namespace tune {
namespace {

constexpr size_t kSizesOfKernel = 16;  // that are looked at

// Launches of one kernel, in their order.
using LaunchList = std::vector<const KernelLaunches*>;

std::vector<LaunchList> ByKernel(const std::vector<KernelLaunches>& launches) {
  std::vector<LaunchList> lists;
  for (const KernelLaunches& launch : launches) {
    const auto known = std::find_if(lists.begin(), lists.end(),
                                    [&](const LaunchList& list) { return list[0]->kernel == launch.kernel; });
    known == lists.end() ? lists.push_back({&launch}) : known->push_back(&launch);
  }
  return lists;
}

// Some of them: of each of as many parts of the list the one in the middle, with the count of its part.
std::vector<KernelLaunches> Representatives(const LaunchList& list) {
  const size_t parts = std::min(kSizesOfKernel, list.size());
  std::vector<KernelLaunches> chosen;
  for (size_t part = 0; part < parts; ++part) {
    const size_t begin = part * list.size() / parts, end = (part + 1) * list.size() / parts;
    KernelLaunches one = *list[begin + (end - begin) / 2];
    one.count = 0;
    for (size_t i = begin; i < end; ++i) one.count += list[i]->count;
    chosen.push_back(std::move(one));
  }
  return chosen;
}

// Whether the path ends with the file, which may be a path itself.
bool Names(absl::string_view path, absl::string_view file) {
  return absl::ConsumeSuffix(&path, file) && (path.empty() || path.back() == '/');
}

void AddTrips(const std::vector<SourceTrips>& trips, const PtxModule& module, PtxAnalysisOptions* options) {
  for (const SourceTrips& one : trips) {
    for (const auto& [number, path] : module.files)
      if (Names(path, one.file)) options->trips_of_line[{number, one.line}] = one.trips;
  }
}

}  // namespace

absl::StatusOr<std::vector<KernelAnalysis>> AnalyseKernels(const CompiledKernels& kernels,
                                                           const DeviceFacts& device,
                                                           PtxAnalysisOptions options) {
  if (kernels.launches.empty()) return absl::InvalidArgumentError("no kernel is launched");
  TUNE_ASSIGN_OR_RETURN(const PtxModule module, ReadPtx(kernels.ptx));
  AddTrips(kernels.trips, module, &options);
  TUNE_ASSIGN_OR_RETURN(const auto resources, ReadCubinResources(kernels.cubin));
  std::vector<KernelAnalysis> analyses;
  for (const LaunchList& list : ByKernel(kernels.launches)) {
    const auto of_kernel = resources.find(list[0]->kernel);
    if (of_kernel == resources.end())
      return absl::InvalidArgumentError(
          absl::StrCat("the cubin has no kernel ", EscapeLine(list[0]->kernel)));
    for (const KernelLaunches& one : Representatives(list)) {
      TUNE_ASSIGN_OR_RETURN(
          KernelAnalysis analysis,
          AnalyseKernel(module, one.kernel, one.launch, one.count,
                        {of_kernel->second.registers, one.dynamic_shared_bytes}, device, options));
      analyses.push_back(std::move(analysis));
    }
  }
  return analyses;
}

}  // namespace tune
