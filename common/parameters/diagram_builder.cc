#include "common/parameters/diagram_builder.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_join.h"
#include "common/expression/value_text.h"
#include "common/parameters/commuted_chain.h"
#include "common/parameters/pair_table.h"
#include "common/parameters/partial_evaluation.h"

namespace tune {
namespace {

constexpr uint32_t kNone = UINT32_MAX;  // no configuration

// Nodes with the same edges are one.
struct EdgesHash {
  using is_transparent = void;
  const DecisionDiagram* diagram;
  size_t operator()(uint32_t node) const { return (*this)(diagram->EdgesOf(node)); }
  size_t operator()(absl::Span<const DecisionDiagram::Edge> edges) const {
    size_t hash = edges.size();
    for (const DecisionDiagram::Edge& edge : edges) hash = absl::HashOf(hash, edge.value, edge.child);
    return hash;
  }
};
struct EdgesEqual {
  using is_transparent = void;
  const DecisionDiagram* diagram;
  absl::Span<const DecisionDiagram::Edge> EdgesOf(uint32_t node) const { return diagram->EdgesOf(node); }
  absl::Span<const DecisionDiagram::Edge> EdgesOf(absl::Span<const DecisionDiagram::Edge> edges) const {
    return edges;
  }
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    const auto x = EdgesOf(a);
    const auto y = EdgesOf(b);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& one, const auto& other) {
      return one.value == other.value && one.child == other.child;
    });
  }
};

// Goes through the parameters' values depth first. Beginnings of configurations that leave the same
// conditions on the rest have one node.
class DiagramBuilder {
 public:
  DiagramBuilder(const ParameterSpaceDescription& description,
                 const std::vector<ParameterConstraint>& constraints,
                 const std::vector<std::vector<int>>& candidates, const Component& component,
                 const ParameterSpaceLimits& limits, BuildBudget* budget)
      : description_(description),
        constraints_(constraints),
        candidates_(candidates),
        component_(component),
        limits_(limits),
        budget_(*budget),
        slots_(description.parameters.size()),
        chosen_(description.parameters.size()),
        levels_(component.parameters.size()),
        nodes_(16, EdgesHash{&diagram_}, EdgesEqual{&diagram_}) {
    std::vector<int> level(description.parameters.size(), -1);
    for (size_t i = 0; i < levels_.size(); ++i) level[component.parameters[i]] = static_cast<int>(i);
    std::vector<std::optional<ValueRange>> ranges(description.parameters.size());
    for (const int parameter : component.parameters) ranges[parameter] = RangeOfValues(parameter);
    for (const int c : component.constraints) AddConstraint(c, level, ranges);
    for (Level& one : levels_) {
      // Those that are settled for certain first: the others need not be looked at where these do not hold.
      std::stable_sort(one.touched.begin(), one.touched.end(),
                       [&](int a, int b) { return states_[a].last_level < states_[b].last_level; });
    }
  }

  absl::StatusOr<std::optional<DecisionDiagram>> Build() {
    TUNE_ASSIGN_OR_RETURN(const uint32_t root, BuildFrom(0));
    if (root == kNone) return std::nullopt;
    diagram_.SetRoot(root);
    return std::move(diagram_);
  }

 private:
  struct State {
    int constraint;
    int last_level;
    std::optional<PairTable> table;            // of a constraint over two parameters
    std::optional<PartialConstraint> partial;  // of another
    bool settled = false;                      // holds whatever the parameters to come are
    std::string condition = {};                // on these, otherwise
  };
  struct Level {
    std::vector<int> touched;                          // states of constraints that use its parameter
    std::vector<int> begun;                            // of those that use one before, and it or one after it
    absl::flat_hash_map<std::string, uint32_t> known;  // conditions -> node
    // While a node is looked for or made.
    std::string conditions;
    std::vector<DecisionDiagram::Edge> edges;
  };

  // Nothing where one of the values is no whole number.
  std::optional<ValueRange> RangeOfValues(int parameter) const {
    std::optional<ValueRange> range;
    for (const int index : candidates_[parameter]) {
      const Value& value = description_.parameters[parameter].values[index];
      if (!value.IsWhole()) return std::nullopt;
      if (!range.has_value()) range = {value.whole(), value.whole()};
      range->least = std::min(range->least, value.whole());
      range->most = std::max(range->most, value.whole());
    }
    return range;
  }

  void AddConstraint(int c, const std::vector<int>& level,
                     const std::vector<std::optional<ValueRange>>& ranges) {
    ExpressionNode root = constraints_[c].root;
    CommuteChains(description_.parameters, level, &root);
    const int state = static_cast<int>(states_.size());
    int first = static_cast<int>(levels_.size());
    int last = -1;
    for (const int parameter : constraints_[c].scope) {
      levels_[level[parameter]].touched.push_back(state);
      first = std::min(first, level[parameter]);
      last = std::max(last, level[parameter]);
    }
    for (int i = first + 1; i <= last; ++i) levels_[i].begun.push_back(state);
    states_.push_back({c, last, {}, {}});
    if (constraints_[c].scope.size() == 2) {
      states_.back().table =
          PairTable::Make(description_, constraints_[c], candidates_, component_.parameters[first],
                          component_.parameters[last], limits_.evaluation);
    }
    if (!states_.back().table.has_value())
      states_.back().partial.emplace(root, level, ranges, limits_.evaluation);
  }

  void WriteConditions(const Level& level, std::string* conditions) const {
    conditions->clear();
    for (const int state : level.begun) {
      *conditions += states_[state].settled ? 's' : 'o';
      if (!states_[state].settled) *conditions += states_[state].condition;
    }
  }

  absl::StatusOr<uint32_t> BuildFrom(size_t depth) {
    if (depth == levels_.size()) return DecisionDiagram::kEnd;
    Level& level = levels_[depth];
    WriteConditions(level, &level.conditions);
    if (const auto known = level.known.find(level.conditions); known != level.known.end())
      return known->second;
    if (--budget_.states < 0) return Exhausted("states", limits_.states);
    std::string conditions = level.conditions;
    std::vector<std::pair<int, std::string>> open;  // of this level, and their conditions before it
    for (const int state : level.touched) {
      if (!states_[state].settled) open.emplace_back(state, states_[state].condition);
    }
    level.edges.clear();
    for (const int value : candidates_[component_.parameters[depth]]) {
      TUNE_ASSIGN_OR_RETURN(const uint32_t child, Extend(depth, value, open));
      if (child != kNone) level.edges.push_back({value, child});
    }
    for (auto& [state, condition] : open) {
      states_[state].settled = false;
      states_[state].condition = std::move(condition);
    }
    const uint32_t node = level.edges.empty() ? kNone : Shared(level.edges);
    level.known.emplace(std::move(conditions), node);
    return node;
  }

  // The node that follows where the parameter at `depth` has the value; kNone where there is none.
  absl::StatusOr<uint32_t> Extend(size_t depth, int value,
                                  const std::vector<std::pair<int, std::string>>& open) {
    if (--budget_.trials < 0) return Exhausted("trials", limits_.trials);
    const int parameter = component_.parameters[depth];
    slots_[parameter] = description_.parameters[parameter].values[value];
    chosen_[parameter] = value;
    absl::Status failed;  // of a constraint that has no value here
    for (const auto& [index, before] : open) {
      State& state = states_[index];
      const absl::StatusOr<std::optional<bool>> holds =
          state.table.has_value() ? LookUp(*state.table, parameter, &state.condition)
                                  : state.partial->Check(slots_, static_cast<int>(depth), &state.condition);
      if (holds.ok() && holds->has_value() && !**holds) return kNone;
      state.settled = !holds.ok() || holds->has_value();
      if (!holds.ok() && failed.ok()) failed = WithoutValue(constraints_[state.constraint], holds.status());
    }
    TUNE_ASSIGN_OR_RETURN(const uint32_t child, BuildFrom(depth + 1));
    if (child != kNone && !failed.ok()) return failed;
    return child;
  }

  // As PartialConstraint::Check, after a choice for one of the table's parameters.
  std::optional<bool> LookUp(const PairTable& table, int parameter, std::string* condition) const {
    const int row = table.RowOf(chosen_[table.first()]);
    if (parameter == table.second()) return table.Holds(row, chosen_[parameter]);
    if (table.AllowedBy(row) != PairTable::Allowed::kSome)
      return table.AllowedBy(row) == PairTable::Allowed::kAll;
    condition->assign({static_cast<char>(row / 256), static_cast<char>(row % 256)});
    return std::nullopt;
  }

  uint32_t Shared(const std::vector<DecisionDiagram::Edge>& edges) {
    const auto same = nodes_.find(absl::MakeConstSpan(edges));
    if (same != nodes_.end()) return *same;
    const uint32_t node = diagram_.Add(edges);
    nodes_.insert(node);
    return node;
  }

  absl::Status WithoutValue(const ParameterConstraint& constraint, const absl::Status& why) const {
    const std::string values = absl::StrJoin(constraint.scope, ", ", [&](std::string* text, int parameter) {
      absl::StrAppend(text, description_.parameters[parameter].name, " = ", PrintValue(slots_[parameter]));
    });
    return absl::InvalidArgumentError(absl::StrCat(Describe(description_, constraint), " has no value at ",
                                                   values, ": ", why.message(),
                                                   "; add a constraint that excludes this"));
  }

  absl::Status Exhausted(absl::string_view what, int64_t limit) const {
    const std::string names =
        absl::StrJoin(component_.parameters, ", ", [&](std::string* text, int parameter) {
          absl::StrAppend(text, description_.parameters[parameter].name);
        });
    return absl::ResourceExhaustedError(absl::StrCat(
        "the constraints over ", names, " tell too many configurations apart: more than ", limit, " ", what,
        " while they are counted; give these parameters fewer values, or raise the limit on ", what));
  }

  const ParameterSpaceDescription& description_;
  const std::vector<ParameterConstraint>& constraints_;
  const std::vector<std::vector<int>>& candidates_;
  const Component& component_;
  const ParameterSpaceLimits& limits_;
  BuildBudget& budget_;
  std::vector<Value> slots_;  // by parameter
  std::vector<int> chosen_;   // their indices
  std::vector<State> states_;
  std::vector<Level> levels_;
  DecisionDiagram diagram_;
  absl::flat_hash_set<uint32_t, EdgesHash, EdgesEqual> nodes_;
};

}  // namespace

absl::StatusOr<std::optional<DecisionDiagram>> BuildDiagram(
    const ParameterSpaceDescription& description, const std::vector<ParameterConstraint>& constraints,
    const std::vector<std::vector<int>>& candidates, const Component& component,
    const ParameterSpaceLimits& limits, BuildBudget* budget) {
  return DiagramBuilder(description, constraints, candidates, component, limits, budget).Build();
}

}  // namespace tune
