// From isl's AST to blocks of nodes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "common/isl/isl.h"
#include "common/mapping/loop_mark.h"
#include "common/program/program_node.h"
#include "worker/lower/expression_lowering.h"

namespace tune {

// Loops of one iteration are not there: their iterators have their values. Loops have what their marks say.
// What is below a mark with an exclusion is a condition, or the `else` of the one before it where that asks
// for the same. One AST an object. To be used inside IslContext::Run; throws isl::exception.
class AstLowering {
 public:
  virtual ~AstLowering() = default;
  Block Lower(const isl::ast_node& root);

 protected:
  // `exclusions`: by the names of marks, when what is below them does not run; not owned.
  AstLowering(const std::map<std::string, int64_t>& parameter_values,
              const std::map<std::string, isl::ast_expr>& exclusions)
      : expressions_(parameter_values), exclusions_(exclusions) {}

  // What a user node becomes.
  virtual Block LowerUser(const isl::ast_node_user& node) = 0;
  // What a mark of that name and what is below it become; nothing when only the latter counts.
  virtual std::optional<Node> LowerMark(const std::string& /*name*/, const Block& /*below*/) {
    return std::nullopt;
  }

  const ExpressionLowering& expressions() const { return expressions_; }

 private:
  void Append(const isl::ast_node& node, Block* block);
  void AppendAll(const isl::ast_node_list& nodes, Block* block);
  // Of a mark without the condition that stands for its exclusion.
  void AppendMark(const isl::ast_node_mark& node, Block* block);
  void AppendLoop(const isl::ast_node_for& node, Block* block);
  Block Inside(const isl::ast_node& node);
  // Null when the node is no mark with an exclusion.
  const isl::ast_expr* ExclusionOf(const isl::ast_node& node) const;

  ExpressionLowering expressions_;
  const std::map<std::string, isl::ast_expr>& exclusions_;
  std::optional<LoopMark> mark_;  // of the loop whose `for` comes next
};

}  // namespace tune
