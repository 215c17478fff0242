// gRPC adaptor of look-up, exchange and retention.
#pragma once

#include <atomic>
#include <fstream>

#include "common/rpc/credentials.h"
#include "server/study/coordinator.h"
#include "tune/v1/exchange_service.grpc.pb.h"

namespace tune {

// `coordinator` and `verifier` are not owned. Thread safe.
class ExchangeServiceImpl final : public v1::ExchangeService::Service {
 public:
  ExchangeServiceImpl(Coordinator* coordinator, const TokenVerifier* verifier)
      : coordinator_(coordinator), verifier_(verifier) {}

  grpc::Status LookUp(grpc::ServerContext* context, const v1::LookUpRequest* request,
                      v1::LookUpResponse* response) override;
  grpc::Status ExportStudies(grpc::ServerContext* context, const v1::ExportStudiesRequest* request,
                             grpc::ServerWriter<v1::FilePart>* writer) override;
  // The file is kept on the disk until it is whole. UNAVAILABLE while several others are being imported.
  grpc::Status ImportStudies(grpc::ServerContext* context, grpc::ServerReader<v1::FilePart>* reader,
                             v1::ImportStudiesResponse* response) override;
  grpc::Status CollectGarbage(grpc::ServerContext* context, const v1::CollectGarbageRequest* request,
                              v1::CollectGarbageResponse* response) override;
  // Needs as much space beside the database as the database takes, until the copy is sent. One at a time:
  // FAILED_PRECONDITION while there is another.
  grpc::Status Backup(grpc::ServerContext* context, const v1::BackupRequest* request,
                      grpc::ServerWriter<v1::FilePart>* writer) override;

 private:
  // A copy that is gone once the stream is closed.
  absl::StatusOr<std::ifstream> CopyDatabase();
  absl::StatusOr<v1::ImportStudiesResponse> Import(const grpc::ServerContext& context,
                                                   grpc::ServerReader<v1::FilePart>* reader);

  Coordinator* coordinator_;
  const TokenVerifier* verifier_;
  absl::Mutex maintenance_;  // one collection or copy at a time
  // A backup is sent without the lock, since its reader may be slow; one at a time, since each copy takes
  // space.
  std::atomic<bool> sends_backup_{false};
  std::atomic<int> imports_{0};  // that are going on
};

}  // namespace tune
