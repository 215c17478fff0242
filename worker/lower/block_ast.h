// From a schedule tree to isl's AST, each statement with its accesses in terms of the generated iterators.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/mapping/local_memory.h"
#include "common/scop/scop.h"

namespace tune {

// One place in the AST where instances of a statement run.
struct StatementInstance {
  const ParsedStatement* statement = nullptr;  // or else:
  const CopyStatement* copy = nullptr;
  std::vector<isl::ast_expr> accesses;  // parallel to statement->accesses or copy->places
  // Parallel to `accesses`: of one to a tile in registers, which of the loops around, outermost first, have
  // iterators that are its subscripts; -1: none. A condition may let isl say the same with other iterators,
  // which unrolled loops do not make numbers.
  std::vector<std::vector<int>> register_loops;
  bool has_iterators = false;            // they were asked for, or it fills tiles
  std::vector<isl::ast_expr> iterators;  // of the statement or copy
  std::vector<isl::ast_expr> affine;     // of the value's affine expressions, in preorder
};

struct BlockAst {
  isl::ast_node root;       // user nodes carry the annotation of an instance
  bool needs_long = false;  // some iterator or integer value does not safely fit `int`
  std::vector<std::unique_ptr<StatementInstance>> instances;
  // By the names of mark nodes of `root`: the condition under which what is below them does not run.
  std::map<std::string, isl::ast_expr> exclusions;

  // Of a user node of `root`.
  const StatementInstance& instance(const isl::ast_node_user& node) const;
};

// Generates the AST of `schedule` at the parameters in `values`, which fixes those of the scop and says what
// is true of others. Iterators are named `iterator_prefix` and a number. References in `memory` go to its
// tiles. `origins`: instances have iterators. `scop` and `memory` must outlive the result. To be called
// inside IslContext::Run; throws isl::exception.
BlockAst BuildBlockAst(IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
                       const isl::set& values, const LocalMemory& memory, const std::string& iterator_prefix,
                       bool origins = false);

// The schedule's instances at the parameters in `values`, without KILL statements.
isl::schedule Specialise(const isl::schedule& schedule, const ParsedScop& scop, const isl::set& values);

// An AST build that knows `values` and names the iterators of `schedule` prefix0, prefix1, ...
isl::ast_build MakeAstBuild(const isl::schedule& schedule, const isl::set& values, const std::string& prefix);

}  // namespace tune
