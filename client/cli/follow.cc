#include "client/cli/follow.h"

#include <optional>

#include "absl/time/clock.h"
#include "client/report/waiting_reason.h"
#include "client/report/words.h"
#include "client/submit/study_watch.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

constexpr absl::Duration kTick = absl::Milliseconds(100);
constexpr absl::Duration kMaintenance = absl::Seconds(1);
constexpr absl::Duration kCancelPatience = absl::Seconds(15);

// The state of one Follow.
class Follower {
 public:
  Follower(Session& session, StudyClient& client, const std::string& study_id, const FollowOptions& options)
      : session_(session),
        client_(client),
        study_id_(study_id),
        options_(options),
        progress_(session.MakeProgress()) {}

  absl::StatusOr<Followed> Run(const InterruptGuard& interrupt) {
    StudyWatch watch(&client_, study_id_);
    while (true) {
      const StudyWatch::Event event = watch.Wait(kTick);
      const absl::Time now = absl::Now();
      TUNE_RETURN_IF_ERROR(CheckPatience(event, now));
      Show(event, now);
      if (!event.status.ok()) return Fail(event.status);
      if (event.finished) return Done();
      if (interrupt.interrupted() && !followed_.interrupted) {
        TUNE_RETURN_IF_ERROR(Interrupt(interrupt.signal(), now));
      }
      if (followed_.interrupted && now >= give_up_) return Done();
      TUNE_RETURN_IF_ERROR(Maintain(now));
      TellWhyQueued(now);
    }
  }

 private:
  absl::Status Fail(const absl::Status& status) {
    progress_.Clear();
    return status;
  }

  absl::StatusOr<Followed> Done() {
    progress_.Clear();
    return std::move(followed_);
  }

  void Show(const StudyWatch::Event& event, absl::Time now) {
    if (event.study.has_value()) followed_.study = *event.study;
    if (options_.on_update) {
      if (event.study.has_value()) options_.on_update(*event.study);
    } else if (event.study.has_value()) {
      progress_.Update(*event.study, now);
    } else {
      progress_.Tick(now);
    }
  }

  absl::Status Interrupt(int signal, absl::Time now) {
    followed_.interrupted = true;
    give_up_ = now;
    if (!options_.cancel_on_interrupt || signal != SIGINT) return absl::OkStatus();
    progress_.Note(absl::StrCat("cancelling ", study_id_, "; Ctrl-C again ends at once"));
    give_up_ = now + kCancelPatience;
    const absl::Status cancelled = client_.Cancel(study_id_).status();
    followed_.cancelled = cancelled.ok();
    return cancelled.ok() ? cancelled : Fail(cancelled);
  }

  absl::Status Maintain(absl::Time now) {
    if (session_.private_server() == nullptr || now < next_maintenance_) return absl::OkStatus();
    next_maintenance_ = now + kMaintenance;
    const absl::Status maintained = session_.private_server()->Maintain();
    return maintained.ok() ? maintained : Fail(maintained);
  }

  absl::Status CheckPatience(const StudyWatch::Event& event, absl::Time now) {
    const bool silent = event.unreachable_since != absl::InfinitePast();
    if (silent && !silent_) {
      progress_.Note(absl::StrCat("the server at ", client_.address(), " does not answer; trying again"));
    }
    if (!silent && silent_) progress_.Note("the server answers again");
    silent_ = silent;
    if (!silent || now - event.unreachable_since < options_.patience) return absl::OkStatus();
    return Fail(client_.Unreachable(absl::StrCat("for ", absl::FormatDuration(options_.patience))));
  }

  // Once, and after that whenever the reason is another one. A server that does not answer is told elsewhere.
  void TellWhyQueued(absl::Time now) {
    if (followed_.study.state() != v1::QUEUED) {
      look_for_workers_ = now + options_.queue_patience;
      return;
    }
    if (now < look_for_workers_ || silent_) return;
    look_for_workers_ = now + options_.queue_patience;
    const absl::StatusOr<std::vector<v1::WorkerView>> workers = client_.ListWorkers();
    // The private worker that is missing is being started.
    if (!workers.ok() || (workers->empty() && session_.private_server() != nullptr)) return;
    const std::string reason = WaitingReason(NeedsOf(followed_.study), *workers,
                                             session_.private_server() == nullptr ? client_.address() : "");
    if (reason.empty() || reason == told_reason_) return;
    told_reason_ = reason;
    progress_.Note(absl::StrCat(StudyTitle(followed_.study), ": ", reason));
  }

  Session& session_;
  StudyClient& client_;
  const std::string study_id_;
  const FollowOptions& options_;
  ProgressPrinter progress_;
  Followed followed_;
  bool silent_ = false;
  absl::Time look_for_workers_ = absl::InfinitePast();  // when next
  std::string told_reason_;
  absl::Time next_maintenance_ = absl::InfinitePast();
  absl::Time give_up_ = absl::InfiniteFuture();  // after an interrupt
};

}  // namespace

absl::StatusOr<Followed> Follow(Session& session, StudyClient& client, const std::string& study_id,
                                const InterruptGuard& interrupt, const FollowOptions& options) {
  return Follower(session, client, study_id, options).Run(interrupt);
}

int StudyExitCode(const Followed& followed) {
  if (followed.interrupted) return kExitInterrupted;
  return followed.study.state() == v1::DONE && followed.study.best_index() >= 0 ? kExitOk : kExitStudyFailed;
}

}  // namespace tune
