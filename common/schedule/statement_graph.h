// Which statements must run before which.
#pragma once

#include <string>
#include <vector>

#include "common/isl/isl.h"

namespace tune {

// The statements as nodes and an edge where some instances depend on another's. Its strongly connected
// components (SCCs) are what may be put in an order or fused. Immutable, holds no isl objects.
class StatementGraph {
 public:
  // `statements` in the scop's order; of `dependences`, { S -> S }, those between them count. Throws
  // isl::exception.
  StatementGraph(const std::vector<std::string>& statements, const isl::union_map& dependences);

  // Each in the scop's order; ordered by their first statements.
  const std::vector<std::vector<std::string>>& components() const { return components_; }
  // Some path of dependences leads from `first` to `second`, two different components.
  bool Precedes(size_t first, size_t second) const { return precedes_[first][second]; }
  // Components so that each comes after those that precede it; of several the one with the first statement.
  std::vector<size_t> Order() const;
  // Index of the component that has the statement. Precondition: there is one.
  size_t ComponentOf(const std::string& statement) const;

 private:
  std::vector<std::vector<std::string>> components_;
  std::vector<std::vector<bool>> precedes_;
};

// "S0,S2-S5,S9": a run of three or more consecutive statements is abbreviated.
std::string JoinStatements(const std::vector<std::string>& statements);

}  // namespace tune
