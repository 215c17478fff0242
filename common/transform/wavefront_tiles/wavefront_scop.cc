#include "common/transform/wavefront_tiles/wavefront_scop.h"

#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/dependence/tagged_flow.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/tuple_name.h"
#include "common/kernel/tile_loops.h"
#include "common/scop/scop_names.h"
#include "common/transform/added_statement.h"
#include "common/transform/copy_statement.h"
#include "common/transform/statement_pullback.h"
#include "common/transform/tiled_parts.h"
#include "common/transform/wavefront_tiles/wavefront_copies.h"

namespace tune {
namespace {

// Instances of the loops' statements are [w, k0, .., s, p0, ..]: wavefront, the tiles' numbers but the
// derived one, step, and what is left of each tile's loop but the one along which threads go. These count
// down, as otherwise steps and iterations could be exchanged and would be loops of one kernel.
class WavefrontScop {
 public:
  WavefrontScop(const ParsedScop& scop, const Dependences& dependences, const WavefrontBand& band,
                const WavefrontShape& shape, const isl::set& values)
      : scop_(scop),
        dependences_(dependences),
        band_(band),
        shape_(shape),
        values_(values),
        loops_(static_cast<int>(band.extents.size())),
        result_(scop.proto),
        names_(NamesOf(scop.proto)) {
    for (const char* name : {"wave", "tile", "step", "lane", "x"})
      prefix_.push_back(UnusedPrefix(name, names_));
    int tiles = 0, lanes = 0;
    std::string wave = "w", step = "s";
    for (int i = 0; i < loops_; ++i) {
      tile_.push_back(i == shape.derived_tile ? "" : absl::StrCat("k", tiles++));
      if (!tile_[i].empty()) absl::StrAppend(&wave, " - ", tile_[i]);
      local_.push_back(i == shape.along ? "" : absl::StrCat("(", shape.sizes[i] - 1, " - p", lanes++, ")"));
      if (!local_[i].empty()) absl::StrAppend(&step, " - ", local_[i]);
    }
    tile_[shape.derived_tile] = absl::StrCat("(", wave, ")");
    local_[shape.along] = absl::StrCat("(", step, ")");
  }

  v1::Scop Make() {
    for (const WavefrontArray& array : shape_.arrays) AddTile(array);
    for (const WavefrontStatement& statement : band_.statements) MoveIntoTiles(statement);
    Begin();
    for (const WavefrontArray& array : shape_.arrays) {
      for (const isl::set& part : Loaded(array)) Copy(array, part, /*load=*/true);
      Copy(array, Stored(array), /*load=*/false);
    }
    result_.set_schedule(IslText(Order()));
    return result_;
  }

 private:
  isl::ctx ctx() const { return values_.ctx(); }
  std::string Tiles() const { return NumberedNames("k", loops_ - 1); }

  std::string NextName() const { return absl::StrCat("S", result_.statements_size()); }

  std::vector<std::string> TileIterators() const {
    std::vector<std::string> iterators = {prefix_[0]};
    for (int i = 0; i + 1 < loops_; ++i) iterators.push_back(absl::StrCat(prefix_[1], i));
    return iterators;
  }

  // Of all tiles: "0 <= w <= 8 and 0 <= k0 < 4 and 0 <= (w - k0) < 6".
  std::string TileBounds(bool derived) const {
    int64_t last = 0;
    for (const int64_t count : shape_.counts) last += count - 1;
    std::string bounds = absl::StrCat("0 <= w <= ", last);
    for (int i = 0; i < loops_; ++i) {
      if (derived || i != shape_.derived_tile)
        absl::StrAppend(&bounds, " and 0 <= ", tile_[i], " < ", shape_.counts[i]);
    }
    return bounds;
  }

  void AddTile(const WavefrontArray& array) {
    std::vector<int64_t> extents;
    for (int i = 0; i < loops_; ++i) {
      if (i != shape_.derived_tile) extents.push_back(shape_.counts[i]);
    }
    extents.insert(extents.end(), array.extents.begin(), array.extents.end());
    tile_names_[array.name] =
        AddLocalArray(array.name + "_tile", scop_.array(array.name), extents, &names_, &result_);
  }

  // Subscripts of the element that a tile holds at x0, x1, ..., and the other way round.
  std::string ElementAt(const WavefrontArray& array) const {
    return CommaList(static_cast<int>(array.extents.size()),
                     [&](int d) { return absl::StrCat("x", d, " + ", Origin(array, d)); });
  }
  std::string Origin(const WavefrontArray& array, int d) const {
    std::string origin = absl::StrCat(array.first[d]);
    for (int i = 0; i < loops_; ++i) {
      const int64_t factor = array.matrix[d][i] * shape_.sizes[i];
      if (factor != 0) absl::StrAppend(&origin, " + ", factor, " * ", tile_[i]);
    }
    return origin;
  }
  // { [w, k0, .., x0, ..] -> A[a] }
  isl::map Elements(const WavefrontArray& array, const std::string& instance) const {
    return isl::map(ctx(), absl::StrCat("{ ", instance, " -> ", array.name, "[", ElementAt(array), "] }"));
  }
  std::string Places(const WavefrontArray& array) const {
    return NumberedNames("x", static_cast<int>(array.extents.size()));
  }

  // { S[w, ..] -> [h] }, and those of whole tiles.
  isl::multi_aff PlaceOf(const std::string& instance) const {
    const auto place = [&](int i) {
      return absl::StrCat(shape_.sizes[i], " * ", tile_[i], " + ", local_[i]);
    };
    return isl::multi_aff(ctx(), absl::StrCat("{ ", instance, " -> [", CommaList(loops_, place), "] }"));
  }
  isl::set AllOf(const std::string& instance) const {
    std::string bounds = TileBounds(/*derived=*/true);
    for (int i = 0; i < loops_; ++i)
      absl::StrAppend(&bounds, " and 0 <= ", local_[i], " < ", shape_.sizes[i]);
    return isl::set(ctx(), absl::StrCat("{ ", instance, " : ", bounds, " }"));
  }

  // { S[w, ..] } at which the read gets a value that its own tile has written.
  isl::set ReadsOfOwn(const WavefrontStatement& of_band, int access) const {
    const ParsedStatement& statement = scop_.statements[of_band.index];
    const std::string step = absl::StrCat(", s, ", NumberedNames("p", loops_ - 1), "]");
    const std::string other_step = absl::StrCat(", t, ", NumberedNames("q", loops_ - 1), "]");
    const std::string instance = absl::StrCat("[w, ", Tiles(), step);
    const isl::multi_aff place = PlaceOf(instance);
    const isl::map same_tile(ctx(), absl::StrCat("{ ", instance, " -> [w, ", Tiles(), other_step, " }"));
    const isl::union_map flow =
        FlowTo(dependences_.tagged_flow, statement.domain, statement.name, access).intersect_params(values_);
    const isl::set all = AllOf(instance);
    isl::set own = isl::set::empty(all.space());
    for (const WavefrontStatement& source : band_.statements) {
      const isl::set& written = scop_.statements[source.index].domain;
      const isl::map pairs = flow.extract_map(MapFromDomainAndRange(written, statement.domain).space());
      const isl::map places =  // [h] -> [h]
          pairs.project_out_all_params().apply_domain(source.place).apply_range(of_band.place);
      const isl::map local = places.preimage_domain(place).preimage_range(place).intersect(same_tile);
      own = own.unite(local.intersect_domain(all).intersect_range(all).range());
    }
    return WithTupleName(own, statement.name);
  }

  void MoveIntoTiles(const WavefrontStatement& of_band) {
    const ParsedStatement& statement = scop_.statements[of_band.index];
    const std::string lanes = NumberedNames("p", loops_ - 1);
    const std::string instance = absl::StrCat(statement.name, "[w, ", Tiles(), ", s, ", lanes, "]");
    const isl::multi_aff place = PlaceOf(instance);
    const isl::set all = AllOf(instance);
    isl::set domain = of_band.place.range().preimage(place).intersect(all);
    std::vector<std::string> iterators = TileIterators();
    iterators.push_back(prefix_[2]);
    for (int i = 0; i + 1 < loops_; ++i) iterators.push_back(absl::StrCat(prefix_[3], i));
    for (size_t i = 0; i < iterators.size(); ++i)
      domain = WithDimensionName(domain, isl_dim_set, static_cast<int>(i), iterators[i]);
    const isl::multi_aff origin = of_band.origin.pullback(place);  // S[w, ..] -> S[x]
    v1::Statement* const changed = result_.mutable_statements(static_cast<int>(of_band.index));
    changed->clear_iterators();
    for (const std::string& iterator : iterators) changed->add_iterators(iterator);
    changed->set_domain(IslText(domain));
    PullBack(statement, origin, changed);
    for (int a = 0; a < changed->accesses_size(); ++a) {
      const ParsedAccess& access = statement.accesses[a];
      const WavefrontArray* const array = Held(access.array);
      if (array == nullptr) continue;
      const isl::map element = access.relation.preimage_domain(origin);  // S[w, ..] -> A
      const isl::map in_tile = InTile(element, *array);
      changed->mutable_accesses(a)->set_array(tile_names_.at(array->name));
      changed->mutable_accesses(a)->set_relation(IslText(in_tile));
      if (access.reads()) {
        Unite(Places(in_tile.intersect_domain(domain)), &read_[array->name]);
        const isl::set from_outside = domain.subtract(ReadsOfOwn(of_band, a));
        Unite(Places(in_tile.intersect_domain(from_outside)), &needed_[array->name]);
        Unite(Places(in_tile.intersect_domain(all)), &reached_[array->name]);
        const isl::map read = access.relation.intersect_domain(statement.domain).intersect_params(values_);
        Unite(WithoutTupleId(read.project_out_all_params().range()), &elements_[array->name]);
      }
      if (access.writes()) Unite(Places(in_tile.intersect_domain(domain)), &written_[array->name]);
    }
    points_.push_back(domain);
  }

  const WavefrontArray* Held(const std::string& name) const {
    for (const WavefrontArray& array : shape_.arrays) {
      if (array.name == name) return &array;
    }
    return nullptr;
  }

  // { S[w, ..] -> A_tile[k, x] } of { S[w, ..] -> A[a] }
  isl::map InTile(const isl::map& element, const WavefrontArray& array) const {
    const isl::set instances = isl::set::universe(element.domain().space());
    const isl::map same = IdentityMap(instances.space().map_from_set());
    const isl::map tiles = WithoutTupleId(
        ProjectOut(same, isl_dim_out, loops_, Dimensions(instances, isl_dim_set) - loops_), isl_dim_out);
    const int dimensions = static_cast<int>(array.extents.size());
    const isl::map place(
        ctx(),
        absl::StrCat(
            "{ [w, ", Tiles(), ", ", NumberedNames("a", dimensions), "] -> ", tile_names_.at(array.name), "[",
            Tiles(), ", ",
            CommaList(dimensions, [&](int d) { return absl::StrCat("a", d, " - (", Origin(array, d), ")"); }),
            "] }"));
    return FlatRangeProduct(tiles, WithoutTupleId(element, isl_dim_out)).apply_range(place);
  }

  // { [w, k, x] } that instances touch, of { S[w, k, ..] -> A_tile[k, x] }.
  isl::set Places(const isl::map& in_tile) const {
    const isl::map known = in_tile.intersect_params(values_).project_out_all_params();
    const int inner = Dimensions(known, isl_dim_in) - loops_;
    const isl::map wave =
        ProjectOut(ProjectOut(known, isl_dim_in, loops_, inner), isl_dim_out, 0, loops_ - 1);
    return WithoutTupleId(wave, isl_dim_in).wrap().flatten();
  }

  static void Unite(const isl::set& more, isl::set* all) { *all = all->is_null() ? more : all->unite(more); }

  // Has something for each tile to do, so that in each wavefront the loops over tiles have the same
  // iterations. It is the last element of the tile's array, which makes that as large as it was chosen.
  void Begin() {
    const std::string instance = absl::StrCat(NextName(), "[w, ", Tiles(), "]");
    isl::set instances(ctx(), absl::StrCat("{ ", instance, " : ", TileBounds(/*derived=*/false), " }"));
    const std::vector<std::string> iterators = TileIterators();
    for (size_t i = 0; i < iterators.size(); ++i)
      instances = WithDimensionName(instances, isl_dim_set, static_cast<int>(i), iterators[i]);
    begin_ = instances;
    const WavefrontArray& array = shape_.arrays.at(0);
    const auto last = [&](int d) { return absl::StrCat(array.extents[d] - 1); };
    const isl::map element(
        ctx(), absl::StrCat("{ ", instance, " -> ", tile_names_.at(array.name), "[", Tiles(), ", ",
                            CommaList(static_cast<int>(array.extents.size()), last), "] }"));
    v1::Statement* const statement = AddStatement(instances, Line(), &result_);
    statement->mutable_value()->set_literal("0");
    statement->mutable_value()->set_c_type("int");
    statement->set_target(AddAccess(element, v1::Access::WRITE, statement));
  }

  int Line() const { return scop_.statements[band_.statements[0].index].proto->line(); }

  // { [w, k, x] } that the tile writes.
  isl::set Stored(const WavefrontArray& array) const { return InFewPieces(written_.at(array.name)); }

  // { [w, k, x] } of which a tile may need what was there before, in parts. These are the edges of a tile
  // that writes what it needs nothing of. Elsewhere, what no other tile of its wavefront writes it may load
  // also without need: that makes a simple form of all that a tile in the middle reads.
  std::vector<isl::set> Loaded(const WavefrontArray& array) const {
    const auto read = read_.find(array.name);
    if (read == read_.end()) return {};
    const isl::set needed = needed_.at(array.name).coalesce();
    if (needed.is_disjoint(written_.at(array.name))) {
      const std::vector<isl::set> edges = DisjointPieces(needed);
      if (edges.size() <= array.extents.size()) return edges;
    }
    const isl::set reached = reached_.at(array.name);
    const std::string instance = absl::StrCat("[w, ", Tiles(), ", ", Places(array), "]");
    const isl::multi_aff element(ctx(), absl::StrCat("{ ", instance, " -> [", ElementAt(array), "] }"));
    const isl::set simple =
        InFewPieces(reached).intersect(BoundingBox(elements_.at(array.name)).preimage(element));
    return {MeetsOthers(array, simple) ? InFewPieces(read->second) : simple};
  }

  // Whether some tile writes one of `places`, { [w, k, x] }, of another one of the same wavefront.
  bool MeetsOthers(const WavefrontArray& array, const isl::set& places) const {
    const std::string instance = absl::StrCat("[w, ", Tiles(), ", ", Places(array), "]");
    const isl::map element(ctx(), absl::StrCat("{ ", instance, " -> [w, ", ElementAt(array), "] }"));
    const isl::map pairs = element.intersect_domain(places).apply_range(
        element.intersect_domain(written_.at(array.name)).reverse());  // [w, k, x] -> [w, k', x']
    const isl::map tile(ctx(), absl::StrCat("{ ", instance, " -> [", Tiles(), "] }"));
    const isl::map same = tile.apply_range(tile.reverse());
    return !pairs.is_subset(same);
  }

  // `touched`: { [w, k, x] }
  void Copy(const WavefrontArray& array, const isl::set& touched, bool load) {
    if (touched.is_empty()) return;
    const std::string name = NextName(), places = Places(array);
    const std::string instance = absl::StrCat(name, "[w, ", Tiles(), ", ", places, "]");
    const isl::set instances = WithTupleName(touched, name);
    std::vector<std::string> iterators = TileIterators();
    for (size_t d = 0; d < array.extents.size(); ++d) iterators.push_back(absl::StrCat(prefix_[4], d));
    const isl::map whole = Elements(array, instance);
    const isl::map held(ctx(), absl::StrCat("{ ", instance, " -> ", tile_names_.at(array.name), "[", Tiles(),
                                            ", ", places, "] }"));
    (load ? loads_ : stores_).push_back(instances);
    AddCopy(instances, iterators, load ? whole : held, load ? held : whole, Line(), &result_);
  }

  isl::schedule Order() const {
    std::optional<isl::schedule> points;
    for (const isl::set& domain : points_)
      points = InSequence(points, isl::schedule::from_domain(isl::union_set(domain)));
    for (int i = 2 * loops_ - 1; i >= loops_; --i)
      points = InsertPartialSchedule(*points, LoopAlong(points->domain(), i));
    std::optional<isl::schedule> tile = LoopsOver(begin_, loops_);
    for (const isl::set& load : loads_) tile = InSequence(tile, LoopsOver(load, loops_));
    tile = InSequence(tile, *points);
    for (const isl::set& store : stores_) tile = InSequence(tile, LoopsOver(store, loops_));
    for (int i = loops_ - 1; i > 0; --i) tile = InsertPartialSchedule(*tile, LoopAlong(tile->domain(), i));
    tile = tile->root().child(0).insert_mark(NamedId(ctx(), TileLoopsMark())).schedule();
    return InsertPartialSchedule(*tile, LoopAlong(tile->domain(), 0));
  }

  const ParsedScop& scop_;
  const Dependences& dependences_;
  const WavefrontBand& band_;
  const WavefrontShape& shape_;
  const isl::set values_;
  const int loops_;
  v1::Scop result_;
  std::set<std::string> names_;                    // C identifiers that are taken
  std::vector<std::string> prefix_;                // of iterators: wavefront, tile, step, lane, place
  std::vector<std::string> tile_, local_;          // texts of K and l, by loop
  std::map<std::string, std::string> tile_names_;  // by array
  // By array: { [w, k, x] } that tiles read, read of what other tiles wrote or nobody did, would read if
  // there were no bounds but those of tiles, and write; and { [a] } that is read.
  std::map<std::string, isl::set> read_, needed_, reached_, written_, elements_;
  isl::set begin_;
  std::vector<isl::set> points_, loads_, stores_;
};

}  // namespace

v1::Scop RunOnWavefronts(const ParsedScop& scop, const Dependences& dependences, const WavefrontBand& band,
                         const WavefrontShape& shape, const isl::set& values) {
  return WavefrontScop(scop, dependences, band, shape, values).Make();
}

}  // namespace tune
