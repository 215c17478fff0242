#include "common/isl/isl.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "common/isl/analysis_limit.h"

namespace tune {

namespace {

constexpr absl::Duration kShortestWait = absl::Milliseconds(10);  // between two looks at a thread's clock

// What the thread to which `clock` belongs has used of a processor.
absl::Duration ProcessorTime(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return absl::DurationFromTimespec(time);
}

clockid_t ClockOfThisThread() {
  clockid_t clock;
  pthread_getcpuclockid(pthread_self(), &clock);
  return clock;
}

}  // namespace

// One sleeping thread that calls isl_ctx_abort when the thread that armed it has used up its time of a
// processor. Started by the first Arm.
class IslContext::Watchdog {
 public:
  explicit Watchdog(isl_ctx* ctx) : ctx_(ctx) {}

  ~Watchdog() {
    {
      absl::MutexLock lock(&mutex_);
      stopping_ = true;
      changed_.Signal();
    }
    if (thread_.joinable()) thread_.join();
  }

  void Arm(absl::Duration processor_time) {
    absl::MutexLock lock(&mutex_);
    fired_ = false;
    clock_ = ClockOfThisThread();
    last_ = ProcessorTime(clock_) + processor_time;
    deadline_ = absl::Now() + processor_time;
    if (!thread_.joinable()) thread_ = std::thread([this] { Watch(); });
    // One that sleeps until an earlier deadline, which was met, finds this one when it wakes.
    if (deadline_ < wakes_) changed_.Signal();
  }

  // After this returns the thread does not touch the context until the next Arm.
  void Disarm() {
    absl::MutexLock lock(&mutex_);
    deadline_ = absl::InfiniteFuture();
    isl_ctx_resume(ctx_);
  }

  bool fired() {
    absl::MutexLock lock(&mutex_);
    return fired_;
  }

 private:
  void Watch() {
    absl::MutexLock lock(&mutex_);
    while (!stopping_) {
      if (absl::Now() >= deadline_) {
        const absl::Duration left = last_ - ProcessorTime(clock_);
        fired_ = left <= absl::ZeroDuration();
        if (fired_) isl_ctx_abort(ctx_);
        // A thread that had to wait for its processor may go on for what it did not get.
        deadline_ = fired_ ? absl::InfiniteFuture() : absl::Now() + std::max(left, kShortestWait);
      }
      wakes_ = deadline_;
      changed_.WaitWithDeadline(&mutex_, wakes_);
    }
  }

  isl_ctx* const ctx_;
  absl::Mutex mutex_;
  absl::CondVar changed_;
  clockid_t clock_ ABSL_GUARDED_BY(mutex_) = {};  // of the thread that armed it; valid until Disarm
  absl::Duration last_ ABSL_GUARDED_BY(mutex_);   // what that clock may show
  absl::Time deadline_ ABSL_GUARDED_BY(mutex_) =
      absl::InfiniteFuture();  // when it can show that at the earliest
  absl::Time wakes_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();  // the thread, if nothing signals
  bool fired_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

IslContext::IslContext(const Limits& limits)
    : ctx_(isl_ctx_alloc()), limits_(limits), watchdog_(std::make_unique<Watchdog>(ctx_)) {
  isl_options_set_on_error(ctx_, ISL_ON_ERROR_CONTINUE);
}

IslContext::~IslContext() {
  watchdog_.reset();
  isl_ctx_free(ctx_);
}

bool IslContext::at_limit() const {
  const isl_error error = isl_ctx_last_error(ctx_);
  return error == isl_error_abort || error == isl_error_quota;
}

IslContext::Scope::Scope(IslContext* context) : context_(context) {
  if (context_->depth_++ > 0) return;
  isl_ctx_reset_error(context_->ctx_);
  isl_ctx_reset_operations(context_->ctx_);
  isl_ctx_set_max_operations(context_->ctx_, context_->limits_.operations * AnalysisLimit());
  context_->watchdog_->Arm(context_->limits_.processor_time * AnalysisLimit());
}

IslContext::Scope::~Scope() {
  if (--context_->depth_ > 0) return;
  context_->watchdog_->Disarm();
  isl_ctx_set_max_operations(context_->ctx_, 0);
  isl_ctx_reset_error(context_->ctx_);
}

bool IslContext::Scope::exhausted() const {
  if (context_->watchdog_->fired()) return true;
  // Past the limit every allocation fails, so one more tells, whoever swallowed the error before.
  isl_val* probe = isl_val_zero(context_->ctx_);
  isl_val_free(probe);
  return probe == nullptr;
}

absl::Status IslContext::Scope::LimitError(const char* what) const {
  const int factor = AnalysisLimit();
  const std::string limit =
      context_->watchdog_->fired()
          ? absl::StrCat("the limit of ", absl::FormatDuration(context_->limits_.processor_time * factor),
                         " of a processor")
          : absl::StrCat("the limit of ", context_->limits_.operations * factor, " isl operations");
  const int larger = std::min(4 * factor, kMostAnalysisLimit);
  return absl::ResourceExhaustedError(absl::StrCat(
      what, ": stopped at ", limit,
      ". The region is too complex for an exact analysis under this limit: split it into smaller regions,"
      " simplify its bounds and subscripts, or allow more with --analysis-limit ",
      larger, " (", kAnalysisLimitVariable, "=", larger,
      " in the environment of tuned-server and tune-worker)."));
}

absl::Status IslContext::Scope::IslError(const char* what, const isl::exception& error) const {
  // A C call's error stays in the context; the exception then only says that its result is missing.
  const char* cause = isl_ctx_last_error_msg(context_->ctx_);
  absl::Status status = absl::InternalError(absl::StrCat(
      what, ": isl: ", error.what(), cause != nullptr ? ": " : "", cause != nullptr ? cause : ""));
  isl_ctx_reset_error(context_->ctx_);
  return status;
}

// isl leaves leaves out, and reads no mark without a child.
static std::string WithLeaves(const std::string& text) {
  std::string all;
  const std::vector<std::string> lines = absl::StrSplit(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    absl::StrAppend(&all, lines[i], i + 1 < lines.size() ? "\n" : "");
    const size_t indent = lines[i].find_first_not_of(' ');
    if (indent == std::string::npos || lines[i].compare(indent, 6, "mark: ") != 0) continue;
    const std::string child = std::string(indent, ' ') + "child:";
    if (i + 1 == lines.size() || lines[i + 1] != child) absl::StrAppend(&all, child, " leaf\n");
  }
  return all;
}

std::string IndentedText(const isl::schedule& tree) {
  isl_printer* printer = isl_printer_to_str(tree.ctx().get());
  printer = isl_printer_set_yaml_style(printer, ISL_YAML_STYLE_BLOCK);
  printer = isl_printer_print_schedule(printer, tree.get());
  char* const printed = isl_printer_get_str(printer);
  std::string text = printed == nullptr ? "" : printed;
  free(printed);
  isl_printer_free(printer);
  return WithLeaves(text);
}

}  // namespace tune
