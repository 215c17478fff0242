#include "tests/simt/block.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tune::simt {
namespace {

constexpr uint32_t kWarpLanes = 32;

const char* KindName(unsigned kind) {
  switch (kind) {
    case SIMT_WRITE:
      return "write";
    case SIMT_ATOMIC:
      return "atomic update";
    case kCopyBegins:
    case kCopyEnds:
      return "asynchronous copy";
    default:
      return "read";
  }
}

}  // namespace

Block::Block(Shadow* shadow, simt_interface* text, FiberSet* fibers, int first_fiber)
    : shadow_(shadow), text_(text), fibers_(fibers), first_fiber_(first_fiber) {
  text->access = &OnAccess;
  text->barrier = &OnBarrier;
  text->grid_barrier = &OnGridBarrier;
  text->exchange = &OnExchange;
  text->active_lanes = &OnActiveLanes;
  text->fault = &OnFault;
  text->begin_copy = &OnBeginCopy;
  text->commit_copies = &OnCommitCopies;
  text->await_copies = &OnAwaitCopies;
}

void Block::BeginLaunch(const simt_kernel& kernel, void** arguments, const std::array<unsigned, 3>& dimension,
                        bool grid_barriers) {
  violation_ = {};
  kernel_ = &kernel;
  arguments_ = arguments;
  grid_barriers_ = grid_barriers;
  const uint32_t count = dimension[0] * dimension[1] * dimension[2];
  threads_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    threads_[i].index = {i % dimension[0], i / dimension[0] % dimension[1], i / dimension[0] / dimension[1]};
  }
  warps_.resize((count + kWarpLanes - 1) / kWarpLanes);
}

void Block::Begin(const std::array<unsigned, 3>& index) {
  index_ = index;
  const auto count = static_cast<uint32_t>(threads_.size());
  for (size_t i = 0; i < warps_.size(); ++i) warps_[i].Reset(static_cast<int>(count - i * kWarpLanes));
  for (uint32_t i = 0; i < count; ++i) {
    threads_[i].state = State::kReady;
    threads_[i].copies = {};
    fibers_->Start(first_fiber_ + static_cast<int>(i), &RunThread, this);
  }
  ready_.resize(count);
  std::iota(ready_.begin(), ready_.end(), 0);
  ended_ = at_barrier_ = 0;
  failed_ = false;
}

Block::Stop Block::Advance(Random& random) {
  text_->simulator = this;
  std::copy(index_.begin(), index_.end(), text_->indices + 3);
  if (at_barrier_ > 0) ReleaseBarrier();
  while (!ready_.empty()) {
    std::swap(ready_[random.Below(ready_.size())], ready_.back());
    const uint32_t thread = ready_.back();
    ready_.pop_back();
    Resume(thread);
    if (failed_) return Stop::kFault;
  }
  if (ended_ == threads_.size()) return Stop::kEnded;
  if (!AllAtOneBarrier()) {
    Explain();
    return Stop::kFault;
  }
  return threads_[0].state == State::kBarrier ? Stop::kBarrier : Stop::kGridBarrier;
}

void Block::Resume(uint32_t thread) {
  std::copy_n(threads_[thread].index.begin(), 3, text_->indices);
  accessor_.thread = thread;
  UpdateAccessor();
  fibers_->Resume(first_fiber_ + static_cast<int>(thread));
}

void Block::UpdateAccessor() {
  const Warp& warp = warps_[accessor_.thread / kWarpLanes];
  accessor_.clock = warp.clock(accessor_.thread % kWarpLanes);
  accessor_.known = warp.known(accessor_.thread % kWarpLanes);
}

void Block::RunThread(void* block, int fiber) {
  auto* self = static_cast<Block*>(block);
  self->kernel_->call(self->arguments_);
  self->threads_[fiber - self->first_fiber_].state = State::kEnded;
  ++self->ended_;
}

bool Block::AllAtOneBarrier() const {
  if (at_barrier_ != threads_.size()) return false;
  return std::all_of(threads_.begin(), threads_.end(),
                     [&](const Thread& thread) { return thread.SameBarrier(threads_[0]); });
}

void Block::ReleaseBarrier() {
  ++barriers_;
  at_barrier_ = 0;
  for (Warp& warp : warps_) warp.BlockBarrier();
  for (Thread& thread : threads_) thread.state = State::kReady;
  ready_.resize(threads_.size());
  std::iota(ready_.begin(), ready_.end(), 0);
}

std::string Block::Describe(uint32_t thread) const {
  const Thread& state = threads_[thread];
  std::string where = absl::StrFormat("thread (%d,%d,%d) ", state.index[0], state.index[1], state.index[2]);
  int missing;
  switch (state.state) {
    case State::kBarrier:
      return absl::StrCat(where, "waits at __syncthreads in line ", state.line);
    case State::kGridBarrier:
      return absl::StrCat(where, "waits at the grid barrier in line ", state.line);
    case State::kWarp:
      return absl::StrCat(where, warps_[thread / kWarpLanes].Describe(thread % kWarpLanes, &missing));
    case State::kEnded:
      return absl::StrCat(where, "has ended");
    case State::kReady:
      break;
  }
  return absl::StrCat(where, "runs");
}

// No thread can go on: tells of one that waits, and of one that it waits for.
void Block::Explain() {
  const auto first = [&](auto&& matches) {
    return static_cast<uint32_t>(std::find_if(threads_.begin(), threads_.end(), matches) - threads_.begin());
  };
  uint32_t waiting = first([](const Thread& thread) { return thread.state == State::kWarp; });
  uint32_t other;
  if (waiting < threads_.size()) {
    int missing;
    warps_[waiting / kWarpLanes].Describe(waiting % kWarpLanes, &missing);
    other = waiting / kWarpLanes * kWarpLanes + missing;
  } else {
    waiting = first([](const Thread& thread) { return thread.AtBarrier(); });
    other = first([&](const Thread& thread) { return !thread.SameBarrier(threads_[waiting]); });
  }
  violation_.thread = waiting;
  violation_.what = absl::StrCat("the threads diverge: ", Describe(waiting), ", but ", Describe(other));
  violation_.line = threads_[waiting].AtBarrier() ? threads_[waiting].line
                                                  : warps_[waiting / kWarpLanes].Line(waiting % kWarpLanes);
}

void Block::OnAccess(void* block, const void* address, unsigned long bytes, unsigned kind, const void* site) {
  static_cast<Block*>(block)->Access(address, bytes, kind, site);
}

void Block::Access(const void* address, size_t bytes, unsigned kind, const void* site) {
  ++accesses_;
  const auto where = reinterpret_cast<uintptr_t>(address);
  const Shadow::Verdict verdict = shadow_->Check(accessor_, where, bytes, kind, site);
  if (verdict != Shadow::Verdict::kGood || kind == SIMT_ATOMIC)
    RefuseAccess(verdict, where, bytes, kind, site);
}

// What is read may be read at any time from now on until the copy is waited for, and what is written, too.
void Block::OnBeginCopy(void* block, void* to, const void* from, unsigned bytes, const void* site) {
  auto* self = static_cast<Block*>(block);
  if (reinterpret_cast<uintptr_t>(to) % bytes != 0 || reinterpret_cast<uintptr_t>(from) % bytes != 0)
    self->Fail("an asynchronous copy is not aligned for its size", site, 0);
  self->Access(from, bytes, SIMT_READ, site);
  self->Access(to, bytes, kCopyBegins, site);
  self->threads_[self->accessor_.thread].copies.Begin({to, from, bytes});
}

void Block::OnCommitCopies(void* block) {
  auto* self = static_cast<Block*>(block);
  self->threads_[self->accessor_.thread].copies.Commit();
}

void Block::OnAwaitCopies(void* block, int open, const void* site) {
  auto* self = static_cast<Block*>(block);
  Copies& copies = self->threads_[self->accessor_.thread].copies;
  while (const std::optional<Copy> copy = copies.Next(open)) {
    self->Access(copy->from, copy->bytes, SIMT_READ, site);
    self->Access(copy->to, copy->bytes, kCopyEnds, site);
    std::memcpy(copy->to, copy->from, copy->bytes);
  }
}

// Returns when there is nothing to refuse.
void Block::RefuseAccess(Shadow::Verdict verdict, uintptr_t address, size_t bytes, unsigned kind,
                         const void* site) {
  if (verdict == Shadow::Verdict::kGood) {
    if (address % bytes != 0) Fail("an atomic update is not aligned for its type", site, 0);
    return;
  }
  if (verdict == Shadow::Verdict::kUnknownMemory && (kind == SIMT_READ || kind == SIMT_WRITE) &&
      fibers_->OnStack(first_fiber_ + static_cast<int>(accessor_.thread), address, bytes)) {
    return;
  }
  std::string access =
      absl::StrCat("the ", KindName(kind), " of ", bytes, " bytes at ", shadow_->Describe(address));
  if (verdict == Shadow::Verdict::kFault) {
    violation_.with = shadow_->fault().with;
    violation_.number = shadow_->fault().number;
    absl::StrAppend(&access, " ", shadow_->fault().what);
  } else {
    absl::StrAppend(&access, " is out of bounds");
  }
  Fail(std::move(access), site, 0);
}

void Block::OnFault(void* block, const char* what, const void* site) {
  static_cast<Block*>(block)->Fail(what, site, 0);
}

// The fiber does not go on: no caller may own memory at this point.
void Block::Fail(std::string&& what, const void* site, int line) {
  violation_.thread = accessor_.thread;
  violation_.what = std::move(what);
  violation_.site = site;
  violation_.line = line;
  std::string().swap(what);
  failed_ = true;
  fibers_->Suspend();
}

void Block::OnBarrier(void* block, int line) { static_cast<Block*>(block)->Wait(State::kBarrier, line); }

void Block::OnGridBarrier(void* block, int line) {
  auto* self = static_cast<Block*>(block);
  if (!self->grid_barriers_)
    self->Fail("a grid barrier in a launch of several blocks that is not cooperative", nullptr, line);
  self->Wait(State::kGridBarrier, line);
}

void Block::Wait(State state, int line) {
  Thread& thread = threads_[accessor_.thread];
  thread.state = state;
  thread.line = line;
  ++at_barrier_;
  fibers_->Suspend();
}

unsigned long long Block::OnExchange(void* block, const simt_exchange* call) {
  auto* self = static_cast<Block*>(block);
  const uint32_t thread = self->accessor_.thread;
  const uint32_t first = thread / kWarpLanes * kWarpLanes;
  const auto lane = static_cast<int>(thread - first);
  Warp& warp = self->warps_[thread / kWarpLanes];
  {
    std::string fault = warp.Arrive(lane, *call);
    if (!fault.empty()) self->Fail(std::move(fault), nullptr, call->line);
  }
  std::string fault;
  int faulty_lane = lane;
  const unsigned lanes = warp.Complete(lane, &fault, &faulty_lane);
  if (!fault.empty()) {
    self->accessor_.thread = first + faulty_lane;
    self->Fail(std::move(fault), nullptr, warp.Line(faulty_lane));
  }
  if (lanes == 0) {
    self->threads_[thread].state = State::kWarp;
    self->fibers_->Suspend();
  } else {
    for (int other = 0; other < 32; ++other) {
      if (other == lane || (lanes >> other & 1) == 0) continue;
      self->threads_[first + other].state = State::kReady;
      self->ready_.push_back(first + other);
    }
    self->UpdateAccessor();
  }
  return warp.Result(lane);
}

unsigned Block::OnActiveLanes(void* block) {
  auto* self = static_cast<Block*>(block);
  const uint32_t warp = self->accessor_.thread / kWarpLanes;
  unsigned lanes = self->warps_[warp].existing();
  for (int lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) && self->threads_[warp * kWarpLanes + lane].state == State::kEnded)
      lanes &= ~(1u << lane);
  }
  return lanes;
}

}  // namespace tune::simt
