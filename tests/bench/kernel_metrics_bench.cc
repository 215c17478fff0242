// Static metrics of a kernel as JSON, and how long they took: kernel_metrics_bench k.ptx k --grid 64 64 1
// --block 16 16 1
// --parameters ? ? 4096
#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "absl/strings/numbers.h"
#include "common/base/file.h"
#include "common/carving/efficiency.h"
#include "common/device/compute_capability.h"
#include "worker/ptx/cubin_resources.h"
#include "worker/ptx/kernel_analysis.h"
#include "worker/ptx/ptx_reader.h"

namespace tune {
namespace {

struct Arguments {
  std::string ptx, kernel, cubin;
  std::vector<int64_t> grid = {1, 1, 1}, block = {1, 1, 1};
  std::vector<std::string> parameters;
  std::vector<int> capability = {9, 0};
  KernelResources resources;
  PtxAnalysisOptions options;
};

absl::StatusOr<PtxLaunch> LaunchOf(const Arguments& arguments) {
  PtxLaunch launch;
  std::copy_n(arguments.grid.begin(), 3, launch.grid);
  std::copy_n(arguments.block.begin(), 3, launch.block);
  for (const std::string& text : arguments.parameters) {
    int64_t value = 0;
    const bool is_known = text != "?";
    if (is_known && !absl::SimpleAtoi(text, &value))
      return absl::InvalidArgumentError(
          absl::StrCat("the parameter ", text, " is no whole number; ? is unknown"));
    launch.parameters.push_back(is_known ? std::optional(value) : std::nullopt);
  }
  return launch;
}

const char* NameOf(TripSource source) {
  return source == TripSource::kFollowed    ? "followed"
         : source == TripSource::kAnnotated ? "annotated"
                                            : "assumed";
}

nlohmann::json ToJson(const KernelAnalysis& analysis) {
  const KernelMetrics& metrics = analysis.metrics;
  const StaticMetrics alone{metrics.kernel, {metrics}};
  nlohmann::json json = {{"kernel", metrics.kernel},
                         {"instructions", metrics.instructions},
                         {"regions", metrics.regions},
                         {"threads", metrics.threads},
                         {"warps_per_block", metrics.warps_per_block},
                         {"blocks_per_multiprocessor", metrics.blocks_per_multiprocessor},
                         {"loaded_bytes", metrics.loaded_bytes},
                         {"stored_bytes", metrics.stored_bytes},
                         {"moved_bytes", metrics.moved_bytes},
                         {"uncoalesced_accesses", metrics.uncoalesced_accesses},
                         {"unknown_accesses", metrics.unknown_accesses},
                         {"efficiency", Efficiency(alone)},
                         {"utilization", Utilization(alone)},
                         {"unknown_branches", analysis.unknown_branches},
                         {"calls", analysis.calls},
                         {"sure", analysis.IsSure()},
                         {"loops", nlohmann::json::array()},
                         {"accesses", nlohmann::json::array()}};
  for (const LoopTrips& loop : analysis.loops)
    json["loops"].push_back({{"line", loop.line}, {"trips", loop.trips}, {"source", NameOf(loop.source)}});
  for (const AnalysedAccess& access : analysis.accesses) {
    nlohmann::json one = {{"line", access.line},
                          {"load", access.is_load},
                          {"bytes", access.access.bytes},
                          {"executions", access.executions}};
    if (access.access.stride_bytes.has_value()) one["stride_bytes"] = *access.access.stride_bytes;
    if (access.access.transactions.has_value()) one["transactions"] = access.access.transactions->touched;
    json["accesses"].push_back(std::move(one));
  }
  return json;
}

absl::StatusOr<nlohmann::json> Run(Arguments arguments) {
  TUNE_ASSIGN_OR_RETURN(const std::string text, ReadFile(arguments.ptx));
  TUNE_ASSIGN_OR_RETURN(const PtxLaunch launch, LaunchOf(arguments));
  if (!arguments.cubin.empty()) {
    TUNE_ASSIGN_OR_RETURN(const std::string cubin, ReadFile(arguments.cubin));
    TUNE_ASSIGN_OR_RETURN(const auto resources, ReadCubinResources(cubin));
    const auto found = resources.find(arguments.kernel);
    if (found == resources.end())
      return absl::NotFoundError(absl::StrCat(arguments.cubin, " has no kernel ", arguments.kernel));
    arguments.resources.registers = found->second.registers;
  }
  const auto begin = std::chrono::steady_clock::now();
  TUNE_ASSIGN_OR_RETURN(const PtxModule module, ReadPtx(text));
  TUNE_ASSIGN_OR_RETURN(
      const KernelAnalysis analysis,
      AnalyseKernel(module, arguments.kernel, launch, 1, arguments.resources,
                    FactsOfComputeCapability(arguments.capability[0], arguments.capability[1]),
                    arguments.options));
  nlohmann::json json = ToJson(analysis);
  json["milliseconds"] =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return json;
}

}  // namespace
}  // namespace tune

int main(int argc, char** argv) {
  CLI::App app("Static metrics of a kernel, from its PTX and a launch.");
  tune::Arguments arguments;
  app.add_option("ptx", arguments.ptx, "file")->required();
  app.add_option("kernel", arguments.kernel, "name of its entry")->required();
  app.add_option("--grid", arguments.grid, "blocks along x, y, z")->expected(3);
  app.add_option("--block", arguments.block, "threads along x, y, z")->expected(3);
  app.add_option("--parameters", arguments.parameters, "values, ? where unknown");
  app.add_option("--capability", arguments.capability, "major and minor number")->expected(2);
  app.add_option("--cubin", arguments.cubin, "file that tells the registers of a thread");
  app.add_option("--registers", arguments.resources.registers, "of a thread, without --cubin");
  app.add_option("--dynamic-shared", arguments.resources.dynamic_shared_bytes, "bytes of a block");
  app.add_option("--assumed-trips", arguments.options.assumed_trips, "of loops of which nothing is known");
  CLI11_PARSE(app, argc, argv);
  const auto json = tune::Run(arguments);
  if (!json.ok()) {
    std::cerr << json.status().message() << "\n";
    return 1;
  }
  std::cout << json->dump(2) << "\n";
}
