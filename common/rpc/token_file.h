// Files of secrets: what a server knows of its callers, and what a caller shows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "common/rpc/identity.h"

namespace tune {

// ---- what a caller has

// First word of the file, which is the secret. FAILED_PRECONDITION when others than its user may read the
// file; INVALID_ARGUMENT when it holds no secret. Errors name the file and the remedy.
absl::StatusOr<std::string> ReadToken(const std::string& path);

// The whole of a file with a secret, such as a private key; refused as ReadToken does.
absl::StatusOr<std::string> ReadSecretText(const std::string& path);

// What a caller shows to the server at `address`: the secret in `path`; where that is empty, for a server on
// this machine that is called over TCP, the one in TokenFileBeside(DefaultDatabase()), if it is there; else
// none.
absl::StatusOr<std::string> TokenFor(const std::string& address, const std::string& path);

// INVALID_ARGUMENT when `token` is shorter than 16 characters or holds some that may not stand in a header.
absl::Status CheckTokenText(absl::string_view token);

// A new file of mode 0600 with a new secret of its user's. Leaves one that is there as it is.
absl::Status MakeTokenFile(const std::string& path);

// Where the server of this user keeps its database when it is told no other place.
std::string DefaultDatabase();
// The token file that a server makes for a database when it is given none.
std::string TokenFileBeside(const std::string& database);

// ---- what a server knows

// A line of the file.
struct TokenEntry {
  Identity identity;
  std::string hash;    // of the secret; see HashOfLogin. Empty: the caller shows a certificate
  bool plain = false;  // the line is the secret itself
};

// A secret makes a login, which a browser keeps as a cookie and which reads pages only, and a login makes the
// hash that is stored: neither can be found from what follows it.
std::string LoginOf(absl::string_view secret);
std::string HashOfLogin(absl::string_view login);

// Lines "ROLE NAME HASH", or "ROLE NAME certificate" for who shows a certificate with that common name; empty
// ones and those that begin with '#' say nothing. A line of one word is a secret itself: that of an admin
// with the name of the file's user. Copyable.
class TokenTable {
 public:
  // FAILED_PRECONDITION when others than its user may read the file; INVALID_ARGUMENT with file, line and
  // remedy.
  static absl::StatusOr<TokenTable> Read(const std::string& path);
  // `user`: name that a secret without a name belongs to.
  static absl::StatusOr<TokenTable> Parse(absl::string_view text, absl::string_view user);

  const std::vector<TokenEntry>& entries() const { return entries_; }
  // In constant time for each entry; null when nobody has it.
  const TokenEntry* FindSecret(absl::string_view secret) const;
  const TokenEntry* FindLogin(absl::string_view login) const;
  // Of the verified certificate of a connection.
  const TokenEntry* FindCertificate(absl::string_view common_name) const;

 private:
  std::vector<TokenEntry> entries_;
};

// Changes of the file, whole or not at all; comments stay. One that is not there is made, with a secret of
// its user's. A running server reads it again by itself. The new secret, which is stored nowhere.
absl::StatusOr<std::string> AddToken(const std::string& path, const Identity& identity);
// The same for a certificate, which the lab's authority makes; nothing is secret about it.
absl::Status AddCertificate(const std::string& path, const Identity& identity);
// Removes every token of this name, or the one whose hash begins with `name_or_id` (8 digits at least). How
// many; NOT_FOUND when there is none.
absl::StatusOr<int> RevokeTokens(const std::string& path, const std::string& name_or_id);

}  // namespace tune
