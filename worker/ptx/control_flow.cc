#include "worker/ptx/control_flow.h"

#include <algorithm>
#include <map>
#include <set>

#include "common/base/plain_text.h"
#include "worker/ptx/ptx_opcode.h"

namespace tune {
namespace {

constexpr size_t kMostBlocks = 4096;
constexpr size_t kMostEdges = 16384;
constexpr int kMostDepth = 32;  // of loops

absl::Status TooMuch(const PtxFunction& function, absl::string_view what) {
  return absl::ResourceExhaustedError(
      absl::StrCat("PTX: ", EscapeLine(function.name), " has more ", what, " than can be looked at"));
}

// Blocks by the order of the text, with those that nothing reaches.
class BlockBuilder {
 public:
  explicit BlockBuilder(const PtxFunction& function) : function_(function) {}

  absl::StatusOr<std::vector<BasicBlock>> Build() {
    FindLeaders();
    if (begins_.size() > kMostBlocks) return TooMuch(function_, "basic blocks");
    for (const size_t begin : begins_) {
      const auto next = begins_.upper_bound(begin);
      BasicBlock block;
      block.begin = begin;
      block.end = next == begins_.end() ? function_.instructions.size() : *next;
      block_at_[begin] = static_cast<int>(blocks_.size());
      blocks_.push_back(std::move(block));
    }
    for (size_t i = 0; i < blocks_.size(); ++i) TUNE_RETURN_IF_ERROR(Connect(static_cast<int>(i)));
    if (edges_ > kMostEdges) return TooMuch(function_, "branches");
    return std::move(blocks_);
  }

 private:
  void FindLeaders() {
    const std::vector<PtxInstruction>& instructions = function_.instructions;
    begins_.insert(0);
    for (const auto& [label, at] : function_.labels) {
      if (at < instructions.size()) begins_.insert(at);
    }
    for (size_t i = 0; i + 1 < instructions.size(); ++i) {
      if (IsBranch(instructions[i]) || EndsThread(instructions[i])) begins_.insert(i + 1);
    }
  }

  absl::Status Connect(int index) {
    BasicBlock& block = blocks_[index];
    if (block.begin == block.end) return absl::OkStatus();
    const PtxInstruction& last = function_.instructions[block.end - 1];
    if (IsBranch(last)) TUNE_RETURN_IF_ERROR(ConnectBranch(last, &block));
    const bool goes_on = last.guard >= 0 || (!IsBranch(last) && !EndsThread(last));
    if (goes_on && index + 1 < static_cast<int>(blocks_.size())) {
      block.is_conditional = last.guard >= 0 && last.Is("bra") && block.successors[0] != index + 1;
      if (block.successors.empty() || block.successors.back() != index + 1)
        block.successors.push_back(index + 1);
    }
    edges_ += block.successors.size();
    return absl::OkStatus();
  }

  absl::Status ConnectBranch(const PtxInstruction& branch, BasicBlock* block) {
    if (branch.operands.empty()) return PtxError(branch, "a branch without a target");
    const PtxOperand& target = branch.operands.back();
    std::vector<int> labels = {target.name};
    if (branch.Is("brx")) {
      const auto table = function_.branch_targets.find(target.name);
      if (table == function_.branch_targets.end())
        return PtxError(branch, "a branch without its .branchtargets");
      labels = table->second;
      std::sort(labels.begin(), labels.end());
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    }
    for (const int label : labels) {
      const auto at = function_.labels.find(label);
      if (at == function_.labels.end()) return PtxError(branch, "a branch to a label that is not there");
      const auto found = block_at_.find(at->second);
      if (found == block_at_.end()) return PtxError(branch, "a branch behind the last instruction");
      block->successors.push_back(found->second);
    }
    return absl::OkStatus();
  }

  static absl::Status PtxError(const PtxInstruction& instruction, absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("PTX, line ", instruction.line, ": ", what));
  }

  const PtxFunction& function_;
  std::set<size_t> begins_;
  std::map<size_t, int> block_at_;
  std::vector<BasicBlock> blocks_;
  size_t edges_ = 0;
};

// Reverse postorder of what the first block reaches.
std::vector<int> ReversePostorder(const std::vector<BasicBlock>& blocks) {
  std::vector<int> order;
  std::vector<bool> seen(blocks.size());
  std::vector<std::pair<int, size_t>> stack = {{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == blocks[block].successors.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    const int successor = blocks[block].successors[next++];
    if (seen[successor]) continue;
    seen[successor] = true;
    stack.emplace_back(successor, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// The same blocks without those that nothing reaches, numbered in reverse postorder, with predecessors.
std::vector<BasicBlock> Renumbered(const std::vector<BasicBlock>& blocks) {
  const std::vector<int> order = ReversePostorder(blocks);
  std::vector<int> number(blocks.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int>(i);
  std::vector<BasicBlock> reached;
  for (const int old : order) {
    reached.push_back(blocks[old]);
    for (int& successor : reached.back().successors) successor = number[successor];
  }
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const int successor : reached[i].successors)
      reached[successor].predecessors.push_back(static_cast<int>(i));
  }
  return reached;
}

// The block that dominates each one next; of the first one itself (Cooper, Harvey and Kennedy, A simple, fast
// dominance algorithm).
std::vector<int> ImmediateDominators(const std::vector<BasicBlock>& blocks) {
  std::vector<int> dominator(blocks.size(), -1);
  dominator[0] = 0;
  const auto common = [&](int a, int b) {
    while (a != b) (a > b ? a : b) = dominator[std::max(a, b)];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 1; i < blocks.size(); ++i) {
      int next = -1;
      for (const int predecessor : blocks[i].predecessors) {
        if (dominator[predecessor] >= 0) next = next < 0 ? predecessor : common(next, predecessor);
      }
      changed |= dominator[i] != next;
      dominator[i] = next;
    }
  }
  return dominator;
}

std::vector<int> LoopBlocks(const std::vector<BasicBlock>& blocks, int header,
                            const std::vector<int>& latches) {
  std::vector<bool> in(blocks.size());
  in[header] = true;
  std::vector<int> found = {header}, todo;
  const auto add = [&](int block) {
    if (in[block]) return;
    in[block] = true;
    found.push_back(block);
    todo.push_back(block);
  };
  for (const int latch : latches) add(latch);
  while (!todo.empty()) {
    const int block = todo.back();
    todo.pop_back();
    for (const int predecessor : blocks[block].predecessors) add(predecessor);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// By headers, which stand outer ones first in reverse postorder.
absl::Status FindLoops(const PtxFunction& function, ControlFlow* flow) {
  const std::vector<int> dominator = ImmediateDominators(flow->blocks);
  for (size_t i = 0; i < dominator.size(); ++i) flow->blocks[i].dominator = dominator[i];
  std::map<int, std::vector<int>> latches;
  for (size_t from = 0; from < flow->blocks.size(); ++from) {
    for (const int to : flow->blocks[from].successors) {
      if (to > static_cast<int>(from)) continue;
      if (flow->Dominates(to, static_cast<int>(from)))
        latches[to].push_back(static_cast<int>(from));
      else
        flow->is_irreducible = true;
    }
  }
  for (auto& [header, of_header] : latches) {
    NaturalLoop loop;
    loop.header = header;
    loop.latches = std::move(of_header);
    loop.blocks = LoopBlocks(flow->blocks, header, loop.latches);
    loop.parent = flow->blocks[header].loop;
    if (loop.parent >= 0) loop.depth = flow->loops[loop.parent].depth + 1;
    if (loop.depth > kMostDepth) return TooMuch(function, "loops in each other");
    for (const int block : loop.blocks) flow->blocks[block].loop = static_cast<int>(flow->loops.size());
    flow->loops.push_back(std::move(loop));
  }
  return absl::OkStatus();
}

// Blocks of which all before them are there, those of the loop that was entered last first.
void FindOrder(ControlFlow* flow) {
  const size_t count = flow->blocks.size();
  std::vector<int> waits_for(count);
  // Numbers rise along every way but those back.
  for (size_t from = 0; from < count; ++from) {
    for (const int to : flow->blocks[from].successors) waits_for[to] += to > static_cast<int>(from);
  }
  std::set<int> ready = {0};
  std::vector<int> entered = {-1};
  while (!ready.empty()) {
    auto next = ready.begin();
    while (next != ready.end() && !flow->Contains(entered.back(), *next)) ++next;
    if (next == ready.end()) {
      entered.pop_back();
      continue;
    }
    const int block = *next;
    ready.erase(next);
    const int loop = flow->blocks[block].loop;
    if (loop >= 0 && flow->loops[loop].header == block) entered.push_back(loop);
    flow->order.push_back(block);
    for (const int to : flow->blocks[block].successors) {
      if (to > block && --waits_for[to] == 0) ready.insert(to);
    }
  }
  flow->position.resize(count);
  for (size_t i = 0; i < count; ++i) flow->position[flow->order[i]] = static_cast<int>(i);
}

}  // namespace

bool ControlFlow::Contains(int loop, int block) const {
  int around = blocks[block].loop;
  while (around >= 0 && around != loop) around = loops[around].parent;
  return around == loop;
}

bool ControlFlow::Dominates(int above, int block) const {
  while (block > above) block = blocks[block].dominator;
  return block == above;
}

int ControlFlow::LoopEnteredFrom(int block, int around) const {
  constexpr int kMostBlocksBefore = 8;
  for (int i = 0; i < kMostBlocksBefore; ++i) {
    const int loop = blocks[block].loop;
    if (loop >= 0 && loop != around && loops[loop].header == block) return loop;
    if (blocks[block].successors.size() != 1) return -1;
    block = blocks[block].successors[0];
  }
  return -1;
}

absl::StatusOr<ControlFlow> ControlFlowOf(const PtxFunction& function) {
  TUNE_ASSIGN_OR_RETURN(const std::vector<BasicBlock> blocks, BlockBuilder(function).Build());
  ControlFlow flow;
  flow.blocks = Renumbered(blocks);
  TUNE_RETURN_IF_ERROR(FindLoops(function, &flow));
  FindOrder(&flow);
  return flow;
}

}  // namespace tune
