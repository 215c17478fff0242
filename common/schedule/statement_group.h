// Statements on the way to a schedule that is made loop by loop.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/dependence/dependence.h"

namespace tune {

// One dimension of a schedule: when the instances of each statement run.
struct ScheduleRow {
  std::map<std::string, isl::pw_aff> times;  // "S0": { S0[x] -> [t] }

  // Of `member`, { S -> [t] }, those of `statements`.
  static ScheduleRow Of(const isl::union_pw_aff& member, const std::vector<std::string>& statements);
  isl::union_pw_aff Member() const;  // precondition: some statement
  ScheduleRow Part(const std::vector<std::string>& statements) const;
};

// The statements that share the loops chosen so far, with what is still to be respected inside of these: one
// level of the optimisation graph of the Coding Ants paper (section 5.1). Immutable. All functions throw
// isl::exception: call them inside IslContext::Run.
class StatementGroup {
 public:
  // Everything, no loop chosen.
  static StatementGroup Whole(IslContext& context, const ParsedScop& scop, const Dependences& dependences);

  // The ids of what Part and Below return, without the work.
  std::string PartId(const std::vector<std::string>& statements) const;
  std::string BelowId(const ScheduleRow& row) const;

  // Some of the statements at the same place; `statements` in the scop's order.
  StatementGroup Part(const std::vector<std::string>& statements) const;
  // All of them inside one further loop.
  StatementGroup Below(const ScheduleRow& row) const;

  const std::vector<std::string>& statements() const { return statements_; }  // in the scop's order
  const std::vector<ScheduleRow>& rows() const { return rows_; }              // chosen so far
  int depth() const { return static_cast<int>(rows_.size()); }
  // Statements and rows as text: of groups of one scop with equal ids everything is equal.
  const std::string& id() const { return id_; }
  const isl::union_set& domain() const { return domain_; }            // { S }
  const isl::union_map& dependences() const { return dependences_; }  // { S -> S } of equal rows
  const isl::union_map& flow() const { return flow_; }                // those of them
  const std::map<std::string, isl::set>& domains() const { return domains_; }

  // No two instances of the statement have equal rows.
  bool IsComplete(const std::string& statement) const;

 private:
  std::map<std::string, std::string> TextsBelow(const ScheduleRow& row) const;

  std::vector<std::string> statements_;
  std::map<std::string, isl::set> domains_;  // S
  std::vector<ScheduleRow> rows_;
  std::map<std::string, std::string> row_texts_;  // by statement
  std::string id_;
  isl::union_set domain_;
  isl::union_map dependences_, flow_;
};

}  // namespace tune
