#include "common/transform/time_tiles/tiled_arrays.h"

#include "common/dependence/tagged_flow.h"
#include "common/isl/dimensions.h"

namespace tune {
namespace {

class ArrayReader {
 public:
  ArrayReader(const StencilLoop& loop, const ParsedScop& scop, const Dependences& dependences,
              const isl::set& values, int64_t steps)
      : loop_(loop),
        scop_(scop),
        flow_(dependences.tagged_flow.intersect_params(values).project_out_all_params()),
        live_out_(dependences.live_out.intersect_params(values).project_out_all_params()),
        values_(values),
        last_tile_((loop.last - loop.first) / steps) {
    tiles_ = isl::union_map::empty(values.ctx());
    for (const StencilStatement& statement : loop.statements)
      tiles_ = tiles_.unite(isl::union_map(TileOf(statement, steps)));
  }

  std::optional<std::vector<TiledArray>> Read() {
    std::map<std::string, TiledArray> arrays;
    for (const StencilStatement& statement : loop_.statements) arrays[Parsed(statement).target().array] = {};
    for (size_t s = 0; s < loop_.statements.size(); ++s) {
      const ParsedStatement& parsed = Parsed(loop_.statements[s]);
      for (size_t a = 0; a < parsed.accesses.size(); ++a) {
        const auto array = arrays.find(parsed.accesses[a].array);
        if (array == arrays.end() || !parsed.accesses[a].reads()) continue;
        const std::optional<isl::set> outside = Outside(s, static_cast<int>(a));
        if (!outside) return std::nullopt;
        if (!outside->is_empty()) array->second.outside.emplace(std::make_pair(s, a), *outside);
      }
      if (!AddMade(loop_.statements[s], &arrays.at(parsed.target().array))) return std::nullopt;
    }
    std::vector<TiledArray> result;
    for (auto& [name, array] : arrays) {
      array.name = name;
      result.push_back(std::move(array));
    }
    return result;
  }

 private:
  const ParsedStatement& Parsed(const StencilStatement& statement) const {
    return scop_.statements[statement.index];
  }

  // { S -> [T] }
  isl::map TileOf(const StencilStatement& statement, int64_t steps) const {
    const isl::map tile(statement.place.ctx(), absl::StrCat("{ [t] -> [T] : ", steps, " T <= t - ",
                                                            loop_.first, " < ", steps, " T + ", steps, " }"));
    const int dimensions = Dimensions(statement.place, isl_dim_out);
    return ProjectOut(statement.place, isl_dim_out, 1, dimensions - 1).apply_range(tile);
  }

  isl::set Domain(const StencilStatement& statement) const { return statement.place.domain(); }

  // { [S -> R] }
  isl::union_set Tagged(const StencilStatement& statement, int access) const {
    return TaggedInstances(Domain(statement), Parsed(statement).name, access);
  }

  // { S -> S' }: to the instances that made the values which the access reads.
  isl::union_map SourcesOf(const StencilStatement& statement, int access) const {
    return WithoutTags(flow_.intersect_range(Tagged(statement, access))).reverse();
  }

  std::optional<isl::set> Outside(size_t index, int access) const {
    const StencilStatement& statement = loop_.statements[index];
    const isl::union_map sources = SourcesOf(statement, access);
    const isl::union_map in_loop = sources.intersect_range(tiles_.domain());
    const isl::union_map same = in_loop.eq_at(tiles_.as_multi_union_pw_aff());
    // { S -> [T - 1] } against { S -> [T of the source] }
    const isl::union_map others = in_loop.subtract(same);
    const isl::map before(flow_.ctx(), "{ [T] -> [T - 1] }");
    const isl::union_map expected = tiles_.apply_range(isl::union_map(before));
    if (!others.apply_range(tiles_).is_subset(expected)) return std::nullopt;
    const isl::set domain = Domain(statement);
    const isl::union_set made = same.domain();
    return made.is_empty() ? domain : domain.subtract(made.as_set()).coalesce();
  }

  bool AddMade(const StencilStatement& statement, TiledArray* array) const {
    const int target = Parsed(statement).proto->target();
    const isl::union_map sinks =
        WithoutTags(flow_.intersect_domain(Tagged(statement, target)));  // { S -> S' }
    const isl::union_map in_loop = sinks.intersect_range(tiles_.domain());
    const isl::union_map same = in_loop.eq_at(tiles_.as_multi_union_pw_aff());
    const isl::union_set leaving = sinks.subtract(in_loop).domain().unite(
        live_out_.intersect_domain(isl::union_set(Domain(statement))).domain());
    const isl::union_set last(isl::set(flow_.ctx(), absl::StrCat("{ [", last_tile_, "] }")));
    if (!leaving.apply(tiles_).is_subset(last)) return false;
    const isl::map target_element = Parsed(statement).target().relation;  // S -> A
    const isl::union_map element(target_element.intersect_params(values_).project_out_all_params());
    const isl::union_set needed = in_loop.subtract(same).domain().unite(leaving);
    if (needed.is_empty()) return true;
    const isl::map made =
        isl::union_map(tiles_).intersect_domain(needed).reverse().apply_range(element).as_map();  // [T] -> A
    array->made = array->made ? array->made->unite(made).coalesce() : made;
    if (leaving.is_empty()) return true;
    const isl::set left = leaving.apply(element).as_set();
    array->leaving = array->leaving ? array->leaving->unite(left).coalesce() : left;
    return true;
  }

  const StencilLoop& loop_;
  const ParsedScop& scop_;
  const isl::union_map flow_;      // { [S -> R] -> [S -> R] }
  const isl::union_map live_out_;  // { S -> A }
  const isl::set values_;
  const int64_t last_tile_;
  isl::union_map tiles_;  // { S -> [T] }
};

}  // namespace

std::optional<std::vector<TiledArray>> FindTiledArrays(const StencilLoop& loop, const ParsedScop& scop,
                                                       const Dependences& dependences, const isl::set& values,
                                                       int64_t steps) {
  return ArrayReader(loop, scop, dependences, values, steps).Read();
}

}  // namespace tune
