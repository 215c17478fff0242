#include <filesystem>

#include "common/base/file.h"
#include "common/base/subprocess.h"
#include "common/base/untrusted_file.h"
#include "worker/run/process_end.h"
#include "worker/run/run_report.h"
#include "worker/run/runner.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

// The runner's own exit status for trouble that is not the candidate's.
constexpr int kRunnerFailed = 3;
constexpr int64_t kLargestResult = 64 << 20;  // bytes of its verdicts

SubprocessOptions Options(const RunRequest& request, const std::string& folder) {
  SubprocessOptions options;
  options.folder = folder;
  options.wall_limit = absl::Seconds(request.wall_seconds);
  // Without these, each thread of a candidate reserves 64 MiB of address space for its heap.
  options.environment = {"MALLOC_ARENA_MAX=2", "OMP_DYNAMIC=false"};
  if (request.threads > 0) options.environment.push_back(absl::StrCat("OMP_NUM_THREADS=", request.threads));
  if (request.cancellation != nullptr) {
    options.cancelled = &Cancellation::Poll;
    options.cancelled_argument = request.cancellation;
  }
  return options;
}

// The candidates and their inputs, to be read; the folder of this run, and the one for outputs.
SandboxPlan Plan(const v1::RunnerJob& job, const std::string& folder) {
  SandboxPlan plan;
  plan.calls = SandboxPlan::kOfRunner;
  plan.readable = LibraryFolders();  // of tune-runner itself
  plan.writable = {folder};
  if (!job.record_folder().empty()) plan.writable.push_back(job.record_folder());
  for (const v1::RunnerCandidate& candidate : job.candidates()) plan.readable.push_back(candidate.library());
  for (const v1::RunnerArray& array : job.arrays()) {
    for (const std::string& file : {array.input_file(), array.expected_file()}) {
      if (!file.empty()) plan.readable.push_back(file);
    }
  }
  return plan;
}

// One process. Verdicts are those of the result, or, without one, of the candidate that ended the process
// alone; `culprit` is then its index, else -1.
struct ProcessOutcome {
  RunOutcome outcome;
  int culprit = -1;
};

absl::StatusOr<ProcessOutcome> RunOnce(const std::string& program, const RunRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  v1::RunnerJob job = request.job;
  job.set_wall_seconds(request.wall_seconds);
  job.set_result_file(folder.path() + "/result.pb");
  job.set_report_file(folder.path() + "/report");
  TUNE_RETURN_IF_ERROR(MakeRunReport(job.report_file()));
  TUNE_RETURN_IF_ERROR(WriteFile(folder.path() + "/job.pb", job.SerializeAsString()));
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult process,
                        RunSandboxed({program, folder.path() + "/job.pb"}, Plan(job, folder.path()),
                                     Options(request, folder.path())));
  ProcessOutcome result;
  result.outcome.log = process.standard_error + process.standard_output;
  const RunReport last = ReadRunReport(job.report_file());
  if (process.exit_code == kRunnerFailed && last.phase == RunPhase::kStarting) {
    return absl::InternalError(process.standard_error);
  }
  v1::RunnerResult message;
  const absl::StatusOr<std::string> bytes = ReadUntrustedFile(job.result_file(), kLargestResult);
  if (process.ok() && bytes.ok() && message.ParseFromString(*bytes) && message.complete() &&
      message.verdicts_size() == job.candidates_size()) {
    result.outcome.verdicts.assign(message.verdicts().begin(), message.verdicts().end());
    return result;
  }
  result.culprit = std::clamp(last.candidate, 0, job.candidates_size() - 1);
  result.outcome.verdicts = {JudgeProcessEnd(job, process, last)};
  return result;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProcessRunner>> ProcessRunner::Make() {
  TUNE_ASSIGN_OR_RETURN(std::string program, FindSiblingProgram("tune-runner"));
  return std::unique_ptr<ProcessRunner>(new ProcessRunner(std::move(program)));
}

absl::StatusOr<RunOutcome> ProcessRunner::Run(const RunRequest& request) {
  if (request.job.candidates().empty()) return absl::InvalidArgumentError("a job without candidates");
  RunOutcome total;
  total.verdicts.resize(request.job.candidates_size());
  std::vector<int> left;  // indices into request.job.candidates
  for (int i = 0; i < request.job.candidates_size(); ++i) left.push_back(i);
  while (!left.empty()) {
    RunRequest part = request;
    part.job.clear_candidates();
    for (int index : left) *part.job.add_candidates() = request.job.candidates(index);
    TUNE_ASSIGN_OR_RETURN(ProcessOutcome once, RunOnce(program_, part));
    total.log += once.outcome.log;
    if (once.culprit < 0) {
      for (size_t i = 0; i < left.size(); ++i) total.verdicts[left[i]] = once.outcome.verdicts[i];
      break;
    }
    if (once.outcome.verdicts[0].outcome() == v1::CANCELLED) {
      for (int index : left) total.verdicts[index] = once.outcome.verdicts[0];
      break;
    }
    total.verdicts[left[once.culprit]] = once.outcome.verdicts[0];
    left.erase(left.begin() + once.culprit);
  }
  constexpr size_t kLogLimit = 64 << 10;
  if (total.log.size() > kLogLimit) total.log.erase(0, total.log.size() - kLogLimit);
  return total;
}

}  // namespace tune
