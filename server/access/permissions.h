// Who may call what.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "common/rpc/identity.h"

namespace tune {

// Which roles may call one rpc ("StudyService.Submit") or HTTP route ("/api/v1/studies/{study}"; "page" for
// the files of the page).
struct Permission {
  absl::string_view call;
  bool client = false;
  bool worker = false;  // admins may call everything
};

// The whole table.
const std::vector<Permission>& Permissions();

// PERMISSION_DENIED with the role that it takes; also of a call that is not in the table.
absl::Status CheckPermission(const Identity& identity, absl::string_view call);

// A study may be changed by its owner and by admins. PERMISSION_DENIED says whose it is.
absl::Status CheckOwner(const Identity& identity, const std::string& study, const std::string& owner);

}  // namespace tune
