#include "common/transform/pivot_blocks/pivot_copies.h"

#include <algorithm>
#include <set>

#include "common/array/element_type.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/scop/scop_names.h"
#include "common/transform/copy_statement.h"
#include "common/transform/instance_times.h"

namespace tune {
namespace {

// A subscript of a copy's array: dimension d of Q less `first`, and less size b where it is inside of the
// block.
struct CopySubscript {
  int dimension = 0;
  bool in_block = false;
  int64_t first = 0;
  int64_t extent = 1;
};

class CopyingScop {
 public:
  CopyingScop(const ParsedScop& scop, int64_t size, const isl::set& values)
      : scop_(scop),
        size_(size),
        values_(values),
        names_(NamesOf(scop.proto)),
        times_(InstanceTimes(scop.schedule)) {
    result_.scop = scop.proto;
  }

  // False where the copy's array would have no bounds.
  bool Add(const CopiedValue& value) {
    const PivotReader& first = value.readers.front();
    const isl::space space = scop_.statement(first.piece->name).domain.space();
    const std::string name = absl::StrCat("S", result_.scop.statements_size());
    isl::union_map members = isl::union_map::empty(times_.ctx());  // { Q -> C }
    for (const PivotReader& reader : value.readers)
      members = members.unite(isl::union_map(CopyOf(scop_, reader, value.kept, name)));
    const isl::set instances = members.range().as_set().coalesce();  // C
    const std::optional<std::vector<CopySubscript>> subscripts = Subscripts(value, instances);
    if (!subscripts) return false;
    const std::string array = NewArray(first.Access(scop_).array, *subscripts);
    for (const PivotReader& reader : value.readers) {
      const isl::map to = Element(scop_.statement(reader.piece->name).domain.space(), *subscripts, array);
      v1::Statement* const statement = result_.scop.mutable_statements(IndexOf(reader.piece->name));
      statement->mutable_accesses(reader.access)->set_array(array);
      statement->mutable_accesses(reader.access)->set_relation(IslText(to));  // Q -> B
    }
    AddStatement(value, CopyOfAll(space, value.kept, name), instances, Element(space, *subscripts, array));
    // What the first of all instances would read, right before it.
    copy_times_.push_back(members.reverse().apply_range(times_).as_map().lexmin());  // C -> T
    return true;
  }

  int64_t bytes() const { return bytes_; }

  CopiedPivots Build() {
    int last = 0;
    isl::union_map times = isl::union_map::empty(times_.ctx());
    isl::union_set domain = scop_.schedule.domain();
    for (const isl::map& copy : copy_times_) {
      times = times.unite(WithLast(isl::union_map(copy), last++));
      domain = domain.unite(copy.domain());
    }
    times = times.unite(WithLast(times_, last));
    result_.scop.set_schedule(IslText(ScheduleByTimes(domain, times)));
    return result_;
  }

 private:
  std::optional<std::vector<CopySubscript>> Subscripts(const CopiedValue& value,
                                                       const isl::set& instances) const {
    const PivotPiece& piece = *value.readers.front().piece;
    const isl::set known = instances.intersect_params(values_).project_out_all_params();
    std::vector<CopySubscript> subscripts = {{piece.time, true, 0, size_}};
    for (size_t i = 1; i < value.kept.size(); ++i) {
      const int dimension = value.kept[i];
      if (dimension == piece.time) continue;
      if (piece.inside.count(dimension) > 0) {
        subscripts.push_back({dimension, true, 0, size_});
        continue;
      }
      if (known.is_empty()) return std::nullopt;
      const isl::val least = known.dim_min_val(static_cast<int>(i));
      const isl::val most = known.dim_max_val(static_cast<int>(i));
      if (!least.is_int() || !most.is_int()) return std::nullopt;
      const int64_t first = least.num_si();
      subscripts.push_back({dimension, false, first, most.num_si() - first + 1});
    }
    return subscripts;
  }

  std::string NewArray(const std::string& array, const std::vector<CopySubscript>& subscripts) {
    std::string name = array + "_pivots";
    for (int i = 1; !names_.insert(name).second; ++i) name = absl::StrCat(array, "_pivots_", i);
    v1::Array* const added = result_.scop.add_arrays();
    added->set_name(name);
    added->set_element_type(scop_.array(array).element_type());
    added->set_declared_inside(true);
    int64_t elements = 1;
    for (const CopySubscript& subscript : subscripts) {
      added->add_extents()->set_c_expression(absl::StrCat(subscript.extent));
      elements *= subscript.extent;
    }
    bytes_ += elements * ElementSize(added->element_type());
    return name;
  }

  // { Q -> B }
  isl::map Element(const isl::space& space, const std::vector<CopySubscript>& subscripts,
                   const std::string& array) const {
    const isl::val size(space.ctx(), size_);
    isl::map element = MapFromDomain(isl::set::universe(space));
    for (const CopySubscript& subscript : subscripts) {
      isl::aff value = VariableOn(space, subscript.dimension);
      value = value.add_constant(isl::val(space.ctx(), -subscript.first));
      if (subscript.in_block) value = value.sub(VariableOn(space, 0).scale(size));
      element = FlatRangeProduct(element, value.as_map());
    }
    return WithTupleName(WithoutTupleId(element, isl_dim_out), isl_dim_out, array);
  }

  // `copy`: { Q -> C }; `to`: { Q -> B }.
  void AddStatement(const CopiedValue& value, const isl::map& copy, const isl::set& instances,
                    const isl::map& to) {
    const PivotReader& first = value.readers.front();
    const v1::Statement& proto = *scop_.statement(first.piece->name).proto;
    std::vector<std::string> iterators;
    PivotPiece piece{TupleName(instances), "", first.piece->loop, 0, {}, false};
    for (size_t i = 0; i < value.kept.size(); ++i) {
      const bool inside = first.piece->inside.count(value.kept[i]) > 0;
      iterators.push_back(proto.iterators(value.kept[i]));
      if (value.kept[i] == first.piece->time) piece.time = static_cast<int>(i);
      if (inside) piece.inside.insert(static_cast<int>(i));
    }
    piece.bounded = piece.inside.size() + 1 == value.kept.size();
    const isl::map members = copy.reverse();  // C -> Q
    const isl::map from = members.apply_range(first.Access(scop_).relation);
    AddCopy(instances.gist_params(scop_.context), iterators, from, members.apply_range(to), proto.line(),
            &result_.scop);
    result_.values.push_back(value);
    result_.copies.push_back(piece);
  }

  int IndexOf(const std::string& name) const {
    for (size_t i = 0; i < scop_.statements.size(); ++i) {
      if (scop_.statements[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }

  // { S -> [T, last] }
  static isl::union_map WithLast(const isl::union_map& times, int last) {
    const isl::union_set constant(times.ctx(), absl::StrCat("{ [", last, "] }"));
    return FlatRangeProduct(times, isl::union_map::from_domain_and_range(times.domain(), constant));
  }

  const ParsedScop& scop_;
  const int64_t size_;
  const isl::set& values_;
  std::set<std::string> names_;  // C identifiers that are taken
  const isl::union_map times_;   // { S -> T } of scop_
  std::vector<isl::map> copy_times_;
  CopiedPivots result_;
  int64_t bytes_ = 0;
};

}  // namespace

std::optional<CopiedPivots> CopyPivots(const ParsedScop& scop, const Dependences& dependences,
                                       const std::vector<PivotPiece>& pieces, int64_t size,
                                       const isl::set& values, int64_t most_bytes) {
  const std::optional<std::vector<CopiedValue>> copied = FindCopiedValues(scop, dependences, pieces);
  if (!copied || copied->empty()) return std::nullopt;
  CopyingScop result(scop, size, values);
  for (const CopiedValue& value : *copied) {
    if (!result.Add(value) || result.bytes() > most_bytes) return std::nullopt;
  }
  return result.Build();
}

}  // namespace tune
