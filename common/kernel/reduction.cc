#include "common/kernel/reduction.h"

#include <algorithm>
#include <set>

#include "common/dependence/reachability.h"
#include "common/dependence/update_order.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/same_value.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/program/atomic_update.h"

namespace tune {
namespace {

// The only member that repeats and is not coincident; -1 when there are none or several.
int SerialMember(const isl::schedule_node_band& band, const std::vector<bool>& repeats) {
  int found = -1;
  for (int m = 0; m < static_cast<int>(repeats.size()); ++m) {
    if (!repeats[m] || band.member_get_coincident(m)) continue;
    if (found >= 0) return -1;
    found = m;
  }
  return found;
}

class ReductionFinder {
 public:
  ReductionFinder(const isl::schedule_node_band& band, int member, const std::vector<std::string>& statements,
                  const ParsedScop& scop, const isl::set& values)
      : member_(member), statements_(statements), scop_(scop) {
    domain_ = NodeDomain(band).intersect_params(values);
    place_ = band.prefix_schedule_union_map().intersect_domain(domain_);  // S -> [prefix]
    const isl::multi_union_pw_aff members = band.partial_schedule();
    for (int m = 0; m < static_cast<int>(band.n_member()); ++m) {
      const isl::union_map value = members.at(m).as_union_map();
      if (m == member) {
        value_ = value.intersect_domain(domain_);  // S -> [r]
      } else if (band.member_get_coincident(m)) {
        place_ = FlatRangeProduct(place_, value.intersect_domain(domain_));  // S -> [prefix, coincident]
      }
    }
  }

  std::optional<KernelReduction> Find(const Dependences& dependences) {
    if (!Connect(dependences)) return std::nullopt;
    // One reduced statement must not need another's result.
    const std::set<std::string> after_reduced = AllAfter(reduced_, next_);
    if (HasReduced(after_reduced)) return std::nullopt;
    KernelReduction reduction;
    reduction.member = member_;
    for (const std::string& name : statements_) {
      if (reduced_.count(name) > 0) {
        if (!HasOneElement(name)) return std::nullopt;
        reduction.reduced.push_back(name);
        continue;
      }
      const bool before = HasReduced(AllAfter({name}, next_));
      const bool after = after_reduced.count(name) > 0;
      if (before && after) return std::nullopt;
      if (HasOneInstance(name)) {
        (after ? reduction.after : reduction.before).push_back(name);
      } else if (after) {
        return std::nullopt;
      } else {
        reduction.along.push_back(name);
      }
    }
    if (reduction.reduced.empty() || !KeepsIterations(reduction) || ReadsResults(reduction) ||
        NeedsElements(reduction)) {
      return std::nullopt;
    }
    reduction.contiguous = IsContiguous();
    reduction.whole_pieces = WholePieces(reduction);
    reduction.atomic = reduction.before.empty() && reduction.after.empty() && AreAtomic(reduction.reduced);
    reduction.adds_doubles = AddsDoubles(reduction.reduced);
    return reduction;
  }

 private:
  // Fills reduced_ and next_; false when some dependence rules a reduction out.
  bool Connect(const Dependences& dependences) {
    together_ = dependences.validity().intersect(SameValue(place_));
    bool possible = true;
    together_.foreach_map([&](const isl::map& pair) {
      if (pair.is_empty()) return;
      const std::string from = TupleName(pair, isl_dim_in);
      const std::string to = TupleName(pair, isl_dim_out);
      if (Commute(scop_, scop_.statement(from), scop_.statement(to))) {
        // Several elements at one place are ruled out below.
        reduced_.insert({from, to});
      } else if (from == to) {
        possible = false;
      } else {
        next_[from].insert(to);
      }
    });
    return possible;
  }

  // Some of them are reduced.
  bool HasReduced(const std::set<std::string>& names) const {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return reduced_.count(name) > 0; });
  }

  isl::union_set Instances(const std::string& name) const {
    return domain_.intersect(isl::union_set(scop_.statement(name).domain));
  }
  isl::union_set Instances(const std::vector<std::string>& names) const {
    isl::union_set instances = isl::union_set::empty(domain_.ctx());
    for (const std::string& name : names) instances = instances.unite(Instances(name));
    return instances;
  }

  bool HasOneInstance(const std::string& name) const {
    return place_.intersect_domain(Instances(name)).is_injective();
  }

  // All instances at one place update the same element.
  bool HasOneElement(const std::string& name) const {
    const ParsedStatement& statement = scop_.statement(name);
    const isl::union_map target(statement.target().relation);  // S -> A
    const isl::union_map elements =
        place_.intersect_domain(Instances(name)).reverse().apply_range(target);  // [place] -> A
    return elements.is_single_valued();
  }

  // What at its place depends on an instance along the reduction, and what that depends on, is of the same
  // iteration, so that one thread runs both.
  bool KeepsIterations(const KernelReduction& reduction) const {
    if (reduction.along.empty()) return true;
    const isl::union_set along = Instances(reduction.along);
    const isl::union_set shared = Instances(reduction.Shared());
    const isl::union_map pairs = together_.intersect_domain(along).unite(together_.intersect_range(along));
    const isl::union_map iteration = SameValue(value_).intersect_domain(shared).intersect_range(shared);
    return pairs.is_subset(iteration);
  }

  // Some reduced statement reads, at its place, what is written there otherwise than to update it: by a
  // reduced statement, or by one `before` or `after`, which a single thread runs without waiting for others.
  bool ReadsResults(const KernelReduction& reduction) const {
    isl::union_map targets = isl::union_map::empty(domain_.ctx());  // { S -> A }
    isl::union_map reads = targets;
    for (const std::string& name : reduced_) {
      const ParsedStatement& statement = scop_.statement(name);
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        isl::union_map& side = static_cast<int>(a) == statement.proto->target() ? targets : reads;
        side = side.unite(isl::union_map(statement.accesses[a].relation));
      }
    }
    for (const auto* singles : {&reduction.before, &reduction.after}) {
      for (const std::string& name : *singles) {
        for (const ParsedAccess& access : scop_.statement(name).accesses)
          if (access.writes()) targets = targets.unite(isl::union_map(access.relation));
      }
    }
    const isl::union_map place = place_.reverse();  // [place] -> S
    return !place.apply_range(targets).intersect(place.apply_range(reads)).is_empty();
  }

  // Some statement `along` has to do with an element that is updated at its place. Its one dependence on the
  // first update, or of the last, may be within an iteration; but others' partial values are added at any
  // time.
  bool NeedsElements(const KernelReduction& reduction) const {
    isl::union_map elements = isl::union_map::empty(domain_.ctx());  // { S -> A }
    isl::union_map others = elements;
    for (const std::string& name : reduced_) {
      const isl::union_map target(scop_.statement(name).target().relation);
      elements = elements.unite(target.intersect_domain(Instances(name)));
    }
    for (const std::string& name : reduction.along) {
      for (const ParsedAccess& access : scop_.statement(name).accesses)
        others = others.unite(isl::union_map(access.relation).intersect_domain(Instances(name)));
    }
    const isl::union_map place = place_.reverse();  // [place] -> S
    return !place.apply_range(elements).intersect(place.apply_range(others)).is_empty();
  }

  bool AreAtomic(const std::vector<std::string>& updates) const {
    return std::all_of(updates.begin(), updates.end(), [&](const std::string& name) {
      return HasAtomicOperation(scop_.statement(name).proto->update(), TypeUpdated(name));
    });
  }

  bool AddsDoubles(const std::vector<std::string>& updates) const {
    return std::any_of(updates.begin(), updates.end(), [&](const std::string& name) {
      return scop_.statement(name).proto->update() == v1::ADD && TypeUpdated(name) == v1::ELEMENT_TYPE_DOUBLE;
    });
  }

  v1::ElementType TypeUpdated(const std::string& statement) const {
    return scop_.array(scop_.statement(statement).target().array).element_type();
  }

  bool IsContiguous() const {
    const isl::map one_more(domain_.ctx(), "{ [r] -> [r + 1] }");
    const isl::union_map next = value_.apply_range(isl::union_map(one_more))
                                    .apply_range(value_.reverse())
                                    .intersect(SameValue(place_));  // S -> S
    size_t most = 0;
    bool contiguous = false;
    for (const std::string& name : reduced_) {
      const ParsedStatement& statement = scop_.statement(name);
      for (size_t a = 0; a < statement.accesses.size(); ++a) {
        if (static_cast<int>(a) == statement.proto->target()) continue;
        const isl::union_map access =
            isl::union_map(statement.accesses[a].relation).intersect_domain(Instances(name));
        const isl::union_map step = access.reverse().apply_range(next).apply_range(access);  // A -> A
        const size_t rank = scop_.array(statement.accesses[a].array).extents_size();
        if (rank == 0 || rank < most || step.is_empty()) continue;
        const isl::set distance = step.as_map().deltas();
        const bool one = IsLastUnit(distance);
        contiguous = rank > most ? one : contiguous || one;
        most = rank;
      }
    }
    return contiguous;
  }

  // KernelReduction::whole_pieces
  int64_t WholePieces(const KernelReduction& reduction) const {
    const isl::union_set shared = Instances(reduction.Shared());
    const isl::union_map values =  // [prefix, coincident] -> [r]
        place_.intersect_domain(shared).reverse().apply_range(value_);
    for (int64_t size = kMostOfPiece; size > 1; size /= 2) {
      const isl::union_map piece(domain_.ctx(), absl::StrCat("{ [r] -> [floor(r/", size, ")] }"));
      if (values.apply_range(piece).apply_range(piece.reverse()).is_subset(values)) return size;
    }
    return 1;
  }

  // { A[0, ..., 0, 1] }
  static bool IsLastUnit(const isl::set& distance) {
    const int rank = Dimensions(distance, isl_dim_set);
    for (int i = 0; i < rank; ++i) {
      const isl::val value = PlainFixedValue(distance, isl_dim_set, i);
      if (!value.is_int() || value.cmp_si(i + 1 == rank ? 1 : 0) != 0) return false;
    }
    return true;
  }

  const int member_;
  const std::vector<std::string>& statements_;
  const ParsedScop& scop_;
  isl::union_set domain_;    // { S }
  isl::union_map place_;     // { S -> [prefix, coincident members] }
  isl::union_map value_;     // { S -> [r] }
  isl::union_map together_;  // { S -> S }: dependences at one place
  std::set<std::string> reduced_;
  Successors next_;  // dependences at one place, but for those of updates
};

}  // namespace

std::optional<KernelReduction> FindReduction(const isl::schedule_node_band& band,
                                             const std::vector<std::string>& statements,
                                             const std::vector<bool>& repeats, const ParsedScop& scop,
                                             const Dependences& dependences, const isl::set& values) {
  const int member = SerialMember(band, repeats);
  if (member < 0 || std::none_of(statements.begin(), statements.end(), [&](const std::string& name) {
        return IsUpdate(scop, scop.statement(name));
      })) {
    return std::nullopt;
  }
  return ReductionFinder(band, member, statements, scop, values).Find(dependences);
}

}  // namespace tune
