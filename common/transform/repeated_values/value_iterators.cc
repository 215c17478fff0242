#include "common/transform/repeated_values/value_iterators.h"

#include <algorithm>

#include "common/dependence/tagged_flow.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

ValueSources SourcesOfAccess(const ParsedScop& scop, const Dependences& dependences,
                             const ParsedStatement& statement, size_t a) {
  const ParsedAccess& access = statement.accesses[a];
  const isl::set domain = statement.domain.intersect_params(scop.context);
  const isl::union_map flow =
      FlowTo(dependences.tagged_flow, statement.domain, statement.name, static_cast<int>(a))
          .reverse();  // { S -> R }
  ValueSources sources;
  sources.before = dependences.live_in.intersect(isl::union_map(access.relation))
                       .domain()
                       .intersect(isl::union_set(domain))
                       .extract_set(domain.space());
  isl::set known = sources.before;
  for (size_t writer = 0; writer < scop.statements.size(); ++writer) {
    const isl::set own = scop.statements[writer].domain;
    const isl::map instances = flow.extract_map(MapFromDomainAndRange(domain, own).space());
    if (instances.is_empty()) continue;
    sources.written.push_back({writer, instances});
    known = known.unite(instances.domain());
  }
  sources.is_known = domain.is_subset(known);
  return sources;
}

class ValueIterators {
 public:
  ValueIterators(const ParsedScop& scop, const std::vector<std::vector<ValueSources>>& sources)
      : scop_(scop), sources_(sources) {
    for (size_t s = 0; s < scop.statements.size(); ++s) {
      const int dimensions = Dimensions(scop.statements[s].domain, isl_dim_set);
      matters_.emplace_back(dimensions, !IsPlain(s));
    }
  }

  std::vector<std::vector<bool>> Find() {
    for (bool grown = true; grown;) {
      grown = false;
      for (size_t s = 0; s < scop_.statements.size(); ++s) grown = Grow(s) || grown;
    }
    return matters_;
  }

 private:
  bool IsPlain(size_t s) const {
    const ParsedStatement& statement = scop_.statements[s];
    if (statement.kind != v1::Statement::ASSIGN || statement.proto->update() != v1::NONE) return false;
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (statement.accesses[a].of_data) return false;
      if (statement.accesses[a].reads() && !sources_[s][a].is_known) return false;
    }
    return true;
  }

  bool Grow(size_t s) {
    const ParsedStatement& statement = scop_.statements[s];
    std::vector<bool>& matters = matters_[s];
    const std::vector<bool> before = matters;
    for (size_t d = 0; d < matters.size(); ++d) matters[d] = matters[d] || DependsOn(statement, s, d);
    return matters != before;
  }

  bool DependsOn(const ParsedStatement& statement, size_t s, size_t dimension) const {
    const auto d = static_cast<int>(dimension);
    const auto involves = [&](const isl::pw_aff& value) {
      return Involves(value.gist(statement.domain), isl_dim_in, d, 1);
    };
    if (std::any_of(statement.affine.begin(), statement.affine.end(), involves)) return true;
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (statement.accesses[a].reads() && ReadDependsOn(statement, statement.accesses[a], sources_[s][a], d))
        return true;
    }
    return false;
  }

  bool ReadDependsOn(const ParsedStatement& statement, const ParsedAccess& access,
                     const ValueSources& sources, int d) const {
    if (!sources.before.is_empty()) {
      const isl::map element = access.relation.intersect_domain(sources.before);
      if (SetDependsOn(sources.before, statement, d) || MapDependsOn(element, statement, d)) return true;
    }
    for (const ValueSource& source : sources.written) {
      if (SetDependsOn(source.instances.domain(), statement, d)) return true;
      const std::vector<bool>& matters = matters_[source.statement];
      for (size_t k = 0; k < matters.size(); ++k) {
        if (matters[k] && MapDependsOn(OnlyDimension(source.instances, static_cast<int>(k)), statement, d))
          return true;
      }
    }
    return false;
  }

  // { S -> [k] } of { S -> R[.., k, ..] }.
  static isl::map OnlyDimension(const isl::map& map, int k) {
    const int dimensions = Dimensions(map, isl_dim_out);
    const isl::map without_last = ProjectOut(map, isl_dim_out, k + 1, dimensions - k - 1);
    return WithoutTupleId(ProjectOut(without_last, isl_dim_out, 0, k), isl_dim_out);
  }

  // Of all instances of the statement, which these are depends on the dimension.
  bool SetDependsOn(const isl::set& instances, const ParsedStatement& statement, int d) const {
    return Involves(instances.coalesce().gist(Context(statement)), isl_dim_set, d, 1);
  }
  bool MapDependsOn(const isl::map& map, const ParsedStatement& statement, int d) const {
    return Involves(map.coalesce().gist_domain(Context(statement)), isl_dim_in, d, 1);
  }
  isl::set Context(const ParsedStatement& statement) const {
    return statement.domain.intersect_params(scop_.context);
  }

  const ParsedScop& scop_;
  const std::vector<std::vector<ValueSources>>& sources_;
  std::vector<std::vector<bool>> matters_;
};

}  // namespace

std::vector<std::vector<ValueSources>> FindValueSources(const ParsedScop& scop,
                                                        const Dependences& dependences) {
  std::vector<std::vector<ValueSources>> all;
  for (const ParsedStatement& statement : scop.statements) {
    std::vector<ValueSources>& sources = all.emplace_back(statement.accesses.size());
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      if (statement.accesses[a].reads()) sources[a] = SourcesOfAccess(scop, dependences, statement, a);
    }
  }
  return all;
}

std::vector<std::vector<bool>> FindValueIterators(const ParsedScop& scop,
                                                  const std::vector<std::vector<ValueSources>>& sources) {
  return ValueIterators(scop, sources).Find();
}

}  // namespace tune
