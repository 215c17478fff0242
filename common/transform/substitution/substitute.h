// Forward substitution (Kennedy and Allen, Optimizing Compilers for Modern Architectures, section 4.5.1): a
// scalar of the region that one statement sets and statements of the same iteration read, as in
//
//   int via = path[i][k] + path[k][j];
//   if (via < path[i][j]) path[i][j] = via;
//
// is no array any more where those that read it compute it themselves.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "common/dependence/dependence.h"

namespace tune {

// Reads of a scalar that are replaced; more would compute its value too often.
inline constexpr int kMostReads = 2;

// A scop that computes the same, without the scalars declared inside of the region that
//  - one statement sets, to a value of no call but for magnitudes, all of whose operands it reads at elements
//  known before,
//  - at most kMostReads references read, at all of their instances what the instance of equal iterators set;
//    in further loops only where the value is an element's,
// while nothing between an instance that sets it and one that reads it writes what its value is made of.
// Statements are numbered anew, their loops stay; a value that is narrower in the scalar is converted to its
// type; an update that now reads the very element that it changes is an assignment. `only`: of these scalars;
// null: of all. nullopt: there are none. Errors: those of IslContext::Run.
absl::StatusOr<std::optional<v1::Scop>> SubstituteScalars(IslContext& context, const ParsedScop& scop,
                                                          const Dependences& dependences,
                                                          const std::set<std::string>* only = nullptr);

}  // namespace tune
