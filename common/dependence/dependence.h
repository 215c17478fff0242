// Which instance must run before which, and why. Computed from the original schedule, exactly.
#pragma once

#include "common/scop/scop.h"

namespace tune {

// Array dataflow analysis (Feautrier 1991) over the original order. "Last" and "next" are meant per element;
// instances of KILL statements appear in none of the relations. Reads of elements that a KILL made undefined
// have no source. Writes of elements that data decide (ParsedAccess::of_data) hide nothing that lies before
// them: each of them may be the last one, or none.
struct Dependences {
  isl::union_map flow;         // { S -> S }: last write of an element to each read of that value
  isl::union_map tagged_flow;  // { [S -> R] -> [S -> R] }
  // { S -> S }: anti and output, memory based: a read or write of an element to writes of it (LaterWrites).
  isl::union_map false_dependences;
  isl::union_map live_in;   // { S -> A }: reads of values from before the region
  isl::union_map live_out;  // { S -> A }: last writes of elements that outlive the region

  // flow + false_dependences: what a schedule must respect when live ranges may not be reordered.
  isl::union_map validity() const { return flow.unite(false_dependences); }
};

// To which writes of an element that come later false dependences lead. A schedule that respects those to the
// next write respects all, by transitivity.
enum class LaterWrites {
  kNext,  // few and simple relations, for isl's scheduler
  kAll,   // which takes isl a fraction of the time to find, where statements are many
};

// Atomic updates of elements that data decide (IsAtomicUpdate) have no dependences on each other; those of
// floating point only where `rounding` may differ. Errors: those of IslContext::Run.
absl::StatusOr<Dependences> ComputeDependences(IslContext& context, const ParsedScop& scop,
                                               bool rounding = false, LaterWrites later = LaterWrites::kNext);

// Dependences::false_dependences to all later writes, atomic updates among them. Errors: those of
// IslContext::Run.
absl::StatusOr<isl::union_map> AllFalseDependences(IslContext& context, const ParsedScop& scop);

}  // namespace tune
