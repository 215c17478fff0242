// Which scops are the same computation, and which are the same but for their sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "tune/v1/scop.pb.h"

namespace tune {

// Text in which names of parameters, arrays, iterators and function, layout, comments and the place in the
// file do not occur, one fact a line: equal for scops that compute the same in the same order on the same
// types. INVALID_ARGUMENT when a text of the scop does not parse.
absl::StatusOr<std::string> NormalisedScop(const v1::Scop& scop);

struct ScopIdentity {
  std::string fingerprint;  // ScopFingerprint
  // Fingerprint of the normalised text without the constants that are sizes: those of at least kSmallestSize
  // in context, domains, subscripts, schedule and extents. Equal for one program with other macros for its
  // sizes.
  std::string shape;
  std::vector<int64_t> sizes;  // the constants left out, in the order of the text
};

inline constexpr int64_t kSmallestSize = 16;

// Errors are NormalisedScop's.
absl::StatusOr<ScopIdentity> FindScopIdentity(const v1::Scop& scop);

// Of a scop that cannot be normalised: the shape of itself and no sizes.
ScopIdentity IdentityOfText(const v1::Scop& scop);

// Who finds the identity of a scop from elsewhere, which isl may not survive.
using ScopIdentifier = std::function<absl::StatusOr<ScopIdentity>(const v1::Scop& scop)>;

// FindScopIdentity, or else IdentityOfText, in this process: never an error.
ScopIdentity IdentifyScop(const v1::Scop& scop);

}  // namespace tune
