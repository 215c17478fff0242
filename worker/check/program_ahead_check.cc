#include "worker/check/program_ahead_check.h"

#include <algorithm>

#include "common/program/loop_body.h"
#include "common/program/loop_condition.h"
#include "common/program/neighbour_access.h"
#include "common/program/node_accesses.h"
#include "common/program/updated_in_place.h"

namespace tune {
namespace {

class AheadCheck {
 public:
  AheadCheck(const CheckedKernel& checked, const Loop& loop) : checked_(checked), loop_(loop) {}

  absl::Status Check() const {
    if (loop_.ahead < 0 || (loop_.ahead == 0) != loop_.fetched.empty() || (loop_.wide && loop_.ahead == 0))
      return Fault("loads nothing ahead, or by no number of iterations");
    if (loop_.ahead == 0) return absl::OkStatus();
    if (loop_.wide) TUNE_RETURN_IF_ERROR(CheckWide());
    const bool plain = IsCanonical(loop_) && !Mentions(loop_.condition.operands[1], loop_.iterator) &&
                       loop_.step == IndexExpression::Constant(1) && (loop_.points == 0 || loop_.wide);
    if (!plain) return Fault("loads ahead, and is not of step 1 up to a bound");
    if (!HasStatementsAlone(loop_.body)) return Fault("loads ahead, and holds more than statements");
    for (const KeptElement& fetched : loop_.fetched) TUNE_RETURN_IF_ERROR(CheckElement(fetched));
    return absl::OkStatus();
  }

 private:
  template <typename... Parts>
  absl::Status Fault(const Parts&... parts) const {
    return checked_.Fault("the loop of ", loop_.iterator, " ", parts...);
  }

  // All iterations, and neighbours that can be loaded at once.
  absl::Status CheckWide() const {
    if (loop_.first != IndexExpression::Constant(0) || FixedIterations(loop_) != loop_.ahead)
      return Fault("loads at once, and has other iterations");
    if (loop_.phase != 0) return Fault("loads at once, and begins in some later iteration");
    for (const KeptElement& collected : loop_.collected) TUNE_RETURN_IF_ERROR(CheckStored(collected));
    for (const KeptElement& fetched : loop_.fetched) {
      if (fetched.width != 1) return Fault("loads all at once, and pieces");
      for (const DeviceArray& array : checked_.program->arrays) {
        if (array.scop_name == fetched.element.array &&
            !AreNeighbours(fetched.element, array, loop_.iterator, loop_.ahead))
          return Fault("loads elements of ", array.scop_name, " at once that are no neighbours");
      }
      if (!LoadsPlainly(*checked_.kernel, checked_.program->arrays, fetched.element.array))
        return Fault("loads elements of ", fetched.element.array, " at once that are not read plainly");
    }
    return absl::OkStatus();
  }

  // What is stored at once was loaded so, and is updated in between.
  absl::Status CheckStored(const KeptElement& collected) const {
    const std::string& array = collected.element.array;
    if (collected.width != ElementsOfLoad(collected.type, loop_.ahead))
      return Fault("stores elements of ", array, " at once, of another number than it loads");
    const auto same = [&](const KeptElement& other) { return other.element == collected.element; };
    const auto times = [&](const std::vector<KeptElement>& elements) {
      return std::count_if(elements.begin(), elements.end(), same);
    };
    if (times(loop_.fetched) != 1 || times(loop_.collected) != 1)
      return Fault("stores elements of ", array, " at once that it has not loaded so, or twice");
    if (!IsUpdatedInPlace(loop_, collected.element, checked_.scop->proto))
      return Fault("stores elements of ", array, " at once whose stores cannot wait");
    return absl::OkStatus();
  }

  bool IsStored(const KeptElement& fetched) const {
    return loop_.wide &&
           std::any_of(loop_.collected.begin(), loop_.collected.end(), [&](const KeptElement& collected) {
             return collected.element == fetched.element && collected.type == fetched.type;
           });
  }

  absl::Status CheckElement(const KeptElement& fetched) const {
    const std::string& array = fetched.element.array;
    if (!IsArray(fetched, IsStored(fetched)))
      return Fault("loads ahead of ", array, ", which is written, no such array, or which data decide about");
    if (!IsReadDirectly(fetched.element))
      return Fault("loads an element of ", array, " ahead that not each iteration reads");
    return absl::OkStatus();
  }

  // Of the kernel's, which it writes, or not.
  bool IsArray(const KeptElement& fetched, bool written) const {
    const std::vector<KernelArray>& arrays = checked_.kernel->arrays;
    return checked_.kernel->FindTile(fetched.element.array) == nullptr &&
           std::any_of(arrays.begin(), arrays.end(), [&](const KernelArray& used) {
             const DeviceArray& array = checked_.program->arrays[used.array];
             return array.scop_name == fetched.element.array && used.writes == written &&
                    !array.extents.empty() && array.type == fetched.type &&
                    array.extents.size() == fetched.element.subscripts.size();
           });
  }

  // What the kernel does not write is read wherever it is accessed; what it updates, too.
  bool IsReadDirectly(const ElementAccess& element) const {
    bool found = false;
    for (const Node& node : loop_.body)
      ForEachAccess(node, [&](const ElementAccess& access) { found = found || access == element; });
    return found;
  }

  const CheckedKernel& checked_;
  const Loop& loop_;
};

}  // namespace

absl::Status CheckLoadsAhead(const CheckedKernel& checked) {
  absl::Status status;
  ForEachNode(checked.kernel->body, [&](const Node& node) {
    const auto* const loop = node.As<Loop>();
    if (loop != nullptr && status.ok()) status = AheadCheck(checked, *loop).Check();
  });
  return status;
}

}  // namespace tune
