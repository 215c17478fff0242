#include "common/transform/repeated_values/repeated_array.h"

#include <algorithm>
#include <map>
#include <set>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

class RepeatedArrays {
 public:
  RepeatedArrays(const ParsedScop& scop, const std::vector<std::vector<ValueSources>>& sources,
                 const std::vector<std::vector<bool>>& matters, const isl::set& values, int64_t least)
      : scop_(scop), sources_(sources), matters_(matters), values_(values), least_(least) {
    for (size_t s = 0; s < scop.statements.size(); ++s) {
      webs_.push_back(s);
      if (Repeats(s)) repeating_.insert(s);
    }
    JoinWebs();
    FindRecurrences();
  }

  std::vector<RepeatedArray> Find() {
    std::map<size_t, RepeatedArray> by_web;
    std::set<size_t> recurrent;
    for (const size_t s : repeating_) {
      RepeatedArray& array = by_web[Web(s)];
      array.array = scop_.statements[s].target().array;
      array.statements.push_back(s);
      if (recurrent_.count(s) > 0) recurrent.insert(Web(s));
    }
    std::vector<RepeatedArray> found;
    for (auto& [web, array] : by_web) {
      if (recurrent.count(web) == 0) continue;
      array.dropped = Dropped(array);
      if (NamesValues(array)) found.push_back(array);
    }
    return found;
  }

 private:
  // Counted in the box around what does not matter.
  bool Repeats(size_t s) const {
    const isl::set domain = scop_.statements[s].domain.intersect_params(values_).project_out_all_params();
    if (domain.is_empty()) return false;
    int64_t times = 1;
    for (size_t d = 0; d < matters_[s].size(); ++d) {
      if (matters_[s][d]) continue;
      const auto dimension = static_cast<int>(d);
      const isl::val least = domain.dim_min_val(dimension), most = domain.dim_max_val(dimension);
      if (!least.is_int() || !most.is_int()) return false;
      times *= std::min<int64_t>(most.sub(least).num_si() + 1, least_);
      if (times >= least_) return true;
    }
    return false;
  }

  size_t Web(size_t s) const {
    while (webs_[s] != s) s = webs_[s];
    return s;
  }

  // Statements whose values one access reads.
  void JoinWebs() {
    for (const std::vector<ValueSources>& accesses : sources_) {
      for (const ValueSources& access : accesses) {
        const ValueSource* first = nullptr;
        for (const ValueSource& source : access.written) {
          if (repeating_.count(source.statement) == 0) continue;
          if (first != nullptr) webs_[Web(source.statement)] = Web(first->statement);
          first = &source;
        }
      }
    }
  }

  // All values that the access reads are those of repeating statements.
  bool IsOfRepeating(const ValueSources& access) const {
    const auto repeats = [&](const ValueSource& source) { return repeating_.count(source.statement) > 0; };
    return access.before.is_null() ||
           (access.before.is_empty() && std::all_of(access.written.begin(), access.written.end(), repeats));
  }

  // Repeating statements from which values lead back to them through repeating statements.
  void FindRecurrences() {
    std::map<size_t, std::set<size_t>> origins;  // of what a statement reads, by way of others too
    for (bool grown = true; grown;) {
      grown = false;
      for (const size_t s : repeating_) {
        std::set<size_t>& own = origins[s];
        const size_t before = own.size();
        for (const ValueSources& access : sources_[s]) {
          if (!IsOfRepeating(access)) continue;
          for (const ValueSource& source : access.written) {
            own.insert(source.statement);
            const std::set<size_t> further = origins[source.statement];
            own.insert(further.begin(), further.end());
          }
        }
        grown = grown || own.size() > before;
      }
    }
    for (const auto& [s, own] : origins) {
      if (own.count(s) > 0) recurrent_.insert(s);
    }
  }

  isl::map Target(size_t s) const {  // { S -> A }
    const ParsedStatement& statement = scop_.statements[s];
    return statement.target().relation.gist_domain(statement.domain.intersect_params(scop_.context));
  }

  bool InvolvesAny(const isl::map& map, const std::vector<bool>& matters, bool which) const {
    for (size_t d = 0; d < matters.size(); ++d) {
      if (matters[d] == which && Involves(map, isl_dim_in, static_cast<int>(d), 1)) return true;
    }
    return false;
  }

  // Dimensions of the array in which what matters makes no difference.
  std::vector<int> Dropped(const RepeatedArray& array) const {
    std::vector<int> dropped;
    const int dimensions = scop_.array(array.array).extents_size();
    for (int m = 0; m < dimensions; ++m) {
      const auto matters = [&](size_t s) {
        const isl::map without_last = ProjectOut(Target(s), isl_dim_out, m + 1, dimensions - m - 1);
        return InvolvesAny(ProjectOut(without_last, isl_dim_out, 0, m), matters_[s], true);
      };
      if (std::none_of(array.statements.begin(), array.statements.end(), matters)) dropped.push_back(m);
    }
    return dropped;
  }

  // Each element without the dropped dimensions is that of one statement at one choice of what matters.
  bool NamesValues(const RepeatedArray& array) const {
    isl::set named;  // { P }
    for (const size_t s : array.statements) {
      const ParsedStatement& statement = scop_.statements[s];
      const isl::map name = WithoutDropped(Target(s), array.dropped, "P");  // { S -> P }
      if (InvolvesAny(name, matters_[s], false)) return false;
      const isl::set domain = statement.domain.intersect_params(scop_.context);
      const isl::map own = name.intersect_domain(domain);
      if (!own.reverse().apply_range(MatteringIterators(domain, matters_[s])).is_single_valued())
        return false;
      if (!named.is_null() && !named.is_disjoint(own.range())) return false;
      named = named.is_null() ? own.range() : named.unite(own.range());
    }
    return true;
  }

  const ParsedScop& scop_;
  const std::vector<std::vector<ValueSources>>& sources_;
  const std::vector<std::vector<bool>>& matters_;
  const isl::set values_;
  const int64_t least_;
  std::set<size_t> repeating_, recurrent_;
  std::vector<size_t> webs_;  // by statement: another one of its web, or itself
};

}  // namespace

std::vector<RepeatedArray> FindRepeatedArrays(const ParsedScop& scop,
                                              const std::vector<std::vector<ValueSources>>& sources,
                                              const std::vector<std::vector<bool>>& matters,
                                              const isl::set& values, int64_t least) {
  return RepeatedArrays(scop, sources, matters, values, least).Find();
}

isl::map WithoutDropped(isl::map relation, const std::vector<int>& dropped, const std::string& name) {
  for (auto m = dropped.rbegin(); m != dropped.rend(); ++m)
    relation = ProjectOut(relation, isl_dim_out, *m, 1);
  return WithTupleName(relation, isl_dim_out, name);
}

isl::map MatteringIterators(const isl::set& domain, const std::vector<bool>& matters) {
  isl::map iterators = IdentityMap(domain.space().map_from_set()).intersect_domain(domain);
  for (size_t d = matters.size(); d-- > 0;) {
    if (!matters[d]) iterators = ProjectOut(iterators, isl_dim_out, static_cast<int>(d), 1);
  }
  return WithoutTupleId(iterators, isl_dim_out);
}

}  // namespace tune
