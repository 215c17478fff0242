#include "common/rpc/token_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"
#include "common/base/file_descriptor.h"
#include "common/base/secret.h"
#include "common/rpc/channel.h"

namespace tune {
namespace {

constexpr size_t kShortestToken = 16;
constexpr size_t kHashDigits = 64;
constexpr size_t kShortestId = 8;
constexpr char kCertificate[] = "certificate";

struct SecretFile {
  std::string content;
  std::string user;  // name of the file's
};

absl::Status Cannot(const std::string& path, absl::string_view what) {
  const std::string message = absl::StrCat(path, ": cannot ", what, ": ", std::strerror(errno));
  return errno == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

// A file of one's own must be readable by nobody else; one of another user (the system's, for a service) by
// its group at most.
absl::Status CheckMode(const std::string& path, const struct stat& info) {
  const mode_t forbidden = info.st_uid == geteuid() ? 0077 : 0007;
  if ((info.st_mode & forbidden) == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrFormat("%s: others may read or write it (mode %04o), so the secrets in it are none: `chmod "
                      "600 %s`, and make new "
                      "ones if others could see them",
                      path, info.st_mode & 07777, path));
}

absl::StatusOr<SecretFile> ReadSecretFile(const std::string& path) {
  // O_NONBLOCK: a pipe that nobody writes to would be waited for.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) return Cannot(path, "read it");
  struct stat info;
  if (fstat(file.get(), &info) != 0) return Cannot(path, "read it");
  TUNE_RETURN_IF_ERROR(CheckMode(path, info));
  fcntl(file.get(), F_SETFL, 0);
  SecretFile read;
  read.user = UserName(info.st_uid);
  char buffer[4096];
  ssize_t size;
  while ((size = ::read(file.get(), buffer, sizeof(buffer))) > 0) read.content.append(buffer, size);
  if (size < 0) return Cannot(path, "read it");
  return read;
}

std::vector<std::string> Words(absl::string_view line) {
  return absl::StrSplit(line, absl::ByAnyChar(" \t\r"), absl::SkipEmpty());
}

bool SaysNothing(const std::vector<std::string>& words) { return words.empty() || words[0][0] == '#'; }

bool IsHash(absl::string_view text) {
  return text.size() == kHashDigits && text.find_first_not_of("0123456789abcdef") == absl::string_view::npos;
}

absl::StatusOr<TokenEntry> ParseEntry(const std::vector<std::string>& words, absl::string_view user) {
  TokenEntry entry;
  if (words.size() == 1) {
    TUNE_RETURN_IF_ERROR(CheckTokenText(words[0]));
    entry.identity = {Role::kAdmin, std::string(user)};
    entry.hash = HashOfLogin(LoginOf(words[0]));
    entry.plain = true;
    return entry;
  }
  const bool certificate = words.size() == 3 && words[2] == kCertificate;
  if (words.size() != 3 || !(certificate || IsHash(words[2]))) {
    return absl::InvalidArgumentError(
        "it is neither a secret nor ROLE NAME HASH, which `tunectl token add` writes");
  }
  TUNE_ASSIGN_OR_RETURN(entry.identity.role, ParseRole(words[0]));
  TUNE_RETURN_IF_ERROR(CheckIdentityName(words[1]));
  entry.identity.name = words[1];
  if (!certificate) entry.hash = words[2];
  return entry;
}

// The file's lines after a change, in its place.
absl::Status ReplaceFile(const std::string& path, const std::vector<std::string>& lines) {
  const std::string text = lines.empty() ? "" : absl::StrJoin(lines, "\n") + "\n";
  const std::string fresh = path + ".new";
  unlink(fresh.c_str());
  const FileDescriptor file(open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.open()) return Cannot(fresh, "make it");
  if (write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      fsync(file.get()) != 0) {
    return Cannot(fresh, "write it");
  }
  if (rename(fresh.c_str(), path.c_str()) != 0) return Cannot(path, "replace it");
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> LinesOf(const std::string& path) {
  TUNE_RETURN_IF_ERROR(TokenTable::Read(path).status());
  TUNE_ASSIGN_OR_RETURN(const SecretFile file, ReadSecretFile(path));
  std::vector<std::string> lines = absl::StrSplit(file.content, '\n');
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace

absl::Status CheckTokenText(absl::string_view token) {
  if (token.size() < kShortestToken) {
    return absl::InvalidArgumentError(absl::StrCat("the token has ", token.size(), " characters; at least ",
                                                   kShortestToken,
                                                   " are needed: make one with `tunectl token add`"));
  }
  for (const char c : token) {
    if (!absl::ascii_isgraph(static_cast<unsigned char>(c))) {
      return absl::InvalidArgumentError(
          "the token holds a space or a character that is not printable ASCII: make one with `tunectl token "
          "add`");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadSecretText(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(SecretFile file, ReadSecretFile(path));
  return std::move(file.content);
}

absl::StatusOr<std::string> ReadToken(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const SecretFile file, ReadSecretFile(path));
  const std::string token(absl::StripAsciiWhitespace(file.content.substr(0, file.content.find('\n'))));
  TUNE_RETURN_IF_ERROR(Annotate(CheckTokenText(token), path));
  return token;
}

absl::StatusOr<std::string> TokenFor(const std::string& address, const std::string& path) {
  if (!path.empty()) return ReadToken(path);
  const absl::StatusOr<Address> parsed = ParseAddress(address);
  if (!parsed.ok() || parsed->is_unix || !parsed->IsLocal()) return "";
  const std::string own = TokenFileBeside(DefaultDatabase());
  if (access(own.c_str(), R_OK) != 0) return "";
  absl::StatusOr<std::string> token = ReadToken(own);
  if (absl::IsInvalidArgument(token.status())) return "";  // hashes alone
  return token;
}

absl::Status MakeTokenFile(const std::string& path) {
  if (access(path.c_str(), F_OK) == 0) return absl::OkStatus();
  return ReplaceFile(path, {MakeSecret()});
}

std::string DefaultDatabase() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const std::string base = data != nullptr && data[0] == '/' ? data
                           : home != nullptr                 ? std::string(home) + "/.local/share"
                                                             : "/var/lib";
  return base + "/tuned-server/tuned.db";
}

std::string TokenFileBeside(const std::string& database) { return database + ".token"; }

std::string LoginOf(absl::string_view secret) { return Digest(absl::StrCat("tuned-server login\n", secret)); }

std::string HashOfLogin(absl::string_view login) { return Digest(login); }

absl::StatusOr<TokenTable> TokenTable::Read(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const SecretFile file, ReadSecretFile(path));
  absl::StatusOr<TokenTable> table = Parse(file.content, file.user);
  if (!table.ok()) return Annotate(table.status(), path);
  return table;
}

absl::StatusOr<TokenTable> TokenTable::Parse(absl::string_view text, absl::string_view user) {
  TokenTable table;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    const std::vector<std::string> words = Words(line);
    if (SaysNothing(words)) continue;
    absl::StatusOr<TokenEntry> entry = ParseEntry(words, user);
    if (!entry.ok()) return Annotate(entry.status(), absl::StrCat("line ", number));
    table.entries_.push_back(*std::move(entry));
  }
  return table;
}

const TokenEntry* TokenTable::FindSecret(absl::string_view secret) const {
  return FindLogin(LoginOf(secret));
}

const TokenEntry* TokenTable::FindLogin(absl::string_view login) const {
  const std::string hash = HashOfLogin(login);
  const TokenEntry* found = nullptr;
  for (const TokenEntry& entry : entries_) {
    if (SameSecret(entry.hash, hash)) found = &entry;
  }
  return found;
}

const TokenEntry* TokenTable::FindCertificate(absl::string_view common_name) const {
  for (const TokenEntry& entry : entries_) {
    if (entry.hash.empty() && entry.identity.name == common_name) return &entry;
  }
  return nullptr;
}

absl::Status AddCertificate(const std::string& path, const Identity& identity) {
  TUNE_RETURN_IF_ERROR(CheckIdentityName(identity.name));
  TUNE_RETURN_IF_ERROR(MakeTokenFile(path));
  TUNE_ASSIGN_OR_RETURN(std::vector<std::string> lines, LinesOf(path));
  lines.push_back(absl::StrCat(RoleName(identity.role), " ", identity.name, " ", kCertificate));
  return ReplaceFile(path, lines);
}

absl::StatusOr<std::string> AddToken(const std::string& path, const Identity& identity) {
  TUNE_RETURN_IF_ERROR(CheckIdentityName(identity.name));
  TUNE_RETURN_IF_ERROR(MakeTokenFile(path));
  TUNE_ASSIGN_OR_RETURN(std::vector<std::string> lines, LinesOf(path));
  const std::string secret = MakeSecret();
  lines.push_back(
      absl::StrCat(RoleName(identity.role), " ", identity.name, " ", HashOfLogin(LoginOf(secret))));
  TUNE_RETURN_IF_ERROR(ReplaceFile(path, lines));
  return secret;
}

absl::StatusOr<int> RevokeTokens(const std::string& path, const std::string& name_or_id) {
  TUNE_ASSIGN_OR_RETURN(const TokenTable table, TokenTable::Read(path));
  TUNE_ASSIGN_OR_RETURN(const std::vector<std::string> lines, LinesOf(path));
  std::vector<std::string> kept;
  auto entry = table.entries().begin();
  for (const std::string& line : lines) {
    if (!SaysNothing(Words(line))) {
      const TokenEntry& token = *entry++;
      const bool by_id = name_or_id.size() >= kShortestId && absl::StartsWith(token.hash, name_or_id);
      if (by_id || token.identity.name == name_or_id) continue;
    }
    kept.push_back(line);
  }
  if (kept.size() == lines.size()) {
    return absl::NotFoundError(
        absl::StrCat(path, ": there is no token of that name or id; `tunectl token list` shows them"));
  }
  TUNE_RETURN_IF_ERROR(ReplaceFile(path, kept));
  return static_cast<int>(lines.size() - kept.size());
}

}  // namespace tune
