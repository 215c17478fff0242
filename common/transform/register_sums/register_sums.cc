#include "common/transform/register_sums/register_sums.h"

#include <algorithm>
#include <map>

#include "common/program/loop_condition.h"
#include "common/program/rewrite.h"

namespace tune {
namespace {

bool Updates(const v1::Statement& statement) {
  return statement.update() == v1::ADD || statement.update() == v1::MULTIPLY ||
         statement.update() == v1::MIN || statement.update() == v1::MAX;
}

bool Mentions(const ElementAccess& access, const std::string& name) {
  for (const IndexExpression& subscript : access.subscripts) {
    if (Mentions(subscript, name)) return true;
  }
  return false;
}

// Whether the iterator, as some subscript of `other`, stays below the one of `element`.
bool StaysBelow(const Loop& loop, const ElementAccess& other, const ElementAccess& element) {
  const bool below = loop.condition.op == IndexExpression::Op::kLess && IsCanonical(loop) &&
                     other.subscripts.size() == element.subscripts.size();
  for (size_t i = 0; below && i < element.subscripts.size(); ++i) {
    if (other.subscripts[i].IsName(loop.iterator) && element.subscripts[i] == loop.condition.operands[1])
      return true;
  }
  return false;
}

class SumFinder {
 public:
  SumFinder(const v1::Scop& scop, const IsOtherElement& is_other) : is_other_(is_other) {
    for (const v1::Array& array : scop.arrays()) types_[array.name()] = array.element_type();
    for (const v1::Statement& statement : scop.statements()) statements_[statement.name()] = &statement;
  }

  // The targets of such statements; none when the body is more than statements.
  std::vector<KeptElement> Find(const Loop& loop) const {
    const auto is_statement = [](const Node& node) {
      const auto* const instance = node.As<Instance>();
      return instance != nullptr && !instance->atomic && !instance->guarded;
    };
    if (!std::all_of(loop.body.begin(), loop.body.end(), is_statement)) return {};
    std::vector<KeptElement> kept;
    for (const Node& node : loop.body) {
      const auto* const instance = node.As<Instance>();
      const v1::Statement& statement = *statements_.at(instance->statement);
      const ElementAccess& target = instance->accesses[statement.target()];
      const auto type = types_.find(target.array);
      const bool is_element = !target.subscripts.empty() && type != types_.end();
      if (Updates(statement) && is_element && !Mentions(target, loop.iterator) && IsAlone(target, loop))
        kept.push_back({target, type->second});
    }
    return kept;
  }

 private:
  // Whether what else the loop's statements access are other elements.
  bool IsAlone(const ElementAccess& target, const Loop& loop) const {
    int same = 0;
    for (const Node& node : loop.body) {
      const auto& instance = *node.As<Instance>();
      for (size_t a = 0; a < instance.accesses.size(); ++a) {
        const ElementAccess& access = instance.accesses[a];
        if (access.array != target.array) continue;
        const bool may_be = &access == &target || !(is_other_(instance.statement, static_cast<int>(a)) ||
                                                    StaysBelow(loop, access, target));
        same += may_be ? 1 : 0;
      }
    }
    return same == 1;
  }

  const IsOtherElement& is_other_;
  std::map<std::string, v1::ElementType> types_;
  std::map<std::string, const v1::Statement*> statements_;
};

}  // namespace

void KeepSumsInRegisters(const v1::Scop& scop, const IsOtherElement& is_other, Block* block) {
  const SumFinder finder(scop, is_other);
  ReplaceNodes(block, [&](Node& node) -> std::optional<Block> {
    const auto* const loop = node.As<Loop>();
    if (loop == nullptr || loop->parallel || loop->simd) return std::nullopt;
    std::vector<KeptElement> kept = finder.Find(*loop);
    if (kept.empty()) return std::nullopt;
    const bool has_iterations = HasConstantBounds(*loop);  // isl makes no loop without
    IndexExpression condition = Folded(Replace(loop->condition, loop->iterator, loop->first));
    Block scope = {{Scope{{std::move(node)}, std::move(kept)}}};
    if (has_iterations) return scope;
    return Block{{Condition{std::move(condition), std::move(scope), {}}}};
  });
}

}  // namespace tune
