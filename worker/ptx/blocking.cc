#include "worker/ptx/blocking.h"

#include <algorithm>
#include <map>
#include <set>

#include "worker/ptx/ptx_opcode.h"

namespace tune {
namespace {

constexpr size_t kMostOutstanding = 256;  // loads that are kept in mind between blocks

bool MayReadWhatIsStored(const PtxInstruction& instruction) {
  return IsGlobalAccess(instruction) && IsLoad(instruction) && !instruction.Has("nc");
}

// Goes through one block. A level is how many waits in its segment come before.
class BlockWaits {
 public:
  BlockWaits(std::set<int> outstanding, bool functions_are_slow)
      : outstanding_(std::move(outstanding)), functions_are_slow_(functions_are_slow) {}

  void Add(const PtxInstruction& instruction) {
    int64_t level = MayReadWhatIsStored(instruction) ? stored_ : 0;
    for (const int name : Read(instruction)) level = std::max(level, LevelOf(name));
    waits_ = std::max(waits_, level);
    const bool is_slow =
        HasLongLatency(instruction) || (functions_are_slow_ && IsSpecialFunction(instruction));
    for (const int name : Written(instruction)) {
      outstanding_.erase(name);
      pending_.erase(name);
      ready_.erase(name);
      (is_slow ? pending_ : ready_)[name] = level;
    }
    if (IsGlobalAccess(instruction) && !IsLoad(instruction)) stored_ = std::max(stored_, level);
    if (!Waits(instruction)) return;
    EndSegment();
    ++total_;
  }

  void EndSegment() {
    total_ += waits_;
    // The first wait is for all that was issued before it.
    if (waits_ > 0) outstanding_.clear();
    for (const auto& [name, level] : pending_) {
      if (level >= waits_ && outstanding_.size() < kMostOutstanding) outstanding_.insert(name);
    }
    pending_.clear();
    ready_.clear();
    waits_ = stored_ = 0;
  }

  int64_t total() const { return total_; }
  const std::set<int>& outstanding() const { return outstanding_; }

 private:
  int64_t LevelOf(int name) const {
    if (const auto found = pending_.find(name); found != pending_.end()) return found->second + 1;
    if (const auto found = ready_.find(name); found != ready_.end()) return found->second;
    return outstanding_.contains(name) ? 1 : 0;
  }

  std::set<int> outstanding_;  // loads from before this segment
  bool functions_are_slow_;
  std::map<int, int64_t> pending_;  // loads of this segment: their own level
  std::map<int, int64_t> ready_;    // other results
  int64_t waits_ = 0;               // of this segment
  int64_t stored_ = 0;              // level of the last store to global memory
  int64_t total_ = 0;
};

bool HasSlowerThanFunctions(const PtxFunction& function, const ControlFlow& flow) {
  for (const BasicBlock& block : flow.blocks) {
    for (size_t i = block.begin; i < block.end; ++i) {
      if (HasLongLatency(function.instructions[i]) || Waits(function.instructions[i])) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<int64_t> WaitsOfBlocks(const PtxFunction& function, const ControlFlow& flow) {
  const bool functions_are_slow = !HasSlowerThanFunctions(function, flow);
  std::vector<int64_t> waits(flow.blocks.size());
  std::vector<std::set<int>> after(flow.blocks.size());
  // Twice, so that a loop's first block knows what its last one leaves.
  for (int round = 0; round < 2; ++round) {
    for (const int block : flow.order) {
      std::set<int> before;
      for (const int from : flow.blocks[block].predecessors)
        before.insert(after[from].begin(), after[from].end());
      BlockWaits of_block(std::move(before), functions_are_slow);
      for (size_t i = flow.blocks[block].begin; i < flow.blocks[block].end; ++i)
        of_block.Add(function.instructions[i]);
      of_block.EndSegment();
      waits[block] = of_block.total();
      after[block] = of_block.outstanding();
    }
  }
  return waits;
}

}  // namespace tune
