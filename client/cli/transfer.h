// Studies on their way between servers and files.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "client/cli/session.h"
#include "client/exchange/pull_budget.h"
#include "client/exchange/study_source.h"
#include "client/report/json.h"
#include "client/submit/exchange_client.h"

namespace tune {

// How the server besides the session's is reached: --NAME ADDRESS, --NAME-token-file, --NAME-ca-file.
struct OtherServer {
  std::string address, token_file, ca_file;

  // `what` and `ca` describe the first and the last option.
  void AddTo(CLI::App& verb, const std::string& name, const std::string& what, const std::string& ca);
  // Over gRPC. Usage error for a URL, which cannot be written to.
  absl::StatusOr<std::unique_ptr<StudyClient>> Open() const;
  // Over gRPC, or for a URL over the read API, whose requests end once `interrupted` holds or the budget,
  // which is not owned, is used up.
  absl::StatusOr<std::unique_ptr<StudySource>> OpenSource(std::function<bool()> interrupted,
                                                          PullBudget* budget) const;

 private:
  absl::StatusOr<std::string> Token() const;
};

// "s3 (gemm) is s7 there", "... is there already as s7".
std::string ImportedText(const std::string& from, const v1::ImportedStudy& imported,
                         const std::string& where);

// from (empty: null), id, name, duplicate.
Json ImportedJson(const std::string& from, const v1::ImportedStudy& imported);

}  // namespace tune
