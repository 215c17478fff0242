#include "client/submit/study_watch.h"

#include <grpcpp/client_context.h>

#include "absl/time/clock.h"
#include "common/evaluation/outcome.h"

namespace tune {
namespace {

constexpr absl::Duration kReconnectPause = absl::Milliseconds(200);

}  // namespace

StudyWatch::StudyWatch(StudyClient* client, std::string study_id)
    : client_(client), study_id_(std::move(study_id)), thread_([this] { Run(); }) {}

StudyWatch::~StudyWatch() {
  {
    absl::MutexLock lock(&mutex_);
    stop_ = true;
    if (context_ != nullptr) context_->TryCancel();
  }
  thread_.join();
}

StudyWatch::Event StudyWatch::Wait(absl::Duration limit) {
  absl::MutexLock lock(&mutex_);
  mutex_.AwaitWithTimeout(absl::Condition(&news_), limit);
  Event event = event_;
  event_.study.reset();
  news_ = false;
  return event;
}

void StudyWatch::Run() {
  while (true) {
    const absl::Status status = ReadStream();
    absl::MutexLock lock(&mutex_);
    if (stop_ || event_.finished) return;
    if (!status.ok() && !IsUnreachable(status)) {
      event_.status = status;
      news_ = true;
      return;
    }
    // A stream that ends before the study does was cut by a server that stops.
    if (event_.unreachable_since == absl::InfinitePast()) {
      event_.unreachable_since = absl::Now();
      news_ = true;
    }
    mutex_.AwaitWithTimeout(absl::Condition(&stop_), kReconnectPause);
    if (stop_) return;
  }
}

absl::Status StudyWatch::ReadStream() {
  grpc::ClientContext context;
  {
    absl::MutexLock lock(&mutex_);
    if (stop_) return absl::OkStatus();
    context_ = &context;
  }
  const absl::Status status = client_->ReadUpdates(context, study_id_, [this](v1::Study study) {
    absl::MutexLock lock(&mutex_);
    event_.unreachable_since = absl::InfinitePast();
    event_.finished = event_.finished || IsFinished(study.state());
    event_.study = std::move(study);
    news_ = true;
  });
  absl::MutexLock lock(&mutex_);
  context_ = nullptr;
  return status;
}

}  // namespace tune
