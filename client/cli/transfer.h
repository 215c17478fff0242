// Studies on their way between servers and files.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "client/cli/session.h"
#include "client/report/json.h"
#include "client/submit/exchange_client.h"

namespace tune {

// How the server besides the session's is reached: --NAME ADDRESS, --NAME-token-file, --NAME-ca-file.
struct OtherServer {
  std::string address, token_file, ca_file;

  void AddTo(CLI::App& verb, const std::string& name, const std::string& what);
  absl::StatusOr<std::unique_ptr<StudyClient>> Open() const;
};

// "s3 (gemm) is s7 there", "... is there already as s7".
std::string ImportedText(const std::string& from, const v1::ImportedStudy& imported,
                         const std::string& where);

// from (empty: null), id, name, duplicate.
Json ImportedJson(const std::string& from, const v1::ImportedStudy& imported);

}  // namespace tune
