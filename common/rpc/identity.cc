#include "common/rpc/identity.h"

#include <pwd.h>

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace tune {
namespace {

constexpr size_t kLongestName = 64;
constexpr size_t kUserBytes = 16 << 10;

bool MayBeInName(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '@' || c == '-'; }

}  // namespace

absl::string_view RoleName(Role role) {
  switch (role) {
    case Role::kClient:
      return "client";
    case Role::kWorker:
      return "worker";
    case Role::kAdmin:
      return "admin";
  }
  return "";
}

absl::StatusOr<Role> ParseRole(absl::string_view text) {
  for (const Role role : {Role::kClient, Role::kWorker, Role::kAdmin}) {
    if (text == RoleName(role)) return role;
  }
  return absl::InvalidArgumentError(absl::StrCat("'", absl::Utf8SafeCHexEscape(text.substr(0, 60)),
                                                 "' is not a role; they are client, worker and admin"));
}

absl::Status CheckIdentityName(absl::string_view name) {
  if (!name.empty() && name.size() <= kLongestName && absl::ascii_isalnum(name[0]) &&
      std::all_of(name.begin(), name.end(), MayBeInName)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("'", absl::Utf8SafeCHexEscape(name.substr(0, 80)),
                                                 "' is no name: take 1 to ", kLongestName,
                                                 " letters, digits and . _ @ -, a letter or digit first"));
}

std::string UserName(unsigned int user) {
  passwd entry;
  passwd* found = nullptr;
  std::vector<char> buffer(kUserBytes);
  getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  if (found != nullptr && CheckIdentityName(found->pw_name).ok()) return found->pw_name;
  return absl::StrCat("user", user);
}

}  // namespace tune
