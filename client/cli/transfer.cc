#include "client/cli/transfer.h"

#include "client/exchange/http_source.h"
#include "client/exchange/rpc_source.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/words.h"
#include "common/rpc/channel.h"
#include "common/rpc/token_file.h"

namespace tune {

void OtherServer::AddTo(CLI::App& verb, const std::string& name, const std::string& what,
                        const std::string& ca) {
  verb.add_option("--" + name, address, what)->required()->type_name("ADDRESS");
  verb.add_option("--" + name + "-token-file", token_file, "File with the token which that server demands")
      ->type_name("FILE");
  verb.add_option("--" + name + "-ca-file", ca_file, ca)->type_name("FILE");
}

absl::StatusOr<std::string> OtherServer::Token() const { return TokenFor(address, token_file); }

absl::StatusOr<std::unique_ptr<StudyClient>> OtherServer::Open() const {
  if (IsUrl(address)) {
    return UsageError(
        absl::StrCat(address, ": a page only reads; name the server itself, host:port or unix:/path"));
  }
  ChannelOptions channel;
  channel.address = address;
  channel.ca_file = ca_file;
  TUNE_ASSIGN_OR_RETURN(channel.token, Token());
  return StudyClient::Open(channel);
}

absl::StatusOr<std::unique_ptr<StudySource>> OtherServer::OpenSource(std::function<bool()> interrupted,
                                                                     PullBudget* budget) const {
  if (!IsUrl(address)) {
    TUNE_ASSIGN_OR_RETURN(std::unique_ptr<StudyClient> server, Open());
    return std::make_unique<RpcSource>(std::move(server), "--from-token-file");
  }
  HttpSource::Options options;
  const absl::StatusOr<HttpAddress> parsed = ParseHttpAddress(address);
  if (!parsed.ok()) return UsageError(parsed.status().message());
  options.http.address = *parsed;
  options.http.ca_file = ca_file;
  options.http.interrupted = std::move(interrupted);
  options.budget = budget;
  TUNE_ASSIGN_OR_RETURN(options.http.token, Token());
  return HttpSource::Open(options);
}

std::string ImportedText(const std::string& from, const v1::ImportedStudy& imported,
                         const std::string& where) {
  const v1::Study& study = imported.study();
  const std::string title = OneLine(StudyTitle(study));
  const std::string subject = from.empty() ? title : absl::StrCat(from, " (", title, ")");
  return absl::StrCat(subject, imported.duplicate() ? " is known already as " : " is now ", study.id(), where,
                      "\n");
}

Json ImportedJson(const std::string& from, const v1::ImportedStudy& imported) {
  return {{"from", from.empty() ? Json() : Json(from)},
          {"id", imported.study().id()},
          {"name", imported.study().name()},
          {"duplicate", imported.duplicate()}};
}

}  // namespace tune
