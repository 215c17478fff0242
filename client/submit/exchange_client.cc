#include "client/submit/exchange_client.h"

#include <grpcpp/channel.h>

#include <filesystem>

#include "absl/time/clock.h"
#include "common/base/fingerprint.h"
#include "common/base/staged_file.h"
#include "tune/v1/exchange_service.grpc.pb.h"

namespace tune {
namespace {

constexpr absl::Duration kLookUpLimit = absl::Seconds(30);
// For calls that move or rewrite much; a dead server is noticed earlier.
constexpr absl::Duration kTransferLimit = absl::Hours(1);
constexpr size_t kUploadBytes = 1 << 20;

void SetDeadline(grpc::ClientContext& context, absl::Duration limit) {
  context.set_deadline(absl::ToChronoTime(absl::Now() + limit));
}

absl::Status Incomplete() {
  return absl::DataLossError("the file did not arrive whole from the server; try again");
}

// Reads the stream to its end: `take` gets each piece. OK only when the file is whole.
template <typename Reader, typename Take>
absl::Status ReadParts(StudyClient& server, Reader& reader, Take take) {
  Fingerprinter fingerprinter;
  std::string told;
  v1::FilePart part;
  absl::Status taken;
  while (taken.ok() && reader.Read(&part)) {
    fingerprinter.Add(part.data());
    told = part.fingerprint();
    taken = take(part.data());
  }
  if (!taken.ok()) return taken;
  TUNE_RETURN_IF_ERROR(server.Explain(reader.Finish()));
  return fingerprinter.Finish() == told ? absl::OkStatus() : Incomplete();
}

absl::Status ExistsAlready(const std::string& path) {
  return absl::AlreadyExistsError(absl::StrCat(path, ": exists already; name a new file"));
}

}  // namespace

struct ExchangeClient::Stub {
  std::unique_ptr<v1::ExchangeService::Stub> rpc;
};

ExchangeClient::ExchangeClient(StudyClient* server)
    : server_(server), stub_(new Stub{v1::ExchangeService::NewStub(server->channel())}) {}

ExchangeClient::~ExchangeClient() = default;

absl::StatusOr<v1::LookUpResponse> ExchangeClient::LookUp(const v1::LookUpRequest& request) {
  grpc::ClientContext context;
  SetDeadline(context, kLookUpLimit);
  v1::LookUpResponse response;
  TUNE_RETURN_IF_ERROR(server_->Explain(stub_->rpc->LookUp(&context, request, &response)));
  return response;
}

absl::StatusOr<std::string> ExchangeClient::Export(const std::vector<std::string>& studies,
                                                   bool without_texts) {
  v1::ExportStudiesRequest request;
  request.mutable_study_ids()->Assign(studies.begin(), studies.end());
  request.set_without_texts(without_texts);
  grpc::ClientContext context;
  SetDeadline(context, kTransferLimit);
  const auto reader = stub_->rpc->ExportStudies(&context, request);
  std::string file;
  TUNE_RETURN_IF_ERROR(ReadParts(*server_, *reader, [&](const std::string& data) {
    file += data;
    return absl::OkStatus();
  }));
  return file;
}

absl::StatusOr<v1::ImportStudiesResponse> ExchangeClient::Import(absl::string_view archive,
                                                                 const std::string& source) {
  grpc::ClientContext context;
  SetDeadline(context, kTransferLimit);
  v1::ImportStudiesResponse response;
  const auto writer = stub_->rpc->ImportStudies(&context, &response);
  v1::FilePart part;
  part.set_source(source);
  for (size_t sent = 0; sent < archive.size(); sent += kUploadBytes) {
    part.set_data(std::string(archive.substr(sent, kUploadBytes)));
    if (!writer->Write(part)) break;  // Finish tells why
    part.clear_source();
  }
  writer->WritesDone();
  TUNE_RETURN_IF_ERROR(server_->Explain(writer->Finish()));
  return response;
}

absl::StatusOr<v1::ReportTriesResponse> ExchangeClient::ReportTries(const v1::ReportTriesRequest& report) {
  grpc::ClientContext context;
  SetDeadline(context, kLookUpLimit);
  v1::ReportTriesResponse response;
  TUNE_RETURN_IF_ERROR(server_->Explain(stub_->rpc->ReportTries(&context, report, &response)));
  return response;
}

absl::StatusOr<v1::CollectGarbageResponse> ExchangeClient::CollectGarbage(
    const v1::CollectGarbageRequest& policy) {
  grpc::ClientContext context;
  SetDeadline(context, kTransferLimit);
  v1::CollectGarbageResponse response;
  TUNE_RETURN_IF_ERROR(server_->Explain(stub_->rpc->CollectGarbage(&context, policy, &response)));
  return response;
}

absl::StatusOr<int64_t> ExchangeClient::Backup(const std::string& path,
                                               const std::function<bool()>& interrupted) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return ExistsAlready(path);
  TUNE_ASSIGN_OR_RETURN(StagedFile file, StagedFile::Make(path));
  grpc::ClientContext context;
  SetDeadline(context, kTransferLimit);
  const auto reader = stub_->rpc->Backup(&context, v1::BackupRequest());
  int64_t bytes = 0;
  TUNE_RETURN_IF_ERROR(ReadParts(*server_, *reader, [&](const std::string& data) {
    if (interrupted()) return absl::CancelledError("interrupted; no backup was written");
    bytes += static_cast<int64_t>(data.size());
    return file.Write(data);
  }));
  const absl::Status published = file.Publish();
  if (absl::IsAlreadyExists(published)) return ExistsAlready(path);
  TUNE_RETURN_IF_ERROR(published);
  return bytes;
}

}  // namespace tune
