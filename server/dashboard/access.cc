#include "server/dashboard/access.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

constexpr char kCookie[] = "tuned_login";

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

absl::StatusOr<Identity> Access::Identify(const Caller& caller) const {
  if (!authority_->wants_token()) {
    if (caller.host.empty() || IsLoopbackName(HostName(caller.host))) return authority_->OfHeader("");
    return absl::PermissionDeniedError(
        "this server answers to the names of its own machine only: open http://localhost:PORT, over `ssh -L` "
        "from elsewhere, or start it without --no-token");
  }
  if (!caller.authorization.empty()) return authority_->OfHeader(caller.authorization);
  for (absl::string_view part : absl::StrSplit(caller.cookie, ';')) {
    part = absl::StripAsciiWhitespace(part);
    if (!absl::ConsumePrefix(&part, absl::StrCat(kCookie, "="))) continue;
    if (absl::StatusOr<Identity> identity = authority_->OfLogin(part); identity.ok()) return identity;
  }
  return absl::UnauthenticatedError(
      "this server wants a token: send `Authorization: Bearer TOKEN`, or log in with a browser at "
      "/?token=TOKEN");
}

std::string Access::LoginCookie(absl::string_view token) const {
  if (!authority_->wants_token() || !authority_->OfSecret(token).ok()) return "";
  return absl::StrCat(kCookie, "=", LoginOf(token), "; Path=/; HttpOnly; SameSite=Lax; Max-Age=2592000");
}

}  // namespace tune
