#include "common/transform/index_split/split_plan.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "common/dependence/common_loops.h"
#include "common/dependence/reachability.h"
#include "common/isl/constraint.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/transform/index_split/index_split.h"

namespace tune {
namespace {

constexpr size_t kMostCuts = 3;  // of a statement: 27 pieces

isl::set Below(const isl::aff& cut) {
  return isl::set(NegativeSet(cut));  // cut < 0
}
isl::set On(const isl::aff& cut) { return isl::set(ZeroSet(cut)); }
isl::set Above(const isl::aff& cut) { return Below(cut.neg()); }

// So that the last iterator in it counts up; nullopt: there is none.
std::optional<isl::aff> CountingUp(const isl::aff& cut) {
  for (int i = Dimensions(cut, isl_dim_in) - 1; i >= 0; --i) {
    const int sign = CoefficientSign(cut, isl_dim_in, i);
    if (sign != 0) return sign < 0 ? cut.neg() : cut;
  }
  return std::nullopt;
}

// { S -> [v] }, v = 0 on the hyperplane that `meeting`, S, is of `domain`; nullopt when it is all of it, or
// has fewer dimensions, or only some of its points.
std::optional<isl::aff> Hyperplane(const isl::set& meeting, const isl::set& domain) {
  const isl::basic_set equalities = meeting.affine_hull().gist(domain.affine_hull());
  if (HasDivs(equalities)) return std::nullopt;
  const std::vector<Constraint> constraints = ConstraintsOf(equalities);
  if (constraints.size() != 1) return std::nullopt;
  const std::optional<isl::aff> cut = CountingUp(constraints[0].Form());
  if (!cut || !On(*cut).intersect(domain).is_subset(meeting)) return std::nullopt;
  return cut;
}

// Which statements, or pieces of them, must run before which.
class PieceOrder {
 public:
  explicit PieceOrder(const isl::union_map& pairs) {  // { S -> S }
    pairs.foreach_map([&](const isl::map& map) {
      after_[map.domain_tuple_id().name()].insert(map.range_tuple_id().name());
    });
  }

  // All that are on a cycle with `name`; empty when it is on none.
  std::set<std::string> Cycle(const std::string& name) const {
    std::set<std::string> cycle;
    for (const std::string& other : AllAfter({name}, after_)) {
      if (AllAfter({other}, after_).count(name) > 0) cycle.insert(other);
    }
    return cycle;
  }

 private:
  Successors after_;
};

class SplitPlanner {
 public:
  SplitPlanner(const ParsedScop& scop, const Dependences& dependences)
      : scop_(scop), validity_(dependences.validity()), cuts_(scop.statements.size()) {
    for (const v1::Array& array : scop.proto.arrays()) {
      if (!array.read_only()) written_.insert(array.name());
    }
  }

  std::vector<StatementSplit> Plan() {
    for (size_t i = 0; i < cuts_.size(); ++i) cuts_[i] = CutsOf(scop_.statements[i]);
    DropUseless();
    DropNeedless();
    std::vector<StatementSplit> splits;
    size_t pieces = 0;
    for (size_t i = 0; i < cuts_.size(); ++i) {
      if (cuts_[i].empty()) continue;
      splits.push_back({static_cast<int>(i), Pieces(i)});
      pieces += splits.back().pieces.size();
    }
    return pieces > kMostPieces ? std::vector<StatementSplit>() : splits;
  }

 private:
  using Cuts = std::vector<isl::aff>;  // S -> [v]

  // All of them; none when there are too many.
  Cuts CutsOf(const ParsedStatement& statement) const {
    Cuts cuts;
    if (statement.kind != v1::Statement::ASSIGN) return cuts;
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const ParsedAccess& first = statement.accesses[a];
      if (written_.count(first.array) == 0) continue;
      for (size_t b = 0; b < a; ++b) {
        const ParsedAccess& second = statement.accesses[b];
        if (first.of_data || second.of_data) continue;
        if (second.array == first.array)
          AddCut(first.relation.intersect(second.relation).domain(), statement.domain, cuts);
      }
    }
    return cuts.size() > kMostCuts ? Cuts() : cuts;
  }

  static void AddCut(const isl::set& same_element, const isl::set& domain, Cuts& cuts) {
    const isl::set meeting = same_element.intersect(domain);
    if (meeting.is_empty()) return;
    const std::optional<isl::aff> cut = Hyperplane(meeting, domain);
    if (!cut) return;
    const bool known = std::any_of(cuts.begin(), cuts.end(), [&](const isl::aff& other) {
      return On(other).intersect(domain).is_equal(meeting);
    });
    if (!known) cuts.push_back(*cut);
  }

  // Until each statement with cuts is better off with them, given those of the others.
  void DropUseless() {
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<std::optional<size_t>> serial = SerialLoopsOfAll();
      for (size_t i = 0; i < cuts_.size(); ++i) {
        if (cuts_[i].empty() || serial[i]) continue;
        cuts_[i].clear();
        changed = true;
      }
    }
  }

  void DropNeedless() {
    const std::vector<std::optional<size_t>> serial = SerialLoopsOfAll();
    for (Cuts& cuts : cuts_) {
      for (size_t c = cuts.size(); c-- > 0 && cuts.size() > 1;) {
        const Cuts all = cuts;
        cuts.erase(cuts.begin() + static_cast<ptrdiff_t>(c));
        if (SerialLoopsOfAll() != serial) cuts = all;
      }
    }
  }

  std::vector<std::optional<size_t>> SerialLoopsOfAll() const {
    const isl::union_map pieces = PieceOf();
    std::vector<std::optional<size_t>> serial(cuts_.size());
    for (size_t i = 0; i < cuts_.size(); ++i) {
      if (!cuts_[i].empty()) serial[i] = SerialLoops(i, pieces);
    }
    return serial;
  }

  std::vector<isl::set> Pieces(size_t statement) const {
    std::vector<isl::set> pieces = {scop_.statements[statement].domain};
    for (const isl::aff& cut : cuts_[statement]) {
      std::vector<isl::set> finer;
      for (const isl::set& piece : pieces) {
        for (const isl::set& side : {Below(cut), On(cut), Above(cut)}) {
          const isl::set part = piece.intersect(side);
          if (!part.is_empty()) finer.push_back(part);
        }
      }
      pieces = finer;
    }
    return pieces;
  }

  static std::string PieceName(const std::string& statement, size_t piece) {
    return absl::StrCat(statement, "_", piece);
  }

  // { S -> P }: each instance in the piece's own space, where its statement has cuts.
  isl::union_map PieceOf() const {
    isl::union_map all = isl::union_map::empty(scop_.domain.ctx());
    for (size_t i = 0; i < cuts_.size(); ++i) {
      const ParsedStatement& statement = scop_.statements[i];
      const std::vector<isl::set> pieces = Pieces(i);
      for (size_t p = 0; p < pieces.size(); ++p) {
        isl::map same = IdentityMap(statement.domain.space().map_from_set());
        if (!cuts_[i].empty()) same = WithTupleName(same, isl_dim_out, PieceName(statement.name, p));
        all = all.unite(same.intersect_domain(pieces[p]));
      }
    }
    return all;
  }

  // The rule, with the cuts of all statements, whose pieces are `pieces`, { S -> P }: below how many
  // outermost loops those of the pieces are parallel. nullopt: the cuts are of no use.
  std::optional<size_t> SerialLoops(size_t index, const isl::union_map& pieces) const {
    const ParsedStatement& statement = scop_.statements[index];
    const size_t depth = CommonLoops(scop_.schedule, statement.domain).size();
    const size_t count = Pieces(index).size();
    for (size_t outer = 0; outer < depth; ++outer) {
      const isl::union_map pairs = PairsInside(statement, outer);
      const std::set<std::string> cycle = PieceOrder(pairs).Cycle(statement.name);
      if (cycle.empty() || HasParallelLoop(pairs, cycle, outer)) return std::nullopt;
      const PieceOrder order(pairs.apply_domain(pieces).apply_range(pieces));
      bool separated = true;
      for (size_t p = 0; p < count; ++p)
        separated = separated && order.Cycle(PieceName(statement.name, p)).empty();
      if (separated) return outer;
    }
    return std::nullopt;
  }

  // { S -> S }: dependences of the same iteration of the `outer` outermost loops around `statement`, of all
  // statements that stand inside of them.
  isl::union_map PairsInside(const ParsedStatement& statement, size_t outer) const {
    isl::union_set inside(statement.domain);
    for (const ParsedStatement& other : scop_.statements) {
      const isl::union_set both = isl::union_set(other.domain).unite(statement.domain);
      if (CommonLoops(scop_.schedule, both).size() >= outer) inside = inside.unite(other.domain);
    }
    const std::vector<isl::multi_union_pw_aff> loops = CommonLoops(scop_.schedule, inside);
    isl::union_map pairs = validity_.intersect_domain(inside).intersect_range(inside);
    for (size_t loop = 0; loop < outer; ++loop) pairs = pairs.eq_at(loops.at(loop));
    return pairs;
  }

  // Of the loops around all of `cycle`, inside the `outer` outermost ones, does one carry none of `pairs`?
  bool HasParallelLoop(const isl::union_map& pairs, const std::set<std::string>& cycle, size_t outer) const {
    isl::union_set instances = isl::union_set::empty(scop_.domain.ctx());
    for (const std::string& name : cycle) instances = instances.unite(scop_.statement(name).domain);
    const isl::union_map own = pairs.intersect_domain(instances).intersect_range(instances);
    const std::vector<isl::multi_union_pw_aff> loops = CommonLoops(scop_.schedule, instances);
    for (size_t loop = outer; loop < loops.size(); ++loop) {
      if (own.is_subset(own.eq_at(loops[loop]))) return true;
    }
    return false;
  }

  const ParsedScop& scop_;
  const isl::union_map validity_;  // S -> S
  std::set<std::string> written_;  // arrays
  std::vector<Cuts> cuts_;         // of each statement
};

}  // namespace

std::vector<StatementSplit> PlanSplits(const ParsedScop& scop, const Dependences& dependences) {
  return SplitPlanner(scop, dependences).Plan();
}

}  // namespace tune
