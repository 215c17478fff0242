#include "common/program/collected_stores.h"

#include <optional>

#include "common/program/instance_statement.h"
#include "common/program/node_accesses.h"
#include "common/program/row_access.h"

namespace tune {
namespace {

class Collecting {
 public:
  Collecting(const Loop& loop, const ElementAccess& element, int64_t iterations, const v1::Scop& scop)
      : loop_(loop), element_(element), iterations_(iterations), scop_(scop) {}

  bool IsPossible() {
    if (DirectionInRow(element_, loop_.iterator) == 0) return false;
    for (const Node& node : loop_.body) {
      if (!TouchesElements(node)) continue;
      if (const auto* instance = node.As<Instance>()) {
        if (!Run(*instance)) return false;
      } else if (const auto* transfer = node.As<Transfer>()) {
        if (!Run(*transfer)) return false;
      } else {
        return false;  // under a condition
      }
    }
    return written_;
  }

 private:
  bool TouchesElements(const Node& node) const {
    bool touches = false;
    const auto look = [&](const Node& inner) {
      ForEachAccess(inner, [&](const ElementAccess& access) { touches = touches || IsOfArray(access); });
    };
    look(node);
    for (const Block* block : node.blocks()) ForEachNode(*block, look);
    return touches;
  }

  bool IsOfArray(const ElementAccess& access) const { return access.array == element_.array; }

  // Reads come first.
  bool Run(const Instance& instance) {
    const v1::Statement* const statement = StatementOf(instance, scop_);
    if (instance.atomic || statement == nullptr) return false;
    bool writes = false;
    for (int i = 0; i < statement->accesses_size(); ++i) {
      const ElementAccess& access = instance.accesses[static_cast<size_t>(i)];
      if (!IsOfArray(access)) continue;
      const v1::Access::Kind kind = statement->accesses(i).kind();
      if (kind != v1::Access::WRITE && !CanRead(access)) return false;
      if (kind == v1::Access::READ) continue;
      if (!IsElement(access)) return false;
      writes = true;
    }
    written_ = written_ || writes;
    return true;
  }

  bool Run(const Transfer& transfer) {
    if (transfer.atomic || (IsOfArray(transfer.from) && !CanRead(transfer.from))) return false;
    if (!IsOfArray(transfer.to)) return true;
    if (!IsElement(transfer.to) || (transfer.update != v1::NONE && !CanRead(transfer.to))) return false;
    written_ = true;
    return true;
  }

  bool IsElement(const ElementAccess& access) const {
    return IterationsBehind(access, element_, loop_.iterator) == 0;
  }

  bool CanRead(const ElementAccess& access) const {
    const std::optional<int64_t> behind = IterationsBehind(access, element_, loop_.iterator);
    return behind && *behind < iterations_ && (*behind > 0 || (*behind == 0 && written_));
  }

  const Loop& loop_;
  const ElementAccess& element_;
  const int64_t iterations_;
  const v1::Scop& scop_;
  bool written_ = false;  // by this iteration so far
};

}  // namespace

bool CanCollect(const Loop& loop, const ElementAccess& element, int64_t iterations, const v1::Scop& scop) {
  return Collecting(loop, element, iterations, scop).IsPossible();
}

}  // namespace tune
