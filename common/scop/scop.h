// A scop with its sets and relations parsed: what every polyhedral stage works on.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

struct ParsedAccess {
  std::string array;
  v1::Access::Kind kind;
  isl::map relation;     // S -> A
  bool of_data = false;  // the relation has all elements that it may be; which one it is, data decide

  bool reads() const { return kind != v1::Access::WRITE; }
  bool writes() const { return kind != v1::Access::READ; }
};

struct ParsedStatement {
  std::string name;
  v1::Statement::Kind kind;
  isl::set domain;  // S
  std::vector<ParsedAccess> accesses;
  std::vector<isl::pw_aff> affine;  // { S -> [v] }: the value's affine expressions, in preorder
  const v1::Statement* proto;       // into ParsedScop::proto

  // What an ASSIGN statement writes.
  const ParsedAccess& target() const { return accesses[proto->target()]; }
};

// Parsed once, immutable. All isl objects live in the context given to Parse.
struct ParsedScop {
  v1::Scop proto;
  isl::set context;  // over the parameters
  isl::schedule schedule;
  std::vector<ParsedStatement> statements;

  // Union over all statements, restricted to the domains and to `context`.
  isl::union_set domain;         // { S }
  isl::union_map reads;          // { S -> A }; updates count as reads
  isl::union_map writes;         // { S -> A }; updates count as writes
  isl::union_map kills;          // { S -> A }, whole array per instance
  isl::union_map tagged_reads;   // { [S -> R] -> A }, R the reference tag "S0_ref0" of access 0 of S0
  isl::union_map tagged_writes;  // { [S -> R] -> A }
  // Those writes whose element no data decide: others may leave what they name as it is.
  isl::union_map certain_writes, tagged_certain_writes;

  const ParsedStatement& statement(absl::string_view name) const;  // precondition: exists
  const v1::Array& array(absl::string_view name) const;            // precondition: exists
};

// INVALID_ARGUMENT when a text is not in its notation (scop_texts.h), names an unknown array or statement, or
// the parts do not fit together (schedule domain against statement domains, number of subscripts against
// extents, access indices in expressions).
absl::StatusOr<std::shared_ptr<const ParsedScop>> ParseScop(IslContext& context, const v1::Scop& scop);

// The same scop with facts about its parameters added to its context: each is at least min(value, 4)
// when `value` is positive (so that schedules and tests need not treat degenerate sizes), else equal.
v1::Scop WithParameterFacts(const v1::Scop& scop, const std::map<std::string, int64_t>& values);

// The context set in which each parameter has exactly its value: [n, m] -> { : n = 100 and m = 7 }.
isl::set ParameterValues(IslContext& context, const std::map<std::string, int64_t>& values);

// Whether the scop's context holds for these values of its parameters; other names must not be among them.
// INVALID_ARGUMENT when the context is not in isl's notation.
absl::StatusOr<bool> ContextAllows(const v1::Scop& scop, const std::map<std::string, int64_t>& values);

// Identity of the computation: equal for scops that differ only in names of parameters, arrays,
// iterators and function, in layout, comments and place in the file.
std::string ScopFingerprint(const v1::Scop& scop);

// For people: parameters, arrays, statements with domain and accesses, schedule.
std::string PrintScop(const v1::Scop& scop);

}  // namespace tune
