// gRPC adaptor of look-up, exchange and retention.
#pragma once

#include <atomic>
#include <fstream>

#include "server/service/guarded_service.h"
#include "server/study/coordinator.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// Nothing is owned. Thread safe.
class ExchangeServiceImpl final : public GuardedService {
 public:
  ExchangeServiceImpl(const Authority* authority, Coordinator* coordinator);

 private:
  using SendPart = Send<v1::FilePart>;
  using ReceivePart = Receive<v1::FilePart>;

  absl::Status LookUp(const Call& call, const v1::LookUpRequest& request, v1::LookUpResponse* response);
  absl::Status ExportStudies(const Call& call, const v1::ExportStudiesRequest& request, const SendPart& send);
  // The file is kept on the disk until it is whole. UNAVAILABLE while several others are being imported.
  absl::Status ImportStudies(const Call& call, const ReceivePart& receive,
                             v1::ImportStudiesResponse* response);
  absl::Status ReportTries(const Call& call, const v1::ReportTriesRequest& request,
                           v1::ReportTriesResponse* response);
  absl::Status CollectGarbage(const Call& call, const v1::CollectGarbageRequest& request,
                              v1::CollectGarbageResponse* response);
  // Needs as much space beside the database as the database takes, until the copy is sent. One at a time:
  // FAILED_PRECONDITION while there is another.
  absl::Status Backup(const SendPart& send);
  // A copy that is gone once the stream is closed.
  absl::StatusOr<std::ifstream> CopyDatabase();
  absl::StatusOr<v1::ImportStudiesResponse> Import(const Call& call, const ReceivePart& receive);

  Coordinator* const coordinator_;
  absl::Mutex maintenance_;  // one collection or copy at a time
  // A backup is sent without the lock, since its reader may be slow; one at a time, since each copy takes
  // space.
  std::atomic<bool> sends_backup_{false};
  std::atomic<int> imports_{0};  // that are going on
};

}  // namespace tune
