#include "server/analysis/analysis_server.h"

#include <algorithm>
#include <map>
#include <optional>

#include "common/base/frames.h"
#include "common/base/message_process.h"
#include "common/scop/scop.h"
#include "common/scop/scop_identity.h"
#include "tune/v1/analysis.pb.h"

namespace tune {
namespace {

// What a scop is looked at before it is kept: a region of people takes some milliseconds.
constexpr IslContext::Limits kCheckLimits = {.operations = 5'000'000, .processor_time = absl::Seconds(20)};

v1::NamedPoint ToMessage(const DecisionPoint& point) {
  v1::NamedPoint message;
  message.set_key(point.key);
  for (const std::string& option : point.options) message.add_options(option);
  for (const bool allowed : point.allowed) message.add_allowed(allowed);
  message.set_default_option(point.default_option);
  message.set_unrecorded_option(point.unrecorded_option);
  return message;
}

class AnalysisServer {
 public:
  AnalysisServer(int input, int output, const SpaceFactory& make_space)
      : input_(input), output_(output), make_space_(make_space) {}

  absl::Status Run() {
    while (true) {
      if (!has_request_) TUNE_RETURN_IF_ERROR(Receive());
      if (!has_request_) return absl::OkStatus();
      has_request_ = false;
      v1::AnalysisAnswer answer;
      const absl::Status status = Serve(&answer);
      if (given_up_) continue;  // the walk; the next request is here
      answer.set_code(static_cast<int>(status.code()));
      answer.set_message(std::string(status.message()));
      TUNE_RETURN_IF_ERROR(WriteMessage(output_, answer));
    }
  }

 private:
  // Answers what is given, then what is expected, and asks for the rest.
  class WalkChooser : public Chooser {
   public:
    WalkChooser(AnalysisServer* server, v1::WalkSpace walk) : server_(*server), walk_(std::move(walk)) {}

    v1::WalkPart& part() { return part_; }

    absl::StatusOr<int> Choose(const DecisionPoint& point) override {
      if (given_ < walk_.given_size()) return walk_.given(given_++);
      v1::AskedPoint* asked = part_.add_asked();
      asked->set_point(server_.NumberOf(point, &part_));
      if (const int option = Expected(point); option >= 0) {
        asked->set_chosen(option);
        return option;
      }
      asked->set_chosen(-1);
      v1::AnalysisAnswer answer;
      *answer.mutable_part() = std::move(part_);
      part_.Clear();
      return server_.AskForChoice(answer);
    }

   private:
    // -1: nothing is.
    int Expected(const DecisionPoint& point) {
      const auto& decisions = walk_.expected().decisions();
      const auto asked = [&](const v1::Decision& decision) { return decision.key() == point.key; };
      // Mostly they come in the order of the record.
      if (next_ >= decisions.size() || !asked(decisions[next_])) {
        next_ = static_cast<int>(std::find_if(decisions.begin(), decisions.end(), asked) - decisions.begin());
      }
      if (next_ >= decisions.size()) return -1;
      const auto option = std::find(point.options.begin(), point.options.end(), decisions[next_++].option());
      return option == point.options.end() ? -1 : static_cast<int>(option - point.options.begin());
    }

    AnalysisServer& server_;
    const v1::WalkSpace walk_;
    v1::WalkPart part_;
    int given_ = 0, next_ = 0;
  };

  // Leaves has_request_ false at the end of the input.
  absl::Status Receive() {
    TUNE_ASSIGN_OR_RETURN(has_request_, ReadMessage(input_, MessageProcess::kMaxMessage, &request_));
    return absl::OkStatus();
  }

  absl::Status Serve(v1::AnalysisAnswer* answer) {
    given_up_ = false;
    switch (request_.kind_case()) {
      case v1::AnalysisRequest::kIdentify:
        return Identify(request_.identify(), answer->mutable_identity());
      case v1::AnalysisRequest::kOpen:
        return Open(request_.open());
      case v1::AnalysisRequest::kWalk:
        return Walk(request_.walk(), answer);
      default:
        return absl::InvalidArgumentError("a request that is not known, or a choice outside of a walk");
    }
  }

  static absl::Status Identify(const v1::Scop& scop, v1::ScopFacts* facts) {
    IslContext context(kCheckLimits);
    TUNE_RETURN_IF_ERROR(ParseScop(context, scop).status());
    TUNE_ASSIGN_OR_RETURN(const ScopIdentity identity, FindScopIdentity(scop));
    facts->set_fingerprint(identity.fingerprint);
    facts->set_shape(identity.shape);
    facts->mutable_sizes()->Assign(identity.sizes.begin(), identity.sizes.end());
    return absl::OkStatus();
  }

  absl::Status Open(const v1::OpenSpace& open) {
    TUNE_ASSIGN_OR_RETURN(space_, make_space_(open.spec(), open.reference(), open.device()));
    return absl::OkStatus();
  }

  absl::Status Walk(const v1::WalkSpace& walk, v1::AnalysisAnswer* answer) {
    if (space_ == nullptr) return absl::FailedPreconditionError("no space is open");
    WalkChooser chooser(this, walk);
    const absl::Status status = space_->Walk(chooser);
    *answer->mutable_part() = std::move(chooser.part());
    answer->mutable_part()->set_ended(true);
    return status;
  }

  int NumberOf(const DecisionPoint& point, v1::WalkPart* part) {
    v1::NamedPoint message = ToMessage(point);
    const auto [entry, is_new] =
        numbers_.emplace(message.SerializeAsString(), static_cast<int>(numbers_.size()));
    if (is_new) *part->add_named() = std::move(message);
    return entry->second;
  }

  // Any other request than a choice gives the walk up.
  absl::StatusOr<int> AskForChoice(const v1::AnalysisAnswer& answer) {
    TUNE_RETURN_IF_ERROR(WriteMessage(output_, answer));
    TUNE_RETURN_IF_ERROR(Receive());
    if (has_request_ && request_.kind_case() == v1::AnalysisRequest::kChoose) {
      has_request_ = false;
      return request_.choose();
    }
    given_up_ = true;
    return absl::CancelledError("the walk is given up");
  }

  const int input_, output_;
  const SpaceFactory& make_space_;
  std::unique_ptr<Space> space_;
  std::map<std::string, int> numbers_;  // of the points that were named, by their messages
  v1::AnalysisRequest request_;
  bool has_request_ = false;  // one that is not answered
  bool given_up_ = false;
};

}  // namespace

absl::Status ServeAnalysis(int input, int output, const SpaceFactory& make_space) {
  return AnalysisServer(input, output, make_space).Run();
}

}  // namespace tune
