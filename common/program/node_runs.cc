#include "common/program/node_runs.h"

#include <utility>

namespace tune {
namespace {

class RunReplacing {
 public:
  explicit RunReplacing(const NodeRuns& runs) : runs_(runs) {}

  Block In(const Block& block) {
    Block replaced, run;
    const auto close = [&] {
      if (!run.empty()) replaced.push_back(runs_.replacement(run, iterators_));
      run.clear();
    };
    for (const Node& node : block) {
      if (runs_.is_member(node)) {
        if (!run.empty() && !runs_.follows(node, run)) close();
        run.push_back(node);
        continue;
      }
      close();
      replaced.push_back(Below(node));
    }
    close();
    return replaced;
  }

 private:
  Node Below(Node node) {
    const auto* const loop = node.As<Loop>();
    if (loop != nullptr) iterators_.push_back(loop->iterator);
    for (Block* inner : node.blocks()) *inner = In(*inner);
    if (loop != nullptr) iterators_.pop_back();
    return node;
  }

  const NodeRuns& runs_;
  std::vector<std::string> iterators_;  // of the loops around
};

}  // namespace

Block ReplaceRuns(const Block& block, const NodeRuns& runs) { return RunReplacing(runs).In(block); }

}  // namespace tune
