#include "client/cli/transfer.h"

#include "client/report/json.h"
#include "client/report/table.h"
#include "client/report/words.h"
#include "common/rpc/channel.h"
#include "common/rpc/credentials.h"

namespace tune {

void OtherServer::AddTo(CLI::App& verb, const std::string& name, const std::string& what) {
  verb.add_option("--" + name, address, what)->required()->type_name("ADDRESS");
  verb.add_option("--" + name + "-token-file", token_file, "File with the token which that server demands")
      ->type_name("FILE");
  verb.add_option("--" + name + "-ca-file", ca_file,
                  "PEM file of the authority that signed that server's certificate; turns TLS on")
      ->type_name("FILE");
}

absl::StatusOr<std::unique_ptr<StudyClient>> OtherServer::Open() const {
  ChannelOptions channel;
  channel.address = address;
  channel.ca_file = ca_file;
  if (!token_file.empty()) {
    TUNE_ASSIGN_OR_RETURN(channel.token, ReadToken(token_file));
  }
  return StudyClient::Open(channel);
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
