// From a schedule tree to isl's AST, each statement with its accesses in terms of the generated iterators.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/scop/scop.h"

namespace tune {

// One place in the AST where instances of a statement run.
struct StatementInstance {
  const ParsedStatement* statement = nullptr;
  std::vector<isl::ast_expr> accesses;  // parallel to statement->accesses
  std::map<const v1::Expression*, isl::ast_expr>
      affine;  // value of each affine node of the statement's value
};

struct BlockAst {
  isl::ast_node root;       // user nodes carry the annotation of an instance
  bool needs_long = false;  // some iterator or integer value does not safely fit `int`
  std::vector<std::unique_ptr<StatementInstance>> instances;

  // Of a user node of `root`.
  const StatementInstance& instance(const isl::ast_node_user& node) const;
};

// Generates the AST of `schedule` at the given parameter values, without the KILL statements. Iterators are
// named `iterator_prefix` and a number. `scop` must outlive the result. To be called inside IslContext::Run;
// throws isl::exception.
BlockAst BuildBlockAst(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                       const std::map<std::string, int64_t>& parameter_values,
                       const std::string& iterator_prefix);

}  // namespace tune
