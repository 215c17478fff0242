#include "server/dashboard/change_feed.h"

#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

namespace tune {
namespace {

// All that a page shows of workers, without what changes with every call.
std::string WorkersText(const std::vector<v1::WorkerView>& workers) {
  std::string text;
  for (v1::WorkerView worker : workers) {
    worker.clear_last_seen_unix_ms();
    absl::StrAppend(&text, worker.SerializeAsString(), "\n");
  }
  return text;
}

}  // namespace

Subscription::~Subscription() {
  absl::MutexLock lock(&feed_->mutex_);
  feed_->subscriptions_.erase(this);
}

std::optional<std::string> Subscription::Next(absl::Duration limit) {
  absl::MutexLock lock(&feed_->mutex_);
  if (!greeted_ && !feed_->stopping_) {
    greeted_ = true;
    return "retry: 3000\nevent: hello\ndata: {}\n\n";
  }
  const auto ready = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(feed_->mutex_) {
    return feed_->stopping_ || workers_ || !studies_.empty();
  };
  feed_->mutex_.AwaitWithTimeout(absl::Condition(&ready), limit);
  if (feed_->stopping_) return std::nullopt;
  if (!ready()) return "";
  nlohmann::ordered_json data = {{"studies", studies_}, {"workers", workers_}};
  studies_.clear();
  workers_ = false;
  return absl::StrCat("event: change\ndata: ", data.dump(), "\n\n");
}

ChangeFeed::ChangeFeed(const Coordinator* coordinator, StudyIndex* index, const ChangeFeedOptions& options)
    : coordinator_(coordinator), index_(index), options_(options), thread_([this] { Run(); }) {}

ChangeFeed::~ChangeFeed() {
  Shutdown();
  thread_.join();
}

void ChangeFeed::Shutdown() {
  absl::MutexLock lock(&mutex_);
  stopping_ = true;
}

int ChangeFeed::CountSubscriptions() const {
  absl::MutexLock lock(&mutex_);
  return static_cast<int>(subscriptions_.size());
}

absl::StatusOr<std::unique_ptr<Subscription>> ChangeFeed::Subscribe(const std::string& study) {
  absl::MutexLock lock(&mutex_);
  if (static_cast<int>(subscriptions_.size()) >= options_.most_subscriptions) {
    return absl::ResourceExhaustedError(
        absl::StrCat(options_.most_subscriptions,
                     " pages follow this server already, which is the most; ask again at times instead"));
  }
  std::unique_ptr<Subscription> subscription(new Subscription(this, study));
  subscriptions_.insert(subscription.get());
  return subscription;
}

void ChangeFeed::Run() {
  while (true) {
    {
      absl::MutexLock lock(&mutex_);
      const auto wanted = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
        return stopping_ || !subscriptions_.empty();
      };
      mutex_.Await(absl::Condition(&wanted));
      if (stopping_) return;
    }
    Look();
    absl::MutexLock lock(&mutex_);
    mutex_.AwaitWithTimeout(absl::Condition(&stopping_), options_.interval);
  }
}

void ChangeFeed::Look() {
  const absl::StatusOr<std::vector<std::string>> studies = index_->ChangedSince(&version_);
  std::string workers = WorkersText(coordinator_->ListWorkers());
  const bool workers_changed = workers != workers_;
  workers_ = std::move(workers);
  if (!studies.ok())
    spdlog::debug("page: changes cannot be read: {}", std::string(studies.status().message()));
  absl::MutexLock lock(&mutex_);
  Tell(studies.value_or(std::vector<std::string>()), workers_changed);
}

void ChangeFeed::Tell(const std::vector<std::string>& studies, bool workers) {
  for (Subscription* subscription : subscriptions_) {
    for (const std::string& study : studies) {
      if (subscription->study_.empty() || subscription->study_ == study) {
        subscription->studies_.insert(study);
      }
    }
    if (subscription->study_.empty()) subscription->workers_ |= workers;
  }
}

}  // namespace tune
