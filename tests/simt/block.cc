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
    default:
      return "read";
  }
}

}  // namespace

Block::Block(Shadow* shadow, simt_interface* text) : shadow_(shadow), text_(text) {
  text->simulator = this;
  text->access = &OnAccess;
  text->barrier = &OnBarrier;
  text->exchange = &OnExchange;
  text->active_lanes = &OnActiveLanes;
  text->fault = &OnFault;
}

void Block::BeginLaunch(const simt_kernel& kernel, void** arguments, const unsigned dimension[3],
                        const std::vector<Bytes>& shared) {
  violation_ = {};
  kernel_ = &kernel;
  arguments_ = arguments;
  shared_ = shared;
  const uint32_t count = dimension[0] * dimension[1] * dimension[2];
  threads_.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    threads_[i].index = {i % dimension[0], i / dimension[0] % dimension[1], i / dimension[0] / dimension[1]};
  }
  warps_.resize((count + kWarpLanes - 1) / kWarpLanes);
  fibers_.Reserve(static_cast<int>(count));
}

bool Block::Run(const unsigned index[3], Random& random) {
  shadow_->BeginBlock();
  for (const Bytes& bytes : shared_) std::memset(bytes.begin, 0xff, bytes.bytes);
  std::copy(index, index + 3, text_->indices + 3);
  const auto count = static_cast<uint32_t>(threads_.size());
  for (size_t i = 0; i < warps_.size(); ++i) warps_[i].Reset(static_cast<int>(count - i * kWarpLanes));
  for (uint32_t i = 0; i < count; ++i) {
    threads_[i].state = State::kReady;
    fibers_.Start(static_cast<int>(i), &RunThread, this);
  }
  ready_.resize(count);
  std::iota(ready_.begin(), ready_.end(), 0);
  ended_ = at_barrier_ = 0;
  failed_ = false;
  do {
    while (!ready_.empty()) {
      std::swap(ready_[random.Below(ready_.size())], ready_.back());
      const uint32_t thread = ready_.back();
      ready_.pop_back();
      Resume(thread);
      if (failed_) return false;
    }
    if (ended_ == count) return true;
  } while (ReleaseBarrier());
  Explain();
  return false;
}

void Block::Resume(uint32_t thread) {
  std::copy_n(threads_[thread].index.begin(), 3, text_->indices);
  accessor_.thread = thread;
  UpdateAccessor();
  fibers_.Resume(static_cast<int>(thread));
}

void Block::UpdateAccessor() {
  const Warp& warp = warps_[accessor_.thread / kWarpLanes];
  accessor_.clock = warp.clock(accessor_.thread % kWarpLanes);
  accessor_.known = warp.known(accessor_.thread % kWarpLanes);
}

void Block::RunThread(void* block, int thread) {
  auto* self = static_cast<Block*>(block);
  self->kernel_->call(self->arguments_);
  self->threads_[thread].state = State::kEnded;
  ++self->ended_;
}

bool Block::ReleaseBarrier() {
  if (at_barrier_ != threads_.size()) return false;
  for (const Thread& thread : threads_) {
    if (thread.line != threads_[0].line) return false;
  }
  ++barriers_;
  at_barrier_ = 0;
  shadow_->Barrier();
  for (Warp& warp : warps_) warp.BlockBarrier();
  for (Thread& thread : threads_) thread.state = State::kReady;
  ready_.resize(threads_.size());
  std::iota(ready_.begin(), ready_.end(), 0);
  return true;
}

std::string Block::Describe(uint32_t thread) const {
  const Thread& state = threads_[thread];
  std::string where = absl::StrFormat("thread (%d,%d,%d) ", state.index[0], state.index[1], state.index[2]);
  int missing;
  switch (state.state) {
    case State::kBarrier:
      return absl::StrCat(where, "waits at __syncthreads in line ", state.line);
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
    waiting = first([](const Thread& thread) { return thread.state == State::kBarrier; });
    const int line = threads_[waiting].line;
    other = first([&](const Thread& thread) { return thread.state == State::kEnded || thread.line != line; });
  }
  violation_.thread = waiting;
  violation_.what = absl::StrCat("the threads diverge: ", Describe(waiting), ", but ", Describe(other));
  violation_.line = threads_[waiting].state == State::kBarrier
                        ? threads_[waiting].line
                        : warps_[waiting / kWarpLanes].Line(waiting % kWarpLanes);
}

void Block::OnAccess(void* block, const void* address, unsigned long bytes, unsigned kind, const void* site) {
  auto* self = static_cast<Block*>(block);
  ++self->accesses_;
  const auto where = reinterpret_cast<uintptr_t>(address);
  const Shadow::Verdict verdict = self->shadow_->Check(self->accessor_, where, bytes, kind, site);
  if (verdict != Shadow::Verdict::kGood || kind == SIMT_ATOMIC) {
    self->RefuseAccess(verdict, where, bytes, kind, site);
  }
}

// Returns when there is nothing to refuse.
void Block::RefuseAccess(Shadow::Verdict verdict, uintptr_t address, size_t bytes, unsigned kind,
                         const void* site) {
  if (verdict == Shadow::Verdict::kGood) {
    if (address % bytes != 0) Fail("an atomic update is not aligned for its type", site, 0);
    return;
  }
  std::string access =
      absl::StrCat("the ", KindName(kind), " of ", bytes, " bytes at ", shadow_->Describe(address));
  if (verdict == Shadow::Verdict::kFault) {
    violation_.with = shadow_->fault().with;
    violation_.number = shadow_->fault().number;
    absl::StrAppend(&access, " ", shadow_->fault().what);
  } else if (fibers_.OnStack(static_cast<int>(accessor_.thread), address, bytes) && kind != SIMT_ATOMIC) {
    return;
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
  fibers_.Suspend();
}

void Block::OnBarrier(void* block, int line) {
  auto* self = static_cast<Block*>(block);
  Thread& thread = self->threads_[self->accessor_.thread];
  thread.state = State::kBarrier;
  thread.line = line;
  ++self->at_barrier_;
  self->fibers_.Suspend();
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
    self->fibers_.Suspend();
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
