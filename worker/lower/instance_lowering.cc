#include "worker/lower/instance_lowering.h"

namespace tune {

Instance LowerInstance(const StatementInstance& instance, const ExpressionLowering& expressions) {
  Instance lowered;
  lowered.statement = instance.statement->name;
  for (size_t i = 0; i < instance.accesses.size(); ++i)
    lowered.accesses.push_back(expressions.LowerAccess(instance.accesses[i], instance.register_loops[i]));
  lowered.affine = expressions.Lower(instance.affine);
  lowered.origin = LowerOrigin(instance, expressions);
  return lowered;
}

Origin LowerOrigin(const StatementInstance& instance, const ExpressionLowering& expressions) {
  if (!instance.has_iterators) return {};
  return {instance.statement != nullptr ? instance.statement->name : instance.copy->name,
          expressions.Lower(instance.iterators)};
}

}  // namespace tune
