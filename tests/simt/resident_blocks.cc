#include "tests/simt/resident_blocks.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace tune::simt {

ResidentBlocks::ResidentBlocks(Shadow* shadow, simt_interface* text, const GridLaunch* launch)
    : shadow_(shadow), launch_(launch) {
  const auto count = static_cast<int>(Count(launch->grid)), threads = static_cast<int>(Count(launch->block));
  size_t bytes = 0;
  for (const GridLaunch::Bytes& variable : launch->shared) bytes += variable.bytes;
  fibers_.Reserve(count * threads);
  for (int number = 0; number < count; ++number) {
    blocks_.emplace_back(shadow, text, &fibers_, number * threads);
    Resident& resident = blocks_.back();
    resident.shared.assign(bytes, static_cast<char>(GridLaunch::kPoison));
    resident.block.BeginLaunch(*launch->kernel, launch->arguments, launch->block, true);
    resident.block.Begin(IndexIn(launch->grid, number));
  }
  current_ = blocks_.size();
}

bool ResidentBlocks::Run(Random& random, GridFault* fault) {
  shadow_->BeginResident(static_cast<int>(blocks_.size()));
  std::vector<size_t> ready(blocks_.size());
  for (;;) {
    ready.resize(blocks_.size());
    std::iota(ready.begin(), ready.end(), 0);
    while (!ready.empty()) {
      const size_t place = random.Below(ready.size());
      Take(ready[place]);
      Resident& resident = blocks_[current_];
      resident.stop = resident.block.Advance(random);
      if (resident.stop == Block::Stop::kFault) {
        Explain(fault);
        return false;
      }
      if (resident.stop == Block::Stop::kBarrier) continue;
      std::swap(ready[place], ready.back());
      ready.pop_back();
    }
    if (AllEnded()) return true;
    if (!AllAtOneBarrier()) {
      ExplainDivergence(fault);
      return false;
    }
    shadow_->GridBarrier();
  }
}

// It is this block's turn: the text's shared variables are its own.
void ResidentBlocks::Take(size_t number) {
  shadow_->BeginTurn(static_cast<int>(number));
  if (number == current_) return;
  if (current_ < blocks_.size() && blocks_[current_].stop != Block::Stop::kEnded) {
    char* kept = blocks_[current_].shared.data();
    for (const GridLaunch::Bytes& variable : launch_->shared) {
      std::memcpy(kept, variable.begin, variable.bytes);
      kept += variable.bytes;
    }
  }
  current_ = number;
  const char* kept = blocks_[current_].shared.data();
  for (const GridLaunch::Bytes& variable : launch_->shared) {
    std::memcpy(variable.begin, kept, variable.bytes);
    kept += variable.bytes;
  }
}

bool ResidentBlocks::AllEnded() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const Resident& resident) { return resident.stop == Block::Stop::kEnded; });
}

bool ResidentBlocks::AllAtOneBarrier() const {
  return std::all_of(blocks_.begin(), blocks_.end(), [&](const Resident& resident) {
    return resident.stop == Block::Stop::kGridBarrier && resident.block.line() == blocks_[0].block.line();
  });
}

void ResidentBlocks::Explain(GridFault* fault) const {
  const Block& block = blocks_[current_].block;
  *fault = {block.violation(), block.index(), {}};
  if (fault->violation.with == Shadow::Fault::With::kBlock)
    fault->other_block = IndexIn(launch_->grid, fault->violation.number);
}

// All blocks have ended or wait at grid barriers, but not all at the same one: tells of one that waits, and
// of one that it waits for.
void ResidentBlocks::ExplainDivergence(GridFault* fault) const {
  const auto waiting = std::find_if(blocks_.begin(), blocks_.end(), [](const Resident& resident) {
    return resident.stop == Block::Stop::kGridBarrier;
  });
  const int line = waiting->block.line();
  const auto other = std::find_if(blocks_.begin(), blocks_.end(), [&](const Resident& resident) {
    return resident.stop == Block::Stop::kEnded || resident.block.line() != line;
  });
  const Extents& index = other->block.index();
  fault->block = waiting->block.index();
  fault->violation = {};
  fault->violation.line = line;
  fault->violation.what = absl::StrCat("divergent grid barrier: the block waits at it, but block ",
                                       absl::StrFormat("(%d,%d,%d) ", index[0], index[1], index[2]),
                                       other->stop == Block::Stop::kEnded
                                           ? "has ended"
                                           : absl::StrCat("waits at the one in line ", other->block.line()));
}

int64_t ResidentBlocks::accesses() const {
  int64_t sum = 0;
  for (const Resident& resident : blocks_) sum += resident.block.accesses();
  return sum;
}

int64_t ResidentBlocks::barriers() const {
  int64_t sum = 0;
  for (const Resident& resident : blocks_) sum += resident.block.barriers();
  return sum;
}

}  // namespace tune::simt
