#include "common/rpc/channel.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <sys/un.h>

#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/base/file.h"
#include "common/rpc/credentials.h"
#include "common/rpc/token_file.h"

namespace tune {
namespace {

constexpr int kKeepaliveMs = 20'000;
constexpr int kKeepaliveTimeoutMs = 10'000;

absl::Status BadAddress(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("address '", text, "': ", why, "; write unix:/path/to/socket or host:port"));
}

absl::StatusOr<Address> ParseUnixAddress(absl::string_view text, absl::string_view path) {
  Address address;
  address.is_unix = true;
  address.path = std::string(path);
  if (path.empty()) return BadAddress(text, "no path after unix:");
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return BadAddress(text, absl::StrCat("the path is longer than the ", sizeof(sockaddr_un::sun_path) - 1,
                                         " characters that a unix socket may have"));
  }
  return address;
}

absl::Status AddOwnCertificate(const ChannelOptions& options, grpc::SslCredentialsOptions* ssl) {
  if (options.certificate_file.empty() != options.key_file.empty()) {
    return absl::InvalidArgumentError("--cert and --key belong together: give both or none");
  }
  if (options.certificate_file.empty()) return absl::OkStatus();
  TUNE_ASSIGN_OR_RETURN(ssl->pem_cert_chain, ReadFile(options.certificate_file));
  TUNE_ASSIGN_OR_RETURN(ssl->pem_private_key, ReadSecretText(options.key_file));
  return absl::OkStatus();
}

}  // namespace

std::string Address::ToString() const {
  if (is_unix) return "unix:" + path;
  return absl::StrContains(host, ':') ? absl::StrCat("[", host, "]:", port) : absl::StrCat(host, ":", port);
}

bool Address::IsLocal() const {
  return is_unix || host == "localhost" || host == "::1" || absl::StartsWith(host, "127.");
}

absl::StatusOr<Address> ParseAddress(absl::string_view text) {
  absl::string_view rest = text;
  if (absl::ConsumePrefix(&rest, "unix:")) {
    if (absl::StartsWith(rest, "//")) rest.remove_prefix(2);
    return ParseUnixAddress(text, rest);
  }
  const size_t colon = rest.rfind(':');
  if (colon == absl::string_view::npos) return BadAddress(text, "no port");
  Address address;
  absl::string_view host = rest.substr(0, colon);
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]")) {
    host = host.substr(1, host.size() - 2);
  } else if (absl::StrContains(host, ':')) {
    return BadAddress(text, "an IPv6 address stands in brackets, as in [::1]:7410");
  }
  if (host.empty()) return BadAddress(text, "no host");
  if (absl::StrContains(host, '/')) return BadAddress(text, "a host has no '/'");
  address.host = std::string(host);
  if (!absl::SimpleAtoi(rest.substr(colon + 1), &address.port) || address.port < 0 || address.port > 65535) {
    return BadAddress(text, "the port is not a number from 0 to 65535");
  }
  return address;
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> OpenChannel(const ChannelOptions& options) {
  TUNE_ASSIGN_OR_RETURN(const Address address, ParseAddress(options.address));
  if (!address.is_unix && address.port == 0) return BadAddress(options.address, "port 0 cannot be called");
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetMaxSendMessageSize(kMaxMessageBytes);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 2000);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // Channels of one process to one address do not share a connection: one that hangs hurts no other.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (!options.ca_file.empty()) {
    grpc::SslCredentialsOptions ssl;
    TUNE_ASSIGN_OR_RETURN(ssl.pem_root_certs, ReadFile(options.ca_file));
    if (!absl::StrContains(ssl.pem_root_certs, "-----BEGIN CERTIFICATE-----")) {
      return absl::InvalidArgumentError(
          absl::StrCat(options.ca_file, ": holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)"));
    }
    TUNE_RETURN_IF_ERROR(AddOwnCertificate(options, &ssl));
    credentials = grpc::SslCredentials(ssl);
  } else if (!options.certificate_file.empty() || !options.key_file.empty()) {
    return absl::InvalidArgumentError("a certificate is shown over TLS alone: give --ca-file as well");
  }
  std::vector<std::unique_ptr<grpc::experimental::ClientInterceptorFactoryInterface>> interceptors;
  if (!options.token.empty()) {
    TUNE_RETURN_IF_ERROR(CheckTokenText(options.token));
    interceptors.push_back(BearerTokenInterceptor(options.token));
  }
  return grpc::experimental::CreateCustomChannelWithInterceptors(address.ToString(), credentials, arguments,
                                                                 std::move(interceptors));
}

void SetServerArguments(grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(kMaxRequestBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  // Else a second server could listen on the same port and get every other call.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kKeepaliveMs / 2);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0);
}

}  // namespace tune
