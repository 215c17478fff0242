// How ants answer decisions.
#pragma once

#include <optional>
#include <vector>

#include "server/search/drawing_chooser.h"
#include "server/search/pheromone_graph.h"
#include "server/search/tree_guide.h"

namespace tune {

// Moves by equation 2 over the options that its filter leaves. Where the space knows how many walks each
// option leads to, the option's weight counts for each of them: so that without trails all walks are equally
// likely, in whatever order decisions are asked, and a branch of few walks is no more likely than it is
// large.
class AntChooser : public DrawingChooser {
 public:
  AntChooser(const PheromoneGraph& graph, Random* random, std::vector<DrawRecord>* record)
      : DrawingChooser(random, record), graph_(graph) {}
  void FilterBy(const DecisionTable* table, const OptionFilter* filter) {
    table_ = table;
    filter_ = filter;
  }
  // Only options that lead to walks not made are open, as far as there are such.
  void AvoidMade(const WalkTree& made) { cursor_.emplace(made); }

  absl::StatusOr<int> Choose(const DecisionPoint& point) override;

 protected:
  std::vector<double> WeightsOf(const DecisionPoint& point, const std::vector<bool>& open) const override {
    std::vector<double> weights = graph_.Weights(point, open);
    for (size_t i = 0; i < point.walks.size(); ++i) weights[i] *= point.walks[i];
    return weights;
  }

 private:
  const PheromoneGraph& graph_;
  const DecisionTable* table_ = nullptr;
  const OptionFilter* filter_ = nullptr;
  std::optional<WalkTree::Cursor> cursor_;
};

}  // namespace tune
