// The server as tunectl sees it: its calls with deadlines, and errors that say what to do.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/base/status.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/study_service.pb.h"

// gRPC's own headers stay out: every verb includes this file.
namespace grpc {
class Channel;
class ClientContext;
class Status;
}  // namespace grpc

namespace tune {

struct ChannelOptions;

// Whether the status means that no server could be reached, as opposed to what a server answered.
bool IsUnreachable(const absl::Status& status);
// The same status with that meaning.
absl::Status AsUnreachable(absl::Status status);

// Thread safe.
class StudyClient {
 public:
  // Does not connect yet. INVALID_ARGUMENT when the options cannot be used.
  static absl::StatusOr<std::unique_ptr<StudyClient>> Open(const ChannelOptions& options);

  const std::string& address() const { return address_; }

  // Sent again with the same id while the server cannot be reached, for up to `patience`.
  absl::StatusOr<v1::Study> Submit(const v1::StudySpec& spec, const std::string& request_id,
                                   absl::Duration patience = absl::Seconds(10));
  absl::StatusOr<v1::Study> Cancel(const std::string& study_id);
  // The index of the candidate made.
  absl::StatusOr<int64_t> Replay(const std::string& study_id, const v1::Configuration& configuration,
                                 const v1::Diagnosis& diagnosis);

  absl::StatusOr<v1::ServerInfo> GetServerInfo(absl::Duration deadline = absl::Seconds(5));
  absl::StatusOr<v1::Study> GetStudy(const std::string& study_id);
  absl::StatusOr<v1::StudySpec> GetStudySpec(const std::string& study_id);
  absl::StatusOr<v1::Candidate> GetCandidate(const std::string& study_id, int64_t index);
  // `index` -1: the study as it stands.
  absl::StatusOr<v1::Explanation> Explain(const std::string& study_id, int64_t index);
  absl::StatusOr<std::vector<v1::WorkerView>> ListWorkers();

  // Newest first, at most `limit`.
  absl::StatusOr<std::vector<v1::Study>> ListStudies(int limit);
  // All of them, without code and logs.
  absl::StatusOr<std::vector<v1::Candidate>> ListCandidates(const std::string& study_id);
  // All of them. `carve`: what to make of them; unset: as the study was carved.
  absl::StatusOr<std::vector<v1::InspectionView>> ListInspections(
      const std::string& study_id, const std::optional<v1::CarveOptions>& carve = std::nullopt);

  // Every update of the study until the stream ends, which `context` may cancel. What ended it.
  absl::Status ReadUpdates(grpc::ClientContext& context, const std::string& study_id,
                           const std::function<void(v1::Study)>& on_update);

  // The connection, for calls of other services.
  const std::shared_ptr<grpc::Channel>& channel() const;

  // gRPC's status with the remedy added.
  absl::Status Explain(const grpc::Status& status) const;
  // What Explain says when nothing answers.
  absl::Status Unreachable(absl::string_view why) const;

  ~StudyClient();

 private:
  struct Stubs;
  StudyClient(std::string address, std::unique_ptr<Stubs> stubs);

  absl::StatusOr<v1::Study> TrySubmit(const v1::SubmitRequest& request);
  // One call of a unary method of `stub`.
  template <typename Response, typename Stub, typename Method, typename Request>
  absl::StatusOr<Response> Call(Stub& stub, Method method, const Request& request,
                                absl::Duration deadline = absl::Seconds(30));

  const std::string address_;
  const std::unique_ptr<Stubs> stubs_;
};

}  // namespace tune
