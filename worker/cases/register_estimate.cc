#include "worker/cases/register_estimate.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "worker/cases/flat_accesses.h"

namespace tune {
namespace {

constexpr int kWordsOfInteger = 2;  // iterators and addresses have 64 bits

int WordsOfType(const std::string& type) {
  if (IsComplexType(type)) return type == kComplexFloatType ? 2 : 4;
  return type == "float" || type == kHalfType || type == "int" || type == "unsigned int" ? 1 : 2;
}

int WordsOf(v1::ElementType type) { return WordsOfType(std::string(ElementCType(type))); }

// In words.
int ExpressionRegisters(const v1::Expression& expression) {
  const int own = WordsOfType(expression.c_type());
  std::vector<int> needs;
  const auto add = [&](const v1::Expression& operand) { needs.push_back(ExpressionRegisters(operand)); };
  if (expression.kind_case() == v1::Expression::kOperation) {
    for (const v1::Expression& operand : expression.operation().operands()) add(operand);
  } else if (expression.kind_case() == v1::Expression::kCall) {
    for (const v1::Expression& operand : expression.call().arguments()) add(operand);
  } else if (expression.kind_case() == v1::Expression::kCast) {
    add(expression.cast().operand());
  }
  std::sort(needs.rbegin(), needs.rend());
  int most = own;
  for (size_t i = 0; i < needs.size(); ++i) most = std::max(most, needs[i] + static_cast<int>(i) * own);
  return most;
}

class Estimator {
 public:
  Estimator(const v1::Scop& scop, const KernelVariant& variant) : scop_(scop), variant_(variant) {}

  // `around`: words of what is alive around the block.
  int Count(const Block& block, int around) {
    if (variant_.shared_addresses == 2) around += AddressesOf(block);
    int most = around;
    for (const Node& node : block) {
      if (const auto* instance = node.As<Instance>()) {
        most = std::max(most, around + OfInstance(*instance));
        continue;
      }
      const bool loop = node.As<Loop>() != nullptr;
      for (const Block* inner : node.blocks())
        most = std::max(most, Count(*inner, around + (loop ? kWordsOfInteger : 0)));
    }
    return most;
  }

 private:
  static int AddressesOf(const Block& block) {
    std::vector<ElementAccess> accesses;
    for (const Node& node : block) {
      if (const auto* instance = node.As<Instance>())
        accesses.insert(accesses.end(), instance->accesses.begin(), instance->accesses.end());
    }
    return kWordsOfInteger * CountAddresses(accesses);
  }

  int OfInstance(const Instance& instance) const {
    const auto& statements = scop_.statements();
    const auto found =
        std::find_if(statements.begin(), statements.end(),
                     [&](const v1::Statement& statement) { return statement.name() == instance.statement; });
    int addresses = 0;
    if (variant_.shared_addresses == 1) {
      addresses = CountAddresses(instance.accesses);
    } else if (variant_.shared_addresses == 0) {
      addresses = static_cast<int>(
          std::count_if(instance.accesses.begin(), instance.accesses.end(),
                        [](const ElementAccess& access) { return !access.subscripts.empty(); }));
    }
    const int update = found->update() == v1::NONE ? 0 : WordsOfType(found->value().c_type());
    return kWordsOfInteger * addresses + update + ExpressionRegisters(found->value());
  }

  const v1::Scop& scop_;
  const KernelVariant& variant_;
};

}  // namespace

int EstimateRegisters(const ParametricKernel& kernel, const v1::Scop& scop, const KernelVariant& variant) {
  Estimator estimator(scop, variant);
  int most = 0;
  for (const KernelPhase& phase : kernel.phases) {
    const bool strips = variant.cached && phase.strips;
    const int caches = variant.cached ? static_cast<int>(phase.caches.size()) : 0;
    const int alive =
        kWordsOfInteger * (kernel.axes + (variant.coarsened ? 1 : 0) + (strips ? 1 : 0) + caches);
    most = std::max(most, estimator.Count(strips ? phase.strip : phase.whole, alive));
    if (variant.coarsened && strips && !phase.held.empty()) {
      int held = kWordsOfInteger;  // the iteration
      for (const PartialSum& sum : phase.held.sums) held += kHeldPoints * kHeldPoints * WordsOf(sum.type);
      most = std::max(most, estimator.Count(phase.held.iteration, alive + held));
    }
    if (phase.sums.empty()) continue;
    int shared = kWordsOfInteger;  // the iteration
    for (const PartialSum& sum : phase.sums) shared += WordsOf(sum.type);
    most = std::max(most, estimator.Count(phase.strip, alive + shared));
  }
  return variant.bounded ? std::min(most, kRegisterBound) : most;
}

}  // namespace tune
