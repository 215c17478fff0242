#include "server/dispatch/task.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "server/store/store.h"

namespace tune {
namespace {

bool ParseTask(absl::string_view text, TaskId* task) {
  if (text == "reference") {
    task->kind = TaskKind::kReference;
    return true;
  }
  if (text == "confirm") {
    task->kind = TaskKind::kConfirm;
    return true;
  }
  task->kind = absl::ConsumePrefix(&text, "probe") ? TaskKind::kProbe : TaskKind::kEvaluate;
  return absl::SimpleAtoi(text, &task->index) && task->index >= 0;
}

}  // namespace

std::string LeaseIdOf(const LeaseName& name) {
  std::string task;
  switch (name.task.kind) {
    case TaskKind::kReference:
      task = "reference";
      break;
    case TaskKind::kConfirm:
      task = "confirm";
      break;
    case TaskKind::kEvaluate:
      task = absl::StrCat(name.task.index);
      break;
    case TaskKind::kProbe:
      task = absl::StrCat("probe", name.task.index);
      break;
  }
  return absl::StrCat(StudyIdOf(name.task.study), "-", task, "-", name.attempt, "-", name.run);
}

absl::StatusOr<LeaseName> ParseLeaseId(const std::string& lease_id) {
  const std::vector<std::string> parts = absl::StrSplit(lease_id, '-');
  LeaseName name;
  if (parts.size() == 4) {
    const absl::StatusOr<int64_t> study = StudyNumberOf(parts[0]);
    if (study.ok() && ParseTask(parts[1], &name.task) && absl::SimpleAtoi(parts[2], &name.attempt) &&
        absl::SimpleAtoi(parts[3], &name.run)) {
      name.task.study = *study;
      if (LeaseIdOf(name) == lease_id) return name;
    }
  }
  return absl::InvalidArgumentError(absl::StrCat("'", lease_id, "' is not the id of a lease"));
}

}  // namespace tune
