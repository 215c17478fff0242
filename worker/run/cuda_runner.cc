#include "worker/run/cuda_runner.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "absl/strings/str_format.h"
#include "absl/time/clock.h"
#include "common/base/subprocess.h"
#include "common/base/untrusted_file.h"
#include "worker/run/process_end.h"
#include "worker/sandbox/device_access.h"
#include "worker/sandbox/sandbox.h"

namespace tune {
namespace {

constexpr absl::Duration kDiscoveryLimit = absl::Seconds(60);
// Of the time that is left, for a try of several candidates: others are needed when one of them ends it.
constexpr double kShareOfTry = 0.5;
// How tune-sandbox ends when it cannot make one (worker/confine/failure.h), as MessageAnswer tells it.
constexpr char kNoSandbox[] = "exited with status 126";
// Less time than this is none.
constexpr double kLeastSeconds = 0.05;

v1::RunnerVerdict JudgeEnd(const MessageAnswer& answer, double wall_seconds) {
  switch (answer.end) {
    case MessageAnswer::kTimedOut:
      return MakeVerdict(
          v1::TIMEOUT,
          absl::StrFormat("it had not ended after %.3g s on the device and was killed", wall_seconds));
    case MessageAnswer::kCancelled:
      return MakeVerdict(v1::CANCELLED, "cancelled");
    default:
      return MakeVerdict(v1::RUNTIME, absl::StrCat("tune-cuda-runner ", answer.reason, " while it ran"));
  }
}

// The wall limit of a try with `size` of `left` candidates, `passed` seconds after the first try began; none
// when the job's time is up.
std::optional<double> SecondsForTry(double wall_seconds, double passed, size_t size, size_t left) {
  const double remaining = wall_seconds - passed;
  if (remaining < kLeastSeconds) return std::nullopt;
  return remaining * (size > 1 ? kShareOfTry : 1.0 / static_cast<double>(left));
}

v1::RunnerVerdict OutOfTime(const CudaRunRequest& request) {
  return MakeVerdict(v1::TIMEOUT, absl::StrFormat("the %.3g s for %d candidates in turns were over before it "
                                                  "could be measured",
                                                  request.wall_seconds, request.job.candidates_size()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<MessageProcess>> ProcessCudaRunner::StartProcess() {
  SandboxSettings settings;
  AllowDevices(&settings);
  if (!staged_.has_value() && SandboxSupport().ok()) {
    TUNE_ASSIGN_OR_RETURN(staged_, StagedFiles::Make());
    TUNE_ASSIGN_OR_RETURN(recorded_, TemporaryFolder::Make());
  }
  if (recorded_.has_value()) settings.writable.push_back(recorded_->path());
  if (staged_.has_value()) settings.readable.push_back(staged_->folder());
  TUNE_ASSIGN_OR_RETURN(const SandboxedCommand command,
                        MakeSandboxed({program_, "--serve", absl::StrCat(ordinal_)}, settings, {}));
  return MessageProcess::Start(command.argv, command.options);
}

absl::Status ProcessCudaRunner::StageFiles(v1::CudaJob* job) {
  if (!staged_.has_value()) return absl::OkStatus();
  for (v1::CudaCandidate& candidate : *job->mutable_candidates()) {
    TUNE_RETURN_IF_ERROR(staged_->Add(candidate.mutable_cubin()));
    TUNE_RETURN_IF_ERROR(staged_->Add(candidate.mutable_launch_sequence()));
  }
  for (v1::RunnerArray& array : *job->mutable_arrays()) {
    TUNE_RETURN_IF_ERROR(staged_->Add(array.mutable_input_file()));
    TUNE_RETURN_IF_ERROR(staged_->Add(array.mutable_expected_file()));
    for (v1::FreshInput& fresh : *array.mutable_fresh()) {
      TUNE_RETURN_IF_ERROR(staged_->Add(fresh.mutable_input_file()));
      TUNE_RETURN_IF_ERROR(staged_->Add(fresh.mutable_expected_file()));
    }
  }
  return absl::OkStatus();
}

absl::Status ProcessCudaRunner::TakeRecorded(const v1::CudaJob& job, const std::string& folder) {
  if (folder.empty() || !recorded_.has_value()) return absl::OkStatus();
  for (const v1::RunnerArray& array : job.arrays()) {
    if (array.read_only() || array.input_file().empty()) continue;
    const std::string name = absl::StrCat("/", array.name(), ".bin");
    std::ofstream file(folder + name, std::ios::binary);
    TUNE_RETURN_IF_ERROR(
        ReadUntrustedFile(recorded_->path() + name, [&](absl::string_view piece) { file << piece; }));
    if (!file.flush()) return absl::UnavailableError(absl::StrCat("cannot write ", folder, name));
    std::error_code ignored;
    std::filesystem::remove(recorded_->path() + name, ignored);
  }
  return absl::OkStatus();
}

absl::Status ProcessCudaRunner::EnsureProcess() {
  const auto start = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return StartProcess(); };
  const bool alive = process_ != nullptr && process_->alive();
  if (!alive && (standby_ == nullptr || !standby_->running())) {
    // Without another one beside it: the two would wait for each other to open the device.
    standby_ = nullptr;
    TUNE_ASSIGN_OR_RETURN(process_, start());
    return absl::OkStatus();
  }
  if (!alive) process_ = std::move(standby_);
  if (lost_one_ && standby_ == nullptr) {
    TUNE_ASSIGN_OR_RETURN(standby_, start());
  }
  return absl::OkStatus();
}

void ProcessCudaRunner::LoseProcess() {
  process_ = nullptr;
  lost_one_ = true;
}

absl::StatusOr<ProcessCudaRunner::Answer> ProcessCudaRunner::RunOnce(CudaRunRequest request) {
  request.job.set_wall_seconds(request.wall_seconds);
  TUNE_RETURN_IF_ERROR(EnsureProcess());
  TUNE_RETURN_IF_ERROR(StageFiles(&request.job));
  const std::string folder = request.job.record_folder();
  if (!folder.empty() && recorded_.has_value()) request.job.set_record_folder(recorded_->path());
  const MessageAnswer message = process_->Exchange(
      request.job.SerializeAsString(), absl::Seconds(request.wall_seconds),
      request.cancellation == nullptr ? nullptr : &Cancellation::Poll, request.cancellation);
  if (staged_.has_value()) staged_->Clear();
  Answer answer;
  answer.outcome.log = message.log;
  if (message.end == MessageAnswer::kEnded && message.reason == kNoSandbox) {
    LoseProcess();
    return absl::FailedPreconditionError(absl::StrCat("device ", ordinal_, ": ", message.log));
  }
  if (message.end != MessageAnswer::kAnswered) {
    LoseProcess();
    answer.ended = JudgeEnd(message, request.wall_seconds);
    return answer;
  }
  v1::CudaResult result;
  const bool parsed = result.ParseFromString(message.message);
  for (const std::string& note : result.notes()) spdlog::warn("device {}: {}", ordinal_, note);
  if (!parsed || result.device_lost() || !result.failure().empty()) LoseProcess();
  if (!result.failure().empty()) {
    return absl::FailedPreconditionError(absl::StrCat("device ", ordinal_, ": ", result.failure()));
  }
  const int wanted = request.job.candidates_size();
  const int least = result.device_lost() ? 1 : wanted;
  if (!parsed || result.verdicts_size() < least || result.verdicts_size() > wanted) {
    LoseProcess();
    return absl::InternalError(
        "tune-cuda-runner's answer lacks verdicts; is it of the same version as tune-worker?");
  }
  answer.device_lost = result.device_lost();
  answer.outcome.verdicts.assign(result.verdicts().begin(), result.verdicts().end());
  if (answer.outcome.verdicts[0].outcome() == v1::CORRECT)
    TUNE_RETURN_IF_ERROR(TakeRecorded(request.job, folder));
  return answer;
}

void ProcessCudaRunner::Prepare() {
  if (!mutex_.TryLock()) return;  // it runs a job
  EnsureProcess().IgnoreError();  // the job will tell
  mutex_.Unlock();
}

absl::Status ProcessCudaRunner::CheckClocks(const std::vector<int>& mhz) {
  absl::MutexLock lock(&mutex_);
  TUNE_ASSIGN_OR_RETURN(const std::vector<int> supported, clock_.Supported());
  for (const int one : mhz) {
    // What is not supported is refused with the list of what is.
    const bool is_known = std::find(supported.begin(), supported.end(), one) != supported.end();
    if (is_known && one != mhz.front()) continue;
    TUNE_RETURN_IF_ERROR(clock_.Set(one));
  }
  return clock_.Reset();
}

absl::StatusOr<RunOutcome> ProcessCudaRunner::Run(const CudaRunRequest& request) {
  absl::MutexLock lock(&mutex_);
  std::map<int, std::vector<int>> by_clock;  // indices of candidates
  for (int i = 0; i < request.job.candidates_size(); ++i)
    by_clock[request.job.candidates(i).graphics_clock_mhz()].push_back(i);
  if (by_clock.size() == 1) return RunAtClock(request);
  RunOutcome total;
  total.verdicts.resize(request.job.candidates_size());
  for (const auto& [mhz, indices] : by_clock) {
    CudaRunRequest part = request;
    part.wall_seconds *= static_cast<double>(indices.size()) / request.job.candidates_size();
    part.job.clear_candidates();
    for (const int index : indices) *part.job.add_candidates() = request.job.candidates(index);
    TUNE_ASSIGN_OR_RETURN(const RunOutcome outcome, RunAtClock(part));
    for (size_t i = 0; i < indices.size(); ++i) total.verdicts[indices[i]] = outcome.verdicts[i];
    total.log += outcome.log;
    total.unanswered |= outcome.unanswered;
  }
  return total;
}

absl::StatusOr<RunOutcome> ProcessCudaRunner::RunAtClock(const CudaRunRequest& request) {
  const int mhz = request.job.candidates_size() == 0 ? 0 : request.job.candidates(0).graphics_clock_mhz();
  if (mhz == 0) return RunAsSet(request);
  TUNE_RETURN_IF_ERROR(clock_.Set(mhz));
  absl::StatusOr<RunOutcome> outcome = RunAsSet(request);
  // A clock that stays would falsify all that follows.
  TUNE_RETURN_IF_ERROR(clock_.Reset());
  return outcome;
}

absl::StatusOr<RunOutcome> ProcessCudaRunner::RunAsSet(const CudaRunRequest& request) {
  RunOutcome total;
  total.verdicts.resize(request.job.candidates_size());
  std::vector<int> left;  // indices into request.job.candidates
  for (int i = 0; i < request.job.candidates_size(); ++i) left.push_back(i);
  bool alone = false;  // the process ended without telling in which candidate: one at a time from then on
  const absl::Time start = absl::Now();
  while (!left.empty()) {
    CudaRunRequest part = request;
    part.job.clear_candidates();
    const size_t size = alone ? 1 : left.size();
    const std::optional<double> seconds =
        SecondsForTry(request.wall_seconds, absl::ToDoubleSeconds(absl::Now() - start), size, left.size());
    if (!seconds.has_value()) {
      for (const int index : left) total.verdicts[index] = OutOfTime(request);
      break;
    }
    part.wall_seconds = *seconds;
    for (size_t i = 0; i < size; ++i) *part.job.add_candidates() = request.job.candidates(left[i]);
    TUNE_ASSIGN_OR_RETURN(const Answer answer, RunOnce(part));
    total.log += answer.outcome.log;
    total.unanswered |= answer.ended.has_value() && answer.ended->outcome() != v1::CANCELLED;
    if (answer.ended.has_value() && answer.ended->outcome() == v1::CANCELLED) {
      for (const int index : left) total.verdicts[index] = *answer.ended;
      break;
    }
    const std::vector<v1::RunnerVerdict>& verdicts = answer.outcome.verdicts;
    if (answer.ended.has_value() && size > 1) {
      alone = true;
    } else if (answer.ended.has_value()) {
      total.verdicts[left[0]] = *answer.ended;
      left.erase(left.begin());
    } else if (!answer.device_lost || size == 1) {
      for (size_t i = 0; i < size; ++i) total.verdicts[left[i]] = verdicts[i];
      left.erase(left.begin(), left.begin() + size);
    } else {
      total.verdicts[left[verdicts.size() - 1]] = verdicts.back();
      left.erase(left.begin() + verdicts.size() - 1);
    }
  }
  return total;
}

absl::StatusOr<std::vector<v1::Device>> FindCudaDevices() {
  const absl::StatusOr<std::string> program = FindSiblingProgram("tune-cuda-runner");
  if (!program.ok()) {
    return absl::NotFoundError(
        "no tune-cuda-runner beside this program: it was built without CUDA's headers; install the CUDA "
        "toolkit and "
        "build again to use a GPU");
  }
  SubprocessOptions options;
  options.wall_limit = kDiscoveryLimit;
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult process, RunSubprocess({*program, "--devices"}, options));
  v1::CudaDevices found;
  if (!process.ok() || !found.ParseFromString(process.standard_output)) {
    return absl::FailedPreconditionError(
        absl::StrCat("`tune-cuda-runner --devices` ", process.Describe(), ": ", process.standard_error));
  }
  if (found.devices().empty()) return absl::FailedPreconditionError(found.trouble());
  return std::vector<v1::Device>(found.devices().begin(), found.devices().end());
}

}  // namespace tune
