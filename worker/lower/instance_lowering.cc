#include "worker/lower/instance_lowering.h"

namespace tune {

Instance LowerInstance(const StatementInstance& instance, const ExpressionLowering& expressions) {
  Instance lowered;
  lowered.statement = instance.statement->name;
  for (const isl::ast_expr& access : instance.accesses)
    lowered.accesses.push_back(expressions.LowerAccess(access));
  lowered.affine = expressions.Lower(instance.affine);
  return lowered;
}

}  // namespace tune
