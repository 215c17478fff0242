#include "server/replay/recorded_space.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "absl/strings/numbers.h"

namespace tune {
namespace {

bool AreNumbers(const std::vector<std::string>& options) {
  double value = 0;
  return std::all_of(options.begin(), options.end(),
                     [&](const std::string& option) { return absl::SimpleAtod(option, &value); });
}

void SortNumbers(std::vector<std::string>* options) {
  const auto number = [](const std::string& option) {
    double value = 0;
    return absl::SimpleAtod(option, &value) ? value : 0;
  };
  std::stable_sort(options->begin(), options->end(),
                   [&](const std::string& a, const std::string& b) { return number(a) < number(b); });
}

int MiddleOf(const std::vector<bool>& allowed) {
  std::vector<int> positions;
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i]) positions.push_back(static_cast<int>(i));
  }
  return positions[(positions.size() - 1) / 2];
}

}  // namespace

// Candidates as lists of numbers, which are sorted, and what they have in common is a node.
class RecordedSpace::Builder {
 public:
  Builder(std::vector<RecordedCandidate> candidates, RecordedSpace* space)
      : candidates_(std::move(candidates)), space_(space) {}

  absl::Status Build() {
    Name();
    Order();
    Code();
    space_->evaluations_.reserve(candidates_.size());
    for (const Coded& coded : coded_) {
      space_->evaluations_.push_back(std::move(candidates_[coded.candidate].evaluation));
      space_->Count(space_->evaluations_.back());
    }
    space_->nodes_.emplace_back();
    return BuildNode(0, 0, coded_.size(), 0);
  }

 private:
  struct Named {
    int decision = 0;
    int option = 0;
  };
  struct Coded {
    std::vector<Named> decisions;
    size_t candidate = 0;
  };

  // Numbers decisions and options in the order first seen. Candidates mostly decide the same at the same
  // place, so that the number of the last one there is looked at first.
  void Name() {
    std::vector<int> last;  // decision, by place
    coded_.resize(candidates_.size());
    for (size_t i = 0; i < candidates_.size(); ++i) {
      coded_[i].candidate = i;
      const auto& decisions = candidates_[i].decisions;
      last.resize(std::max(last.size(), decisions.size()), -1);
      coded_[i].decisions.reserve(decisions.size());
      for (size_t place = 0; place < decisions.size(); ++place) {
        const auto& [key, option] = decisions[place];
        if (last[place] < 0 || space_->decisions_[last[place]].key != key) last[place] = DecisionOf(key);
        const int decision = last[place];
        const auto [known, is_new] =
            options_[decision].try_emplace(option, static_cast<int>(options_[decision].size()));
        if (is_new) space_->decisions_[decision].options.push_back(option);
        coded_[i].decisions.push_back({decision, known->second});
        if (candidates_[i].is_default) space_->decisions_[decision].standard = option;
      }
    }
  }

  int DecisionOf(const std::string& key) {
    const auto [known, is_new] = by_key_.try_emplace(key, static_cast<int>(by_key_.size()));
    if (is_new) {
      space_->decisions_.push_back({key, {}, ""});
      options_.emplace_back();
    }
    return known->second;
  }

  // Numbers ascend.
  void Order() {
    for (size_t decision = 0; decision < options_.size(); ++decision) {
      std::vector<std::string>& options = space_->decisions_[decision].options;
      std::vector<int>& position = positions_.emplace_back(options.size());
      const std::vector<std::string> first_seen = options;
      if (AreNumbers(options)) SortNumbers(&options);
      for (size_t i = 0; i < options.size(); ++i) options_[decision][options[i]] = static_cast<int>(i);
      for (size_t i = 0; i < options.size(); ++i) position[i] = options_[decision][first_seen[i]];
    }
  }

  // Options by their positions, decisions without a choice left out; sorted so that candidates with the same
  // first decisions are neighbours.
  void Code() {
    const auto is_forced = [&](const Named& named) { return positions_[named.decision].size() == 1; };
    for (Coded& coded : coded_) {
      std::erase_if(coded.decisions, is_forced);
      for (Named& named : coded.decisions) named.option = positions_[named.decision][named.option];
    }
    const auto before = [](const Named& a, const Named& b) {
      return std::make_pair(a.decision, a.option) < std::make_pair(b.decision, b.option);
    };
    std::sort(coded_.begin(), coded_.end(), [&](const Coded& a, const Coded& b) {
      return std::lexicographical_compare(a.decisions.begin(), a.decisions.end(), b.decisions.begin(),
                                          b.decisions.end(), before);
    });
  }

  // Candidates first..last-1 have the same first `depth` decisions.
  absl::Status BuildNode(int node, size_t first, size_t last, size_t depth) {
    space_->nodes_[node].walks = static_cast<int>(last - first);
    if (coded_[first].decisions.size() == depth) {
      space_->nodes_[node].candidate = static_cast<int>(first);
      if (last - first == 1) return absl::OkStatus();
      if (coded_[first + 1].decisions.size() == depth)
        return absl::InvalidArgumentError("two candidates of the space have the same decisions");
      return absl::InvalidArgumentError("the decisions of a candidate of the space are a part of another's");
    }
    const int decision = coded_[first].decisions[depth].decision;
    space_->nodes_[node].decision = decision;
    while (first < last) {
      const Named named = coded_[first].decisions[depth];
      if (named.decision != decision) {
        return absl::InvalidArgumentError(absl::StrCat(
            "after the same decisions one candidate of the space decides ", space_->decisions_[decision].key,
            " and another ", space_->decisions_[named.decision].key));
      }
      size_t next = first + 1;
      while (next < last && coded_[next].decisions.size() > depth &&
             coded_[next].decisions[depth].decision == named.decision &&
             coded_[next].decisions[depth].option == named.option) {
        ++next;
      }
      const int child = static_cast<int>(space_->nodes_.size());
      space_->nodes_.emplace_back();
      space_->nodes_[node].children.emplace_back(named.option, child);
      TUNE_RETURN_IF_ERROR(BuildNode(child, first, next, depth + 1));
      first = next;
    }
    return absl::OkStatus();
  }

  std::vector<RecordedCandidate> candidates_;
  RecordedSpace* const space_;
  std::unordered_map<std::string, int> by_key_;
  std::vector<std::unordered_map<std::string, int>> options_;  // by decision
  std::vector<std::vector<int>> positions_;                    // [decision][option in the order first seen]
  std::vector<Coded> coded_;
};

absl::StatusOr<std::unique_ptr<RecordedSpace>> RecordedSpace::Make(
    std::vector<RecordedCandidate> candidates) {
  if (candidates.empty()) return absl::InvalidArgumentError("the space holds no candidates");
  auto space = std::make_unique<RecordedSpace>();
  space->best_seconds_ = std::numeric_limits<double>::infinity();
  TUNE_RETURN_IF_ERROR(Builder(std::move(candidates), space.get()).Build());
  return space;
}

void RecordedSpace::Count(const v1::Evaluation& evaluation) {
  if (evaluation.outcome() != v1::CORRECT) return;
  ++correct_;
  const double seconds = evaluation.measurement().median();
  if (seconds > 0) best_seconds_ = std::min(best_seconds_, seconds);
  const auto& kernels = evaluation.kernels();
  const auto timed = [](const v1::KernelEvaluation& kernel) { return kernel.seconds() > 0; };
  const auto counted = [](const v1::KernelEvaluation& kernel) { return kernel.metrics_size() > 0; };
  with_kernel_times_ += std::any_of(kernels.begin(), kernels.end(), timed) ? 1 : 0;
  with_metrics_ += std::any_of(kernels.begin(), kernels.end(), counted) ? 1 : 0;
}

int RecordedSpace::DefaultOf(const Decision& decision, const std::vector<bool>& allowed) const {
  const auto option = std::find(decision.options.begin(), decision.options.end(), decision.standard);
  if (option == decision.options.end() || !allowed[option - decision.options.begin()])
    return MiddleOf(allowed);
  return static_cast<int>(option - decision.options.begin());
}

const DecisionPoint& RecordedSpace::PointOf(Node* node) {
  if (node->point != nullptr) return *node->point;
  const Decision& decision = decisions_[node->decision];
  node->point = std::make_unique<DecisionPoint>();
  DecisionPoint& point = *node->point;
  point.key = decision.key;
  point.options = decision.options;
  point.allowed.assign(point.options.size(), false);
  point.walks.assign(point.options.size(), 0);
  for (const auto& [option, child] : node->children) {
    point.allowed[option] = true;
    point.walks[option] = nodes_[child].walks;
  }
  point.default_option = DefaultOf(decision, point.allowed);
  return point;
}

int RecordedSpace::ChildOf(const Node& node, int option) {
  const auto child = std::lower_bound(node.children.begin(), node.children.end(), std::make_pair(option, 0));
  return child == node.children.end() || child->first != option ? -1 : child->second;
}

absl::Status RecordedSpace::Walk(Chooser& chooser) {
  int node = 0;
  while (nodes_[node].decision >= 0) {
    TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(PointOf(&nodes_[node])));
    node = ChildOf(nodes_[node], chosen);
    if (node < 0) return absl::InternalError("a masked option was chosen");
  }
  return absl::OkStatus();
}

absl::StatusOr<const v1::Evaluation*> RecordedSpace::Evaluate(const v1::Configuration& configuration) const {
  int node = 0;
  for (const v1::Decision& decision : configuration.decisions()) {
    if (nodes_[node].decision < 0)
      return absl::NotFoundError("the configuration goes on where the walk ends");
    const Decision& asked = decisions_[nodes_[node].decision];
    const auto option = std::find(asked.options.begin(), asked.options.end(), decision.option());
    if (decision.key() != asked.key || option == asked.options.end()) {
      return absl::NotFoundError(
          absl::StrCat(decision.key(), " = ", decision.option(), ": not in the recorded space"));
    }
    node = ChildOf(nodes_[node], static_cast<int>(option - asked.options.begin()));
    if (node < 0) return absl::NotFoundError("the configuration is not in the recorded space");
  }
  if (nodes_[node].candidate < 0) return absl::NotFoundError("the configuration ends before the walk does");
  return &evaluations_[nodes_[node].candidate];
}

}  // namespace tune
