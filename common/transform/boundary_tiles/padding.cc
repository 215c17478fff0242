#include "common/transform/boundary_tiles/padding.h"

#include <algorithm>
#include <set>
#include <vector>

#include "common/array/element_type.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/instance_function.h"

namespace tune {
namespace {

// { S -> [m] } without a domain; nothing when it has several pieces.
std::optional<isl::union_pw_aff> Total(const isl::union_pw_aff& member) {
  isl::union_pw_aff total;
  bool possible = true;
  const isl::pw_aff_list functions = PwAffList(member);
  for (unsigned i = 0; i < functions.size(); ++i) {
    int pieces = 0;
    functions.at(i).foreach_piece([&](const isl::set&, const isl::multi_aff& piece) {
      if (++pieces > 1) return;
      const isl::union_pw_aff own{isl::pw_aff(piece.at(0))};
      total = total.is_null() ? own : total.union_add(own);
    });
    possible = possible && pieces == 1;
  }
  if (!possible || total.is_null()) return std::nullopt;
  return total;
}

// Of all members of the root band.
std::optional<isl::multi_union_pw_aff> TotalMembers(const BlockOfKernel& block) {
  isl::multi_union_pw_aff members;
  for (int m = 0; m < block.MemberCount(); ++m) {
    const std::optional<isl::union_pw_aff> total = Total(block.Member(m));
    if (!total) return std::nullopt;
    const isl::multi_union_pw_aff one(*total);
    members = members.is_null() ? one : members.flat_range_product(one);
  }
  return members;
}

// { S -> [m] } of the members that are mapped, or of the others.
isl::union_map Members(const BlockOfKernel& block, bool mapped, const isl::union_set& domain) {
  isl::union_map values = isl::union_map::from_domain(domain);  // S -> []
  for (int m = 0; m < block.MemberCount(); ++m) {
    if (block.plan->threads.IsMapped(m) != mapped) continue;
    values = FlatRangeProduct(values, block.Member(m).as_union_map());
  }
  return values;
}

// { S }: one statement's instances in the block's tile, of the same launch.
isl::union_set InTile(const BlockOfKernel& block, const isl::union_set& universe) {
  isl::union_set tile = block.launch ? universe.intersect(*block.launch) : universe;
  for (size_t axis = 0; axis < block.plan->threads.axes.size(); ++axis) {
    const isl::union_pw_aff number =
        FloorDiv(block.Member(block.Axis(axis).member).intersect_domain(universe), block.Axis(axis).tile);
    tile = tile.intersect(WhereEqual(number, absl::StrCat(block.block_id, axis)));
  }
  return tile;
}

// { S }: the padded instances of one statement; nothing when what it does at one of `points`, { [m] } where
// some statement has an instance, is not what it does at any other. `block` has total members.
std::optional<isl::union_set> PadStatement(const BlockOfKernel& block, const isl::union_set& instances,
                                           const isl::union_set& points) {
  const isl::union_set universe = instances.universe();
  const isl::union_map serial = Members(block, /*mapped=*/false, universe);  // S -> [m]
  const isl::union_set padded =
      InTile(block, universe).intersect(instances.apply(serial).apply(serial.reverse()));
  const isl::union_map mapped = Members(block, /*mapped=*/true, universe);  // S -> [m]
  const isl::union_set present = points.apply(mapped.reverse());
  if (!padded.intersect(present).is_equal(instances)) return std::nullopt;
  const isl::union_map all = FlatRangeProduct(mapped, serial).intersect_domain(padded);
  if (!all.is_injective()) return std::nullopt;
  return padded;
}

// Whether iterators or parameters are part of the value.
bool HasAffine(const v1::Expression& value) {
  const auto any = [](const auto& operands) {
    return std::any_of(operands.begin(), operands.end(), HasAffine);
  };
  switch (value.kind_case()) {
    case v1::Expression::kAffine:
      return true;
    case v1::Expression::kOperation:
      return any(value.operation().operands());
    case v1::Expression::kCall:
      return any(value.call().arguments());
    case v1::Expression::kCast:
      return HasAffine(value.cast().operand());
    default:
      return false;
  }
}

// Of those that are there.
std::set<std::string> StatementsOf(const isl::union_set& instances) {
  std::set<std::string> names;
  instances.foreach_set([&](const isl::set& set) {
    if (!set.is_empty()) names.insert(TupleName(set));
  });
  return names;
}

// { S }: the instances of these statements.
isl::union_set Only(const isl::union_set& instances, const std::set<std::string>& names) {
  isl::union_set only = isl::union_set::empty(instances.ctx());
  instances.foreach_set([&](const isl::set& set) {
    if (names.count(TupleName(set)) > 0) only = only.unite(isl::union_set(set));
  });
  return only;
}

// The instances at each leaf below `node`, which `reaching` reach, in an order that the tree allows. False
// when there is more than sequences, sets and filters.
bool CollectPlaces(const isl::schedule_node& node, const isl::union_set& reaching,
                   std::vector<isl::union_set>* places) {
  if (node.isa<isl::schedule_node_leaf>()) {
    if (!reaching.is_empty()) places->push_back(reaching);
    return true;
  }
  if (!node.isa<isl::schedule_node_sequence>() && !node.isa<isl::schedule_node_set>()) return false;
  for (int i = 0; i < static_cast<int>(node.n_children()); ++i) {
    const isl::schedule_node child = node.child(i);
    const isl::union_set here = reaching.intersect(child.as<isl::schedule_node_filter>().filter());
    if (!CollectPlaces(child.child(0), here, places)) return false;
  }
  return true;
}

}  // namespace

std::optional<BlockOfKernel> Pad(const BlockOfKernel& block, const std::set<std::string>& kept) {
  BlockOfKernel padded = block;
  const std::optional<isl::multi_union_pw_aff> members = TotalMembers(block);
  if (!members) return std::nullopt;
  padded.members = *members;
  padded.domain = isl::union_set::empty(block.domain.ctx());
  const isl::union_set points = block.domain.apply(Members(padded, /*mapped=*/true, block.domain));
  bool possible = true;
  block.domain.foreach_set([&](const isl::set& instances) {
    if (!possible || instances.is_empty()) return;
    if (kept.count(TupleName(instances)) > 0) {
      padded.domain = padded.domain.unite(isl::union_set(instances));
      return;
    }
    const std::optional<isl::union_set> own = PadStatement(padded, isl::union_set(instances), points);
    possible = own.has_value();
    if (possible) padded.domain = padded.domain.unite(*own);
  });
  if (!possible) return std::nullopt;
  padded.domain = padded.domain.intersect_params(block.context).coalesce();
  if (padded.domain.is_equal(block.domain.intersect_params(block.context))) return std::nullopt;
  return padded;
}

std::optional<isl::schedule_node> PaddedTree(const isl::schedule_node& band, const BlockOfKernel& block,
                                             const BlockOfKernel& padded) {
  std::vector<isl::union_set> places;  // of the tree's own instances, in its order
  if (!CollectPlaces(band.child(0), block.domain, &places)) return std::nullopt;
  isl::union_set_list filters(band.ctx(), static_cast<int>(places.size()));
  for (const isl::union_set& place : places) {
    const std::set<std::string> names = StatementsOf(place);
    if (!place.is_equal(Only(block.domain, names))) return std::nullopt;  // a statement in two places
    filters = filters.add(Only(padded.domain, names).universe());
  }
  const isl::schedule_node leaf = isl::schedule::from_domain(padded.domain).root().child(0);
  return places.size() > 1 ? leaf.insert_sequence(filters) : leaf;
}

std::set<std::string> NotLocal(const BlockOfKernel& block, const LocalMemory& memory) {
  std::set<ReferenceName> in_registers;
  for (const LocalTile& tile : memory.tiles) {
    if (!tile.shared) in_registers.insert(tile.references.begin(), tile.references.end());
  }
  const auto is_local = [&](const ParsedStatement& statement) {
    if (in_registers.count({statement.name, statement.proto->target()}) == 0) return false;
    for (size_t a = 0; a < statement.accesses.size(); ++a) {
      const v1::Array& array = block.scop->array(statement.accesses[a].array);
      const bool in_tile = memory.references.count({statement.name, static_cast<int>(a)}) > 0;
      const bool scalar = array.extents().empty() && !statement.accesses[a].writes();
      if (!(in_tile || scalar) || !IsFloating(array.element_type())) return false;
    }
    return !HasAffine(statement.proto->value());
  };
  std::set<std::string> others;
  for (const std::string& name : block.kernel->statements) {
    if (!is_local(block.scop->statement(name))) others.insert(name);
  }
  return others;
}

}  // namespace tune
