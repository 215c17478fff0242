#include "worker/reference/recorded_run.h"

#include <algorithm>

namespace tune {

RecordedProgram OnHost(const std::string& library, const v1::Limits& limits, const ReferenceTools& tools,
                       int threads) {
  return [library, limits, tools, threads](const RecordedRun& run) {
    RunRequest request;
    request.wall_seconds = limits.reference_seconds();
    request.cancellation = tools.cancellation;
    request.threads = threads;
    request.job.add_candidates()->set_library(library);
    *request.job.mutable_arrays() = {run.arrays.begin(), run.arrays.end()};
    request.job.set_record_folder(run.folder);
    request.job.set_only_record(run.only_record);
    request.job.set_memory_bytes(limits.memory_bytes());
    request.job.set_file_bytes(std::max(limits.file_bytes(), limits.memory_bytes()));
    return tools.runner->Run(request);
  };
}

}  // namespace tune
