// Who calls, by what the caller shows.
#pragma once

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "common/base/status.h"
#include "common/rpc/identity.h"
#include "common/rpc/token_file.h"

namespace tune {

// Thread safe.
class Authority {
 public:
  // Everybody who reaches the server is this one: for sockets that only one user can open.
  static std::unique_ptr<Authority> Trusting(const Identity& identity);
  // Everybody must show a token of the file, which is read again when it has changed: tokens come and go
  // without a restart. A file that cannot be read any more leaves the tokens as they are and is told in the
  // log.
  static absl::StatusOr<std::unique_ptr<Authority>> OfFile(const std::string& path);
  // Of these tokens.
  static std::unique_ptr<Authority> OfTable(const TokenTable& table);

  bool wants_token() const { return !trusting_; }

  // UNAUTHENTICATED with what the caller should do. `authorization` is the header's value, "Bearer SECRET";
  // empty: there was none.
  absl::StatusOr<Identity> OfHeader(absl::string_view authorization) const;
  absl::StatusOr<Identity> OfSecret(absl::string_view secret) const;
  // Of the certificate that the connection has verified.
  absl::StatusOr<Identity> OfCertificate(absl::string_view common_name) const;
  // What LoginOf made of a secret.
  absl::StatusOr<Identity> OfLogin(absl::string_view login) const;

 private:
  // What tells that a file has changed.
  struct Version {
    uint64_t file = 0;
    int64_t bytes = 0, seconds = 0, nanoseconds = 0;
    bool operator==(const Version&) const = default;
  };
  Authority() = default;
  static Version VersionOf(const std::string& path);
  void ReadAgain() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  bool trusting_ = false;
  Identity everybody_;
  std::string path_;  // empty: the table does not change
  mutable absl::Mutex mutex_;
  mutable Version version_ ABSL_GUARDED_BY(mutex_);
  mutable TokenTable table_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tune
