#include "libtune/search/hierarchical_search.h"

#include <algorithm>
#include <utility>

namespace libtune {
namespace {

// Walks that met rejected choices alone; each one rejects one more, so this is only ever reached where a
// graph is huge.
constexpr int kMostWalks = 10000;

}  // namespace

HierarchicalSearch::HierarchicalSearch(const SearchGraph* graph, Values start, Rejection rejects,
                                       const SearchOptions& options)
    : graph_(graph),
      start_(std::move(start)),
      rejects_(std::move(rejects)),
      options_(options),
      random_(options.seed),
      searches_(graph->nodes().size()),
      dropped_(graph->space().size()) {
  for (const int parameter : graph->nominal()) {
    dropped_[parameter].resize(graph->space().at(parameter).choices.size());
  }
}

const Values& HierarchicalSearch::Next() {
  if (next_.has_value()) return *next_;
  if (settled_ && best_ != nullptr) return best_->first;
  for (int i = 0; i < kMostWalks; ++i) {
    if (Walk()) return *next_;
    if (settled_) break;
  }
  // Everything is rejected: what the program did at the start is all that is left.
  settled_ = true;
  path_.clear();
  path_numeric_ = nullptr;
  next_ = best_ == nullptr ? start_ : best_->first;
  return *next_;
}

bool HierarchicalSearch::Walk() {
  const ParameterSpace& space = graph_->space();
  Values values = space.Defaults();
  path_.clear();
  bool may_try = true;
  for (size_t i = 0; i < graph_->nodes().size(); ++i) {
    const NominalNode& node = graph_->nodes()[i];
    if (!space.Exists(node.parameters.front(), space.Existing(values), values)) continue;
    EpsilonGreedy& search = SearchOf(i, values);
    const std::optional<int> combination = search.Next(&random_, may_try);
    may_try = may_try && !search.HasUntried();
    if (!combination.has_value()) {
      if (node.ancestors.empty()) {
        settled_ = true;
        return false;
      }
      int parent = 0;  // the deepest one
      for (const int ancestor : node.ancestors) parent = std::max(parent, graph_->NodeOf(ancestor));
      const NominalNode& above = graph_->nodes()[parent];
      SearchOf(parent, values).Reject(above.CombinationOf(space, values));
      return false;
    }
    node.Apply(space, *combination, &values);
    path_.push_back({&search, *combination});
  }
  path_numeric_ = &NumericOf(values);
  const std::vector<int> numeric = ExistingNumeric(values);
  for (size_t i = 0; i < numeric.size(); ++i) values[numeric[i]] = path_numeric_->Next()[i];
  next_ = std::move(values);
  return true;
}

uint64_t HierarchicalSearch::KeyOf(const std::vector<int>& parameters, const Values& values,
                                   const std::vector<bool>& existing) const {
  uint64_t key = 0;
  for (const int parameter : parameters) {
    const uint64_t choice = existing[parameter] ? static_cast<uint64_t>(values[parameter]) + 1 : 0;
    key = Random::Mixed(key * 31 + choice + 1);
  }
  return key;
}

EpsilonGreedy& HierarchicalSearch::SearchOf(size_t node, const Values& values) {
  const NominalNode& described = graph_->nodes()[node];
  const uint64_t key = KeyOf(described.ancestors, values, graph_->space().Existing(values));
  const auto known = searches_[node].find(key);
  if (known != searches_[node].end()) return *known->second;
  return *searches_[node].emplace(key, NewSearch(described, values)).first->second;
}

std::unique_ptr<EpsilonGreedy> HierarchicalSearch::NewSearch(const NominalNode& node,
                                                             const Values& values) const {
  const int first = node.CombinationOf(graph_->space(), start_);
  auto search = std::make_unique<EpsilonGreedy>(node.combinations, first, options_.exploration);
  Values tried = values;
  for (int combination = 0; combination < node.combinations; ++combination) {
    node.Apply(graph_->space(), combination, &tried);
    if (!IsAllowed(node, tried)) search->Reject(combination);
  }
  return search;
}

bool HierarchicalSearch::IsAllowed(const NominalNode& node, const Values& values) const {
  return std::none_of(node.parameters.begin(), node.parameters.end(), [&](int parameter) {
    return dropped_[parameter][static_cast<size_t>(values[parameter])] ||
           (rejects_ && rejects_(parameter, values));
  });
}

std::vector<int> HierarchicalSearch::ExistingNumeric(const Values& values) const {
  const std::vector<bool> existing = graph_->space().Existing(values);
  std::vector<int> numeric;
  for (const int parameter : graph_->numeric()) {
    if (existing[parameter]) numeric.push_back(parameter);
  }
  return numeric;
}

NelderMead* HierarchicalSearch::FindNumeric(const Values& values) const {
  const auto found = numeric_.find(KeyOf(graph_->nominal(), values, graph_->space().Existing(values)));
  return found == numeric_.end() ? nullptr : found->second.get();
}

NelderMead& HierarchicalSearch::NumericOf(const Values& values) {
  const uint64_t key = KeyOf(graph_->nominal(), values, graph_->space().Existing(values));
  const auto known = numeric_.find(key);
  if (known != numeric_.end()) return *known->second;
  std::vector<NumericScale> scales;
  std::vector<double> start;
  for (const int parameter : ExistingNumeric(values)) {
    scales.push_back(*graph_->space().at(parameter).scale);
    start.push_back(start_[parameter]);
  }
  return *numeric_.emplace(key, std::make_unique<NelderMead>(std::move(scales), start)).first->second;
}

void HierarchicalSearch::Observe(double seconds) {
  if (!next_.has_value()) return;
  const auto [measured, is_new] = measured_.try_emplace(*next_, seconds);
  if (!is_new) measured->second = std::min(measured->second, seconds);
  if (best_ == nullptr || measured->second < best_->second) best_ = &*measured;
  for (const Visit& visit : path_) visit.search->Observe(visit.combination, seconds);
  if (path_numeric_ != nullptr) path_numeric_->Observe(seconds);
  next_.reset();
  ++tries_;
  UpdateSettled();
}

void HierarchicalSearch::Reject() {
  if (!next_.has_value()) return;
  const bool has_numeric = !ExistingNumeric(*next_).empty();
  if (has_numeric && path_numeric_ != nullptr) {
    path_numeric_->Reject();
    // Other numbers may do; the combination counts as tried, as slow as what was slowest.
    for (const Visit& visit : path_) visit.search->Observe(visit.combination, 1e30);
  } else if (!path_.empty()) {
    path_.back().search->Reject(path_.back().combination);
  }
  next_.reset();
  ++tries_;
  UpdateSettled();
}

void HierarchicalSearch::Drop(int parameter, int choice) {
  dropped_[parameter][choice] = true;
  const size_t index = graph_->NodeOf(parameter);
  const NominalNode& node = graph_->nodes()[index];
  Values tried = graph_->space().Defaults();
  for (int combination = 0; combination < node.combinations; ++combination) {
    node.Apply(graph_->space(), combination, &tried);
    if (tried[parameter] != choice) continue;
    for (auto& [key, search] : searches_[index]) search->Reject(combination);
  }
  best_ = nullptr;
  for (auto it = measured_.begin(); it != measured_.end();) {
    const bool gone = graph_->space().Existing(it->first)[parameter] && it->first[parameter] == choice;
    it = gone ? measured_.erase(it) : std::next(it);
  }
  for (const auto& measured : measured_) {
    if (best_ == nullptr || measured.second < best_->second) best_ = &measured;
  }
  next_.reset();
  settled_ = false;
  UpdateSettled();
}

double HierarchicalSearch::SecondsOf(const Values& values) const {
  const auto found = measured_.find(values);
  return found == measured_.end() ? 0 : found->second;
}

bool HierarchicalSearch::PathIsSettled() const {
  const Values& values = best_->first;
  const std::vector<bool> existing = graph_->space().Existing(values);
  for (size_t i = 0; i < graph_->nodes().size(); ++i) {
    const NominalNode& node = graph_->nodes()[i];
    if (!existing[node.parameters.front()]) continue;
    const auto found = searches_[i].find(KeyOf(node.ancestors, values, existing));
    if (found == searches_[i].end() || !found->second->Settled()) return false;
  }
  const NelderMead* numeric = FindNumeric(values);
  return numeric != nullptr && numeric->Converged();
}

void HierarchicalSearch::UpdateSettled() {
  settled_ = settled_ || tries_ >= options_.most_tries || (best_ != nullptr && PathIsSettled());
}

}  // namespace libtune
