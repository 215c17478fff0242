// Look-up, exchange and retention as tunectl sees them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/submit/study_client.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// Errors are StudyClient's. Thread safe.
class ExchangeClient {
 public:
  // `server` is not owned.
  explicit ExchangeClient(StudyClient* server);
  ~ExchangeClient();

  absl::StatusOr<v1::LookUpResponse> LookUp(const v1::LookUpRequest& request);
  // The archive file. DATA_LOSS when it did not arrive whole.
  absl::StatusOr<std::string> Export(const std::vector<std::string>& studies, bool without_texts);
  // `source` is for the provenance of the studies.
  absl::StatusOr<v1::ImportStudiesResponse> Import(absl::string_view archive, const std::string& source);
  absl::StatusOr<v1::ReportTriesResponse> ReportTries(const v1::ReportTriesRequest& report);
  absl::StatusOr<v1::CollectGarbageResponse> CollectGarbage(const v1::CollectGarbageRequest& policy);
  // Writes a copy of the server's database to `path`, which must not exist; returns its bytes. Nothing is
  // left there when it fails; CANCELLED once `interrupted`, which is asked often, holds.
  absl::StatusOr<int64_t> Backup(const std::string& path, const std::function<bool()>& interrupted);

 private:
  struct Stub;
  StudyClient* server_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace tune
