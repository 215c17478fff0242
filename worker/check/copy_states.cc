#include "worker/check/copy_states.h"

#include <algorithm>

namespace tune {
namespace {

// More groups that were committed since make no difference: nobody leaves so many open.
constexpr int64_t kMostGroups = 64;

CopyState Join(const CopyState& a, const CopyState& b) {
  CopyState joined{a.fill_open || b.fill_open, a.read_open || b.read_open, a.groups};
  if (b.groups) joined.groups = a.groups ? std::min(*a.groups, *b.groups) : *b.groups;
  return joined;
}

}  // namespace

CopyStates::CopyStates(const DeviceKernel& kernel) {
  for (const Tile& tile : kernel.tiles) {
    if (tile.shared) tiles_[tile.name].resize(static_cast<size_t>(tile.copies));
  }
  ForEach([&](CopyState& copy) { copy.read_open = kernel.is_function; });
}

CopyState* CopyStates::Find(const std::string& tile, int64_t copy) {
  const auto found = tiles_.find(tile);
  if (found == tiles_.end() || copy < 0 || copy >= static_cast<int64_t>(found->second.size())) return nullptr;
  return &found->second[static_cast<size_t>(copy)];
}

void CopyStates::Commit() {
  ForEach([](CopyState& copy) {
    if (copy.groups) copy.groups = std::min(*copy.groups + 1, kMostGroups);
  });
}

void CopyStates::Await(int64_t open) {
  ForEach([&](CopyState& copy) {
    if (copy.groups && *copy.groups > open) copy.groups.reset();
  });
}

// What is still under way when threads meet has not arrived for the others.
void CopyStates::PassBarrier() {
  ForEach([](CopyState& copy) {
    copy.read_open = false;
    if (!copy.groups) copy.fill_open = false;
  });
}

void CopyStates::Rotate(int64_t by) {
  for (auto& [name, copies] : tiles_) {
    const auto count = static_cast<int64_t>(copies.size());
    std::rotate(copies.begin(), copies.begin() + (by % count + count) % count, copies.end());
  }
}

void CopyStates::Mix() {
  for (auto& [name, copies] : tiles_) {
    CopyState all = copies[0];
    for (const CopyState& copy : copies) all = tune::Join(all, copy);
    std::fill(copies.begin(), copies.end(), all);
  }
}

void CopyStates::Join(const CopyStates& other) {
  for (auto& [name, copies] : tiles_) {
    const std::vector<CopyState>& others = other.tiles_.at(name);
    for (size_t i = 0; i < copies.size(); ++i) copies[i] = tune::Join(copies[i], others[i]);
  }
}

template <typename Change>
void CopyStates::ForEach(const Change& change) {
  for (auto& [name, copies] : tiles_) std::for_each(copies.begin(), copies.end(), change);
}

}  // namespace tune
