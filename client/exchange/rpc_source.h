// A server that is asked over gRPC.
#pragma once

#include "client/exchange/study_source.h"
#include "client/submit/exchange_client.h"

namespace tune {

// Errors are StudyClient's; UNAUTHENTICATED names `token_option`, with which the user gives a token.
class RpcSource : public StudySource {
 public:
  RpcSource(std::unique_ptr<StudyClient> server, std::string token_option)
      : server_(std::move(server)), token_option_(std::move(token_option)), exchange_(server_.get()) {}

  const std::string& address() const override { return server_->address(); }
  absl::StatusOr<std::vector<v1::Study>> ListResults() override;
  absl::StatusOr<v1::Provenance> OriginOf(const v1::Study& listed) override { return listed.provenance(); }
  absl::StatusOr<std::string> FetchArchive(const std::string& study_id) override;

 private:
  absl::Status Explain(const absl::Status& status) const;

  const std::unique_ptr<StudyClient> server_;
  const std::string token_option_;
  ExchangeClient exchange_;
};

}  // namespace tune
