// The route of whole studies, for other servers.
#include <atomic>

#include "server/dashboard/read_api.h"
#include "server/exchange/archive_file.h"

namespace tune {
namespace {

// Each takes the memory of a whole study, several times.
constexpr int kMostArchives = 2;

// A place among those that are written at the same time; given back by the destructor.
class ArchivePlace {
 public:
  explicit ArchivePlace(std::atomic<int>* taken)
      : taken_(taken), free_(taken->fetch_add(1) < kMostArchives) {}
  ~ArchivePlace() { taken_->fetch_sub(1); }
  ArchivePlace(const ArchivePlace&) = delete;
  ArchivePlace& operator=(const ArchivePlace&) = delete;

  bool free() const { return free_; }

 private:
  std::atomic<int>* const taken_;
  const bool free_;
};

absl::StatusOr<RouteResponse> DownloadArchive(const ReadSources& sources, const RouteRequest& request,
                                              std::atomic<int>* taken) {
  TUNE_RETURN_IF_ERROR(request.query->Finish());
  TUNE_ASSIGN_OR_RETURN(const std::string id, StudySegment(request.segments[0]));
  const ArchivePlace place(taken);
  if (!place.free()) {
    return absl::UnavailableError("other archives are being written; ask again in a second");
  }
  absl::StatusOr<std::string> file = WriteArchiveFile(sources.coordinator->store(), {id},
                                                      /*without_texts=*/false, sources.coordinator->Now());
  // To ask again would not help.
  if (absl::IsResourceExhausted(file.status())) return absl::FailedPreconditionError(file.status().message());
  TUNE_RETURN_IF_ERROR(file.status());
  return RouteResponse{200, "application/octet-stream", *std::move(file), id + ".tune"};
}

}  // namespace

void AddArchiveRoutes(const ReadSources& sources, std::vector<Route>* routes) {
  const auto taken = std::make_shared<std::atomic<int>>(0);
  routes->push_back({"/api/v1/studies/{study}/archive", [sources, taken](const RouteRequest& request) {
                       return DownloadArchive(sources, request, taken.get());
                     }});
}

}  // namespace tune
