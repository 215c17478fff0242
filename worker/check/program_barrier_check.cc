#include "worker/check/program_barrier_check.h"

#include <optional>
#include <utility>

#include "common/program/loop_condition.h"
#include "common/program/node_accesses.h"
#include "worker/check/copy_states.h"
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

// A loop whose iterator says which copies of tiles are used: iteration n uses those with the number that its
// first iteration has, and n more.
struct CopyLoop {
  const Loop* loop = nullptr;
  int64_t first = 0;
};

class Flow {
 public:
  explicit Flow(const CheckedKernel& checked) : checked_(checked), states_(*checked.kernel) {}

  absl::Status Check(const Block& block) {
    for (const Node& node : block) TUNE_RETURN_IF_ERROR(Check(node));
    return absl::OkStatus();
  }

 private:
  absl::Status Check(const Node& node) {
    if (const auto* loop = node.As<Loop>()) return CheckLoop(*loop);
    if (const auto* branch = node.As<Condition>()) return CheckBranches(*branch);
    if (const auto* scope = node.As<Scope>()) return Check(scope->body);
    if (const auto* fill = node.As<Fill>()) return CheckFill(*fill);
    if (node.As<Barrier>() != nullptr) states_.PassBarrier();
    if (node.As<CommitFills>() != nullptr) states_.Commit();
    if (const auto* await = node.As<AwaitFills>()) states_.Await(await->open);
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

  absl::Status CheckLoop(const Loop& loop) {
    if (ChoosesCopies(loop)) return CheckCopyLoop(loop);
    return CheckIterations(loop, /*rotate=*/0);
  }

  // What an iteration leaves is what the next one finds; there may be none.
  absl::Status CheckIterations(const Loop& loop, int64_t rotate) {
    for (;;) {
      const CopyStates before = states_;
      TUNE_RETURN_IF_ERROR(Check(loop.body));
      states_.Rotate(rotate);
      states_.Join(before);
      if (states_ == before) return absl::OkStatus();
    }
  }

  // Inside, number 0 is the copy that the first iteration calls so, then the next one.
  absl::Status CheckCopyLoop(const Loop& loop) {
    const IndexExpression first = Folded(loop.first);
    if (copy_loop_ || !first.IsConstant() || loop.step != IndexExpression::Constant(1))
      return checked_.Fault("it cannot be told which copies of tiles the loop of ", loop.iterator, " uses");
    const CopyStates before = states_;
    copy_loop_ = CopyLoop{&loop, first.value};
    TUNE_RETURN_IF_ERROR(CheckIterations(loop, /*rotate=*/1));
    copy_loop_.reset();
    if (const std::optional<int64_t> last = LastIteration(loop); last && *last >= first.value) {
      states_.Rotate(first.value - *last - 1);
    } else {
      states_.Mix();
      states_.Join(before);
    }
    return absl::OkStatus();
  }

  bool ChoosesCopies(const Loop& loop) const {
    bool found = false;
    const auto look = [&](const ElementAccess& access) {
      const Tile* const tile = checked_.kernel->FindTile(access.array);
      found = found || (tile != nullptr && tile->copies > 1 && !access.subscripts.empty() &&
                        Mentions(access.subscripts[0], loop.iterator));
    };
    ForEachNode(loop.body, [&](const Node& node) {
      ForEachAccess(node, look);
      if (const auto* fill = node.As<Fill>()) {
        for (const TileFill& part : fill->tiles) look(part.to);
      }
    });
    return found;
  }

  absl::Status CheckBranches(const Condition& branch) {
    const CopyStates before = states_;
    TUNE_RETURN_IF_ERROR(Check(branch.then));
    const CopyStates after_then = std::exchange(states_, before);
    TUNE_RETURN_IF_ERROR(Check(branch.otherwise));
    const bool only_fills = branch.otherwise.empty() && Mentions(branch.condition, checked_.names.lane);
    // A thread that does not fill waits with the others for those that do.
    if (only_fills) {
      states_ = after_then;
    } else {
      states_.Join(after_then);
    }
    return absl::OkStatus();
  }

  // The number of the copy that is accessed; an error when the access does not say it.
  absl::StatusOr<int64_t> NumberOf(const ElementAccess& access, const Tile& tile) const {
    if (tile.copies == 1) return 0;
    if (access.subscripts.empty()) return Unsaid(access);
    const IndexExpression& said = access.subscripts[0];
    if (!copy_loop_) {
      if (!said.IsConstant()) return Unsaid(access);
      return said.value;
    }
    const std::optional<int64_t> more = Offset(said, tile.copies);
    if (!more || copy_loop_->first + *more < 0) return Unsaid(access);
    return (copy_loop_->first + *more) % tile.copies;
  }

  absl::Status Unsaid(const ElementAccess& access) const {
    return checked_.Fault("an access to tile ", access.array, " does not say to which copy");
  }

  // c of (iterator + c) % copies.
  std::optional<int64_t> Offset(const IndexExpression& said, int64_t copies) const {
    if (said.op != IndexExpression::Op::kRemainder || said.operands[1] != IndexExpression::Constant(copies))
      return {};
    return Distance(said.operands[0]);
  }

  // c of iterator + c, a sum of numbers.
  std::optional<int64_t> Distance(const IndexExpression& number) const {
    if (number.IsName(copy_loop_->loop->iterator)) return 0;
    const bool adds = number.op == IndexExpression::Op::kAdd;
    if ((!adds && number.op != IndexExpression::Op::kSubtract) || number.operands.size() != 2 ||
        !number.operands[1].IsConstant())
      return {};
    const std::optional<int64_t> distance = Distance(number.operands[0]);
    const int64_t more = number.operands[1].value;
    return distance ? std::optional(adds ? *distance + more : *distance - more) : std::nullopt;
  }

  // Null when the access is to no tile in shared memory.
  absl::StatusOr<CopyState*> CopyOf(const ElementAccess& access) {
    const Tile* const tile = checked_.kernel->FindTile(access.array);
    if (tile == nullptr || !tile->shared) return nullptr;
    TUNE_ASSIGN_OR_RETURN(const int64_t number, NumberOf(access, *tile));
    CopyState* const copy = states_.Find(access.array, number);
    if (copy == nullptr) return checked_.Fault("tile ", access.array, " has no copy ", number);
    return copy;
  }

  absl::Status CheckFill(const Fill& fill) {
    for (const TileFill& part : fill.tiles) {
      TUNE_ASSIGN_OR_RETURN(CopyState* const copy, CopyOf(part.to));
      if (copy == nullptr) return checked_.Fault("it fills what is no tile in shared memory");
      if (copy->read_open || copy->fill_open)
        return checked_.Fault("no barrier stands between what threads do with tile ", part.to.array,
                              " and its next fill");
      copy->fill_open = true;
      if (part.asynchronous) copy->groups = 0;
    }
    return absl::OkStatus();
  }

  absl::Status CheckUse(const ElementAccess& access, bool writes) {
    TUNE_ASSIGN_OR_RETURN(CopyState* const copy, CopyOf(access));
    if (copy == nullptr) return absl::OkStatus();
    if (writes) return checked_.Fault("a statement writes tile ", access.array, " in shared memory");
    if (copy->groups)
      return checked_.Fault("nothing waits for the copies into tile ", access.array, " before it is read");
    if (copy->fill_open)
      return checked_.Fault("no barrier stands between the fill of tile ", access.array,
                            " and what reads it");
    copy->read_open = true;
    return absl::OkStatus();
  }

  const CheckedKernel& checked_;
  CopyStates states_;
  std::optional<CopyLoop> copy_loop_;
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
