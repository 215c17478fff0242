#include "common/transform/parenthesis_blocks/table_nest.h"

#include <algorithm>

#include "common/array/element_type.h"
#include "common/dependence/update_order.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/transform/plain_assignment.h"

namespace tune {
namespace {

class TableNestReader {
 public:
  TableNestReader(const ParsedScop& scop, const isl::set& values) : scop_(scop), values_(values) {}

  // `node`: of all that the nest has.
  std::optional<TableNest> Read(const isl::schedule_node& node) {
    if (!ReadStatements(node) || !std::any_of(nest_.statements.begin(), nest_.statements.end(),
                                              [](const TableStatement& one) { return one.splits; }))
      return std::nullopt;
    for (int d = 0; d < 2; ++d) {
      if (!FindSign(d)) return std::nullopt;
    }
    if (nest_.sign[0] == nest_.sign[1]) return std::nullopt;
    return std::move(nest_);
  }

 private:
  bool ReadStatements(const isl::schedule_node& node) {
    std::vector<size_t> indices;
    bool fit = true;
    node.foreach_descendant_top_down([&](const isl::schedule_node& below) {
      if (!below.isa<isl::schedule_node_leaf>()) return true;
      NodeDomain(below).foreach_set([&](const isl::set& set) {
        const std::optional<size_t> found = FindPlainAssignment(scop_, TupleName(set));
        fit = fit && found.has_value();
        if (found) indices.push_back(*found);
      });
      return true;
    });
    for (const size_t index : indices) nest_.tables.insert(scop_.statements[index].target().array);
    for (const size_t index : indices) fit = fit && Add(index);
    return fit;
  }

  // { S -> A } at the values.
  isl::map Known(const isl::map& relation, const ParsedStatement& statement) const {
    return relation.intersect_domain(statement.domain).intersect_params(values_).project_out_all_params();
  }

  bool Add(size_t index) {
    const ParsedStatement& statement = scop_.statements[index];
    const v1::Array& table = scop_.array(statement.target().array);
    if (table.extents_size() != 2 || IsComplex(table.element_type())) return false;
    const isl::map element = WithoutTupleId(Known(statement.target().relation, statement), isl_dim_out);
    if (element.is_empty()) return true;  // it never runs
    if (AddAt(index, element, /*splits=*/false)) return true;
    if (!Commute(scop_, statement, statement)) return false;
    for (const ParsedAccess& access : statement.accesses) {
      if (access.writes() || nest_.tables.count(access.array) == 0) continue;
      const isl::map read = WithoutTupleId(Known(access.relation, statement), isl_dim_out);
      for (int d = 0; d < 2; ++d) {
        const isl::map subscript = ProjectOut(read, isl_dim_out, 1 - d, 1);
        if (AddAt(index, FlatRangeProduct(element, subscript), /*splits=*/true)) return true;
      }
    }
    return false;
  }

  // False where places do not tell instances, or these are no affine function of them.
  bool AddAt(size_t index, const isl::map& place, bool splits) {
    if (!place.is_single_valued() || !place.is_injective()) return false;
    const isl::pw_multi_aff inverse = place.reverse().as_pw_multi_aff();
    if (inverse.n_piece() != 1) return false;
    bool affine = true;
    inverse.foreach_piece([&](const isl::set&, const isl::multi_aff& origin) {
      for (unsigned i = 0; i < origin.size(); ++i)
        affine = affine && !HasDivs(origin.at(static_cast<int>(i)));
      if (affine) nest_.statements.push_back({index, place, origin, splits});
    });
    return affine;
  }

  // False where elements need others on both sides, or none.
  bool FindSign(int dimension) {
    const isl::map ahead(values_.ctx(), Sides(dimension, ">")), behind(values_.ctx(), Sides(dimension, "<"));
    bool needs_larger = false, needs_smaller = false;
    for (const TableStatement& one : nest_.statements) {
      const ParsedStatement& statement = scop_.statements[one.index];
      const isl::map own = WithoutTupleId(Known(statement.target().relation, statement), isl_dim_out);
      for (const ParsedAccess& access : statement.accesses) {
        if (nest_.tables.count(access.array) == 0) continue;
        const isl::map other = WithoutTupleId(Known(access.relation, statement), isl_dim_out);
        if (!other.is_single_valued()) return false;
        const isl::map pairs = own.reverse().apply_range(other);  // [r, c] -> [r', c']
        needs_larger = needs_larger || !pairs.is_disjoint(ahead);
        needs_smaller = needs_smaller || !pairs.is_disjoint(behind);
      }
    }
    nest_.sign[dimension] = needs_smaller ? 1 : -1;
    return needs_larger != needs_smaller;
  }

  static std::string Sides(int dimension, const std::string& relation) {
    const std::string at = dimension == 0 ? "r" : "c";
    return absl::StrCat("{ [r, c] -> [r_, c_] : ", at, "_ ", relation, " ", at, " }");
  }

  const ParsedScop& scop_;
  const isl::set values_;
  TableNest nest_;
};

// The rest of the region's order.
std::optional<isl::schedule> PartOf(const ParsedScop& scop, const isl::schedule_node& sequence,
                                    unsigned first, unsigned end) {
  if (first == end) return std::nullopt;
  isl::union_set domain = isl::union_set::empty(scop.domain.ctx());
  for (unsigned i = first; i < end; ++i)
    domain = domain.unite(NodeDomain(sequence.child(static_cast<int>(i)).child(0)));
  return IntersectDomain(scop.schedule, domain);
}

}  // namespace

std::optional<TableNest> FindTableNest(const ParsedScop& scop, const isl::set& values) {
  const isl::schedule_node top = scop.schedule.root().child(0);
  if (!top.isa<isl::schedule_node_sequence>()) return TableNestReader(scop, values).Read(top);
  std::optional<TableNest> found;
  for (unsigned i = 0; i < top.n_children(); ++i) {
    std::optional<TableNest> nest =
        TableNestReader(scop, values).Read(top.child(static_cast<int>(i)).child(0));
    if (!nest) continue;
    if (found) return std::nullopt;
    nest->before = PartOf(scop, top, 0, i);
    nest->after = PartOf(scop, top, i + 1, top.n_children());
    found = std::move(nest);
  }
  return found;
}

}  // namespace tune
