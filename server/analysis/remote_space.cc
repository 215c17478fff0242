#include "server/analysis/remote_space.h"

#include <algorithm>

namespace tune {
namespace {

constexpr int kMostAsked = 100'000;    // points of a walk
constexpr int kMostNamed = 1'000'000;  // points of a space

absl::Status Nonsense() {
  return absl::InternalError("the process that walks the space answered what is no walk");
}

bool IsChoice(const DecisionPoint& point, int option) {
  return option >= 0 && option < static_cast<int>(point.options.size()) && point.allowed[option];
}

absl::StatusOr<DecisionPoint> FromMessage(const v1::NamedPoint& message) {
  DecisionPoint point;
  point.key = message.key();
  point.options.assign(message.options().begin(), message.options().end());
  point.allowed.assign(message.allowed().begin(), message.allowed().end());
  point.default_option = message.default_option();
  point.unrecorded_option = message.unrecorded_option();
  if (point.options.empty() || point.allowed.size() != point.options.size() ||
      !IsChoice(point, point.default_option) ||
      (point.unrecorded_option != -1 && !IsChoice(point, point.unrecorded_option))) {
    return Nonsense();
  }
  return point;
}

v1::AnalysisRequest WalkRequest(const std::vector<int>& given, const v1::Configuration& expected) {
  v1::AnalysisRequest request;
  request.mutable_walk()->mutable_given()->Assign(given.begin(), given.end());
  *request.mutable_walk()->mutable_expected() = expected;
  return request;
}

class RemoteSpace : public Space {
 public:
  RemoteSpace(const AnalyserOptions& options, const v1::StudySpec& spec, const v1::Reference& reference,
              const v1::Device& device)
      : options_(options) {
    v1::OpenSpace& open = *open_.mutable_open();
    *open.mutable_spec() = spec;
    open.mutable_spec()->clear_program();
    *open.mutable_reference() = reference;
    *open.mutable_device() = device;
  }

  // A process with the space.
  absl::Status Open() {
    if (analyser_ != nullptr && analyser_->alive()) return absl::OkStatus();
    points_.clear();
    TUNE_ASSIGN_OR_RETURN(analyser_, Analyser::Start(options_));
    const absl::Status opened = analyser_->Ask(open_).status();
    if (!opened.ok()) analyser_.reset();
    return opened;
  }

  absl::Status Walk(Chooser& chooser) override { return WalkAs({}, chooser); }

  absl::Status WalkAs(const v1::Configuration& recorded, Chooser& chooser) override {
    TUNE_RETURN_IF_ERROR(Open());
    std::vector<int> chosen;
    v1::AnalysisRequest request = WalkRequest({}, recorded);
    while (true) {
      TUNE_ASSIGN_OR_RETURN(const v1::AnalysisAnswer answer, Ask(request));
      const v1::WalkPart& part = answer.part();
      TUNE_ASSIGN_OR_RETURN(const Following following, Follow(part, chooser, &chosen));
      if (following == Following::kOtherwise) {
        request = WalkRequest(chosen, {});
      } else if (part.ended()) {
        return absl::Status(static_cast<absl::StatusCode>(answer.code()), answer.message());
      } else {
        request.set_choose(chosen.back());
      }
    }
  }

 private:
  // What became of a part: it was chosen as expected, or otherwise at its last point in `chosen`.
  enum class Following { kAsExpected, kOtherwise };

  // What the process says nonsense to is not asked again.
  absl::StatusOr<v1::AnalysisAnswer> Ask(const v1::AnalysisRequest& request) {
    absl::StatusOr<v1::AnalysisAnswer> answer = analyser_->Ask(request);
    absl::Status status = answer.status();
    if (status.ok()) status = Learn(answer->part());
    if (status.ok()) return answer;
    analyser_.reset();
    return status;
  }

  // Takes new points, and looks whether the part can be one.
  absl::Status Learn(const v1::WalkPart& part) {
    if (points_.size() + part.named_size() > kMostNamed) return Nonsense();
    for (const v1::NamedPoint& named : part.named()) {
      TUNE_ASSIGN_OR_RETURN(DecisionPoint point, FromMessage(named));
      points_.push_back(std::move(point));
    }
    for (int i = 0; i < part.asked_size(); ++i) {
      const v1::AskedPoint& asked = part.asked(i);
      const bool waits = !part.ended() && i + 1 == part.asked_size();
      if (asked.point() < 0 || asked.point() >= static_cast<int>(points_.size())) return Nonsense();
      if (waits ? asked.chosen() != -1 : !IsChoice(points_[asked.point()], asked.chosen())) return Nonsense();
    }
    return part.ended() || part.asked_size() > 0 ? absl::OkStatus() : Nonsense();
  }

  absl::StatusOr<Following> Follow(const v1::WalkPart& part, Chooser& chooser, std::vector<int>* chosen) {
    for (const v1::AskedPoint& asked : part.asked()) {
      if (chosen->size() == kMostAsked) return Nonsense();
      TUNE_ASSIGN_OR_RETURN(const int option, chooser.Choose(points_[asked.point()]));
      chosen->push_back(option);
      if (asked.chosen() != -1 && asked.chosen() != option) return Following::kOtherwise;
    }
    return Following::kAsExpected;
  }

  const AnalyserOptions options_;
  v1::AnalysisRequest open_;
  std::unique_ptr<Analyser> analyser_;
  std::vector<DecisionPoint> points_;  // by the number that the process gave them
};

}  // namespace

SpaceFactory RemoteSpaces(const AnalyserOptions& options) {
  return [options](const v1::StudySpec& spec, const v1::Reference& reference,
                   const v1::Device& device) -> absl::StatusOr<std::unique_ptr<Space>> {
    auto space = std::make_unique<RemoteSpace>(options, spec, reference, device);
    TUNE_RETURN_IF_ERROR(space->Open());
    return space;
  };
}

}  // namespace tune
