#include "server/dispatch/task_queue.h"

#include <algorithm>

namespace tune {

const v1::Device* DeviceFor(const QueuedStudy& study, const std::vector<v1::Device>& devices) {
  const v1::Device* found = nullptr;
  for (const v1::Device& device : devices) {
    if (study.target != v1::TARGET_UNSPECIFIED && device.target() != study.target) continue;
    if (!study.model.empty() && device.model() != study.model) continue;
    if (study.needs_ppcg && device.ppcg().empty()) continue;
    if (device.target() == v1::CUDA && device.cuda().compute_capability_major() < study.compute_capability)
      continue;
    if (device.target() == v1::CUDA) return &device;
    if (found == nullptr) found = &device;
  }
  return found;
}

void TaskQueue::AddStudy(int64_t number, const StudyTraits& traits) {
  QueuedStudy& study = studies_[number];
  static_cast<StudyTraits&>(study) = traits;
  owners_[traits.owner].studies.insert(number);
}

std::vector<std::string> TaskQueue::RemoveStudy(int64_t number) {
  std::vector<std::string> leases;
  const auto study = studies_.find(number);
  if (study == studies_.end()) return leases;
  for (const auto& [id, task] : study->second.tasks) {
    if (!task.lease_id.empty()) leases.push_back(task.lease_id);
  }
  const auto owner = owners_.find(study->second.owner);
  owner->second.studies.erase(number);
  if (owner->second.studies.empty()) owners_.erase(owner);
  studies_.erase(study);
  return leases;
}

QueuedStudy* TaskQueue::FindStudy(int64_t number) {
  const auto study = studies_.find(number);
  return study == studies_.end() ? nullptr : &study->second;
}

void TaskQueue::Add(const TaskId& id, int64_t attempts, int lost) {
  QueuedStudy* study = FindStudy(id.study);
  if (study == nullptr) return;
  const auto [task, added] = study->tasks.try_emplace(id);
  if (!added) return;
  task->second.attempts = attempts;
  task->second.lost = lost;
}

void TaskQueue::Remove(const TaskId& id) {
  if (QueuedStudy* study = FindStudy(id.study); study != nullptr) study->tasks.erase(id);
}

Task* TaskQueue::Find(const TaskId& id) {
  QueuedStudy* study = FindStudy(id.study);
  if (study == nullptr) return nullptr;
  const auto task = study->tasks.find(id);
  return task == study->tasks.end() ? nullptr : &task->second;
}

bool TaskQueue::HasPending() const {
  return std::any_of(studies_.begin(), studies_.end(), [](const auto& study) {
    return std::any_of(study.second.tasks.begin(), study.second.tasks.end(),
                       [](const auto& task) { return task.second.lease_id.empty(); });
  });
}

std::optional<TaskId> TaskQueue::Next(const std::vector<v1::Device>& devices, const Admit& admit) {
  auto owner = owners_.upper_bound(last_owner_);
  for (size_t i = 0; i < owners_.size(); ++i, ++owner) {
    if (owner == owners_.end()) owner = owners_.begin();
    const std::optional<TaskId> task = NextOf(owner->second, devices, admit);
    if (!task.has_value()) continue;
    last_owner_ = owner->first;
    return task;
  }
  return std::nullopt;
}

std::optional<TaskId> TaskQueue::NextOf(Turns& owner, const std::vector<v1::Device>& devices,
                                        const Admit& admit) {
  auto turn = owner.studies.upper_bound(owner.last);
  for (size_t i = 0; i < owner.studies.size(); ++i, ++turn) {
    if (turn == owner.studies.end()) turn = owner.studies.begin();
    const QueuedStudy& study = studies_.at(*turn);
    const v1::Device* device = DeviceFor(study, devices);
    if (device == nullptr) continue;
    for (const auto& [id, task] : study.tasks) {
      if (!task.lease_id.empty()) continue;
      if (!admit(*turn, study, *device, id)) continue;
      owner.last = *turn;
      return id;
    }
  }
  return std::nullopt;
}

}  // namespace tune
