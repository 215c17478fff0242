#include "server/replay/recorded_space.h"

#include <algorithm>
#include <limits>
#include <set>

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

std::map<std::string, std::vector<std::string>> OptionsOf(const std::vector<RecordedCandidate>& candidates) {
  std::map<std::string, std::vector<std::string>> options;
  std::map<std::string, std::set<std::string>> seen;
  for (const RecordedCandidate& candidate : candidates) {
    for (const auto& [key, option] : candidate.decisions) {
      if (seen[key].insert(option).second) options[key].push_back(option);
    }
  }
  for (auto& [key, of_key] : options) {
    if (AreNumbers(of_key)) SortNumbers(&of_key);
  }
  return options;
}

// Sorted so that candidates with the same first decisions are neighbours.
void SortCandidates(const std::map<std::string, std::vector<std::string>>& options,
                    std::vector<RecordedCandidate>* candidates) {
  std::map<std::string, std::map<std::string, int>> positions;
  for (const auto& [key, of_key] : options) {
    for (size_t i = 0; i < of_key.size(); ++i) positions[key][of_key[i]] = static_cast<int>(i);
  }
  std::vector<std::pair<std::vector<std::pair<std::string, int>>, size_t>> order;
  for (size_t i = 0; i < candidates->size(); ++i) {
    order.emplace_back().second = i;
    for (const auto& [key, option] : (*candidates)[i].decisions)
      order.back().first.emplace_back(key, positions[key][option]);
  }
  std::sort(order.begin(), order.end());
  std::vector<RecordedCandidate> sorted;
  for (const auto& [position, index] : order) sorted.push_back(std::move((*candidates)[index]));
  *candidates = std::move(sorted);
}

int MiddleOf(const std::vector<bool>& allowed) {
  std::vector<int> positions;
  for (size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i]) positions.push_back(static_cast<int>(i));
  }
  return positions[(positions.size() - 1) / 2];
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordedSpace>> RecordedSpace::Make(
    std::vector<RecordedCandidate> candidates) {
  if (candidates.empty()) return absl::InvalidArgumentError("the space holds no candidates");
  auto space = std::make_unique<RecordedSpace>();
  space->options_ = OptionsOf(candidates);
  for (RecordedCandidate& candidate : candidates) {
    auto& decisions = candidate.decisions;
    decisions.erase(
        std::remove_if(decisions.begin(), decisions.end(),
                       [&](const auto& decision) { return space->options_[decision.first].size() == 1; }),
        decisions.end());
  }
  SortCandidates(space->options_, &candidates);
  space->candidates_ = std::move(candidates);
  space->best_seconds_ = std::numeric_limits<double>::infinity();
  for (const RecordedCandidate& candidate : space->candidates_) {
    space->Count(candidate.evaluation);
    if (candidate.is_default) space->defaults_.insert(candidate.decisions.begin(), candidate.decisions.end());
  }
  space->nodes_.emplace_back();
  TUNE_RETURN_IF_ERROR(space->Build(0, 0, space->candidates_.size(), 0));
  return space;
}

void RecordedSpace::Count(const v1::Evaluation& evaluation) {
  if (evaluation.outcome() != v1::CORRECT) return;
  ++correct_;
  best_seconds_ = std::min(best_seconds_, evaluation.measurement().median());
  const auto& kernels = evaluation.kernels();
  const auto timed = [](const v1::KernelEvaluation& kernel) { return kernel.seconds() > 0; };
  const auto counted = [](const v1::KernelEvaluation& kernel) { return kernel.metrics_size() > 0; };
  with_kernel_times_ += std::any_of(kernels.begin(), kernels.end(), timed) ? 1 : 0;
  with_metrics_ += std::any_of(kernels.begin(), kernels.end(), counted) ? 1 : 0;
}

int RecordedSpace::DefaultOf(const DecisionPoint& point) const {
  const auto known = defaults_.find(point.key);
  if (known == defaults_.end()) return MiddleOf(point.allowed);
  const auto option = std::find(point.options.begin(), point.options.end(), known->second);
  const size_t position = option - point.options.begin();
  return point.allowed[position] ? static_cast<int>(position) : MiddleOf(point.allowed);
}

// Candidates first..last-1 have the same first `depth` decisions.
absl::Status RecordedSpace::Build(int node, size_t first, size_t last, size_t depth) {
  const auto& decisions = candidates_[first].decisions;
  if (decisions.size() == depth) {
    nodes_[node].candidate = static_cast<int>(first);
    if (last - first == 1) return absl::OkStatus();
    if (candidates_[first + 1].decisions.size() == depth)
      return absl::InvalidArgumentError("two candidates of the space have the same decisions");
    return absl::InvalidArgumentError("the decisions of a candidate of the space are a part of another's");
  }
  DecisionPoint point;
  point.key = decisions[depth].first;
  point.options = options_[point.key];
  point.allowed.assign(point.options.size(), false);
  std::vector<int> children(point.options.size(), -1);
  while (first < last) {
    const auto& [key, option] = candidates_[first].decisions[depth];
    if (key != point.key) {
      return absl::InvalidArgumentError(absl::StrCat(
          "after the same decisions one candidate of the space decides ", point.key, " and another ", key));
    }
    size_t next = first + 1;
    while (next < last && candidates_[next].decisions.size() > depth &&
           candidates_[next].decisions[depth] == candidates_[first].decisions[depth]) {
      ++next;
    }
    const size_t position =
        std::find(point.options.begin(), point.options.end(), option) - point.options.begin();
    point.allowed[position] = true;
    const int child = static_cast<int>(nodes_.size());
    children[position] = child;
    nodes_.emplace_back();
    TUNE_RETURN_IF_ERROR(Build(child, first, next, depth + 1));
    first = next;
  }
  point.default_option = DefaultOf(point);
  nodes_[node].point = std::move(point);
  nodes_[node].children = std::move(children);
  return absl::OkStatus();
}

absl::Status RecordedSpace::Walk(Chooser& chooser) {
  int node = 0;
  while (!nodes_[node].point.options.empty()) {
    TUNE_ASSIGN_OR_RETURN(const int chosen, chooser.Choose(nodes_[node].point));
    node = nodes_[node].children[chosen];
    if (node < 0) return absl::InternalError("a masked option was chosen");
  }
  return absl::OkStatus();
}

absl::StatusOr<const v1::Evaluation*> RecordedSpace::Evaluate(const v1::Configuration& configuration) const {
  int node = 0;
  for (const v1::Decision& decision : configuration.decisions()) {
    const DecisionPoint& point = nodes_[node].point;
    const auto option = std::find(point.options.begin(), point.options.end(), decision.option());
    if (decision.key() != point.key || option == point.options.end()) {
      return absl::NotFoundError(
          absl::StrCat(decision.key(), " = ", decision.option(), ": not in the recorded space"));
    }
    node = nodes_[node].children[option - point.options.begin()];
    if (node < 0) return absl::NotFoundError("the configuration is not in the recorded space");
  }
  if (nodes_[node].candidate < 0) return absl::NotFoundError("the configuration ends before the walk does");
  return &candidates_[nodes_[node].candidate].evaluation;
}

}  // namespace tune
