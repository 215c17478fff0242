#include "worker/ptx/execution_counts.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "worker/ptx/ptx_opcode.h"
#include "worker/ptx/trip_counts.h"
#include "worker/ptx/valuation.h"

namespace tune {
namespace {

constexpr int64_t kMostThreads = 1024;           // that are looked at, one several times included
constexpr int64_t kMostEvaluations = 5'000'000;  // of symbols, and blocks

constexpr int kMostFailures = 16;

// Points in [0, 1) that are spread evenly, in several ways: multiples of roots of primes, which fit no
// pattern of the indices.
double Spread(int64_t index, int way) {
  static constexpr double kRoots[] = {1.4142135623730951, 1.7320508075688772, 2.23606797749979,
                                      2.6457513110645907, 3.3166247903554,    3.605551275463989,
                                      4.123105625617661,  4.358898943540674,  4.795831523312719};
  const double multiple =
      (static_cast<double>(index) + 0.5) * kRoots[way % static_cast<int>(std::size(kRoots))];
  return multiple - std::floor(multiple);
}

int64_t Scaled(double share, int64_t count) {
  return std::clamp<int64_t>(static_cast<int64_t>(share * static_cast<double>(count)), 0, count - 1);
}

double Product(const int64_t extents[3]) {
  return static_cast<double>(extents[0]) * static_cast<double>(extents[1]) * static_cast<double>(extents[2]);
}

// Which threads are looked at: all, as often as each other, or some.
class Threads {
 public:
  explicit Threads(const PtxLaunch& launch) : launch_(launch) {
    const double all = Product(launch.grid) * Product(launch.block);
    are_all_ = all <= static_cast<double>(kMostThreads);
    of_launch_ = are_all_ ? static_cast<int64_t>(all) : kMostThreads;
    count_ = kMostThreads / of_launch_ * of_launch_;
  }

  int64_t count() const { return count_; }

  ThreadPlace At(int64_t index) const {
    ThreadPlace place;
    // A prime that divides no number of threads: any part of the way is spread over all of them.
    int64_t rest = are_all_ ? index * kStride % of_launch_ : 0;
    for (int axis = 0; axis < 3; ++axis) {
      place.thread[axis] =
          are_all_ ? Take(launch_.block[axis], &rest) : Scaled(Spread(index, axis), launch_.block[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
      place.block[axis] =
          are_all_ ? Take(launch_.grid[axis], &rest) : Scaled(Spread(index, 3 + axis), launch_.grid[axis]);
    }
    return place;
  }

 private:
  static int64_t Take(int64_t extent, int64_t* index) {
    const int64_t coordinate = *index % extent;
    *index /= extent;
    return coordinate;
  }

  static constexpr int64_t kStride = 7919;

  const PtxLaunch& launch_;
  bool are_all_ = false;
  int64_t of_launch_ = 1;
  int64_t count_ = 0;
};

class Counter {
 public:
  Counter(const PtxFunction& function, const ControlFlow& flow, const ValueGraph& graph,
          const PtxLaunch& launch, const PtxAnalysisOptions& options)
      : function_(function),
        flow_(flow),
        graph_(graph),
        threads_(launch),
        options_(options),
        valuation_(graph, launch),
        trips_(flow, graph, valuation_, kMostEvaluations),
        ends_(flow.loops.size()),
        entries_(flow.loops.size()),
        iterations_(flow.loops.size()),
        failures_(flow.loops.size()) {
    counts_.blocks.resize(flow.blocks.size());
    counts_.loops.resize(flow.loops.size());
    counts_.middle.resize(flow.loops.size());
    branch_is_unknown_.resize(flow.blocks.size());
    for (const NaturalLoop& loop : flow.loops) depth_ = std::max(depth_, loop.depth);
    FindAnnotations();
    FindLastBlocks();
  }

  ExecutionCounts Count() {
    const int64_t count = threads_.count();
    int64_t looked_at = 0;
    for (bool goes_on = true; goes_on && looked_at < count;) {
      goes_on = CountThread(looked_at);
      if (goes_on || looked_at == 0) ++looked_at;
    }
    for (double& executions : counts_.blocks)
      executions /= static_cast<double>(std::max<int64_t>(looked_at, 1));
    for (size_t loop = 0; loop < flow_.loops.size(); ++loop) {
      LoopTrips& of = counts_.loops[loop];
      of.trips = entries_[loop] > 0 ? iterations_[loop] / entries_[loop] : 0;
      of.line = function_.instructions[flow_.blocks[flow_.loops[loop].header].begin].line;
      of.source_line = SourcePlace(static_cast<int>(loop)).second;
    }
    counts_.unknown_branches =
        static_cast<int>(std::count(branch_is_unknown_.begin(), branch_is_unknown_.end(), true));
    return std::move(counts_);
  }

 private:
  struct End {
    int64_t iteration = 0;
    int block = -1;     // from which it is left; -1: anywhere
    int64_t whole = 1;  // iterations of the blocks behind a test at the top, of all at the bottom
    TripSource source = TripSource::kAnnotated;
  };

  bool HasBudget() { return trips_.Spend(static_cast<int64_t>(flow_.blocks.size())); }

  // File and line of its condition.
  std::pair<int, int> SourcePlace(int loop) const {
    const auto& exits = trips_.exits(loop);
    const int block = exits.empty() ? flow_.loops[loop].header : exits.back().block;
    const PtxInstruction& last = function_.instructions[flow_.blocks[block].end - 1];
    return {last.source_file, last.source_line};
  }

  void FindAnnotations() {
    annotated_.resize(flow_.loops.size());
    for (size_t loop = 0; loop < flow_.loops.size(); ++loop) {
      const auto found = options_.trips_of_line.find(SourcePlace(static_cast<int>(loop)));
      if (found != options_.trips_of_line.end()) annotated_[loop] = found->second;
    }
    for (const PtxTripNote& note : function_.trip_notes) {
      for (const BasicBlock& block : flow_.blocks) {
        if (block.loop >= 0 && block.begin <= note.instruction && note.instruction < block.end)
          annotated_[block.loop] = note.trips;
      }
    }
  }

  void FindLastBlocks() {
    closes_.resize(flow_.blocks.size());
    for (size_t loop = flow_.loops.size(); loop-- > 0;) {
      int last = flow_.loops[loop].header;
      for (const int block : flow_.loops[loop].blocks) {
        if (flow_.position[block] > flow_.position[last]) last = block;
      }
      closes_[last].push_back(static_cast<int>(loop));
    }
  }

  // False where the budget ended before all was known of it; then it does not count, unless it is the first
  // one.
  bool CountThread(int64_t index) {
    for (size_t loop = 0; loop < flow_.loops.size(); ++loop) {
      valuation_.SetIteration(static_cast<int>(loop), std::nullopt);
      valuation_.SetEnd(static_cast<int>(loop), std::nullopt);
    }
    valuation_.SetPlace(threads_.At(index));
    EvaluateAll();
    for (int depth = 1; depth <= depth_; ++depth) {
      for (size_t loop = 0; loop < flow_.loops.size(); ++loop) {
        if (flow_.loops[loop].depth == depth) FindEnd(static_cast<int>(loop), index);
      }
    }
    EvaluateAll();
    const bool is_whole = HasBudget();
    if (!is_whole && index > 0) return false;
    AddThread();
    if (index == threads_.count() / 2 || index == 0) {
      for (size_t loop = 0; loop < flow_.loops.size(); ++loop)
        counts_.middle[loop] = valuation_.Iteration(static_cast<int>(loop)).value_or(0);
    }
    return is_whole;
  }

  void EvaluateAll() {
    if (trips_.Spend(static_cast<int64_t>(graph_.symbols.size()))) valuation_.EvaluateAll();
  }

  // Of a loop whose outer ones are at an iteration; it gets one too, so that inner ones can be looked at.
  void FindEnd(int loop, int64_t index) {
    const std::vector<LoopExit>& exits = trips_.exits(loop);
    End end;
    if (annotated_[loop].has_value()) {
      end = Given(*annotated_[loop], exits);
    } else if (const std::optional<LoopEnd> found = FollowedEnd(loop); found.has_value()) {
      const LoopExit& exit = exits[found->exit];
      end = {found->iteration, exit.block, found->iteration + (exit.is_latch ? 1 : 0), TripSource::kFollowed};
    } else {
      end = Given(options_.assumed_trips, exits);
      end.source = TripSource::kAssumed;
    }
    ends_[loop] = end;
    const double share = Spread(index, 5 + flow_.loops[loop].depth);
    valuation_.SetEnd(loop, end.iteration);
    trips_.GoTo(loop, Scaled(share, std::max<int64_t>(end.whole, 1)));
    // What follows the loop at the same depth may depend on where it ended.
    EvaluateAll();
  }

  // What fails for the first threads is not tried for all.
  std::optional<LoopEnd> FollowedEnd(int loop) {
    if (failures_[loop] > kMostFailures) return std::nullopt;
    const std::optional<LoopEnd> found = trips_.EndOf(loop);
    failures_[loop] = found.has_value() ? INT_MIN : failures_[loop] + 1;
    return found;
  }

  static End Given(double trips, const std::vector<LoopExit>& exits) {
    const int64_t whole = std::llround(trips);
    if (exits.empty()) return {std::max<int64_t>(whole - 1, 0), -1, whole};
    const LoopExit& exit = exits.front();
    return {std::max<int64_t>(exit.is_latch ? whole - 1 : whole, 0), exit.block, whole};
  }

  // Executions of all blocks, from the first one along all edges.
  void AddThread() {
    executions_.assign(flow_.blocks.size(), 0);
    edges_.assign(flow_.blocks.size(), {});
    executions_[0] = 1;
    for (const int block : flow_.order) {
      const BasicBlock& at = flow_.blocks[block];
      for (const int from : at.predecessors) {
        if (flow_.IsForward(from, block)) executions_[block] += Along(from, block);
      }
      if (at.loop >= 0 && flow_.loops[at.loop].header == block) {
        entries_[at.loop] += executions_[block];
        iterations_[at.loop] += executions_[block] * static_cast<double>(ends_[at.loop].whole);
        entered_[at.loop] = executions_[block];
        if (executions_[block] > 0)
          counts_.loops[at.loop].source = std::max(counts_.loops[at.loop].source, ends_[at.loop].source);
        executions_[block] *= static_cast<double>(ends_[at.loop].iteration + 1);
      }
      edges_[block] = Leaving(block);
      for (const int loop : closes_[block]) Balance(loop);
    }
    for (size_t block = 0; block < executions_.size(); ++block) counts_.blocks[block] += executions_[block];
  }

  double Along(int from, int to) const {
    const std::vector<int>& successors = flow_.blocks[from].successors;
    double along = 0;
    for (size_t i = 0; i < successors.size(); ++i) {
      if (successors[i] == to) along += edges_[from][i];
    }
    return along;
  }

  // How executions of a block go on.
  std::vector<double> Leaving(int block) {
    const BasicBlock& at = flow_.blocks[block];
    const size_t ways = at.successors.size();
    std::vector<double> along(ways, ways == 0 ? 0 : executions_[block] / static_cast<double>(ways));
    const PtxInstruction* last = at.begin < at.end ? &function_.instructions[at.end - 1] : nullptr;
    if (ways == 1 && last != nullptr && EndsThread(*last)) along[0] *= 1 - Probability(block).value_or(0);
    if (!at.is_conditional || ways != 2) return along;
    const bool branch_leaves = at.loop >= 0 && !flow_.Contains(at.loop, at.successors[0]);
    const bool next_leaves = at.loop >= 0 && !flow_.Contains(at.loop, at.successors[1]);
    double branch = 0;
    if (branch_leaves != next_leaves) {
      const double leaves =
          ends_[at.loop].block == block ? 1.0 / static_cast<double>(ends_[at.loop].iteration + 1) : 0;
      branch = branch_leaves ? leaves : 1 - leaves;
    } else {
      branch = BranchProbability(block);
    }
    return {executions_[block] * branch, executions_[block] * (1 - branch)};
  }

  double BranchProbability(int block) {
    const std::optional<double> probability = Probability(block);
    if (probability.has_value()) return *probability;
    // That a loop is not skipped is part of what is said or assumed of its iterations.
    const BasicBlock& at = flow_.blocks[block];
    const bool branch_enters = IsGivenLoop(flow_.LoopEnteredFrom(at.successors[0], at.loop));
    const bool next_enters = IsGivenLoop(flow_.LoopEnteredFrom(at.successors[1], at.loop));
    if (branch_enters != next_enters) return branch_enters ? 1 : 0;
    branch_is_unknown_[block] = true;
    return 0.5;
  }

  bool IsGivenLoop(int loop) const { return loop >= 0 && ends_[loop].source != TripSource::kFollowed; }

  // Of its condition, for this thread. No value: not known.
  std::optional<double> Probability(int block) const {
    if (!graph_.conditions[block].has_value()) return std::nullopt;
    const ValuedNumber value = valuation_.Of(*graph_.conditions[block]);
    if (!value.IsKnown()) return std::nullopt;
    return value.value != 0 ? 1 : 0;
  }

  // A loop is left as often as it is entered.
  void Balance(int loop) {
    std::vector<double*> exits;
    double sum = 0;
    for (const int block : flow_.loops[loop].blocks) {
      const std::vector<int>& successors = flow_.blocks[block].successors;
      for (size_t i = 0; i < successors.size(); ++i) {
        if (flow_.Contains(loop, successors[i])) continue;
        exits.push_back(&edges_[block][i]);
        sum += *exits.back();
      }
    }
    for (double* exit : exits)
      *exit = sum > 0 ? *exit * entered_[loop] / sum : entered_[loop] / static_cast<double>(exits.size());
  }

  const PtxFunction& function_;
  const ControlFlow& flow_;
  const ValueGraph& graph_;
  Threads threads_;
  const PtxAnalysisOptions& options_;
  Valuation valuation_;
  TripCounter trips_;
  int depth_ = 0;
  ExecutionCounts counts_;
  std::vector<std::optional<double>> annotated_;
  std::vector<std::vector<int>> closes_;  // loops of which a block is the last one, inner ones first
  std::vector<End> ends_;
  std::vector<double> entries_, iterations_;  // of all threads
  std::vector<int> failures_;                 // before the first success
  std::map<int, double> entered_;             // by this thread
  std::vector<bool> branch_is_unknown_;
  std::vector<double> executions_;
  std::vector<std::vector<double>> edges_;
};

}  // namespace

ExecutionCounts CountExecutions(const PtxFunction& function, const ControlFlow& flow, const ValueGraph& graph,
                                const PtxLaunch& launch, const PtxAnalysisOptions& options) {
  return Counter(function, flow, graph, launch, options).Count();
}

}  // namespace tune
