// A study as it changes.
#pragma once

#include <memory>
#include <optional>

#include "common/base/status.h"
#include "server/study/active_study.h"
#include "server/study/online_studies.h"

namespace tune {

// Made by Coordinator::Watch. Not thread safe.
class StudyWatch {
 public:
  // The study, at first and then when it is another than the last time. UNAVAILABLE when the server ends.
  absl::StatusOr<std::optional<v1::Study>> Next();
  // Nothing more will come.
  bool ended() const { return ended_; }

 private:
  friend class Coordinator;
  explicit StudyWatch(std::shared_ptr<const ActiveStudy> study) : study_(std::move(study)) {}
  // `online`: where it may still change; null: it does not.
  StudyWatch(v1::Study stored, const OnlineStudies* online) : stored_(std::move(stored)), online_(online) {}
  absl::StatusOr<std::optional<v1::Study>> NextStored();

  std::shared_ptr<const ActiveStudy> study_;  // null: nobody works on it
  v1::Study stored_;                          // then, as it was given last
  const OnlineStudies* online_ = nullptr;
  bool given_ = false;
  int64_t version_ = 0;  // of the view that was given last
  bool ended_ = false;
};

}  // namespace tune
