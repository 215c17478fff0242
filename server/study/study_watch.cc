#include "server/study/study_watch.h"

#include "common/evaluation/outcome.h"

namespace tune {

absl::StatusOr<std::optional<v1::Study>> StudyWatch::NextStored() {
  std::optional<v1::Study> view;
  if (!std::exchange(given_, true)) {
    view = stored_;
  } else if (!ended_) {
    TUNE_ASSIGN_OR_RETURN(v1::Study now, online_->Get(stored_.id()));
    if (now.SerializeAsString() == stored_.SerializeAsString()) return view;
    stored_ = std::move(now);
    view = stored_;
  }
  ended_ = online_ == nullptr || IsFinished(stored_.state());
  return view;
}

absl::StatusOr<std::optional<v1::Study>> StudyWatch::Next() {
  if (study_ == nullptr) return NextStored();
  std::optional<v1::Study> view = study_->ViewAfter(&version_);
  if (view.has_value()) {
    ended_ = IsFinished(view->state());
  } else if (study_->stopping()) {
    return absl::UnavailableError("the server is stopping");
  }
  return view;
}

}  // namespace tune
