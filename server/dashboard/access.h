// Who may read the page.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "server/access/authority.h"

namespace tune {

// What a request says about who sends it; empty where it says nothing.
struct Caller {
  std::string host;           // header Host
  std::string authorization;  // header Authorization
  std::string cookie;         // header Cookie
};

// Where tokens are asked for, everybody must show one, as `Authorization: Bearer TOKEN` or by the cookie that
// a login sets. Where none are, the server listens on loopback, and a request must name a loopback host: a
// page of another site whose name was made to point here names its own. Thread safe; compares in constant
// time.
class Access {
 public:
  // `authority` is not owned.
  explicit Access(const Authority* authority) : authority_(authority) {}

  // Who it is; UNAUTHENTICATED or PERMISSION_DENIED with what the caller should do.
  absl::StatusOr<Identity> Identify(const Caller& caller) const;
  // Value of Set-Cookie after a login with this token, empty when it is not one of the server's. Holds a
  // value made of the token, not the token.
  std::string LoginCookie(absl::string_view token) const;

 private:
  const Authority* const authority_;
};

}  // namespace tune
