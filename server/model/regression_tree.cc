#include "server/model/regression_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tune {
namespace {

// What counts as rounding in sums of squared targets.
constexpr double kRelativeRounding = 1e-12;

}  // namespace

class RegressionTree::Grower {
 public:
  Grower(const Samples& samples, std::vector<int> rows, const TreeOptions& options, Random* random)
      : samples_(samples), rows_(std::move(rows)), options_(options), random_(random) {
    order_.resize(samples.attributes());
    std::iota(order_.begin(), order_.end(), 0);
  }

  std::vector<Node> Grow() {
    if (!rows_.empty()) GrowNode(0, rows_.size());
    return std::move(nodes_);
  }

 private:
  // Of the targets of some samples.
  struct Moments {
    double count = 0;
    double sum = 0;
    double squares = 0;

    void Add(double target) {
      ++count;
      sum += target;
      squares += target * target;
    }
    void Add(const Moments& other) {
      count += other.count;
      sum += other.sum;
      squares += other.squares;
    }
    Moments Without(const Moments& other) const {
      return {count - other.count, sum - other.sum, squares - other.squares};
    }
    double Error() const { return count == 0 ? 0 : std::max(0.0, squares - sum * sum / count); }
  };

  int GrowNode(size_t first, size_t last) {
    Moments all;
    for (size_t i = first; i < last; ++i) all.Add(samples_.target(rows_[i]));
    const int id = static_cast<int>(nodes_.size());
    Node& leaf = nodes_.emplace_back();
    leaf.mean = all.sum / all.count;
    leaf.samples = static_cast<int>(last - first);
    const Split split = BestSplit(first, last, all);
    if (split.attribute < 0) return id;
    const auto middle = std::stable_partition(rows_.begin() + first, rows_.begin() + last, [&](int row) {
      return samples_.level(row, split.attribute) <= split.level;
    });
    const size_t boundary = middle - rows_.begin();
    nodes_[id].attribute = split.attribute;
    nodes_[id].threshold = Threshold(split);
    nodes_[id].gain = all.Error() - split.error;
    const int below = GrowNode(first, boundary);
    const int above = GrowNode(boundary, last);
    nodes_[id].below = below;
    nodes_[id].above = above;
    return id;
  }

  Split BestSplit(size_t first, size_t last, const Moments& all) {
    Split best;
    if (last - first < 2 || static_cast<int>(last - first) < 2 * options_.smallest_leaf) return best;
    best.error = all.Error() - kRelativeRounding * (all.squares + 1);
    if (best.error <= 0) return best;  // all targets are alike
    int wanted = std::max(1, static_cast<int>(std::ceil(options_.attributes * samples_.attributes())));
    for (size_t i = 0; i < order_.size() && wanted > 0; ++i) {
      if (random_ != nullptr) std::swap(order_[i], order_[i + random_->Below(order_.size() - i)]);
      if (TryAttribute(order_[i], first, last, all, &best)) --wanted;
    }
    return best;
  }

  // False when the samples have one value.
  bool TryAttribute(int attribute, size_t first, size_t last, const Moments& all, Split* best) {
    const size_t levels = samples_.levels(attribute).size();
    if (levels < 2) return false;
    of_level_.assign(levels, Moments());
    int distinct = 0;
    for (size_t i = first; i < last; ++i) {
      Moments& moments = of_level_[samples_.level(rows_[i], attribute)];
      if (moments.count == 0) ++distinct;
      moments.Add(samples_.target(rows_[i]));
    }
    if (distinct < 2) return false;
    Moments below;
    int previous = -1;
    for (int level = 0; level < static_cast<int>(levels); ++level) {
      if (of_level_[level].count == 0) continue;
      const Moments above = all.Without(below);
      if (previous >= 0 && below.count >= options_.smallest_leaf && above.count >= options_.smallest_leaf) {
        const double error = below.Error() + above.Error();
        if (error < best->error) *best = {attribute, previous, level, error};
      }
      below.Add(of_level_[level]);
      previous = level;
    }
    return true;
  }

  float Threshold(const Split& split) {
    const float low = samples_.levels(split.attribute)[split.level];
    const float high = samples_.levels(split.attribute)[split.next_level];
    const double share = random_ == nullptr || options_.middle ? 0.5 : random_->Uniform();
    const float threshold = static_cast<float>(low + share * (double{high} - low));
    return threshold >= high ? low : threshold;  // rounding
  }

  const Samples& samples_;
  std::vector<int> rows_;
  const TreeOptions& options_;
  Random* const random_;
  std::vector<int> order_;         // of attributes
  std::vector<Moments> of_level_;  // of the attribute looked at
  std::vector<Node> nodes_;
};

RegressionTree RegressionTree::Grow(const Samples& samples, std::vector<int> rows, const TreeOptions& options,
                                    Random* random) {
  RegressionTree tree;
  tree.nodes_ = Grower(samples, std::move(rows), options, random).Grow();
  return tree;
}

int RegressionTree::Leaf(const std::vector<float>& values) const {
  int node = 0;
  while (nodes_[node].attribute >= 0) {
    node = GoesBelow(nodes_[node], values) ? nodes_[node].below : nodes_[node].above;
  }
  return node;
}

int LeastLeaf(const RegressionTree& tree) {
  int least = -1;
  for (int i = 0; i < static_cast<int>(tree.nodes().size()); ++i) {
    if (tree.nodes()[i].attribute >= 0) continue;
    if (least < 0 || tree.nodes()[i].mean < tree.nodes()[least].mean) least = i;
  }
  return least;
}

// Children follow their parents, and of two the one below comes first with all that is under it.
std::vector<PathStep> PathTo(const RegressionTree& tree, int node) {
  std::vector<PathStep> path;
  for (int at = 0; at != node;) {
    const RegressionTree::Node& split = tree.nodes()[at];
    const bool below = node < split.above;
    path.push_back({at, below});
    at = below ? split.below : split.above;
  }
  return path;
}

std::vector<double> Importance(const RegressionTree& tree, int attributes) {
  std::vector<double> gains(attributes, 0);
  double sum = 0;
  for (const RegressionTree::Node& node : tree.nodes()) {
    if (node.attribute < 0) continue;
    gains[node.attribute] += node.gain;
    sum += node.gain;
  }
  for (double& gain : gains) gain = sum > 0 ? gain / sum : 0;
  return gains;
}

}  // namespace tune
