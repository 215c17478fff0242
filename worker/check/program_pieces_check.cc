#include "worker/check/program_pieces_check.h"

#include "common/program/collected_stores.h"
#include "common/program/loop_body.h"
#include "common/program/row_access.h"

namespace tune {
namespace {

class PiecesCheck {
 public:
  PiecesCheck(const CheckedKernel& checked, const Loop& loop) : checked_(checked), loop_(loop) {}

  // Those that a loop stores at once are checked with what it loads so (program_ahead_check.h).
  absl::Status Check() const {
    if (loop_.wide) return absl::OkStatus();
    const int64_t widest = WidestPiece(loop_);
    if (loop_.phase < 0 || loop_.phase >= widest) return Fault("begins pieces in no iteration");
    if (widest == 1 && loop_.collected.empty()) return absl::OkStatus();
    if (loop_.ahead == 0 || !HasStatementsAlone(loop_.body))
      return Fault("has pieces of rows, and does not load ahead");
    for (const KeptElement& fetched : loop_.fetched) {
      if (fetched.width != 1) TUNE_RETURN_IF_ERROR(CheckPiece(fetched));
    }
    for (size_t i = 0; i < loop_.collected.size(); ++i) TUNE_RETURN_IF_ERROR(CheckCollected(i));
    return absl::OkStatus();
  }

 private:
  template <typename... Parts>
  absl::Status Fault(const Parts&... parts) const {
    return checked_.Fault("the loop of ", loop_.iterator, " ", parts...);
  }

  // Null where the kernel takes no such array. `writes`: what it does with it.
  const DeviceArray* FindArray(const KeptElement& kept, bool writes) const {
    for (const KernelArray& used : checked_.kernel->arrays) {
      const DeviceArray& array = checked_.program->arrays[used.array];
      if (array.scop_name == kept.element.array && array.type == kept.type && used.writes == writes &&
          checked_.kernel->FindTile(array.scop_name) == nullptr)
        return &array;
    }
    return nullptr;
  }

  absl::Status CheckPiece(const KeptElement& kept, bool writes = false) const {
    const std::string& name = kept.element.array;
    const DeviceArray* const array = FindArray(kept, writes);
    if (array == nullptr || !LoadsPlainly(*checked_.kernel, checked_.program->arrays, name))
      return Fault("has pieces of ", name, ", which is no such array");
    if (kept.width < 2 || kept.width != ElementsOfPiece(kept.type) || loop_.ahead % kept.width != 0)
      return Fault("has pieces of ", name, " of no such width");
    if (PhaseInRow(kept.element, *array, loop_.iterator, kept.width) != loop_.phase % kept.width)
      return Fault("has pieces of ", name,
                   " that do not begin where several elements can be accessed at once");
    return absl::OkStatus();
  }

  absl::Status CheckCollected(size_t number) const {
    const KeptElement& kept = loop_.collected[number];
    TUNE_RETURN_IF_ERROR(CheckPiece(kept, /*writes=*/true));
    for (size_t i = 0; i < number; ++i) {
      if (loop_.collected[i].element.array == kept.element.array)
        return Fault("collects elements of ", kept.element.array, " twice");
    }
    if (!CanCollect(loop_, kept.element, loop_.ahead, checked_.scop->proto))
      return Fault("collects elements of ", kept.element.array, " whose stores cannot wait");
    return absl::OkStatus();
  }

  const CheckedKernel& checked_;
  const Loop& loop_;
};

}  // namespace

absl::Status CheckRowPieces(const CheckedKernel& checked) {
  absl::Status status;
  ForEachNode(checked.kernel->body, [&](const Node& node) {
    if (!status.ok()) return;
    if (const auto* const loop = node.As<Loop>()) status = PiecesCheck(checked, *loop).Check();
    if (const auto* const transfer = node.As<Transfer>(); transfer != nullptr && transfer->width != 1)
      status = checked.Fault("a copy of ", transfer->from.array, " has several elements");
  });
  return status;
}

}  // namespace tune
