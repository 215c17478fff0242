// Hierarchical search: Pfaffe, Grosser, Tillmann: Efficient Hierarchical Online-Autotuning (ICS 2019),
// section 3.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "libtune/search/epsilon_greedy.h"
#include "libtune/search/nelder_mead.h"
#include "libtune/search/search_graph.h"

namespace libtune {

struct SearchOptions {
  Exploration exploration;
  int most_tries = 1000;  // then it settles on the best so far
  uint64_t seed = 0;
};

// A configuration is found by a walk from the roots of the graph: an epsilon-greedy search in each nominal
// node whose conditions hold, then Nelder-Mead in the numeric parameters that exist. A node has a search of
// its own for each combination of its ancestors, made when it is first needed, so that no search sees times
// that depend on choices it does not know of. In a walk one node at most, the highest one, tries a choice for
// the first time: of two at once nobody could tell which one it was. A node all of whose combinations are
// rejected takes the choice above it along.
//
// The first configuration is `start`: the choices and numbers of other configurations are tried from there
// on.
class HierarchicalSearch {
 public:
  // Of nominal choices before anything is run: `parameter` is not to have its choice beside the others of
  // `values`.
  using Rejection = std::function<bool(int parameter, const Values& values)>;

  // `graph` outlives it. `rejects` may be empty.
  HierarchicalSearch(const SearchGraph* graph, Values start, Rejection rejects, const SearchOptions& options);

  // What to run next; the same until it is observed or rejected. When settled, the best one.
  const Values& Next();
  // Of what Next gave: positive seconds.
  void Observe(double seconds);
  // What Next gave cannot be run.
  void Reject();
  // The choice is never taken again, and nothing that was measured with it counts.
  void Drop(int parameter, int choice);

  bool settled() const { return settled_; }
  int tries() const { return tries_; }
  // Nothing before the first observation.
  const Values* best() const { return best_ == nullptr ? nullptr : &best_->first; }
  double best_seconds() const { return best_ == nullptr ? 0 : best_->second; }
  // The least time of a configuration; 0: never observed.
  double SecondsOf(const Values& values) const;

 private:
  using Measured = std::map<Values, double>;

  struct Visit {
    EpsilonGreedy* search;
    int combination;
  };

  // A walk that ended at a node without a choice rejects one above it, and has to start again: false.
  bool Walk();
  EpsilonGreedy& SearchOf(size_t node, const Values& values);
  std::unique_ptr<EpsilonGreedy> NewSearch(const NominalNode& node, const Values& values) const;
  bool IsAllowed(const NominalNode& node, const Values& values) const;
  // The search of what exists in `values` of the numeric parameters, null before it was first needed. What it
  // gives is put in `values`.
  NelderMead* FindNumeric(const Values& values) const;
  NelderMead& NumericOf(const Values& values);
  std::vector<int> ExistingNumeric(const Values& values) const;
  uint64_t KeyOf(const std::vector<int>& parameters, const Values& values,
                 const std::vector<bool>& existing) const;
  bool PathIsSettled() const;
  void UpdateSettled();

  const SearchGraph* const graph_;
  const Values start_;
  const Rejection rejects_;
  const SearchOptions options_;
  Random random_;
  std::vector<std::map<uint64_t, std::unique_ptr<EpsilonGreedy>>> searches_;  // by node, by its ancestors
  std::map<uint64_t, std::unique_ptr<NelderMead>> numeric_;                   // by all nominal parameters
  std::vector<std::vector<bool>> dropped_;                                    // by parameter and choice
  Measured measured_;
  const Measured::value_type* best_ = nullptr;
  std::optional<Values> next_;
  std::vector<Visit> path_;  // of next_
  NelderMead* path_numeric_ = nullptr;
  bool settled_ = false;
  int tries_ = 0;
};

}  // namespace libtune
