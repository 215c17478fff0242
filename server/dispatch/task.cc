#include "server/dispatch/task.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/secret.h"
#include "server/store/store.h"

namespace tune {
namespace {

constexpr size_t kSealDigits = 32;

bool ParseTask(absl::string_view text, TaskId* task) {
  if (text == "reference") {
    task->kind = TaskKind::kReference;
    return true;
  }
  if (text == "confirm") {
    task->kind = TaskKind::kConfirm;
    return true;
  }
  task->kind = absl::ConsumePrefix(&text, "probe")     ? TaskKind::kProbe
               : absl::ConsumePrefix(&text, "inspect") ? TaskKind::kInspect
                                                       : TaskKind::kEvaluate;
  return absl::SimpleAtoi(text, &task->index) && task->index >= 0;
}

// "s3-17-2-5".
std::string PlainId(const LeaseName& name) {
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
    case TaskKind::kInspect:
      task = absl::StrCat("inspect", name.task.index);
      break;
  }
  return absl::StrCat(StudyIdOf(name.task.study), "-", task, "-", name.attempt, "-", name.run);
}

}  // namespace

std::string LeaseSeal::IdOf(const LeaseName& name, const LeaseHolder& holder) const {
  const std::string plain = PlainId(name);
  // The length first: no two holders have the same text.
  const std::string sealed =
      absl::StrCat(plain, " ", holder.worker.size(), " ", holder.worker, holder.session);
  return absl::StrCat(plain, "-", Seal(key_, sealed).substr(0, kSealDigits));
}

absl::StatusOr<LeaseName> LeaseSeal::Parse(const std::string& lease_id, const LeaseHolder& holder) const {
  const std::vector<std::string> parts = absl::StrSplit(lease_id, '-');
  LeaseName name;
  if (parts.size() == 5) {
    const absl::StatusOr<int64_t> study = StudyNumberOf(parts[0]);
    if (study.ok() && ParseTask(parts[1], &name.task) && absl::SimpleAtoi(parts[2], &name.attempt) &&
        absl::SimpleAtoi(parts[3], &name.run)) {
      name.task.study = *study;
      if (SameSecret(IdOf(name, holder), lease_id)) return name;
    }
  }
  return absl::PermissionDeniedError(absl::StrCat("'", absl::Utf8SafeCHexEscape(lease_id.substr(0, 100)),
                                                  "' is not a lease that this session was given"));
}

}  // namespace tune
