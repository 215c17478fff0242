// How ants answer decisions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/random.h"
#include "server/search/draw_record.h"
#include "server/search/pheromone_graph.h"
#include "server/search/tree_guide.h"

namespace tune {

// Moves by equation 2 over the options that its filter leaves.
class AntChooser : public Chooser {
 public:
  // `record` (null: nothing is written down) takes what is drawn. Nothing is owned.
  AntChooser(const PheromoneGraph& graph, Random* random, std::vector<DrawRecord>* record)
      : graph_(graph), random_(random), record_(record) {}
  void FilterBy(const DecisionTable* table, const OptionFilter* filter) {
    table_ = table;
    filter_ = filter;
  }
  // Only options that lead to walks not made are open, as far as there are such.
  void AvoidMade(const WalkTree& made) { cursor_.emplace(made); }

  absl::StatusOr<int> Choose(const DecisionPoint& point) override;
  // Draws among `open`, of which one at least is true.
  int DrawFrom(const DecisionPoint& point, std::vector<bool> open);
  void WriteDown(const DecisionPoint& point, int chosen, const std::string& reason);
  bool records() const { return record_ != nullptr; }

 private:
  const PheromoneGraph& graph_;
  Random* const random_;
  std::vector<DrawRecord>* const record_;
  const DecisionTable* table_ = nullptr;
  const OptionFilter* filter_ = nullptr;
  std::optional<WalkTree::Cursor> cursor_;
};

// A walk that others are made from.
struct KnownWalk {
  std::map<std::string, std::string> options;  // key -> option
  std::vector<std::string> free;               // keys of the decisions that had a choice
};

KnownWalk KnownWalkOf(const Trace& trace);

// Answers as a known walk did, but for some decisions, where the ant draws another option. A known option
// that is not allowed here gives way to the nearest by position; a decision that was not known is the ant's.
class VariantChooser : public Chooser {
 public:
  // `known`, by key, and `ant` are not owned. `name`: of the known walk, for the record.
  VariantChooser(const std::map<std::string, std::string>& known, std::set<std::string> changed,
                 std::string name, AntChooser* ant)
      : known_(known), changed_(std::move(changed)), name_(std::move(name)), ant_(ant) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override;

 private:
  const std::map<std::string, std::string>& known_;  // key -> option
  const std::set<std::string> changed_;              // keys
  const std::string name_;
  AntChooser* const ant_;
};

}  // namespace tune
