// From isl's AST expressions to expressions that are data.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "common/program/program_node.h"

namespace tune {

// Known names have their values in what it makes: parameters, and iterators of loops of one iteration.
class ExpressionLowering {
 public:
  explicit ExpressionLowering(const std::map<std::string, int64_t>& parameter_values);

  // Throws isl::exception for what is no integer of 64 bits and for operators that isl does not print in
  // bounds, conditions and subscripts.
  IndexExpression Lower(const isl::ast_expr& expression) const;
  std::vector<IndexExpression> Lower(const std::vector<isl::ast_expr>& expressions) const;
  // Of an access expression. `loops`: those around whose iterators its subscripts are, outermost first, -1:
  // none; empty: not known.
  ElementAccess LowerAccess(const isl::ast_expr& access, const std::vector<int>& loops = {}) const;

  // From now on the name has this value.
  void Set(const std::string& name, IndexExpression value) { values_[name] = std::move(value); }
  // From now on it has none.
  void Release(const std::string& name) { values_.erase(name); }
  // Of loops around what is lowered, also of those of one iteration.
  void EnterLoop(const std::string& iterator) { loops_.push_back(iterator); }
  void LeaveLoop() { loops_.pop_back(); }

 private:
  IndexExpression LowerName(const std::string& name) const;

  std::map<std::string, IndexExpression> values_;
  std::vector<std::string> loops_;  // their iterators, outermost first
};

}  // namespace tune
