// Where a read API is served.
#pragma once

#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

struct HttpAddress {
  bool tls = false;
  std::string host;  // lower case, without brackets
  int port = 0;

  // "http://lab:7411", "https://lab", "http://[::1]:7411": one text for one address.
  std::string ToString() const;
};

// Whether the text is meant as a URL, as opposed to host:port or unix:/path.
bool IsUrl(absl::string_view text);

// http://HOST[:PORT] or https://HOST[:PORT]; the ports are 80 and 443 where none is named. INVALID_ARGUMENT
// says what forms are accepted: no user, no path besides "/", no parameters.
absl::StatusOr<HttpAddress> ParseHttpAddress(absl::string_view url);

}  // namespace tune
