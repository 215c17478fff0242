// Walks that are made from known ones.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/search/drawing_chooser.h"
#include "server/search/walk_tree.h"

namespace tune {

// A walk that others are made from.
struct KnownWalk {
  std::map<std::string, std::string> options;  // key -> option
  std::vector<std::string> free;               // keys of the decisions that had a choice
};

KnownWalk KnownWalkOf(const Trace& trace);

// Position of the option that the walk took for this decision among those there are here; -1: it took none
// of them.
int PositionIn(const DecisionPoint& point, const std::map<std::string, std::string>& known);

// Answers as a known walk did, but for some decisions, where another option is drawn. A known option that is
// not allowed here gives way to the nearest by position; a decision that was not known is drawn.
class VariantChooser : public Chooser {
 public:
  // `known`, by key, and `drawing` are not owned. `name`: of the known walk, for the record.
  VariantChooser(const std::map<std::string, std::string>& known, std::set<std::string> changed,
                 std::string name, DrawingChooser* drawing)
      : known_(known), changed_(std::move(changed)), name_(std::move(name)), drawing_(drawing) {}

  absl::StatusOr<int> Choose(const DecisionPoint& point) override;

 private:
  const std::map<std::string, std::string>& known_;  // key -> option
  const std::set<std::string> changed_;              // keys
  const std::string name_;
  DrawingChooser* const drawing_;
};

}  // namespace tune
