// How clients and workers reach the server.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/server_builder.h>

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"

namespace tune {

// Largest message that a client takes, and largest whole of one that comes in parts (message_parts.h).
inline constexpr int kMaxMessageBytes = 256 << 20;
// Largest message that a server takes: results of workers. What is larger is sent in parts.
inline constexpr int kMaxRequestBytes = 16 << 20;

struct ChannelOptions {
  std::string address;  // "unix:/path" or "host:port", "[::1]:port" for IPv6
  std::string token;    // bearer token; empty: none is sent
  // PEM file of the authorities that may have signed the server's certificate; empty: the connection
  // is not encrypted.
  std::string ca_file;
  // PEM files of the caller's own certificate and its key, for servers that take those for tokens; needs
  // ca_file.
  std::string certificate_file = {};
  std::string key_file = {};
};

// Does not connect yet: the first call does, and reconnects by itself with at most 2 s between
// tries. INVALID_ARGUMENT when address, token or file cannot be used. A dead peer is noticed within 30 s.
absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenChannel(const ChannelOptions& options);

// The server's half of the same agreement: message size, keepalive, one process per port.
void SetServerArguments(grpc::ServerBuilder& builder);

// A parsed address.
struct Address {
  bool is_unix = false;
  std::string path;  // when is_unix
  std::string host;  // else; without brackets
  int port = 0;

  // What gRPC takes: "unix:/path", "host:port", "[::1]:port".
  std::string ToString() const;
  // Reachable from this machine only.
  bool IsLocal() const;
};

// INVALID_ARGUMENT says what forms are accepted. Port 0 is accepted (any free one).
absl::StatusOr<Address> ParseAddress(absl::string_view text);

}  // namespace tune
