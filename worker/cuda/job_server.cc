#include "worker/cuda/job_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "common/base/file_descriptor.h"
#include "common/base/frames.h"
#include "tune/v1/runner.pb.h"
#include "worker/cuda/cuda_job.h"

namespace tune {
namespace {

// Bytes. A job has names of files, not their content.
constexpr size_t kLongestJob = size_t{64} << 20;

// The worker's end ends this process too; a crash leaves no core file, which would hold gigabytes.
void BindToParent() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

absl::Status ServeJobs(int ordinal) {
  BindToParent();
  const FileDescriptor output(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!output.open() || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return absl::UnavailableError(absl::StrCat("cannot take over standard output: ", std::strerror(errno)));
  }
  // A kernel is loaded with its module, not in the middle of the first run.
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  // The device is opened before there is a job, so that a process that stands by takes over at once. When
  // that cannot be done, the first job tries again and tells why.
  std::unique_ptr<CudaJobRunner> runner = CudaJobRunner::Make(ordinal).value_or(nullptr);
  while (true) {
    v1::CudaJob job;
    TUNE_ASSIGN_OR_RETURN(const bool more, ReadMessage(STDIN_FILENO, kLongestJob, &job));
    if (!more) return absl::OkStatus();
    v1::CudaResult result;
    if (runner == nullptr) {
      absl::StatusOr<std::unique_ptr<CudaJobRunner>> made = CudaJobRunner::Make(ordinal);
      if (made.ok()) {
        runner = *std::move(made);
      } else {
        result.set_failure(std::string(made.status().message()));
        result.set_device_lost(true);
      }
    }
    if (runner != nullptr) result = runner->Run(job);
    TUNE_RETURN_IF_ERROR(WriteMessage(output.get(), result));
    // Not destroyed: the driver would wait for a kernel that never ends.
    if (result.device_lost()) {
      static_cast<void>(runner.release());
      return absl::OkStatus();
    }
  }
}

}  // namespace tune
