// Secrets: made by the system's randomness, kept as digests, compared in constant time.
#pragma once

#include <string>

#include "absl/strings/string_view.h"

namespace tune {

// 256 bits of the system's randomness as 64 hexadecimal digits. Ends the process when the system has none,
// which a program that hands out secrets must not survive.
std::string MakeSecret();

// SHA-256 as 64 hexadecimal digits. A secret of MakeSecret cannot be found from it.
std::string Digest(absl::string_view text);

// HMAC-SHA256 under `key`, as 64 hexadecimal digits: who does not know the key cannot make it.
std::string Seal(absl::string_view key, absl::string_view text);

// In a time that does not tell where they differ.
bool SameSecret(absl::string_view a, absl::string_view b);

}  // namespace tune
