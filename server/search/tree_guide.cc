#include "server/search/tree_guide.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace tune {
namespace {

constexpr TreeOptions kGuideTree = {.smallest_leaf = 3, .attributes = 1};
constexpr int kMostSamples = 300;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void AppendNode(const TreeGuide& guide, int id, const std::string& indent, std::string* text) {
  const RegressionTree::Node& node = guide.tree().nodes()[id];
  if (node.attribute < 0) return;
  const std::string& key = guide.table().key(node.attribute);
  const std::vector<std::string> below = guide.table().OptionsBelow(node.attribute, node.threshold);
  const std::string options =
      below.empty() ? "is not asked" : absl::StrCat("in {", absl::StrJoin(below, ", "), "}");
  const auto side = [&](absl::string_view condition, int child) {
    const RegressionTree::Node& branch = guide.tree().nodes()[child];
    absl::StrAppendFormat(text, "%s%s %s: %.4g s (%d candidates)\n", indent, key, condition,
                          std::exp(branch.mean), branch.samples);
    AppendNode(guide, child, indent + "  ", text);
  };
  side(options, node.below);
  side("otherwise", node.above);
}

}  // namespace

OptionFilter::Bounds& OptionFilter::Of(int attribute) {
  return bounds_
      .try_emplace(attribute,
                   Bounds{-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()})
      .first->second;
}

void OptionFilter::KeepBelow(int attribute, float threshold) {
  Bounds& bounds = Of(attribute);
  bounds.at_most = std::min(bounds.at_most, threshold);
}

void OptionFilter::KeepAbove(int attribute, float threshold) {
  Bounds& bounds = Of(attribute);
  bounds.above = std::max(bounds.above, threshold);
}

std::vector<bool> OptionFilter::Keep(const DecisionTable& table, const DecisionPoint& point) const {
  const int attribute = bounds_.empty() ? -1 : table.Find(point.key);
  const auto bounds = bounds_.find(attribute);
  std::vector<bool> kept = point.allowed;
  if (bounds == bounds_.end()) return kept;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    const std::optional<float> value = table.ValueOf(attribute, point.options[i]);
    kept[i] = !value.has_value() || bounds->second.Hold(*value);
  }
  return kept;
}

std::vector<bool> OptionFilter::Filter(const DecisionTable& table, const DecisionPoint& point) const {
  std::vector<bool> kept = Keep(table, point);
  return std::find(kept.begin(), kept.end(), true) != kept.end() ? kept : point.allowed;
}

bool OptionFilter::AllowsWithout(const DecisionTable& table, const Trace& trace) const {
  return std::all_of(bounds_.begin(), bounds_.end(), [&](const auto& bounded) {
    const auto asked = [&](const TracedDecision& traced) {
      return traced.point.key == table.key(bounded.first);
    };
    return bounded.second.Hold(DecisionTable::kAbsent) || std::any_of(trace.begin(), trace.end(), asked);
  });
}

TreeGuide::TreeGuide(const DecisionTable* table, int known_rows) : table_(table) {
  const std::vector<int> rows = table->Window(known_rows, kMostSamples);
  const Samples samples = table->MakeSamples(rows);
  std::vector<int> all(samples.size());
  std::iota(all.begin(), all.end(), 0);
  tree_ = RegressionTree::Grow(samples, all, kGuideTree, nullptr);
  pheromone_.assign(tree_.nodes().size(), 0);
  double best = kInfinity;
  for (const int sample : all) best = std::min(best, samples.target(sample));
  for (const int sample : all) {
    const std::vector<float> row = table->Row(rows[sample]);
    const double deposit = std::exp(best - samples.target(sample));
    int node = 0;
    while (tree_.nodes()[node].attribute >= 0) {
      const RegressionTree::Node& split = tree_.nodes()[node];
      node = RegressionTree::GoesBelow(split, row) ? split.below : split.above;
      pheromone_[node] += deposit;
    }
  }
}

void TreeGuide::Keep(const RegressionTree::Node& node, bool below, OptionFilter* filter) const {
  below ? filter->KeepBelow(node.attribute, node.threshold)
        : filter->KeepAbove(node.attribute, node.threshold);
}

OptionFilter TreeGuide::DrawRegion(double alpha, Random* random) const {
  OptionFilter filter;
  for (int id = 0; tree_.nodes()[id].attribute >= 0;) {
    const RegressionTree::Node& node = tree_.nodes()[id];
    const bool below =
        random->Draw({std::pow(pheromone_[node.below], alpha), std::pow(pheromone_[node.above], alpha)}) == 0;
    Keep(node, below, &filter);
    id = below ? node.below : node.above;
  }
  return filter;
}

OptionFilter TreeGuide::RegionOf(const Trace& trace) const {
  OptionFilter filter;
  const std::vector<float> row = table_->RowOf(trace);
  for (int id = 0; tree_.nodes()[id].attribute >= 0;) {
    const RegressionTree::Node& node = tree_.nodes()[id];
    const bool below = RegressionTree::GoesBelow(node, row);
    Keep(node, below, &filter);
    id = below ? node.below : node.above;
  }
  return filter;
}

std::string TreeText(const TreeGuide& guide) {
  const RegressionTree::Node& root = guide.tree().nodes()[0];
  std::string text = absl::StrFormat("all: %.4g s (%d candidates)\n", std::exp(root.mean), root.samples);
  AppendNode(guide, 0, "  ", &text);
  const std::vector<double> importance = Importance(guide.tree(), guide.table().attributes());
  std::vector<int> order(importance.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return importance[a] > importance[b]; });
  absl::StrAppend(&text, "decisions by importance:\n");
  for (const int attribute : order) {
    if (importance[attribute] < 0.005) break;
    absl::StrAppendFormat(&text, "  %4.0f %% %s\n", 100 * importance[attribute],
                          guide.table().key(attribute));
  }
  return text;
}

}  // namespace tune
