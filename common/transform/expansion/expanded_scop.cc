#include "common/transform/expansion/expanded_scop.h"

#include <algorithm>

#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop_names.h"
#include "common/transform/copy_statement.h"

namespace tune {
namespace {

// `map` without what `domain` says anyway.
isl::map Simplified(const isl::map& map, const isl::set& domain) {
  const isl::map within = map.intersect_domain(domain);
  const isl::map simple = within.coalesce().gist_domain(domain);
  return simple.is_single_valued() ? simple : within;
}

// { S[i] -> name[i, ...] }: dimensions `first` and later of S.
isl::map Projection(const isl::set& instances, const std::string& name, int first) {
  isl::map map = IdentityMap(instances.space().map_from_set());
  map = ProjectOut(map, isl_dim_out, 0, first);
  return WithTupleName(map, isl_dim_out, name);
}

// { S[i] -> name[0, ..., 0, A's subscripts] } for `element`, S -> A.
isl::map AtZero(const isl::map& element, int dimensions, const std::string& name) {
  isl::map map = InsertDimensions(element, isl_dim_out, 0, dimensions);
  for (int i = 0; i < dimensions; ++i) map = Fix(map, isl_dim_out, i, 0);
  return WithTupleName(map, isl_dim_out, name);
}

}  // namespace

ExpandedScop::ExpandedScop(const ParsedScop& scop)
    : scop_(scop), result_(scop.proto), names_(NamesOf(scop.proto)) {
  while (std::any_of(names_.begin(), names_.end(), [&](const std::string& name) {
    return name.compare(0, iterator_prefix_.size(), iterator_prefix_) == 0;
  })) {
    iterator_prefix_ += "_";
  }
}

std::string ExpandedScop::Iterator(int dimension) const { return absl::StrCat(iterator_prefix_, dimension); }

isl::set ExpandedScop::Instances(const isl::set& set) const {
  isl::set renamed = WithoutTupleId(set);
  renamed = WithTupleName(renamed, absl::StrCat("S", result_.statements_size()));
  for (int i = 0; i < Dimensions(renamed, isl_dim_set); ++i) {
    renamed = WithDimensionName(renamed, isl_dim_set, i, Iterator(i));
  }
  return renamed;
}

void ExpandedScop::Add(const std::string& array, const RangeExpansion& expansion) {
  expanded_.insert(array);
  const std::string name = NewArray(array, expansion);
  for (const auto& [statement, access] : expansion.range.references) {
    v1::Access* changed = result_.mutable_statements(statement)->mutable_accesses(access);
    changed->set_array(name);
    changed->set_relation(IslText(NewRelation(expansion, statement, access, name)));
  }
  CopyIn(array, expansion, name);
  CopyOut(array, expansion, name);
}

v1::Scop ExpandedScop::Build() {
  isl::schedule schedule(scop_.domain.ctx(), scop_.proto.schedule());
  for (const isl::schedule& copy : before_) {
    schedule = ScheduleSequence(copy, schedule);
  }
  for (const isl::schedule& copy : after_) {
    schedule = ScheduleSequence(schedule, copy);
  }
  result_.set_schedule(IslText(schedule));
  RemoveUnusedArrays();
  return result_;
}

std::string ExpandedScop::NewArray(const std::string& array, const RangeExpansion& expansion) {
  std::string name = array + "_copies";
  for (int i = 1; !names_.insert(name).second; ++i) name = absl::StrCat(array, "_copies_", i);
  v1::Array* added = result_.add_arrays();
  added->set_name(name);
  added->set_element_type(scop_.array(array).element_type());
  added->set_declared_inside(true);
  for (const int64_t extent : expansion.extents) added->add_extents()->set_c_expression(absl::StrCat(extent));
  return name;
}

// S -> N: the iteration, then the element.
isl::map ExpandedScop::NewRelation(const RangeExpansion& expansion, int statement, int access,
                                   const std::string& name) const {
  const ParsedStatement& parsed = scop_.statements[statement];
  const isl::map element = parsed.accesses[access].relation;  // S -> A
  if (parsed.domain.is_empty()) return AtZero(element, static_cast<int>(expansion.dimensions.size()), name);
  isl::map relation = MapFromDomain(parsed.domain);  // S -> []
  for (const ExpansionDimension& dimension : expansion.dimensions) {
    const isl::map index = dimension.index.intersect_domain(isl::union_set(parsed.domain)).as_map();
    relation = FlatRangeProduct(relation, index);
  }
  relation = FlatRangeProduct(relation, element);
  relation = WithTupleName(WithoutTupleId(relation, isl_dim_out), isl_dim_out, name);
  return Simplified(relation, parsed.domain);
}

// Every element of the new array that is read before it is written gets the value that it has in the old one.
void ExpandedScop::CopyIn(const std::string& array, const RangeExpansion& expansion,
                          const std::string& name) {
  if (expansion.range.live_in.is_empty()) return;
  isl::set elements;  // N
  int line = 0;
  for (const auto& [statement, access] : expansion.range.references) {
    const ParsedStatement& parsed = scop_.statements[statement];
    if (!parsed.accesses[access].reads()) continue;
    const isl::union_map live_in =
        expansion.range.live_in.intersect_domain(isl::union_set(parsed.domain));  // S -> A
    if (live_in.is_empty()) continue;
    const isl::set reading = parsed.accesses[access].relation.intersect(live_in.as_map()).domain();
    const isl::map relation = NewRelation(expansion, statement, access, name);  // S -> N
    const isl::set read = relation.intersect_domain(reading).range();
    elements = elements.is_null() ? read : elements.unite(read);
    line = parsed.proto->line();
  }
  const isl::set instances = Instances(elements.coalesce());  // S
  const isl::map from = Projection(instances, array, static_cast<int>(expansion.dimensions.size()));
  before_.push_back(AddCopy(instances, from, Projection(instances, name, 0), line));
}

// Of each element, the value that its last writer left in the writer's copy.
void ExpandedScop::CopyOut(const std::string& array, const RangeExpansion& expansion,
                           const std::string& name) {
  for (const auto& [statement, access] : expansion.range.references) {
    const ParsedStatement& parsed = scop_.statements[statement];
    if (!parsed.accesses[access].writes()) continue;
    const isl::union_map last =
        expansion.range.live_out.intersect_domain(isl::union_set(parsed.domain));  // S -> A
    if (last.is_empty()) continue;
    const isl::map copied = NewRelation(expansion, statement, access, name);                   // S -> N
    const isl::map source = isl::map(last.as_map()).reverse().apply_range(copied).coalesce();  // A -> N
    // One statement a piece: then each has plain subscripts.
    source.as_pw_multi_aff().foreach_piece([&](const isl::set& piece, const isl::multi_aff& from) {
      const isl::set instances = Instances(piece);                   // S
      const isl::map element = Projection(instances, array, 0);      // S -> A
      const isl::map relation = element.apply_range(from.as_map());  // S -> N
      after_.push_back(AddCopy(instances, Simplified(relation, instances), element, parsed.proto->line()));
    });
  }
}

isl::schedule ExpandedScop::AddCopy(const isl::set& instances, const isl::map& from, const isl::map& to,
                                    int line) {
  const isl::set domain = instances.gist_params(scop_.context);
  std::vector<std::string> iterators;
  for (int i = 0; i < Dimensions(instances, isl_dim_set); ++i) iterators.push_back(Iterator(i));
  tune::AddCopy(domain, iterators, from, to, line, &result_);
  return LoopsOver(domain);
}

// Arrays that were declared inside the region and now occur nowhere, not even in a KILL; and marks the ones
// that nothing writes any more.
void ExpandedScop::RemoveUnusedArrays() {
  std::set<std::string> used, written;
  for (const v1::Statement& statement : result_.statements()) {
    for (const v1::Access& access : statement.accesses()) {
      used.insert(access.array());
      if (access.kind() != v1::Access::READ) written.insert(access.array());
    }
  }
  v1::Scop all;
  all.mutable_arrays()->Swap(result_.mutable_arrays());
  for (v1::Array& array : *all.mutable_arrays()) {
    const bool expanded = expanded_.count(array.name()) > 0;
    if (expanded && array.declared_inside() && used.count(array.name()) == 0) continue;
    if (expanded) array.set_read_only(written.count(array.name()) == 0);
    *result_.add_arrays() = std::move(array);
  }
}

}  // namespace tune
