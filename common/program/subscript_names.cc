#include "common/program/subscript_names.h"

#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/program/loop_condition.h"
#include "common/program/node_accesses.h"

namespace tune {
namespace {

// A name for which a condition says what it is as a function of an iterator: `h0 == 2 * c + 8`.
struct NameOfIterator {
  std::string name;
  IndexExpression value;
  const Loop* loop;  // of the iterator
};

class SubscriptNaming {
 public:
  SubscriptNaming(const HelperNames& names, const std::string& array) : array_(array) {
    for (int axis = 0; axis < 3; ++axis)
      coordinates_.push_back(IndexExpression::Name(absl::StrCat(names.thread, axis)));
  }

  void Apply(Block* block) {
    for (Node& node : *block) {
      ForEachAccess(node, [&](ElementAccess& access) {
        if (access.array == array_) Rename(&access);
      });
      if (auto* const branch = node.As<Condition>()) {
        const auto known = std::make_pair(equal_, functions_);
        Learn(branch->condition);
        Apply(&branch->then);
        std::tie(equal_, functions_) = known;
        Apply(&branch->otherwise);
        continue;
      }
      const auto* const loop = node.As<Loop>();
      if (loop != nullptr && FixedIterations(*loop)) loops_.push_back(loop);
      for (Block* inner : node.blocks()) Apply(inner);
      if (loop != nullptr && FixedIterations(*loop)) loops_.pop_back();
    }
  }

 private:
  // What holds where the condition does.
  void Learn(const IndexExpression& condition) {
    if (condition.op == IndexExpression::Op::kAnd) {
      for (const IndexExpression& part : condition.operands) Learn(part);
    } else if (condition.op == IndexExpression::Op::kEqual) {
      const IndexExpression &left = condition.operands[0], &right = condition.operands[1];
      for (size_t axis = 0; axis < coordinates_.size(); ++axis) {
        if (left == coordinates_[axis]) equal_.emplace_back(axis, right);
        if (right == coordinates_[axis]) equal_.emplace_back(axis, left);
      }
      LearnFunction(left, right);
      LearnFunction(right, left);
    }
  }

  void LearnFunction(const IndexExpression& name, const IndexExpression& value) {
    std::set<std::string> mentioned;
    CollectNames(value, &mentioned);
    if (name.op != IndexExpression::Op::kName || mentioned.size() != 1) return;
    for (const Loop* loop : loops_)
      if (mentioned.count(loop->iterator) > 0) functions_.push_back({name.name, value, loop});
  }

  // Whether the subscript, of which nothing but the name is known, is the iterator in all iterations.
  static bool IsIterator(const IndexExpression& subscript, const NameOfIterator& function) {
    std::set<std::string> mentioned;
    CollectNames(subscript, &mentioned);
    if (mentioned != std::set<std::string>{function.name}) return false;
    const int64_t first = function.loop->first.value, count = *FixedIterations(*function.loop);
    for (int64_t value = first; value < first + count; ++value) {
      const auto of_iterator = [&](const std::string&) { return value; };
      const int64_t name = Evaluate(function.value, of_iterator);
      if (Evaluate(subscript, [&](const std::string&) { return name; }) != value) return false;
    }
    return true;
  }

  void Rename(ElementAccess* access) const {
    const size_t count = access->subscripts.size();
    for (const auto& [axis, value] : equal_) {
      if (axis >= count) continue;
      IndexExpression& subscript = access->subscripts[count - 1 - axis];
      if (subscript == value) subscript = coordinates_[axis];
    }
    for (IndexExpression& subscript : access->subscripts) {
      for (const NameOfIterator& function : functions_)
        if (IsIterator(subscript, function)) subscript = IndexExpression::Name(function.loop->iterator);
    }
  }

  const std::string& array_;
  std::vector<IndexExpression> coordinates_;
  std::vector<const Loop*> loops_;  // around, whose bounds are numbers
  // Here: axis and value of its coordinate; and of other names.
  std::vector<std::pair<size_t, IndexExpression>> equal_;
  std::vector<NameOfIterator> functions_;
};

}  // namespace

void NameSubscripts(const HelperNames& names, const std::string& array, DeviceKernel* kernel) {
  SubscriptNaming(names, array).Apply(&kernel->body);
}

}  // namespace tune
