#include "common/transform/repeated_values/single_values.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/instance_times.h"
#include "common/transform/repeated_values/repeated_array.h"
#include "common/transform/statement_pullback.h"

namespace tune {
namespace {

// A scop in the making. Everything throws isl::exception.
class SingleValues {
 public:
  SingleValues(const ParsedScop& scop, const Dependences& dependences, const isl::set& values)
      : scop_(scop),
        dependences_(dependences),
        values_(values),
        sources_(FindValueSources(scop, dependences)),
        matters_(FindValueIterators(scop, sources_)),
        times_(InstanceTimes(scop.schedule)),
        result_(scop.proto),
        names_(NamesOf(scop.proto)),
        domain_(scop.domain),
        origin_(isl::union_map::empty(scop.domain.ctx())),
        added_(isl::union_set::empty(scop.domain.ctx())) {}

  std::optional<v1::Scop> Make(int64_t least) {
    for (const RepeatedArray& array : FindRepeatedArrays(scop_, sources_, matters_, values_, least)) {
      if (!FindOrigins(array)) continue;
      for (const size_t s : array.statements) array_of_[s] = arrays_.size();
      arrays_.push_back(array);
    }
    if (arrays_.empty()) return std::nullopt;
    for (const RepeatedArray& array : arrays_) new_names_.push_back(AddArray(array));
    for (const auto& [s, array] : array_of_) needed_.emplace(s, Needed(s));
    for (const auto& [s, origin] : origins_) AddSingle(s, origin);
    for (size_t s = 0; s < scop_.statements.size(); ++s) {
      if (array_of_.count(s) == 0) ReadSingles(s);
    }
    for (const auto& [s, array] : array_of_) KeepCopy(s, array);
    result_.set_schedule(IslText(Order()));
    return result_;
  }

 private:
  // { K -> S }: to the instance that is first to write a value. False where that is no affine function.
  bool FindOrigins(const RepeatedArray& array) {
    std::map<size_t, isl::multi_aff> origins;
    for (const size_t s : array.statements) {
      const ParsedStatement& statement = scop_.statements[s];
      const isl::set domain = statement.domain.intersect_params(scop_.context);
      const isl::union_map instances(MatteringIterators(domain, matters_[s]).reverse());  // { K -> S }
      const isl::union_map own = times_.intersect_domain(isl::union_set(domain));         // { S -> T }
      const isl::union_map first = instances.apply_range(own).lexmin().apply_range(own.reverse());
      if (first.is_empty() || !first.is_single_valued()) return false;
      const isl::map map = isl::map(first.as_map()).coalesce();
      const isl::pw_multi_aff origin = map.gist_domain(map.domain()).as_pw_multi_aff();
      if (origin.n_piece() != 1) return false;
      origins.emplace(s, origin.as_multi_aff());
      first_.emplace(s, map.domain());
    }
    origins_.insert(origins.begin(), origins.end());
    return true;
  }

  std::string AddArray(const RepeatedArray& array) {
    std::string name = array.array + "_values";
    while (!names_.insert(name).second) name += "_";
    v1::Array* added = result_.add_arrays();
    added->set_name(name);
    added->set_element_type(scop_.array(array.array).element_type());
    added->set_declared_inside(true);
    isl::set elements;  // { P }
    for (const size_t s : array.statements) {
      const ParsedStatement& statement = scop_.statements[s];
      const isl::set own =
          WithoutDropped(statement.target().relation.intersect_domain(statement.domain), array.dropped, name)
              .range()
              .intersect_params(values_)
              .project_out_all_params();
      elements = elements.is_null() ? own : elements.unite(own);
    }
    for (int i = 0; i < Dimensions(elements, isl_dim_set); ++i)
      added->add_extents()->set_c_expression(absl::StrCat(elements.dim_max_val(i).num_si() + 1));
    return name;
  }

  // All values that the access reads are single ones of this array, of which the number is. Elements that
  // data decide are read where they were: their subscripts are those of the array.
  std::optional<size_t> SingleRead(size_t s, size_t a) const {
    const ValueSources& sources = sources_[s][a];
    if (sources.written.empty() || !sources.is_known || !sources.before.is_empty() ||
        scop_.statements[s].accesses[a].of_data)
      return std::nullopt;
    std::optional<size_t> all;
    for (const ValueSource& source : sources.written) {
      const auto array = array_of_.find(source.statement);
      if (array == array_of_.end() || (all && *all != array->second)) return std::nullopt;
      all = array->second;
    }
    return all;
  }

  // { S -> P } of an access.
  isl::map Single(size_t s, size_t a, size_t array) const {
    return WithoutDropped(scop_.statements[s].accesses[a].relation, arrays_[array].dropped,
                          new_names_[array]);
  }

  // The statement at the first instances alone: in its own place where nothing else is left of it.
  void AddSingle(size_t s, const isl::multi_aff& origin) {
    const ParsedStatement& statement = scop_.statements[s];
    const bool replaces = needed_.at(s).is_empty();
    const std::string name = replaces ? statement.name : absl::StrCat("S", result_.statements_size());
    v1::Statement* const added =
        replaces ? result_.mutable_statements(static_cast<int>(s)) : result_.add_statements();
    *added = *statement.proto;
    if (replaces) domain_ = domain_.subtract(statement.domain);
    const isl::multi_aff from =
        WithTupleName(origin.as_map(), isl_dim_in, name).as_pw_multi_aff().as_multi_aff();
    PullBack(statement, from, added);
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const bool writes = static_cast<int>(a) == statement.proto->target();
      const std::optional<size_t> array = writes ? array_of_.at(s) : SingleRead(s, a);
      if (!array) continue;
      v1::Access* const access = added->mutable_accesses(static_cast<int>(a));
      access->set_array(new_names_[*array]);
      access->set_relation(IslText(Single(s, a, *array).preimage_domain(from)));
    }
    isl::set instances = WithTupleName(first_.at(s), name);
    added->clear_iterators();
    for (size_t d = 0, k = 0; d < matters_[s].size(); ++d) {
      if (!matters_[s][d]) continue;
      const std::string& iterator = statement.proto->iterators(static_cast<int>(d));
      added->add_iterators(iterator);
      instances = WithDimensionName(instances, isl_dim_set, static_cast<int>(k++), iterator);
    }
    added->set_domain(IslText(instances.gist_params(scop_.context)));
    domain_ = domain_.unite(instances);
    added_ = added_.unite(instances);
    origin_ = origin_.unite(isl::union_map(from.as_map()));
  }

  void ReadSingles(size_t s) {
    for (size_t a = 0; a < scop_.statements[s].accesses.size(); ++a) {
      const std::optional<size_t> array = SingleRead(s, a);
      if (!array) continue;
      v1::Access* const access =
          result_.mutable_statements(static_cast<int>(s))->mutable_accesses(static_cast<int>(a));
      access->set_array(new_names_[*array]);
      access->set_relation(IslText(Single(s, a, *array)));
    }
  }

  // Instances whose elements are read as they were, or outlive the region.
  isl::set Needed(size_t s) const {
    const isl::set& domain = scop_.statements[s].domain;
    isl::set needed = dependences_.live_out.domain().extract_set(domain.space());
    for (size_t reader = 0; reader < sources_.size(); ++reader) {
      for (size_t a = 0; a < sources_[reader].size(); ++a) {
        if (SingleRead(reader, a)) continue;
        for (const ValueSource& source : sources_[reader][a].written) {
          if (source.statement == s) needed = needed.unite(source.instances.range());
        }
      }
    }
    return needed.intersect(domain).intersect_params(scop_.context).coalesce();
  }

  // What is left of a statement whose values are single ones.
  void KeepCopy(size_t s, size_t array) {
    const isl::set &domain = scop_.statements[s].domain, &needed = needed_.at(s);
    if (needed.is_empty()) return;
    v1::Statement* const statement = result_.mutable_statements(static_cast<int>(s));
    v1::Expression value;
    value.set_access(AddAccess(Single(s, statement->target(), array), v1::Access::READ, statement));
    value.set_c_type(std::string(ElementCType(scop_.array(arrays_[array].array).element_type())));
    KeepValue(value, statement);
    statement->set_domain(IslText(needed.gist_params(scop_.context)));
    domain_ = domain_.subtract(domain).unite(needed);
  }

  // As it was; single values where they were first written, before the copy.
  isl::schedule Order() const {
    isl::union_map origin = origin_;
    for (const ParsedStatement& statement : scop_.statements)
      origin = origin.unite(isl::union_map(InstancesNamed(statement.name, statement).as_map()));
    const isl::schedule all =
        IntersectDomain(scop_.schedule.pullback(origin.as_union_pw_multi_aff()), domain_);
    return ChangeNodes(all, [&](isl::schedule_node node) {
      if (!node.isa<isl::schedule_node_leaf>()) return node;
      const isl::union_set own = NodeDomain(node), first = own.intersect(added_), rest = own.subtract(added_);
      if (first.is_empty() || rest.is_empty()) return node;
      return isl::schedule_node(node.insert_sequence(isl::union_set_list(first).add(rest)));
    });
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const isl::set values_;
  const std::vector<std::vector<ValueSources>> sources_;
  const std::vector<std::vector<bool>> matters_;
  const isl::union_map times_;  // { S -> T }
  v1::Scop result_;
  std::set<std::string> names_;  // C identifiers that are taken
  isl::union_set domain_;        // { S } of the result
  isl::union_map origin_;        // { S of the result -> S of scop_ }: of what is added
  isl::union_set added_;         // { S } of the result
  std::vector<RepeatedArray> arrays_;
  std::vector<std::string> new_names_;        // parallel to it
  std::map<size_t, size_t> array_of_;         // by statement: in arrays_
  std::map<size_t, isl::multi_aff> origins_;  // by statement: { K -> S }
  std::map<size_t, isl::set> first_;          // by statement: { K }
  std::map<size_t, isl::set> needed_;         // by statement: what Needed says
};

}  // namespace

absl::StatusOr<std::optional<v1::Scop>> ComputeOnce(IslContext& context, const ParsedScop& scop,
                                                    const Dependences& dependences,
                                                    const std::map<std::string, int64_t>& values,
                                                    int64_t least) {
  return context.Run("finding repeated values", [&]() -> absl::StatusOr<std::optional<v1::Scop>> {
    return SingleValues(scop, dependences, ParameterValues(context, values)).Make(least);
  });
}

}  // namespace tune
