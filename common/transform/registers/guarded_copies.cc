#include "common/transform/registers/guarded_copies.h"

#include <algorithm>
#include <iterator>

namespace tune {
namespace {

// Whether the node copies between registers and arrays, and does nothing else.
bool OnlyCopies(const Node& node) {
  bool only = true, copies = false;
  ForEachNode({node}, [&](const Node& inner) {
    copies = copies || inner.As<Transfer>() != nullptr;
    only = only && (inner.As<Transfer>() != nullptr || inner.As<Loop>() != nullptr ||
                    inner.As<Condition>() != nullptr || inner.As<Scope>() != nullptr ||
                    inner.As<Definition>() != nullptr);
  });
  return only && copies;
}

}  // namespace

void CopyInsideCondition(DeviceKernel* kernel) {
  Block& body = kernel->body;
  const auto is_work = [](const Node& node) { return node.As<Definition>() == nullptr && !OnlyCopies(node); };
  const auto found = std::find_if(body.begin(), body.end(), is_work);
  if (found == body.end() || std::count_if(body.begin(), body.end(), is_work) > 1) return;
  auto* const condition = found->As<Condition>();
  if (condition == nullptr || !condition->otherwise.empty()) return;
  Block inside, kept;  // kept: definitions
  for (auto node = body.begin(); node != body.end(); ++node) {
    if (node == found) {
      std::move(condition->then.begin(), condition->then.end(), std::back_inserter(inside));
    } else if (OnlyCopies(*node)) {
      inside.push_back(std::move(*node));
    } else {
      kept.push_back(std::move(*node));
    }
  }
  kept.push_back({Condition{std::move(condition->condition), std::move(inside), {}}});
  body = std::move(kept);
}

}  // namespace tune
