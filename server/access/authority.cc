#include "server/access/authority.h"

#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include "absl/strings/strip.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr char kScheme[] = "Bearer ";

absl::Status NoToken() {
  return absl::UnauthenticatedError(
      "this server wants a token: give a file with one as --token-file (or set TUNE_TOKEN_FILE); `tunectl "
      "token "
      "add` makes one");
}

absl::Status UnknownToken() {
  return absl::UnauthenticatedError(
      "the token is not one of this server's: it was revoked, or is another server's; `tunectl token list` "
      "shows "
      "whose there are");
}

}  // namespace

std::unique_ptr<Authority> Authority::Trusting(const Identity& identity) {
  std::unique_ptr<Authority> authority(new Authority);
  authority->trusting_ = true;
  authority->everybody_ = identity;
  return authority;
}

std::unique_ptr<Authority> Authority::OfTable(const TokenTable& table) {
  std::unique_ptr<Authority> authority(new Authority);
  absl::MutexLock lock(&authority->mutex_);
  authority->table_ = table;
  return authority;
}

absl::StatusOr<std::unique_ptr<Authority>> Authority::OfFile(const std::string& path) {
  std::unique_ptr<Authority> authority(new Authority);
  authority->path_ = path;
  absl::MutexLock lock(&authority->mutex_);
  authority->version_ = VersionOf(path);
  TUNE_ASSIGN_OR_RETURN(authority->table_, TokenTable::Read(path));
  return authority;
}

Authority::Version Authority::VersionOf(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return {};
  return {info.st_ino, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
}

void Authority::ReadAgain() const {
  if (path_.empty()) return;
  const Version version = VersionOf(path_);
  if (version == version_) return;
  version_ = version;
  absl::StatusOr<TokenTable> table = TokenTable::Read(path_);
  if (!table.ok()) {
    spdlog::error("the tokens stay as they were: {}", std::string(table.status().message()));
    return;
  }
  table_ = *std::move(table);
  spdlog::info("{}: read again, {} tokens", path_, table_.entries().size());
}

absl::StatusOr<Identity> Authority::OfHeader(absl::string_view authorization) const {
  if (trusting_) return everybody_;
  if (authorization.empty()) return NoToken();
  if (!absl::ConsumePrefix(&authorization, kScheme)) return UnknownToken();
  return OfSecret(authorization);
}

absl::StatusOr<Identity> Authority::OfSecret(absl::string_view secret) const {
  return OfLogin(LoginOf(secret));
}

absl::StatusOr<Identity> Authority::OfCertificate(absl::string_view common_name) const {
  if (trusting_) return everybody_;
  absl::MutexLock lock(&mutex_);
  ReadAgain();
  const TokenEntry* entry = table_.FindCertificate(common_name);
  if (entry != nullptr) return entry->identity;
  return absl::UnauthenticatedError(
      absl::StrCat("the certificate of '", EscapeLine(common_name.substr(0, 100)),
                   "' is good, but the server's token file has no line for it; `tunectl "
                   "token add ROLE NAME --certificate` makes one"));
}

absl::StatusOr<Identity> Authority::OfLogin(absl::string_view login) const {
  if (trusting_) return everybody_;
  absl::MutexLock lock(&mutex_);
  ReadAgain();
  const TokenEntry* entry = table_.FindLogin(login);
  if (entry == nullptr) return UnknownToken();
  return entry->identity;
}

}  // namespace tune
