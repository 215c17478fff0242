#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include "absl/strings/match.h"
#include "common/base/file.h"
#include "common/base/file_descriptor.h"
#include "common/base/subprocess.h"
#include "common/base/system_error.h"
#include "common/base/untrusted_file.h"
#include "worker/run/guarded_memory.h"
#include "worker/run/process_end.h"
#include "worker/run/runner.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr int64_t kLargestResult = 64 << 20;  // bytes of its verdicts
// The judge ends a candidate at the wall limit; this long after it, it is ended itself.
constexpr absl::Duration kGrace = absl::Seconds(5);

// The files of the arrays, opened: the judge alone has them, and no candidate finds a path to them.
class JobFiles {
 public:
  // Replaces the paths of the job's arrays.
  absl::Status Open(v1::RunnerJob* job) {
    for (v1::RunnerArray& array : *job->mutable_arrays()) {
      TUNE_RETURN_IF_ERROR(OpenFile(array.mutable_input_file()));
      TUNE_RETURN_IF_ERROR(OpenFile(array.mutable_expected_file()));
      for (v1::FreshInput& fresh : *array.mutable_fresh()) {
        TUNE_RETURN_IF_ERROR(OpenFile(fresh.mutable_input_file()));
        TUNE_RETURN_IF_ERROR(OpenFile(fresh.mutable_expected_file()));
      }
    }
    return absl::OkStatus();
  }

  std::vector<int> descriptors() const {
    std::vector<int> numbers;
    for (const FileDescriptor& file : files_) numbers.push_back(file.get());
    return numbers;
  }

 private:
  absl::Status OpenFile(std::string* path) {
    if (path->empty()) return absl::OkStatus();
    // A pipe would be waited for without O_NONBLOCK.
    FileDescriptor file(open(path->c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (!file.open()) return SystemError(*path, errno);
    *path = InheritedPath(file.get());
    files_.push_back(std::move(file));
    return absl::OkStatus();
  }

  std::vector<FileDescriptor> files_;
};

// A job has up to eight open files for each array, of which programs may have thousands; most systems allow a
// thousand at first, and more to who asks.
void AllowManyFiles() {
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

// Whether a program's own memory has huge pages without its asking.
bool HugePagesAreUsual() {
  return absl::StrContains(ReadFile("/sys/kernel/mm/transparent_hugepage/enabled").value_or(""), "[always]");
}

SubprocessOptions Options(const RunRequest& request, const std::string& folder) {
  SubprocessOptions options;
  options.folder = folder;
  options.wall_limit = absl::Seconds(request.wall_seconds) + kGrace;
  // Without these, each thread of a candidate reserves 64 MiB of address space for its heap.
  options.environment = {"MALLOC_ARENA_MAX=2", "OMP_DYNAMIC=false"};
  if (request.threads > 0) options.environment.push_back(absl::StrCat("OMP_NUM_THREADS=", request.threads));
  if (request.cancellation != nullptr) {
    options.cancelled = &Cancellation::Poll;
    options.cancelled_argument = request.cancellation;
  }
  return options;
}

// The candidates, to be read; the folder of this run, and the one for outputs.
SandboxSettings SettingsOf(const v1::RunnerJob& job, const std::string& folder) {
  SandboxSettings settings;
  settings.calls = SandboxSettings::kOfRunner;
  settings.readable = LibraryFolders();  // of tune-runner itself
  settings.writable = {folder};
  if (!job.record_folder().empty()) settings.writable.push_back(job.record_folder());
  for (const v1::RunnerCandidate& candidate : job.candidates())
    settings.readable.push_back(candidate.library());
  return settings;
}

// What the judge said, or what it is if it said nothing.
absl::StatusOr<v1::RunnerResult> ReadResult(const v1::RunnerJob& job, const SubprocessResult& process,
                                            const std::string& file) {
  v1::RunnerResult result;
  if (process.cancelled || process.timed_out || process.signal == SIGKILL) {
    const v1::RunnerVerdict verdict =
        process.cancelled ? MakeVerdict(v1::CANCELLED, "cancelled")
        : process.timed_out
            ? MakeVerdict(v1::TIMEOUT, absl::StrCat("tune-runner ", process.Describe()))
            : MakeVerdict(v1::WORKER_LOST,
                          "tune-runner was killed from outside, by the system for lack of memory on this "
                          "machine, or by a person");
    for (int i = 0; i < job.candidates_size(); ++i) *result.add_verdicts() = verdict;
    return result;
  }
  const absl::StatusOr<std::string> bytes = ReadUntrustedFile(file, kLargestResult);
  if (process.ok() && bytes.ok() && result.ParseFromString(*bytes) &&
      result.verdicts_size() == job.candidates_size()) {
    return result;
  }
  return absl::InternalError(absl::StrCat("tune-runner ", process.Describe(), ": ", process.standard_error));
}

// Verdicts without an outcome are of candidates that there was no time for.
absl::StatusOr<RunOutcome> RunOnce(const std::string& program, const RunRequest& request) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder folder, TemporaryFolder::Make());
  // Where the sandbox does not see it.
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder result_folder, TemporaryFolder::Make());
  v1::RunnerJob job = request.job;
  job.set_wall_seconds(request.wall_seconds);
  job.set_huge_pages(HugePagesAreUsual());
  JobFiles files;
  TUNE_RETURN_IF_ERROR(files.Open(&job));
  SubprocessOptions options = Options(request, folder.path());
  options.standard_input = job.SerializeAsString();
  options.standard_output_file = result_folder.path() + "/result.pb";
  options.inherited = files.descriptors();
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult process,
                        RunSandboxed({program, "--judge"}, SettingsOf(job, folder.path()), options));
  TUNE_ASSIGN_OR_RETURN(const v1::RunnerResult result,
                        ReadResult(job, process, options.standard_output_file));
  RunOutcome outcome;
  outcome.log = process.standard_error;
  for (const v1::RunnerVerdict& verdict : result.verdicts()) {
    outcome.verdicts.push_back(verdict.has_end() ? JudgeProcessEnd(job, verdict.end(), process.standard_error)
                                                 : verdict);
  }
  return outcome;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ProcessRunner>> ProcessRunner::Make() {
  TUNE_ASSIGN_OR_RETURN(std::string program, FindSiblingProgram("tune-runner"));
  AllowManyFiles();
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
    for (const int index : left) *part.job.add_candidates() = request.job.candidates(index);
    TUNE_ASSIGN_OR_RETURN(const RunOutcome once, RunOnce(program_, part));
    total.log += once.log;
    std::vector<int> unmeasured;
    for (size_t i = 0; i < left.size(); ++i) {
      total.verdicts[left[i]] = once.verdicts[i];
      if (once.verdicts[i].outcome() == v1::OUTCOME_UNSPECIFIED) unmeasured.push_back(left[i]);
    }
    if (unmeasured.size() == left.size()) return absl::InternalError("tune-runner judged no candidate");
    left = std::move(unmeasured);
  }
  constexpr size_t kLogLimit = 64 << 10;
  if (total.log.size() > kLogLimit) total.log.erase(0, total.log.size() - kLogLimit);
  return total;
}

}  // namespace tune
