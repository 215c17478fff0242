// The statements of a scop as they are met, and the original program's order of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/extract/region/region.h"
#include "client/extract/source/diagnostic.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// The order of some of the statements; nothing where there are none.
using Schedule = std::optional<isl::schedule>;

// `next` behind what `all` has.
void Append(Schedule* all, Schedule next);

// A band of one member around the body: the iterator at `depth` of every statement, negated for a loop that
// counts down.
isl::schedule InsertLoop(const isl::schedule& body, int depth, bool decreases);

class StatementSequence {
 public:
  explicit StatementSequence(Region& region) : region_(region) {}

  // The name that the statement which is added next will have.
  std::string NextName() const;

  // The statement, which has that name and stands in `nest`.
  Schedule Add(Accepted<v1::Statement> read, const LoopNest& nest);
  Schedule Refuse(Refusal refusal);

  std::vector<v1::Statement>& statements() { return statements_; }  // S0, S1, ...
  std::vector<Refusal>& refusals() { return refusals_; }            // one per construct at fault

 private:
  Region& region_;
  std::vector<v1::Statement> statements_;
  std::vector<Refusal> refusals_;
};

}  // namespace tune
