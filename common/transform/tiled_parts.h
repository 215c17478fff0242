// What scops that run in tiles are put together from: names, local arrays, loops.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/isl/isl.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// "a0, a1" of so many items; and of a name with numbers.
std::string CommaList(int count, const std::function<std::string(int)>& item);
std::string NumberedNames(const std::string& name, int count);

// `name`, with underscores behind it where one of `names` begins with it.
std::string UnusedPrefix(std::string name, const std::set<std::string>& names);

// Adds an array of the elements of `like` that is declared in the region; its name, which may become longer
// and is entered into `names`.
std::string AddLocalArray(std::string name, const v1::Array& like, const std::vector<int64_t>& extents,
                          std::set<std::string>* names, v1::Scop* scop);

// The smallest box around the set. Throws isl::exception, as those below.
isl::set BoundingBox(const isl::set& set);

// { S -> [i] }: the dimension of all instances, for a band above them.
isl::multi_union_pw_aff LoopAlong(const isl::union_set& domain, int dimension);

// After `first`, if there is any.
isl::schedule InSequence(const std::optional<isl::schedule>& first, const isl::schedule& second);

}  // namespace tune
