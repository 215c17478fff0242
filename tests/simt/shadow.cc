#include "tests/simt/shadow.h"

#include <algorithm>
#include <bit>
#include <new>

#include "absl/strings/str_cat.h"

namespace tune::simt {
namespace {

constexpr uint32_t kLastEpoch = (1u << 27) - 1;
constexpr unsigned kChanges = SIMT_WRITE | SIMT_ATOMIC;
constexpr unsigned kAll = 15;
// In marks: the launch changed the cell before the last grid barrier.
constexpr unsigned kChangedBefore = 16;
constexpr unsigned kWholeLaunch = SIMT_CONSTANT | kChangedBefore;
constexpr int kMarkKinds = 5;  // bits
constexpr int kFirstShift = 3;

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
uint32_t WarpOf(uint64_t stamp) { return Thread(stamp) / 32; }
uint32_t Clock(uint64_t stamp) { return (stamp >> 4) & 0xfffff; }

uint32_t MarkEpoch(uint32_t mark) { return mark >> kMarkKinds; }
unsigned MarkKinds(uint32_t mark) { return mark & ((1u << kMarkKinds) - 1); }

}  // namespace

// From calloc: pages that no access touches are never made.
Shadow::Cells Shadow::NewCells(size_t bytes, int shift) {
  const size_t count = (bytes >> shift) + 1;
  auto* cells = static_cast<Cell*>(std::calloc(count, sizeof(Cell)));
  if (cells == nullptr) throw std::bad_alloc();
  return {std::unique_ptr<Cell, Free>(cells), shift, count};
}

int Shadow::Add(const std::string& name, const void* begin, size_t capacity, bool shared, bool defined) {
  regions_.push_back(
      std::unique_ptr<Region>(new Region{name, reinterpret_cast<uintptr_t>(begin), shared ? 0 : capacity,
                                         capacity, shared, defined, false, NewCells(capacity, kFirstShift)}));
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

void Shadow::BeginLaunch(const std::vector<Shared>& shared, bool one_thread,
                         const std::vector<const void*>& constant) {
  if (!parked_.empty()) TakeShared(static_cast<uint32_t>(parked_.size() - 1));
  parked_.clear();
  shared_.clear();
  for (const auto& region : regions_) {
    if (region->shared) region->bytes = 0;
    region->constant = false;
    for (const void* address : constant) {
      const uintptr_t offset = reinterpret_cast<uintptr_t>(address) - region->begin;
      region->constant |= !region->shared && offset < region->bytes;
    }
  }
  for (const Shared& variable : shared) {
    shared_.push_back(regions_[variable.number].get());
    shared_.back()->bytes = variable.bytes;
  }
  one_thread_ = one_thread;
  if (epoch_ > kLastEpoch / 2) Forget();
  NextEpoch();
  turns_.clear();
  launch_ = phase_ = turn_ = block_ = epoch_;
  current_ = 0;
}

void Shadow::BeginBlock() {
  NextEpoch();
  turn_ = block_ = epoch_;
  current_ = turns_.empty() ? 0 : turns_.back().block + 1;
  turns_.push_back({epoch_, current_});
}

void Shadow::Barrier() { NextEpoch(); }

void Shadow::BeginResident(int count) {
  parked_.resize(count + 1);
  current_ = static_cast<uint32_t>(count);
  for (int block = 0; block < count; ++block) {
    for (const Region* region : shared_) parked_[block].push_back(NewCells(region->bytes, kFirstShift));
  }
}

void Shadow::TakeShared(uint32_t block) {
  for (size_t i = 0; i < shared_.size(); ++i) {
    Cells& present = shared_[i]->shadow;
    if (parked_[current_].size() == i) parked_[current_].emplace_back();
    parked_[current_][i] = std::move(present);
    present = std::move(parked_[block][i]);
  }
  current_ = block;
}

void Shadow::BeginTurn(int block) {
  NextEpoch();
  turn_ = epoch_;
  if (static_cast<uint32_t>(block) != current_) TakeShared(static_cast<uint32_t>(block));
  if (turns_.empty() || turns_.back().block != current_) turns_.push_back({epoch_, current_});
}

void Shadow::GridBarrier() {
  NextEpoch();
  phase_ = epoch_;
  turns_.clear();
}

void Shadow::NextEpoch() {
  if (epoch_ == kLastEpoch) Forget();
  ++epoch_;
}

// Epochs begin again: who touched what is forgotten, only what was written is kept.
void Shadow::Forget() {
  for (const auto& region : regions_) Forget(region->shadow, region->shared);
  for (std::vector<Cells>& block : parked_) {
    for (Cells& shadow : block) Forget(shadow, true);
  }
  epoch_ = 1;
  launch_ = phase_ = turn_ = block_ = 1;
  turns_.assign(1, {1, current_});
}

void Shadow::Forget(Cells& shadow, bool shared) const {
  if (shadow.cells == nullptr) return;
  for (size_t i = 0; i < shadow.count; ++i) {
    Cell& cell = shadow.cells.get()[i];
    const bool written = shared ? Epoch(cell.write) >= block_ : cell.write != 0;
    const bool copied = shared && cell.mark > 0 && cell.mark >= block_;
    cell = Cell{written ? Stamp(1, Accessor{}, SIMT_WRITE) : 0, {0, 0}, copied ? 1u : 0u, 0};
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
void Shadow::Refine(Cells& shadow, size_t offset_and_bytes) {
  const int shift = std::countr_zero(offset_and_bytes);
  const int split = shadow.shift - shift;
  Cells fine = NewCells(shadow.count << shadow.shift, shift);
  for (size_t i = 0; i < shadow.count; ++i) {
    const Cell& cell = shadow.cells.get()[i];
    if (cell.mark == 0 && cell.write == 0 && cell.others[0] == 0) continue;
    std::fill_n(fine.cells.get() + (i << split), size_t{1} << split, cell);
  }
  shadow = std::move(fine);
}

Shadow::Verdict Shadow::Check(const Accessor& accessor, uintptr_t address, size_t bytes, unsigned kind,
                              const void* site) {
  Region* region = Find(address, bytes, site);
  if (region == nullptr) return Verdict::kUnknownMemory;
  const size_t offset = address - region->begin;
  Cells& shadow = region->shadow;
  if (((offset | bytes) & ((size_t{1} << shadow.shift) - 1)) != 0) Refine(shadow, offset | bytes);
  if (region->constant && kind == SIMT_READ) kind = SIMT_CONSTANT;
  Cell* cell = shadow.cells.get() + (offset >> shadow.shift);
  Cell* const end = cell + (bytes >> shadow.shift);
  for (; cell != end; ++cell) {
    if (!CheckCell(*region, *cell, accessor, kind)) return Verdict::kFault;
  }
  return Verdict::kGood;
}

bool Shadow::CheckCell(const Region& region, Cell& cell, const Accessor& accessor, unsigned kind) {
  if (!region.shared && (kind == kCopyBegins || kind == kCopyEnds))
    return Fail("is one to memory that is not shared");
  if (region.shared) {
    if (!CheckCopies(cell, kind))
      return Fail("is one of what an asynchronous copy writes that its thread has not waited for");
    if (kind == kCopyBegins || kind == kCopyEnds) kind = SIMT_WRITE;
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

bool Shadow::CheckCopies(Cell& cell, unsigned kind) const {
  const bool under_way = cell.mark > 0 && cell.mark >= block_;
  if (kind == kCopyEnds) {
    cell.mark = 0;
  } else if (under_way) {
    return false;
  } else if (kind == kCopyBegins) {
    cell.mark = epoch_;
  }
  return true;
}

// The cell's last access was not in this turn: returns which kinds of its mark still matter to this block,
// and moves those of another block.
unsigned Shadow::Carry(Cell& cell) const {
  const uint32_t last = MarkEpoch(cell.mark), before = MarkEpoch(cell.before);
  const unsigned kinds = MarkKinds(cell.mark);
  if (last < launch_) return 0;
  if (last < phase_) {
    const unsigned others = before >= launch_ ? cell.before : 0;
    return (kinds & kWholeLaunch) | (((kinds | others) & kChanges) != 0 ? kChangedBefore : 0);
  }
  if (!parked_.empty() && BlockNumber(last) == current_) return kinds;
  cell.before = cell.mark | (before >= phase_ ? MarkKinds(cell.before) : 0);
  return kinds & kWholeLaunch;
}

bool Shadow::CheckBlocks(Cell& cell, unsigned kind) {
  const unsigned mine = MarkEpoch(cell.mark) < turn_ ? Carry(cell) : MarkKinds(cell.mark);
  const unsigned before = MarkEpoch(cell.before) >= phase_ ? cell.before & kAll & ~SIMT_CONSTANT : 0;
  if (const unsigned conflict = before & Conflicts(kind)) {
    return Fail(Race(conflict), Fault::With::kBlock, BlockNumber(MarkEpoch(cell.before)));
  }
  if (kind == SIMT_CONSTANT && (mine & (kChanges | kChangedBefore))) {
    return Fail("is a read through the cache for constant data of memory that this launch has changed");
  }
  if ((kind & kChanges) && (mine & SIMT_CONSTANT)) {
    return Fail("changes memory that this launch has read through the cache for constant data");
  }
  cell.mark = epoch_ << kMarkKinds | mine | kind;
  return true;
}

bool Shadow::Ordered(uint64_t stamp, const Accessor& accessor) const {
  if (Epoch(stamp) != epoch_ || Thread(stamp) == accessor.thread) return true;
  return accessor.known != nullptr && WarpOf(stamp) == accessor.thread / 32 &&
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
  if (WarpOf(cell.others[0]) == WarpOf(cell.others[1]) && WarpOf(stamp) != WarpOf(cell.others[0]))
    cell.others[1] = stamp;
}

bool Shadow::Fail(const char* what, Fault::With with, uint32_t number) {
  fault_ = {what, with, number};
  return false;
}

uint32_t Shadow::BlockNumber(uint32_t epoch) const {
  const auto after = std::upper_bound(turns_.begin(), turns_.end(), epoch,
                                      [](uint32_t value, const Turn& turn) { return value < turn.epoch; });
  return std::prev(after)->block;
}

std::string Shadow::Describe(uintptr_t address) const {
  const Region* nearest = nullptr;
  uintptr_t distance = UINTPTR_MAX;
  for (const auto& region : regions_) {
    if (region->bytes == 0) continue;
    const uintptr_t end = region->begin + region->bytes;
    const uintptr_t away = address < region->begin ? region->begin - address
                           : address < end         ? 0
                                                   : address - end + 1;
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
