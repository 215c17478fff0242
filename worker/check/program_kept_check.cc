#include "worker/check/program_kept_check.h"

#include <algorithm>

namespace tune {
namespace {

// Whether a loop inside of the scope, around which there are so many, says which element it is.
bool Varies(const KeptElement& kept, size_t loops_around, const RaisedNode& node) {
  for (size_t i = loops_around; i < node.iterators.size(); ++i) {
    const auto mentions = [&](const IndexExpression& subscript) {
      return Mentions(subscript, node.iterators[i]);
    };
    const std::vector<IndexExpression>& subscripts = kept.element.subscripts;
    if (std::any_of(subscripts.begin(), subscripts.end(), mentions)) return true;
  }
  return false;
}

absl::Status CheckNode(const CheckedKernel& checked, const RaisedNode& node, const KeptElement& kept,
                       size_t loops_around) {
  const std::string& array = kept.element.array;
  const auto* const instance = node.node->As<Instance>();
  if (instance == nullptr || checked.kernel->FindTile(array) != nullptr)
    return checked.Fault("an element of ", array, " cannot be kept in a variable where it is");
  if (Varies(kept, loops_around, node))
    return checked.Fault("a variable is kept for several elements of ", array);
  for (const ElementAccess& access : instance->accesses) {
    if (access.array != array || access == kept.element) continue;
    if (access.subscripts.size() != kept.element.subscripts.size())  // data decide which element it is
      return checked.Fault("an element of ", array, " may be touched while it is kept in a variable");
    const isl::map other = node.Function(access.subscripts, array);          // [i] -> A
    const isl::map element = node.Function(kept.element.subscripts, array);  // [i] -> A
    if (!other.intersect(element).intersect_params(checked.context).is_empty())
      return checked.Fault("an element of ", array, " is touched while it is kept in a variable");
  }
  return absl::OkStatus();
}

// Else another thread's element would be stored as it was before.
absl::Status CheckTouched(const CheckedKernel& checked, const KeptElement& kept) {
  for (const RaisedNode& node : checked.nodes) {
    const auto* const instance = node.node->As<Instance>();
    const bool inside = std::any_of(node.kept.begin(), node.kept.end(),
                                    [&](const auto& around) { return around.first == &kept; });
    if (instance == nullptr || !inside) continue;
    const std::vector<ElementAccess>& accesses = instance->accesses;
    if (std::find(accesses.begin(), accesses.end(), kept.element) != accesses.end()) return absl::OkStatus();
  }
  return checked.Fault("an element of ", kept.element.array, " is kept in a variable that nothing uses");
}

}  // namespace

absl::Status CheckKeptElements(const CheckedKernel& checked) {
  for (const RaisedNode& node : checked.nodes) {
    for (const auto& [kept, loops_around] : node.kept)
      TUNE_RETURN_IF_ERROR(CheckNode(checked, node, *kept, loops_around));
  }
  absl::Status status;
  ForEachNode(checked.kernel->body, [&](const Node& node) {
    const auto* const scope = node.As<Scope>();
    if (scope == nullptr) return;
    for (const KeptElement& kept : scope->kept) {
      if (status.ok()) status = CheckTouched(checked, kept);
    }
  });
  return status;
}

}  // namespace tune
