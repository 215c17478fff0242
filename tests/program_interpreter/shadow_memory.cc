#include "tests/program_interpreter/shadow_memory.h"

namespace tune::testing {

void ShadowElement::Record::Add(const Agent& by) {
  if (!exists || agent.epoch != by.epoch) {
    *this = {by, true};
    return;
  }
  if (agent.block != by.block) {
    several_blocks = true;
  } else if (agent.phase != by.phase) {
    agent = by;
    several_threads = false;
  } else if (agent.thread != by.thread) {
    several_threads = true;
  }
}

bool ShadowElement::Record::IsOrderedBefore(const Agent& by) const {
  if (!exists || agent.epoch != by.epoch) return true;
  if (several_blocks || agent.block != by.block) return false;
  return agent.phase != by.phase || (!several_threads && agent.thread == by.thread);
}

bool ShadowElement::Read(const Agent& agent) {
  reads_.Add(agent);
  return writes_.IsOrderedBefore(agent) && atomic_writes_.IsOrderedBefore(agent);
}

bool ShadowElement::Write(const Agent& agent, std::optional<Residue> value, bool atomic) {
  const bool ordered = reads_.IsOrderedBefore(agent) && writes_.IsOrderedBefore(agent) &&
                       (atomic || atomic_writes_.IsOrderedBefore(agent));
  (atomic ? atomic_writes_ : writes_).Add(agent);
  value_ = value;
  return ordered;
}

ShadowArray::ShadowArray(std::vector<int64_t> of) : extents(std::move(of)) {
  size_t count = 1;
  for (const int64_t extent : extents) count *= static_cast<size_t>(extent);
  elements.resize(count);
}

std::optional<size_t> ShadowArray::PlaceOf(const std::vector<int64_t>& index) const {
  if (index.size() != extents.size()) return std::nullopt;
  size_t place = 0;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0 || index[i] >= extents[i]) return std::nullopt;
    place = place * static_cast<size_t>(extents[i]) + static_cast<size_t>(index[i]);
  }
  return place;
}

}  // namespace tune::testing
