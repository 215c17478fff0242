#include "server/dashboard/access.h"

#include <openssl/crypto.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/fingerprint.h"

namespace tune {
namespace {

constexpr char kCookie[] = "tuned_login";

bool SameText(absl::string_view a, absl::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// "[::1]:7411" -> "::1", "localhost:7411" -> "localhost".
std::string HostName(absl::string_view host) {
  if (absl::ConsumePrefix(&host, "[")) return std::string(host.substr(0, host.find(']')));
  return absl::AsciiStrToLower(host.substr(0, host.find(':')));
}

bool IsLoopbackName(const std::string& name) {
  return name == "localhost" || name == "::1" || absl::EndsWith(name, ".localhost") ||
         (absl::StartsWith(name, "127.") && name.find_first_not_of("0123456789.") == std::string::npos);
}

}  // namespace

Access::Access(std::string token) : token_(std::move(token)), cookie_(Fingerprint("login " + token_)) {}

bool Access::IsToken(absl::string_view text) const { return !token_.empty() && SameText(text, token_); }

absl::Status Access::Check(const Caller& caller) const {
  if (token_.empty()) {
    if (caller.host.empty() || IsLoopbackName(HostName(caller.host))) return absl::OkStatus();
    return absl::PermissionDeniedError(
        "this server answers to the names of its own machine only: open http://localhost:PORT, over `ssh -L` "
        "from elsewhere, or start it with --token-file");
  }
  absl::string_view authorization = caller.authorization;
  if (absl::ConsumePrefix(&authorization, "Bearer ")) {
    if (IsToken(authorization)) return absl::OkStatus();
    return absl::UnauthenticatedError("the token is not this server's: compare the two token files");
  }
  for (absl::string_view part : absl::StrSplit(caller.cookie, ';')) {
    part = absl::StripAsciiWhitespace(part);
    if (absl::ConsumePrefix(&part, absl::StrCat(kCookie, "=")) && SameText(part, cookie_)) {
      return absl::OkStatus();
    }
  }
  return absl::UnauthenticatedError(
      "this server wants its token: send `Authorization: Bearer TOKEN`, or log in with a browser at "
      "/?token=TOKEN");
}

std::string Access::LoginCookie() const {
  return absl::StrCat(kCookie, "=", cookie_, "; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000");
}

}  // namespace tune
