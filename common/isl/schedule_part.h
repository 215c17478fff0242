// Parts of schedule trees.
#pragma once

#include <functional>
#include <optional>

#include "common/isl/isl.h"

namespace tune {

// What orders the instances in `domain`, { S }, in place of a band and what is below it; nothing: these do.
using OtherPart = std::function<std::optional<isl::schedule>(const isl::union_set& domain)>;

// What becomes of the children of sets: they stay in any order, or run one after the other.
enum class SetParts { kStay, kInSequence };

// What of the tree below `node` orders the instances in `domain`, { S }: bands without flags, sequences,
// sets. `other`, which may be empty, is asked at each band. Throws isl::exception.
isl::schedule SchedulePart(const isl::schedule_node& node, const isl::union_set& domain,
                           const OtherPart& other = {}, SetParts sets = SetParts::kStay);

}  // namespace tune
