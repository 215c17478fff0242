#include "server/study/study_watch.h"

#include "common/evaluation/outcome.h"

namespace tune {

absl::StatusOr<std::optional<v1::Study>> StudyWatch::Next() {
  std::optional<v1::Study> view;
  if (study_ == nullptr) {
    if (!std::exchange(ended_, true)) view = stored_;
    return view;
  }
  view = study_->ViewAfter(&version_);
  if (view.has_value()) {
    ended_ = IsFinished(view->state());
  } else if (study_->stopping()) {
    return absl::UnavailableError("the server is stopping");
  }
  return view;
}

}  // namespace tune
