#include "worker/check/program_barrier_check.h"

#include <algorithm>
#include <map>
#include <utility>

#include "worker/check/placement.h"

namespace tune {
namespace {

bool IsCollective(const Node& node) {
  return node.As<Barrier>() != nullptr || node.As<BlockReduction>() != nullptr;
}

// Every thread of the block, or none.
absl::Status CheckMet(const CheckedKernel& checked, const RaisedNode& node) {
  if (!node.by_thread_number.empty())
    return checked.Fault("a barrier is met by some threads of a block only");
  const isl::union_set runs = isl::union_set(node.domain).intersect_params(checked.context);
  const isl::union_set by_some = ProjectOut(runs, checked.threads).intersect_params(checked.context);
  const isl::union_set missed = by_some.subtract(runs);
  if (missed.is_empty()) return absl::OkStatus();
  return checked.Fault("not all threads of a block reach a barrier: ", Example(missed));
}

// What happened to one copy of a tile on some path that leads here.
struct CopyState {
  bool fill_open = false;  // no barrier since the last fill
  bool read_open = false;  // no barrier since a read
  bool stale = false;      // another copy was filled since
  bool operator==(const CopyState&) const = default;
};

// By the copy: of tiles with two, number 0 is the one in use, whichever that is.
using TileState = std::vector<CopyState>;
using State = std::map<std::string, TileState>;

CopyState Join(const CopyState& a, const CopyState& b) {
  return {a.fill_open || b.fill_open, a.read_open || b.read_open, a.stale || b.stale};
}

State Join(const State& a, const State& b) {
  State joined = a;
  for (auto& [name, copies] : joined) {
    for (size_t i = 0; i < copies.size(); ++i) copies[i] = Join(copies[i], b.at(name)[i]);
  }
  return joined;
}

class Flow {
 public:
  explicit Flow(const CheckedKernel& checked) : checked_(checked) {
    for (const Tile& tile : checked.kernel->tiles) {
      if (tile.shared) state_[tile.name].resize(static_cast<size_t>(tile.copies));
    }
    // Another call of the function may have left reads behind.
    for (auto& [name, copies] : state_) {
      for (CopyState& copy : copies) copy.read_open = checked.kernel->is_function;
    }
  }

  absl::Status Check(const Block& block) {
    for (const Node& node : block) TUNE_RETURN_IF_ERROR(Check(node));
    return absl::OkStatus();
  }

 private:
  absl::Status Check(const Node& node) {
    if (const auto* loop = node.As<Loop>()) return CheckLoop(*loop);
    if (const auto* branch = node.As<Condition>()) return CheckBranches(*branch);
    if (const auto* scope = node.As<Scope>()) return Check(scope->body);
    if (node.As<Barrier>() != nullptr) return PassBarrier();
    if (const auto* swap = node.As<SwapBuffers>()) return Swap(*swap);
    if (const auto* fill = node.As<Fill>()) return CheckFill(*fill);
    if (const auto* instance = node.As<Instance>()) {
      const int target = checked_.scop->statement(instance->statement).proto->target();
      for (size_t i = 0; i < instance->accesses.size(); ++i)
        TUNE_RETURN_IF_ERROR(CheckUse(instance->accesses[i], static_cast<int>(i) == target));
    }
    if (const auto* transfer = node.As<Transfer>()) {
      TUNE_RETURN_IF_ERROR(CheckUse(transfer->to, true));
      return CheckUse(transfer->from, false);
    }
    return absl::OkStatus();
  }

  // What an iteration leaves is what the next one finds; there may be none.
  absl::Status CheckLoop(const Loop& loop) {
    for (;;) {
      const State before = state_;
      TUNE_RETURN_IF_ERROR(Check(loop.body));
      state_ = Join(before, state_);
      if (state_ == before) return absl::OkStatus();
    }
  }

  absl::Status CheckBranches(const Condition& branch) {
    const State before = state_;
    TUNE_RETURN_IF_ERROR(Check(branch.then));
    const State after_then = std::exchange(state_, before);
    TUNE_RETURN_IF_ERROR(Check(branch.otherwise));
    const bool only_fills = branch.otherwise.empty() && MentionsLane(branch.condition);
    // A thread that does not fill waits with the others for those that do.
    state_ = only_fills ? after_then : Join(after_then, state_);
    return absl::OkStatus();
  }

  bool MentionsLane(const IndexExpression& condition) const {
    return Mentions(condition, checked_.names.lane);
  }

  absl::Status PassBarrier() {
    for (auto& [name, copies] : state_) {
      for (CopyState& copy : copies) copy.fill_open = copy.read_open = false;
    }
    return absl::OkStatus();
  }

  absl::Status Swap(const SwapBuffers& swap) {
    for (auto& [name, copies] : state_) {
      if (copies.size() == 2) std::swap(copies[0], copies[1]);
    }
    if (swap.variable == checked_.names.buffer) return absl::OkStatus();
    return checked_.Fault("it changes a variable that says nothing of copies of tiles");
  }

  // Null when the access is to no tile in shared memory; an error when it does not say which copy it is of.
  absl::StatusOr<CopyState*> CopyOf(const ElementAccess& access) {
    const auto found = state_.find(access.array);
    if (found == state_.end()) return nullptr;
    const bool says = !access.subscripts.empty() && access.subscripts[0].IsName(checked_.names.buffer);
    if (found->second.size() > 2 || (found->second.size() == 2 && !says))
      return checked_.Fault("an access to tile ", access.array, " does not say to which copy");
    return &found->second[0];
  }

  absl::Status CheckFill(const Fill& fill) {
    for (const TileFill& part : fill.tiles) {
      TUNE_ASSIGN_OR_RETURN(CopyState* const copy, CopyOf(part.to));
      if (copy == nullptr) return checked_.Fault("it fills what is no tile in shared memory");
      if (copy->read_open || copy->fill_open)
        return checked_.Fault("no barrier stands between what threads do with tile ", part.to.array,
                              " and its next fill");
      for (CopyState& other : state_.at(part.to.array)) other.stale = true;
      copy->stale = false;
      copy->fill_open = true;
    }
    return absl::OkStatus();
  }

  absl::Status CheckUse(const ElementAccess& access, bool writes) {
    TUNE_ASSIGN_OR_RETURN(CopyState* const copy, CopyOf(access));
    if (copy == nullptr) return absl::OkStatus();
    if (writes) return checked_.Fault("a statement writes tile ", access.array, " in shared memory");
    if (copy->fill_open)
      return checked_.Fault("no barrier stands between the fill of tile ", access.array,
                            " and what reads it");
    if (copy->stale) return checked_.Fault("the copy of tile ", access.array, " that is read is an old one");
    copy->read_open = true;
    return absl::OkStatus();
  }

  const CheckedKernel& checked_;
  State state_;
};

}  // namespace

absl::Status CheckProgramBarriers(const CheckedKernel& checked) {
  for (const RaisedNode& node : checked.nodes) {
    if (IsCollective(*node.node)) TUNE_RETURN_IF_ERROR(CheckMet(checked, node));
  }
  return Flow(checked).Check(checked.kernel->body);
}

bool HasBarrier(const DeviceKernel& kernel) {
  bool found = false;
  ForEachNode(kernel.body, [&](const Node& node) { found = found || IsCollective(node); });
  return found;
}

}  // namespace tune
