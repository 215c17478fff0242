#include "client/exchange/http_address.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

constexpr int kHttpPort = 80, kHttpsPort = 443;

absl::Status BadUrl(absl::string_view url, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("URL '", absl::Utf8SafeCHexEscape(url.substr(0, 200)),
                                                 "': ", why,
                                                 "; write http://HOST:PORT or https://HOST:PORT, as the "
                                                 "server names its page"));
}

bool IsHostCharacter(char c) { return absl::ascii_isalnum(c) || c == '-' || c == '.' || c == '_'; }
bool IsIpv6Character(char c) { return absl::ascii_isxdigit(c) || c == ':' || c == '.'; }

}  // namespace

std::string HttpAddress::ToString() const {
  std::string text = absl::StrCat(tls ? "https://" : "http://", absl::StrContains(host, ':') ? "[" : "", host,
                                  absl::StrContains(host, ':') ? "]" : "");
  if (port != (tls ? kHttpsPort : kHttpPort)) absl::StrAppend(&text, ":", port);
  return text;
}

bool IsUrl(absl::string_view text) {
  return absl::StrContains(text, "://") && !absl::StartsWith(text, "unix:");
}

absl::StatusOr<HttpAddress> ParseHttpAddress(absl::string_view url) {
  HttpAddress address;
  const std::string scheme = absl::AsciiStrToLower(url.substr(0, url.find("://")));
  if (!IsUrl(url) || (scheme != "http" && scheme != "https"))
    return BadUrl(url, "it is none of http or https");
  address.tls = scheme == "https";
  absl::string_view rest = url.substr(scheme.size() + 3);
  absl::ConsumeSuffix(&rest, "/");
  if (absl::StrContains(rest, '@')) return BadUrl(url, "a name before @ is not used; tokens stand in files");
  if (rest.find_first_of("/?#") != absl::string_view::npos) return BadUrl(url, "it names more than a server");
  absl::string_view host = rest.substr(0, rest.find(':'));
  bool good = !host.empty() && std::all_of(host.begin(), host.end(), IsHostCharacter);
  if (absl::ConsumePrefix(&rest, "[")) {
    const size_t end = rest.find(']');
    if (end == absl::string_view::npos) return BadUrl(url, "the bracket does not end");
    host = rest.substr(0, end);
    good = absl::StrContains(host, ':') && std::all_of(host.begin(), host.end(), IsIpv6Character);
    rest.remove_prefix(end + 1);
  } else {
    rest.remove_prefix(host.size());
  }
  if (!good) return BadUrl(url, "it has no host");
  address.host = absl::AsciiStrToLower(host);
  address.port = address.tls ? kHttpsPort : kHttpPort;
  if (rest.empty()) return address;
  if (!absl::ConsumePrefix(&rest, ":") || !absl::SimpleAtoi(rest, &address.port) || address.port < 1 ||
      address.port > 65535) {
    return BadUrl(url, "the port is not a number from 1 to 65535");
  }
  return address;
}

}  // namespace tune
