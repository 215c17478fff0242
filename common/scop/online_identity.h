// What libtune calls a region that is tuned while its program runs: in wisdom, tries and capture files.
#pragma once

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/scop/scop.h"

namespace tune {

inline constexpr size_t kIdentityDigits = 12;  // of the fingerprint
inline constexpr char kPartsOfIdentity[] =
    ":parts";  // behind the identity, of a region that CPU and GPU share

// "gemm:0123456789ab": what is known of a region outlives changes around it, and none of its own. Inputs of
// such a region are the values of the scop's parameters, in their order.
inline std::string OnlineIdentity(const v1::Scop& scop) {
  return absl::StrCat(scop.name(), ":", ScopFingerprint(scop).substr(0, kIdentityDigits));
}

}  // namespace tune
