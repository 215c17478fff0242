#include "worker/lower/value_uses.h"

#include "common/isl/tuple_name.h"

namespace tune {

absl::StatusOr<ValueUses> FindValueUses(IslContext& context, const ParsedScop& scop,
                                        const Dependences& dependences) {
  return context.Run("looking for what reads values", [&]() -> absl::StatusOr<ValueUses> {
    ValueUses uses;
    for (const ParsedStatement& statement : scop.statements) {
      if (statement.kind == v1::Statement::ASSIGN) uses[statement.name];
    }
    // Maps that are empty make a value look used, which is no harm.
    dependences.flow.foreach_map([&](const isl::map& flow) {  // S -> S'
      uses[TupleName(flow, isl_dim_in)].readers.insert(TupleName(flow, isl_dim_out));
    });
    dependences.live_out.foreach_map([&](const isl::map& last) {  // S -> A
      ValueUse& use = uses[TupleName(last, isl_dim_in)];
      use.outlives = use.outlives || !last.is_empty();
    });
    return uses;
  });
}

}  // namespace tune
