#include "common/transform/register_sums/register_sums.h"

#include <map>

#include "absl/strings/str_cat.h"
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

class SumFinder {
 public:
  explicit SumFinder(const v1::Scop& scop) {
    for (const v1::Array& array : scop.arrays()) types_[array.name()] = array.element_type();
    for (const v1::Statement& statement : scop.statements()) statements_[statement.name()] = &statement;
  }

  // The targets of such statements; none when the body is more than statements.
  std::vector<ElementAccess*> Find(Loop* loop) const {
    std::map<std::string, int> accesses;  // of each array
    for (const Node& node : loop->body) {
      const auto* const instance = node.As<Instance>();
      if (instance == nullptr) return {};
      for (const ElementAccess& access : instance->accesses) ++accesses[access.array];
    }
    std::vector<ElementAccess*> targets;
    for (Node& node : loop->body) {
      auto* const instance = node.As<Instance>();
      const v1::Statement& statement = *statements_.at(instance->statement);
      ElementAccess& target = instance->accesses[statement.target()];
      const bool is_element = !target.subscripts.empty();
      if (Updates(statement) && is_element && accesses[target.array] == 1 &&
          !Mentions(target, loop->iterator))
        targets.push_back(&target);
    }
    return targets;
  }

  v1::ElementType TypeOf(const ElementAccess& element) const { return types_.at(element.array); }

 private:
  std::map<std::string, v1::ElementType> types_;
  std::map<std::string, const v1::Statement*> statements_;
};

}  // namespace

void KeepSumsInRegisters(const v1::Scop& scop, const HelperNames& names, OpenMpProgram* program) {
  const SumFinder finder(scop);
  ReplaceNodes(&program->body, [&](Node& node) -> std::optional<Block> {
    auto* const loop = node.As<Loop>();
    if (loop == nullptr || loop->parallel || loop->simd || loop->unroll > 1) return std::nullopt;
    Block begin, end;
    for (ElementAccess* target : finder.Find(loop)) {
      const ElementAccess sum = {absl::StrCat(names.reduction, begin.size()), {}};
      Transfer load{sum, *target, finder.TypeOf(*target)};
      load.declares = true;
      begin.push_back({std::move(load)});
      end.push_back({Transfer{*target, sum, finder.TypeOf(*target)}});
      *target = sum;
    }
    if (begin.empty()) return std::nullopt;
    const bool has_iterations = HasConstantBounds(*loop);  // isl makes no loop without
    IndexExpression condition = Replace(loop->condition, loop->iterator, loop->first);
    begin.push_back(std::move(node));
    begin.insert(begin.end(), end.begin(), end.end());
    if (has_iterations) return Block{{Scope{std::move(begin)}}};
    return Block{{Condition{std::move(condition), std::move(begin), {}}}};
  });
}

}  // namespace tune
