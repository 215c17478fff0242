#include "tests/simt/shadow.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>

#include "absl/strings/str_cat.h"

namespace tune::simt {
namespace {

constexpr uint32_t kLastEpoch = (1u << 28) - 1;
constexpr unsigned kChanges = SIMT_WRITE | SIMT_ATOMIC;
constexpr unsigned kAll = 15;

// Kinds that conflict with `kind` when nothing orders the two accesses.
constexpr unsigned Conflicts(unsigned kind) {
  switch (kind) {
    case SIMT_WRITE:
      return kAll;
    case SIMT_ATOMIC:
      return kAll & ~SIMT_ATOMIC;
    default:
      return kChanges;
  }
}

const char* Race(unsigned kinds) {
  if (kinds & SIMT_WRITE) return "races with a write";
  if (kinds & SIMT_ATOMIC) return "races with an atomic update";
  return "races with a read";
}

uint64_t Stamp(uint32_t epoch, const Accessor& accessor, unsigned kind) {
  return uint64_t{epoch} << 34 | uint64_t{accessor.thread} << 24 | uint64_t{accessor.clock} << 4 | kind;
}
uint32_t Epoch(uint64_t stamp) { return static_cast<uint32_t>(stamp >> 34); }
uint32_t Thread(uint64_t stamp) { return (stamp >> 24) & 1023; }
uint32_t Warp(uint64_t stamp) { return Thread(stamp) / 32; }
uint32_t Clock(uint64_t stamp) { return (stamp >> 4) & 0xfffff; }

}  // namespace

int Shadow::Add(const std::string& name, const void* begin, size_t capacity, bool shared, bool defined) {
  const int shift = 3;
  // From calloc: pages that no access touches are never made.
  auto* cells = static_cast<Cell*>(std::calloc((capacity >> shift) + 1, sizeof(Cell)));
  if (cells == nullptr) throw std::bad_alloc();
  regions_.push_back(std::unique_ptr<Region>(new Region{name,
                                                        reinterpret_cast<uintptr_t>(begin),
                                                        shared ? 0 : capacity,
                                                        capacity,
                                                        shared,
                                                        defined,
                                                        shift,
                                                        {cells, &std::free}}));
  return static_cast<int>(regions_.size()) - 1;
}

bool Shadow::AddGlobal(const std::string& name, const void* begin, size_t bytes, bool defined) {
  const auto first = reinterpret_cast<uintptr_t>(begin);
  for (const auto& region : regions_) {
    if (first < region->begin + region->capacity && region->begin < first + bytes) return false;
  }
  Add(name, begin, bytes, false, defined);
  return true;
}

int Shadow::AddShared(const std::string& name, const void* begin, size_t capacity) {
  return Add(name, begin, capacity, true, false);
}

void Shadow::BeginLaunch(const std::vector<Shared>& shared, bool one_thread) {
  for (const auto& region : regions_) {
    if (region->shared) region->bytes = 0;
  }
  for (const Shared& variable : shared) regions_[variable.number]->bytes = variable.bytes;
  one_thread_ = one_thread;
  blocks_.clear();
  if (epoch_ > kLastEpoch / 2) Forget();
  NextEpoch();
  launch_ = block_ = epoch_;
}

void Shadow::BeginBlock() {
  NextEpoch();
  block_ = epoch_;
  blocks_.push_back(epoch_);
}

void Shadow::Barrier() { NextEpoch(); }

void Shadow::NextEpoch() {
  if (epoch_ == kLastEpoch) Forget();
  ++epoch_;
}

// Epochs begin again: who touched what is forgotten, only what was written is kept.
void Shadow::Forget() {
  epoch_ = 1;
  launch_ = block_ = 1;
  std::fill(blocks_.begin(), blocks_.end(), 0);
  for (const auto& region : regions_) {
    const size_t count = (region->capacity >> region->shift) + 1;
    for (size_t i = 0; i < count; ++i) {
      Cell& cell = region->cells.get()[i];
      cell = Cell{cell.write != 0 && !region->shared ? uint64_t{1} << 24 : 0, {0, 0}, 0, 0};
    }
  }
}

Shadow::Region* Shadow::Find(uintptr_t address, size_t bytes, const void* site) {
  const auto key = reinterpret_cast<uintptr_t>(site);
  Region*& recent = recent_[(key ^ key >> 10) % recent_.size()];
  const auto inside = [&](const Region& region) {
    return address - region.begin < region.bytes && bytes <= region.bytes - (address - region.begin);
  };
  if (recent != nullptr && inside(*recent)) return recent;
  for (const auto& region : regions_) {
    if (inside(*region)) return recent = region.get();
  }
  return nullptr;
}

// Makes the cells as small as this access needs.
void Shadow::Refine(Region& region, size_t offset_and_bytes) {
  const int shift = std::countr_zero(offset_and_bytes);
  const int split = region.shift - shift;
  const size_t old_count = (region.capacity >> region.shift) + 1;
  auto* cells = static_cast<Cell*>(std::calloc((region.capacity >> shift) + 1, sizeof(Cell)));
  if (cells == nullptr) throw std::bad_alloc();
  for (size_t i = 0; i < old_count; ++i) {
    const Cell& cell = region.cells.get()[i];
    if (cell.mark == 0 && cell.write == 0 && cell.others[0] == 0) continue;
    const size_t end = std::min((i + 1) << split, (region.capacity >> shift) + 1);
    for (size_t j = i << split; j < end; ++j) cells[j] = cell;
  }
  region.cells.reset(cells);
  region.shift = shift;
}

Shadow::Verdict Shadow::Check(const Accessor& accessor, uintptr_t address, size_t bytes, unsigned kind,
                              const void* site) {
  Region* region = Find(address, bytes, site);
  if (region == nullptr) return Verdict::kUnknownMemory;
  const size_t offset = address - region->begin;
  if (((offset | bytes) & ((size_t{1} << region->shift) - 1)) != 0) Refine(*region, offset | bytes);
  Cell* cell = region->cells.get() + (offset >> region->shift);
  Cell* const end = cell + (bytes >> region->shift);
  for (; cell != end; ++cell) {
    if (!CheckCell(*region, *cell, accessor, kind)) return Verdict::kFault;
  }
  return Verdict::kGood;
}

bool Shadow::CheckCell(const Region& region, Cell& cell, const Accessor& accessor, unsigned kind) {
  if (region.shared) {
    if (kind == SIMT_CONSTANT) return Fail("is a read of shared memory through the cache for constant data");
    if (kind != SIMT_WRITE && Epoch(cell.write) < block_) {
      return Fail("is a read of shared memory that this block has not written");
    }
  } else {
    if (!region.defined && kind != SIMT_WRITE && cell.write == 0) {
      return Fail("is a read of memory that was never written");
    }
    if (!CheckBlocks(cell, kind)) return false;
  }
  if (!one_thread_) return CheckThreads(cell, accessor, kind);
  if (kind == SIMT_WRITE) cell.write = Stamp(epoch_, accessor, kind);
  return true;
}

bool Shadow::CheckBlocks(Cell& cell, unsigned kind) {
  const uint32_t last = cell.mark >> 4;
  unsigned mine = cell.mark & kAll;
  if (last < block_) {
    if (last >= launch_) {
      const unsigned earlier = cell.before >> 4 >= launch_ ? cell.before & kAll : 0;
      cell.before = cell.mark | earlier;
    }
    mine = 0;
  }
  const unsigned before = cell.before >> 4 >= launch_ ? cell.before & kAll : 0;
  if (const unsigned conflict = before & Conflicts(kind)) {
    return Fail(Race(conflict), Fault::With::kBlock, BlockNumber(cell.before >> 4));
  }
  if (kind == SIMT_CONSTANT && (mine & kChanges)) {
    return Fail("is a read through the cache for constant data of memory that this launch has changed");
  }
  if ((kind & kChanges) && (mine & SIMT_CONSTANT)) {
    return Fail("changes memory that this launch has read through the cache for constant data");
  }
  cell.mark = epoch_ << 4 | mine | kind;
  return true;
}

bool Shadow::Ordered(uint64_t stamp, const Accessor& accessor) const {
  if (Epoch(stamp) != epoch_ || Thread(stamp) == accessor.thread) return true;
  return accessor.known != nullptr && Warp(stamp) == accessor.thread / 32 &&
         Clock(stamp) < accessor.known[Thread(stamp) % 32];
}

bool Shadow::CheckThreads(Cell& cell, const Accessor& accessor, unsigned kind) {
  const uint64_t stamp = Stamp(epoch_, accessor, kind);
  if (stamp == cell.others[0] || stamp == cell.write) return true;
  if (!Ordered(cell.write, accessor)) {
    return Fail(Race(SIMT_WRITE), Fault::With::kThread, Thread(cell.write));
  }
  for (const uint64_t other : cell.others) {
    if ((other & Conflicts(kind)) != 0 && !Ordered(other, accessor)) {
      return Fail(Race(other & Conflicts(kind)), Fault::With::kThread, Thread(other));
    }
  }
  if (kind != SIMT_WRITE) {
    Insert(cell, stamp, accessor);
  } else {
    cell.write = stamp;
    cell.others[0] = cell.others[1] = 0;
  }
  return true;
}

// Keeps what a later access may conflict with.
void Shadow::Insert(Cell& cell, uint64_t stamp, const Accessor& accessor) const {
  for (uint64_t& other : cell.others) {
    if ((other | kAll) == (stamp | kAll)) {
      other |= stamp;
      return;
    }
  }
  for (uint64_t& other : cell.others) {
    if (Epoch(other) != epoch_ || (Ordered(other, accessor) && (other & kAll & ~stamp) == 0)) {
      other = stamp;
      return;
    }
  }
  if (Warp(cell.others[0]) == Warp(cell.others[1]) && Warp(stamp) != Warp(cell.others[0]))
    cell.others[1] = stamp;
}

bool Shadow::Fail(const char* what, Fault::With with, uint32_t number) {
  fault_ = {what, with, number};
  return false;
}

uint32_t Shadow::BlockNumber(uint32_t epoch) const {
  return static_cast<uint32_t>(std::upper_bound(blocks_.begin(), blocks_.end(), epoch) - blocks_.begin()) - 1;
}

std::string Shadow::Describe(uintptr_t address) const {
  const Region* nearest = nullptr;
  uintptr_t distance = UINTPTR_MAX;
  for (const auto& region : regions_) {
    if (region->bytes == 0) continue;
    const uintptr_t end = region->begin + region->bytes;
    const uintptr_t away = address < region->begin ? region->begin - address
                           : address < end         ? 0
                                                   : address - end;
    if (nearest == nullptr || away < distance) {
      nearest = region.get();
      distance = away;
    }
  }
  if (nearest == nullptr) return "an address (the launch has no memory)";
  if (address >= nearest->begin) {
    return absl::StrCat(nearest->name, "+", address - nearest->begin, " (", nearest->name, " has ",
                        nearest->bytes, " bytes)");
  }
  return absl::StrCat(nearest->name, "-", nearest->begin - address, " (", nearest->name, " has ",
                      nearest->bytes, " bytes)");
}

}  // namespace tune::simt
