#include "worker/check/placement.h"

#include "absl/strings/str_join.h"
#include "common/isl/dimensions.h"
#include "common/isl/points.h"
#include "common/isl/relations.h"
#include "common/isl/tuple_name.h"
#include "worker/check/launch_grid.h"
#include "worker/check/simple_hull.h"

namespace tune {
namespace {

isl::map MoveToRange(const isl::set& set, const std::vector<std::string>& names) {
  isl::map map = MapFromRange(set);  // [] -> X
  for (size_t i = 0; i < names.size(); ++i) {
    const int position = FindDimension(map, isl_dim_param, names[i]);
    map = position < 0 ? AddDimensions(map, isl_dim_in, 1)
                       : MoveDimensions(map, isl_dim_in, i, isl_dim_param, position, 1);
  }
  return map.reverse();
}

std::vector<std::string> Numbered(const std::string& name, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(absl::StrCat(name, i));
  return names;
}

// "S0[1, 2]" of "{ S0[1, 2] }".
std::string WithoutBraces(std::string text) {
  const size_t begin = text.find("{ "), end = text.rfind(" }");
  if (begin == std::string::npos || end == std::string::npos) return text;
  const std::string parameters = text.substr(0, begin);  // "[n] -> "
  const std::string element = text.substr(begin + 2, end - begin - 2);
  return parameters.empty() ? element : absl::StrCat(element, " (", parameters.substr(0, begin - 4), ")");
}

// Without instances of statements that are none of the scop's.
isl::union_map OwnInstances(const isl::union_map& schedule, const ParsedScop& scop) {
  isl::union_map own = schedule;
  for (const ParsedStatement& statement : scop.statements) {
    const isl::union_set all(isl::set::universe(statement.domain.space()));
    own = own.subtract_domain(all.subtract(isl::union_set(statement.domain)));
  }
  return own;
}

}  // namespace

isl::union_map ParametersToRange(const isl::union_set& instances, const std::vector<std::string>& names) {
  isl::union_map moved = isl::union_map::empty(instances.ctx());
  instances.foreach_set(
      [&](const isl::set& set) { moved = moved.unite(isl::union_map(MoveToRange(set, names))); });
  return moved;
}

isl::union_set ProjectOut(const isl::union_set& instances, const std::vector<std::string>& names) {
  isl::union_set projected = isl::union_set::empty(instances.ctx());
  instances.foreach_set([&](isl::set set) {
    for (const std::string& name : names) {
      const int position = FindDimension(set, isl_dim_param, name);
      if (position >= 0) set = ProjectOut(set, isl_dim_param, position, 1);
    }
    projected = projected.unite(isl::union_set(set));
  });
  return projected;
}

isl::union_set WithoutParameters(const isl::union_set& instances) {
  return ProjectOutAllParameters(instances);
}

std::vector<std::string> KernelPlacement::ThreadNames() const {
  return {coordinates.end() - axes, coordinates.end()};
}

std::vector<std::string> KernelPlacement::BlockNames() const {
  return {coordinates.begin(), coordinates.end() - axes};
}

isl::union_pw_aff KernelPlacement::Coordinate(int i) const {
  const int all = static_cast<int>(coordinates.size());
  isl::union_map one = isl::union_map::empty(places.ctx());  // S -> [v]
  places.foreach_map([&](const isl::map& map) {
    const isl::map kept = ProjectOut(map, isl_dim_out, i + 1, all - i - 1);
    one = one.unite(isl::union_map(ProjectOut(kept, isl_dim_out, 0, i)));
  });
  return one.as_multi_union_pw_aff().at(0);
}

isl::multi_union_pw_aff KernelPlacement::Coordinates(int first, int count) const {
  isl::multi_union_pw_aff functions;
  for (int i = first; i < first + count; ++i) {
    const isl::multi_union_pw_aff next(Coordinate(i));
    functions = functions.is_null() ? next : functions.flat_range_product(next);
  }
  return functions;
}

isl::union_set KernelPlacement::OfThread() const {
  isl::union_set instances = isl::union_set::empty(places.ctx());
  places.foreach_map([&](const isl::map& map) {
    const int count = static_cast<int>(coordinates.size());
    isl::map thread = MoveDimensions(map, isl_dim_param, 0, isl_dim_out, 0, count);
    for (int i = 0; i < count; ++i) thread = WithDimensionName(thread, isl_dim_param, i, coordinates[i]);
    instances = instances.unite(isl::union_set(thread.domain()));
  });
  return instances;
}

std::string KernelPlacement::Describe(const isl::union_set& instance) const {
  const isl::union_set place = instance.apply(places);  // { [h, b, t] }
  if (place.is_empty()) return "nowhere";
  const isl::point point = place.sample_point();
  const auto range = [&](int first, int count) {
    std::vector<std::string> values;
    for (int i = first; i < first + count; ++i)
      values.push_back(IslText(CoordinateOf(point, isl_dim_set, i)));
    return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
  };
  return absl::StrCat("launch ", range(0, host_depth), ", block ", range(host_depth, axes), ", thread ",
                      range(host_depth + axes, axes));
}

KernelPlacement PlacementOf(const MappedKernel& kernel, const ParsedScop& scop, const CudaIds& ids,
                            const isl::set& values) {
  KernelPlacement placement;
  placement.kernel = &kernel;
  placement.host_depth = kernel.kernel->host_depth;
  placement.axes = static_cast<int>(kernel.first_block.size());
  placement.coordinates = Numbered(ids.host, placement.host_depth);
  for (const std::string& id : {ids.block, ids.thread}) {
    const std::vector<std::string> names = Numbered(id, placement.axes);
    placement.coordinates.insert(placement.coordinates.end(), names.begin(), names.end());
  }
  for (TreeLeaf& leaf : FindLeaves(kernel.thread)) {
    leaf.schedule = OwnInstances(leaf.schedule, scop);
    if (!leaf.schedule.is_empty()) placement.leaves.push_back(std::move(leaf));
  }
  isl::union_set instances = isl::union_set::empty(kernel.thread.ctx());  // { S }
  for (const TreeLeaf& leaf : placement.leaves) {
    for (const ParsedStatement& statement : scop.statements)
      instances = instances.unite(InstancesOf(leaf.instances(), statement.name));
  }
  placement.places = ParametersToRange(instances.intersect_params(values), placement.coordinates)
                         .project_out_all_params()
                         .coalesce();
  // What the tree leaves open, the grid may decide.
  if (!IsFunction(placement.places))
    placement.places =
        placement.places.subtract_range(isl::union_set(LaunchGrid(kernel, values).Outside())).coalesce();
  return placement;
}

void SimplifyPlaces(const ParsedScop& scop, const isl::set& values, KernelPlacement* placement) {
  isl::union_map simple = isl::union_map::empty(values.ctx());
  placement->places.foreach_map([&](const isl::map& map) {
    const isl::set whole =
        scop.statement(TupleName(map, isl_dim_in)).domain.intersect_params(values).project_out_all_params();
    const isl::set instances = whole.is_subset(map.domain()) ? whole : map.domain();
    simple = simple.unite(SimplifiedFunction(isl::union_map(map), isl::union_set(instances)));
  });
  placement->places = simple;
}

std::string Example(const isl::union_set& set) { return WithoutBraces(IslText(set.sample_point())); }

std::string ExamplePair(const isl::union_map& pairs, const KernelPlacement& source,
                        const KernelPlacement& sink) {
  const isl::union_map pair = isl::union_set(pairs.project_out_all_params().wrap().sample_point()).unwrap();
  return absl::StrCat(Example(pair.domain()), " (", source.Describe(pair.domain()), ") -> ",
                      Example(pair.range()), " (", sink.Describe(pair.range()), ")");
}

}  // namespace tune
