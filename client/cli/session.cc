#include "client/cli/session.h"

#include <cstdlib>

#include "common/rpc/channel.h"
#include "common/rpc/token_file.h"

namespace tune {
namespace {

constexpr char kDefaultServer[] = "127.0.0.1:7410";
constexpr char kUsagePayload[] = "tune/usage";

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

absl::Status UsageError(absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kUsagePayload, absl::Cord("1"));
  return status;
}

int ExitCodeOf(const absl::Status& error) {
  if (error.GetPayload(kUsagePayload).has_value()) return kExitUsage;
  return IsUnreachable(error) ? kExitUnreachable : kExitFailed;
}

ProgressPrinter Session::MakeProgress() {
  if (options.json) return ProgressPrinter(streams_.err, {});
  return ProgressPrinter(streams_.out, {streams_.terminal, streams_.width});
}

absl::Status Session::ChooseServer(ChannelOptions* channel) const {
  channel->address = options.server.empty() ? Environment("TUNE_SERVER") : options.server;
  if (channel->address.empty()) {
    const std::string socket = PrivateSocket(PrivateFolder());
    if (SocketAnswers(socket)) {
      channel->address = "unix:" + socket;
      return absl::OkStatus();  // the user's own: needs no token
    }
    channel->address = kDefaultServer;
  }
  const std::string token = options.token_file.empty() ? Environment("TUNE_TOKEN_FILE") : options.token_file;
  TUNE_ASSIGN_OR_RETURN(channel->token, TokenFor(channel->address, token));
  channel->ca_file = options.ca_file.empty() ? Environment("TUNE_CA_FILE") : options.ca_file;
  channel->certificate_file =
      options.certificate_file.empty() ? Environment("TUNE_CERT") : options.certificate_file;
  channel->key_file = options.key_file.empty() ? Environment("TUNE_KEY") : options.key_file;
  return absl::OkStatus();
}

absl::StatusOr<StudyClient*> Session::Client(Needs needs) {
  if (client_ != nullptr) return client_.get();
  if (options.private_server) {
    TUNE_RETURN_IF_ERROR(UsePrivateServer(needs).status());
    return client_.get();
  }
  ChannelOptions channel;
  TUNE_RETURN_IF_ERROR(ChooseServer(&channel));
  TUNE_ASSIGN_OR_RETURN(client_, StudyClient::Open(channel));
  return client_.get();
}

absl::StatusOr<PrivateServer*> Session::UsePrivateServer(Needs needs) {
  if (private_server_ != nullptr) return private_server_.get();
  PrivateServer::Options server;
  server.worker = needs == Needs::kServerAndWorker;
  TUNE_ASSIGN_OR_RETURN(private_server_, PrivateServer::Start(server));
  ChannelOptions channel;
  channel.address = private_server_->address();
  TUNE_ASSIGN_OR_RETURN(client_, StudyClient::Open(channel));
  options.private_server = true;
  return private_server_.get();
}

std::string Session::Hint(absl::string_view verb_and_arguments) const {
  std::string global;
  if (options.private_server) global = " --private";
  if (!options.server.empty()) absl::StrAppend(&global, " --server ", options.server);
  if (!options.token_file.empty()) absl::StrAppend(&global, " --token-file ", options.token_file);
  if (!options.ca_file.empty()) absl::StrAppend(&global, " --ca-file ", options.ca_file);
  if (!options.certificate_file.empty()) {
    absl::StrAppend(&global, " --cert ", options.certificate_file, " --key ", options.key_file);
  }
  return absl::StrCat("tunectl", global, " ", verb_and_arguments);
}

}  // namespace tune
