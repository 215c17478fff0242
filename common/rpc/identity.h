// Who calls.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// What callers may do: clients submit and read, workers take leases, admins may do both, and all that
// concerns the server itself.
enum class Role { kClient, kWorker, kAdmin };

// "client", "worker", "admin".
absl::string_view RoleName(Role role);
absl::StatusOr<Role> ParseRole(absl::string_view text);

struct Identity {
  Role role = Role::kClient;
  std::string name;  // owner of what it submits; 1 to 64 letters, digits and . _ @ -
};

// INVALID_ARGUMENT when it is no name of an identity.
absl::Status CheckIdentityName(absl::string_view name);

// The name of the user with this number; the number where the system knows no name. Always one that
// CheckIdentityName accepts.
std::string UserName(unsigned int user);

}  // namespace tune
