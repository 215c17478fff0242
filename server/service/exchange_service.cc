#include "server/service/exchange_service.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/escaping.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/received_file.h"
#include "common/exchange/archive.h"
#include "server/exchange/archive_file.h"
#include "server/exchange/archive_import.h"
#include "server/exchange/garbage.h"
#include "server/exchange/look_up.h"

namespace tune {
namespace {

constexpr size_t kPartBytes = 1 << 20;
constexpr size_t kLongestSource = 1000;
constexpr int kMostImports = 4;  // at the same time

// The file in parts, the last with its fingerprint.
absl::Status SendFile(absl::string_view file, const std::function<bool(const v1::FilePart&)>& send) {
  v1::FilePart part;
  for (size_t sent = 0; sent < file.size(); sent += kPartBytes) {
    part.set_data(std::string(file.substr(sent, kPartBytes)));
    if (!send(part)) return CallerGone();
  }
  part.clear_data();
  part.set_fingerprint(Fingerprint(file));
  return send(part) ? absl::OkStatus() : CallerGone();
}

// The same from a file on the disk, which may be larger than memory.
absl::Status SendStream(std::ifstream& file, const std::function<bool(const v1::FilePart&)>& send) {
  Fingerprinter fingerprint;
  v1::FilePart part;
  std::string buffer(kPartBytes, '\0');
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0) {
    part.set_data(buffer.substr(0, static_cast<size_t>(file.gcount())));
    fingerprint.Add(part.data());
    if (!send(part)) return CallerGone();
  }
  if (file.bad()) return absl::DataLossError("the backup cannot be read again; try once more");
  part.clear_data();
  part.set_fingerprint(fingerprint.Finish());
  return send(part) ? absl::OkStatus() : CallerGone();
}

// Devices that workers offer now, quarantined ones left out.
std::vector<v1::Device> OfferedDevices(const Coordinator& coordinator) {
  std::vector<v1::Device> devices;
  for (const v1::WorkerView& worker : coordinator.ListWorkers()) {
    for (const v1::Device& device : worker.devices()) {
      if (device.quarantine().empty()) devices.push_back(device);
    }
  }
  return devices;
}

}  // namespace

ExchangeServiceImpl::ExchangeServiceImpl(const Authority* authority, Coordinator* coordinator)
    : GuardedService(authority, v1::LookUpRequest::descriptor()->file(), "ExchangeService"),
      coordinator_(coordinator) {
  Add<v1::LookUpRequest, v1::LookUpResponse>(
      "LookUp", Work::kLong,
      [this](const Call& call, auto& request, auto* response) { return LookUp(call, request, response); });
  AddSender<v1::ExportStudiesRequest, v1::FilePart>(
      "ExportStudies", [this](const Call& call, auto& request, const SendPart& send) {
        return ExportStudies(call, request, send);
      });
  AddReceiver<v1::FilePart, v1::ImportStudiesResponse>(
      "ImportStudies", [this](const Call& call, const ReceivePart& receive, auto* response) {
        return ImportStudies(call, receive, response);
      });
  Add<v1::ReportTriesRequest, v1::ReportTriesResponse>(
      "ReportTries", Work::kShort, [this](const Call& call, auto& request, auto* response) {
        return ReportTries(call, request, response);
      });
  Add<v1::CollectGarbageRequest, v1::CollectGarbageResponse>(
      "CollectGarbage", Work::kLong, [this](const Call& call, auto& request, auto* response) {
        return CollectGarbage(call, request, response);
      });
  AddSender<v1::BackupRequest, v1::FilePart>(
      "Backup", [this](const Call&, auto&, const SendPart& send) { return Backup(send); });
}

absl::Status ExchangeServiceImpl::LookUp(const Call&, const v1::LookUpRequest& request,
                                         v1::LookUpResponse* response) {
  TUNE_ASSIGN_OR_RETURN(*response,
                        tune::LookUp(coordinator_->store(), request, OfferedDevices(*coordinator_)));
  return absl::OkStatus();
}

absl::Status ExchangeServiceImpl::ExportStudies(const Call&, const v1::ExportStudiesRequest& request,
                                                const SendPart& send) {
  if (request.study_ids().empty()) return absl::InvalidArgumentError("study_ids: name at least one");
  TUNE_ASSIGN_OR_RETURN(
      const std::string file,
      WriteArchiveFile(coordinator_->store(), {request.study_ids().begin(), request.study_ids().end()},
                       request.without_texts(), coordinator_->Now()));
  return SendFile(file, send);
}

absl::Status ExchangeServiceImpl::ImportStudies(const Call& call, const ReceivePart& receive,
                                                v1::ImportStudiesResponse* response) {
  if (imports_.fetch_add(1) >= kMostImports) {
    --imports_;
    return absl::UnavailableError(absl::StrCat("the server is taking in ", kMostImports,
                                               " other archives; try again when one has ended"));
  }
  const absl::Cleanup end = [this] { --imports_; };
  TUNE_ASSIGN_OR_RETURN(*response, Import(call, receive));
  return absl::OkStatus();
}

absl::StatusOr<v1::ImportStudiesResponse> ExchangeServiceImpl::Import(const Call& call,
                                                                      const ReceivePart& receive) {
  Store& store = coordinator_->store();
  // Beside the database, whose disk it is meant for.
  TUNE_ASSIGN_OR_RETURN(ReceivedFile file,
                        ReceivedFile::Make(std::filesystem::path(store.Path()).parent_path()));
  std::string source;
  v1::FilePart part;
  while (true) {
    TUNE_ASSIGN_OR_RETURN(const bool more, receive(&part));
    if (!more) break;
    if (source.empty()) source = part.source();
    if (source.size() > kLongestSource)
      return absl::InvalidArgumentError(absl::StrCat("source: it has more than ", kLongestSource, " bytes"));
    TUNE_RETURN_IF_ERROR(file.Append(part.data()));
    TUNE_RETURN_IF_ERROR(CheckArchiveSize(static_cast<int64_t>(file.size())));
  }
  TUNE_ASSIGN_OR_RETURN(const absl::string_view content, file.Content());
  ImportTerms terms{source, coordinator_->Now(), call.identity.name, {}};
  if (ChargeOf(call.identity) == Charge::kOwner) {
    terms.admit = [&](int64_t bytes) {
      Usage wants;
      wants.bytes = bytes;
      return coordinator_->CheckUse(call.identity.name, wants);
    };
  }
  TUNE_ASSIGN_OR_RETURN(v1::ImportStudiesResponse response,
                        ImportArchive(store, content, terms, [&call] { return call.wire->gone(); }));
  for (const v1::ImportedStudy& imported : response.studies()) {
    if (!imported.duplicate())
      spdlog::info("study {} imported from {}", imported.study().id(), absl::Utf8SafeCHexEscape(source));
  }
  return response;
}

absl::Status ExchangeServiceImpl::ReportTries(const Call& call, const v1::ReportTriesRequest& request,
                                              v1::ReportTriesResponse* response) {
  if (ChargeOf(call.identity) == Charge::kOwner) {
    Usage wants;
    wants.bytes = static_cast<int64_t>(request.ByteSizeLong());
    TUNE_RETURN_IF_ERROR(coordinator_->CheckUse(call.identity.name, wants));
  }
  TUNE_ASSIGN_OR_RETURN(*response, coordinator_->online().Report(call.identity.name, request));
  return absl::OkStatus();
}

absl::Status ExchangeServiceImpl::CollectGarbage(const Call&, const v1::CollectGarbageRequest& request,
                                                 v1::CollectGarbageResponse* response) {
  absl::MutexLock lock(&maintenance_);
  TUNE_ASSIGN_OR_RETURN(*response, tune::CollectGarbage(
                                       coordinator_->store(), request, coordinator_->Now(),
                                       [&](const std::string& id) { return coordinator_->IsActive(id); },
                                       [&](const std::string& id) { return coordinator_->RemoveStudy(id); }));
  if (!request.dry_run()) {
    spdlog::info("gc: {} texts and {} studies removed, {} -> {} bytes", response->texts(),
                 response->removed_studies_size(), response->bytes_before(), response->bytes_after());
  }
  return absl::OkStatus();
}

absl::Status ExchangeServiceImpl::Backup(const SendPart& send) {
  if (sends_backup_.exchange(true)) {
    return absl::FailedPreconditionError("another backup is being made; try again when that has ended");
  }
  const absl::Cleanup end = [this] { sends_backup_ = false; };
  TUNE_ASSIGN_OR_RETURN(std::ifstream copy, CopyDatabase());
  return SendStream(copy, send);
}

absl::StatusOr<std::ifstream> ExchangeServiceImpl::CopyDatabase() {
  absl::MutexLock lock(&maintenance_);
  const Store& store = coordinator_->store();
  std::string copy;
  if (!store.Path().empty()) {
    copy = store.Path() + ".backup";
    std::error_code error;
    std::filesystem::remove(copy, error);  // of a server that was killed meanwhile
  }
  TUNE_RETURN_IF_ERROR(store.Backup(copy));
  std::ifstream file(copy, std::ios::binary);
  std::error_code error;
  std::filesystem::remove(copy, error);  // it stays readable through `file`
  if (!file) return absl::UnavailableError(absl::StrCat(copy, ": cannot be read"));
  return file;
}

}  // namespace tune
