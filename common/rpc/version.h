// Version of the programs, as told in --version and over the network.
#pragma once

#include "absl/strings/string_view.h"

namespace tune {

inline constexpr char kVersion[] = "0.2.0";

// Server, workers and clients work together when major and minor number agree.
bool CompatibleVersion(absl::string_view version);

}  // namespace tune
