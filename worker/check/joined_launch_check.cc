#include "worker/check/joined_launch_check.h"

#include <set>
#include <vector>

#include "common/isl/bounds.h"
#include "common/kernel/launch_elements.h"
#include "worker/check/placement.h"

namespace tune {
namespace {

template <typename... Parts>
absl::Status JoinedFault(const Parts&... parts) {
  return absl::FailedPreconditionError(absl::StrCat("kernels of one launch: ", parts...));
}

// What the threads of one kernel touch, as its program and the tree that it was made of say.
class TouchedElements {
 public:
  TouchedElements(const DeviceProgram& program, const MappedProgram& mapped, const ParsedScop& scop,
                  const isl::set& values, const HelperNames& names, int kernel)
      : kernel_(program.kernels[kernel]),
        mapped_(mapped.kernels[kernel]),
        scop_(scop),
        context_(mapped_.context.intersect(values)) {
    for (int depth = 0; depth < kernel_.host_depth; ++depth)
      hosts_.push_back(absl::StrCat(names.host, depth));
    for (size_t axis = 0; axis < kernel_.axes.size(); ++axis) {
      for (const std::string& coordinate : {names.block, names.thread})
        others_.push_back(absl::StrCat(coordinate, axis));
    }
  }

  // Of these arrays, by the scop's names.
  LaunchElements Of(const std::set<std::string>& arrays) const {
    LaunchElements elements{isl::union_map::empty(context_.ctx()), isl::union_map::empty(context_.ctx())};
    const isl::union_set run = mapped_.thread.domain().intersect_params(context_);
    for (const std::string& name : mapped_.kernel->statements) {
      const ParsedStatement& statement = scop_.statement(name);
      const isl::union_map instances = ByLaunch(run.intersect(isl::union_set(statement.domain)));  // [h] -> S
      for (const ParsedAccess& access : statement.accesses) {
        if (arrays.count(access.array) == 0) continue;
        const isl::union_map touched = instances.apply_range(isl::union_map(access.relation));
        elements.touched = elements.touched.unite(touched);
        if (access.writes()) elements.written = elements.written.unite(touched);
      }
    }
    for (const RaisedNode& node : RaiseBlock(kernel_.body, context_)) {
      const auto* const fill = node.node->As<Fill>();
      if (fill == nullptr) continue;
      for (const TileFill& part : fill->tiles) AddFilled(node, part, arrays, &elements);
    }
    return elements;
  }

 private:
  // { [h] -> X } of { X } in terms of the coordinates.
  isl::union_map ByLaunch(const isl::union_set& set) const {
    return ParametersToRange(ProjectOut(set, others_), hosts_).reverse();
  }

  void AddFilled(const RaisedNode& node, const TileFill& part, const std::set<std::string>& arrays,
                 LaunchElements* elements) const {
    const Tile& tile = *kernel_.FindTile(part.to.array);
    if (arrays.count(tile.array) == 0) return;
    const isl::map first = node.Function(part.first, tile.array);  // [i] -> A
    std::vector<int64_t> extents;
    for (size_t i = 0; i < tile.extents.size(); ++i) extents.push_back(tile.extents[tile.OtherDimension(i)]);
    const isl::map filled = first.apply_range(Windows(first.range().space(), extents));
    elements->touched = elements->touched.unite(ByLaunch(isl::union_set(filled.range())));
  }

  const DeviceKernel& kernel_;
  const MappedKernel& mapped_;
  const ParsedScop& scop_;
  const isl::set context_;
  std::vector<std::string> hosts_, others_;  // names of coordinates
};

class JoinedCheck {
 public:
  JoinedCheck(const DeviceProgram& program, const MappedProgram& mapped, const ParsedScop& scop,
              const isl::set& values, const HelperNames& names)
      : program_(program), mapped_(mapped), scop_(scop), values_(values), names_(names) {}

  absl::Status Check(const MergedLaunch& joined) const {
    std::vector<const Launch*> launches;
    for (const Node& node : joined.body) {
      if (const auto* const turns = node.As<BlockTurns>()) launches.push_back(&turns->launch);
    }
    for (size_t i = 0; i < launches.size(); ++i) {
      for (size_t k = 0; k < i; ++k) TUNE_RETURN_IF_ERROR(CheckPair(*launches[i], *launches[k]));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckPair(const Launch& one, const Launch& other) const {
    const std::string &name = program_.kernels[one.kernel].name,
                      &beside = program_.kernels[other.kernel].name;
    if (one.kernel == other.kernel) return JoinedFault(name, " is there twice");
    std::set<std::string> arrays = WrittenAndUsed(one.kernel, other.kernel);
    arrays.merge(WrittenAndUsed(other.kernel, one.kernel));
    if (arrays.empty()) return absl::OkStatus();
    if (one.host != other.host)
      return JoinedFault(name, " and ", beside, " run in other iterations of the host's loops");
    const LaunchElements of_one = ElementsOf(one.kernel, arrays), of_other = ElementsOf(other.kernel, arrays);
    if (AreApart(of_one, of_other)) return absl::OkStatus();
    const isl::union_map met =
        of_one.written.intersect(of_other.touched).unite(of_other.written.intersect(of_one.touched));
    return JoinedFault(name, " and ", beside,
                       " touch an element that one of them writes: ", Example(met.wrap()));
  }

  LaunchElements ElementsOf(int kernel, const std::set<std::string>& arrays) const {
    return TouchedElements(program_, mapped_, scop_, values_, names_, kernel).Of(arrays);
  }

  // Arrays that the first kernel writes and the other one uses.
  std::set<std::string> WrittenAndUsed(int writer, int user) const {
    std::set<std::string> arrays;
    for (const KernelArray& written : program_.kernels[writer].arrays) {
      for (const KernelArray& used : program_.kernels[user].arrays) {
        if (written.writes && written.array == used.array)
          arrays.insert(program_.arrays[used.array].scop_name);
      }
    }
    return arrays;
  }

  const DeviceProgram& program_;
  const MappedProgram& mapped_;
  const ParsedScop& scop_;
  const isl::set& values_;
  const HelperNames& names_;
};

}  // namespace

absl::Status CheckJoinedLaunches(const DeviceProgram& program, const MappedProgram& mapped,
                                 const ParsedScop& scop, const isl::set& values, const HelperNames& names) {
  const JoinedCheck check(program, mapped, scop, values, names);
  absl::Status status;
  ForEachNode(program.host, [&](const Node& node) {
    const auto* const merged = node.As<MergedLaunch>();
    if (merged != nullptr && merged->joined && status.ok()) status = check.Check(*merged);
  });
  return status;
}

}  // namespace tune
