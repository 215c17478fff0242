#include "client/cli/sent_wisdom.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "client/submit/exchange_client.h"
#include "common/exchange/archive.h"
#include "common/rpc/version.h"

namespace tune {

absl::StatusOr<SentWisdom> SendWisdom(Session& session, const std::vector<LearntResult>& results,
                                      const std::string& file) {
  SentWisdom sent;
  if (results.empty()) return sent;
  const std::string source = std::filesystem::path(file).filename().string();
  v1::Archive archive;
  archive.set_written_by(absl::StrCat("tunectl ", kVersion));
  for (const LearntResult& result : results) *archive.add_studies() = StudyOfLearntResult(result, source);
  TUNE_ASSIGN_OR_RETURN(const std::string text, PrintArchive(archive));
  TUNE_ASSIGN_OR_RETURN(StudyClient* const client, session.Client());
  ExchangeClient exchange(client);
  TUNE_ASSIGN_OR_RETURN(const v1::ImportStudiesResponse response,
                        session.Retry([&] { return exchange.Import(text, source); }));
  sent.sent = results.size();
  for (const v1::ImportedStudy& study : response.studies()) sent.fresh += study.duplicate() ? 0 : 1;
  return sent;
}

}  // namespace tune
