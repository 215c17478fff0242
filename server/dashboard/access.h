// Who may read the page.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// What a request says about who sends it; empty where it says nothing.
struct Caller {
  std::string host;           // header Host
  std::string authorization;  // header Authorization
  std::string cookie;         // header Cookie
};

// With a token everybody must show it, as `Authorization: Bearer TOKEN` or by the cookie that a login sets.
// Without one the server listens on loopback, and a request must name a loopback host: a page of another site
// whose name was made to point here names its own. Immutable, thread safe; compares in constant time.
class Access {
 public:
  explicit Access(std::string token);

  // UNAUTHENTICATED or PERMISSION_DENIED with what the caller should do.
  absl::Status Check(const Caller& caller) const;
  bool IsToken(absl::string_view text) const;
  // Value of Set-Cookie after a login. Holds a value made of the token, not the token.
  std::string LoginCookie() const;

 private:
  std::string token_;
  std::string cookie_;  // value
};

}  // namespace tune
