#include "worker/cases/parametric_kernel.h"

#include <algorithm>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "common/array/structure_places.h"
#include "common/decision/configuration.h"
#include "common/isl/ast.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/relations.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/sets.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/block_of_kernel.h"
#include "common/mapping/instance_function.h"
#include "common/program/statement_value.h"
#include "common/scop/parameter_bounds.h"
#include "common/space/schedule_space.h"
#include "common/transform/symbolic_expansion.h"
#include "common/tuned/device_interface.h"
#include "worker/cases/held_sums.h"
#include "worker/cases/phase_tiles.h"
#include "worker/cases/shared_sum.h"
#include "worker/lower/ast_lowering.h"
#include "worker/lower/block_ast.h"
#include "worker/lower/host_lowering.h"
#include "worker/lower/instance_lowering.h"
#include "worker/mapping/host_tree.h"

namespace tune {
namespace {

constexpr int kMostAxes = 3;
constexpr size_t kAxesOfHeldSums = 2;
constexpr size_t kMostAxesOfSums = 1;  // with more there are points enough for all threads

class ThreadLowering : public AstLowering {
 public:
  explicit ThreadLowering(const BlockAst& ast) : AstLowering({}, ast.exclusions), ast_(ast) {}

 private:
  Block LowerUser(const isl::ast_node_user& node) override {
    return {{LowerInstance(ast_.instance(node), expressions())}};
  }

  const BlockAst& ast_;
};

// Members of the root band that become axes, outermost first.
std::vector<int> AxesOf(const Kernel& kernel) {
  std::vector<int> axes;
  if (kernel.bands.empty()) return axes;
  const KernelBand& band = kernel.bands[0];
  for (int member = 0; member < band.member_count() && axes.size() < kMostAxes; ++member) {
    if (band.coincident[member]) {
      axes.push_back(member);
    } else if (!band.permutable) {
      break;
    }
  }
  return axes;
}

// Makes the parts of one kernel.
class KernelMaker {
 public:
  KernelMaker(IslContext& context, const ScheduledScop& scheduled, size_t index, const ParsedScop& scop,
              const HelperNames& helpers, bool exact)
      : context_(context),
        tree_(scheduled.tree),
        kernel_(scheduled.kernels[index]),
        scop_(scop),
        helpers_(helpers),
        names_(helpers),
        node_(FindKernel(scheduled.tree, kernel_.name)),
        domain_(WithoutKills(NodeDomain(node_).intersect_params(scop.context))),
        prefix_(node_.prefix_schedule_multi_union_pw_aff()),
        axes_(WithNeighboursLast(AxesOf(kernel_))),
        shares_sums_(!exact && kernel_.reduction && axes_.size() <= kMostAxesOfSums &&
                     CoincidentMembers() == static_cast<int>(axes_.size())) {}

  bool IsEmpty() const { return domain_.is_empty(); }

  // For the host's tree: first and last block are values of axes, x first.
  MappedKernel Launches(const std::string& name) const {
    MappedKernel mapped;
    mapped.kernel = &kernel_;
    mapped.thread = tree_;  // isl copies no null
    mapped.context = scop_.context;
    mapped.launches = WithTupleName(Prefix().range().as_set(), name).coalesce();
    for (size_t a = axes_.size(); a > 0; --a) {
      const isl::union_map values = Member(axes_[a - 1]).as_union_map();  // { S -> [m] }
      isl::map map = Prefix().reverse().apply_range(values).as_map();     // { [h] -> [m] }
      map = WithTupleName(map, isl_dim_in, name).intersect_domain(mapped.launches);
      mapped.first_block.push_back(DimensionMin(map, 0));
      mapped.last_block.push_back(DimensionMax(map, 0));
    }
    return mapped;
  }

  ParametricKernel Make(const std::string& function) {
    ParametricKernel made;
    made.function = function;
    made.name = kernel_.name;
    made.axes = static_cast<int>(axes_.size());
    made.host_depth = kernel_.host_depth;
    made.statements = kernel_.statements;
    made.shares_sums = shares_sums_;
    if (shares_sums_) {
      made.neighbours_share = axes_.empty() || kernel_.reduction->contiguous;
      made.phases = SumPhases(*kernel_.reduction, SumPhase(*kernel_.reduction));
    } else if (kernel_.reduction && axes_.size() >= kAxesOfHeldSums) {
      const isl::union_set sums = InstancesOf(kernel_.reduction->Shared());
      made.phases = SumPhases(*kernel_.reduction, MakePhase(node_, sums));
    } else {
      for (const isl::schedule_node& part : Parts())
        made.phases.push_back(MakePhase(part, NodeDomain(part).intersect(domain_)));
    }
    return made;
  }

 private:
  // What the schedule has of declarations runs nothing.
  isl::union_set WithoutKills(const isl::union_set& domain) const {
    isl::union_set kept = isl::union_set::empty(domain.ctx());
    domain.foreach_set([&](const isl::set& set) {
      if (scop_.statement(TupleName(set)).kind != v1::Statement::KILL) kept = kept.unite(isl::union_set(set));
    });
    return kept;
  }

  isl::union_map Prefix() const { return node_.prefix_schedule_union_map().intersect_domain(domain_); }
  isl::union_pw_aff Member(int member) const {
    return node_.as<isl::schedule_node_band>().partial_schedule().at(member);
  }
  int CoincidentMembers() const {
    const std::vector<bool>& coincident = kernel_.bands[0].coincident;
    return static_cast<int>(std::count(coincident.begin(), coincident.end(), true));
  }
  int RootMembers() const { return kernel_.bands.empty() ? 0 : kernel_.bands[0].member_count(); }

  // How many of the kernel's writes have neighbours in memory at neighbouring values of the member.
  int Neighbours(int member) const {
    int count = 0;
    ForEachReference(node_, domain_, [&](const ParsedAccess& access, const isl::map& schedule) {
      const std::optional<AccessForm> form = MakeAccessForm(access, schedule);
      if (!access.writes() || !form || form->subscripts.empty()) return;
      const int position = kernel_.host_depth + member;
      bool neighbours = std::abs(CoefficientOf(form->subscripts.back(), isl_dim_in, position)) == 1;
      for (size_t i = 0; i + 1 < form->subscripts.size(); ++i)
        neighbours = neighbours && CoefficientOf(form->subscripts[i], isl_dim_in, position) == 0;
      count += neighbours ? 1 : 0;
    });
    return count;
  }

  std::vector<int> WithNeighboursLast(std::vector<int> axes) const {
    size_t best = axes.size();
    int most = 0;
    for (size_t a = axes.size(); a > 0; --a) {
      const int neighbours = Neighbours(axes[a - 1]);
      if (neighbours <= most) continue;
      most = neighbours;
      best = a - 1;
    }
    if (best < axes.size()) std::rotate(axes.begin() + best, axes.begin() + best + 1, axes.end());
    return axes;
  }

  // The children of a sequence below the axes, when these are all the root band has; else the whole.
  std::vector<isl::schedule_node> Parts() const {
    std::vector<isl::schedule_node> parts;
    const bool all = !axes_.empty() && static_cast<int>(axes_.size()) == RootMembers();
    const isl::schedule_node below = all ? node_.child(0) : node_;
    if (!all || !below.isa<isl::schedule_node_sequence>()) return {below};
    for (unsigned i = 0; i < below.n_children(); ++i)
      parts.push_back(below.child(static_cast<int>(i)).child(0));
    return parts;
  }

  // { S -> [k] } of the loop that may be cut into strips: the first one that a thread runs around all of the
  // part.
  std::optional<isl::union_pw_aff> StripLoop(const isl::schedule_node& part, int* position) const {
    if (axes_.empty()) return std::nullopt;
    for (int member = 0; member < RootMembers(); ++member) {
      if (std::find(axes_.begin(), axes_.end(), member) != axes_.end()) continue;
      *position = kernel_.host_depth + member;
      return Member(member);
    }
    isl::schedule_node node = part;
    while (node.isa<isl::schedule_node_mark>() || node.isa<isl::schedule_node_filter>()) node = node.child(0);
    if (!node.isa<isl::schedule_node_band>() || node.as<isl::schedule_node_band>().n_member() == 0)
      return std::nullopt;
    *position = kernel_.host_depth + RootMembers();
    return node.as<isl::schedule_node_band>().partial_schedule().at(0);
  }

  // Of the instances below the node.
  KernelPhase MakePhase(const isl::schedule_node& part, const isl::union_set& instances) const {
    KernelPhase phase;
    PhaseLoops loops;
    for (const int member : axes_) loops.axes.push_back(kernel_.host_depth + member);
    loops.host_depth = kernel_.host_depth;
    const std::optional<isl::union_pw_aff> strip = StripLoop(part, &loops.strip);
    const auto references = References(part, instances);
    const std::set<std::string> written = Written();
    if (strip) phase.caches = FindCachedArrays(references, written, loops, names_, /*strips=*/true);
    phase.strips = std::any_of(phase.caches.begin(), phase.caches.end(), [](const CachedArray& cached) {
      return std::any_of(cached.dimensions.begin(), cached.dimensions.end(),
                         [](const TileDimension& dimension) { return dimension.strip_coefficient != 0; });
    });
    if (!phase.strips) phase.caches = FindCachedArrays(references, written, loops, names_, /*strips=*/false);
    const isl::union_set thread = OfThread(instances);
    phase.whole = Lower(thread);
    if (!phase.strips) return phase;
    const std::string range =
        absl::StrCat("[", names_.strip, ", ", names_.strip_length, "] -> { [k] : ", names_.strip, " <= k < ",
                     names_.strip, " + ", names_.strip_length, " }");
    const isl::union_map values = strip->as_union_map();  // { S -> [k] }
    const isl::union_set in_strip = values.intersect_range(isl::union_set(instances.ctx(), range)).domain();
    phase.strip = Lower(thread.intersect(in_strip));
    isl::union_set launch = instances;
    for (int depth = 0; depth < kernel_.host_depth; ++depth)
      launch = launch.intersect(WhereEqual(prefix_.at(depth), absl::StrCat(names_.host, depth)));
    const isl::set all = launch.apply(values).as_set();  // { [k] }
    const isl::pw_aff first = DimensionMin(all, 0), last = DimensionMax(all, 0);
    phase.strip_first = LowerOnParameters(first);
    phase.strip_last = LowerOnParameters(last);
    if (axes_.size() >= kAxesOfHeldSums)
      phase.held = Hold(thread, *strip, Between(first, names_.iteration, last), phase);
    return phase;
  }

  // Parameters at which the one with the name is within these.
  static isl::set Between(const isl::pw_aff& first, const std::string& name, const isl::pw_aff& last) {
    const isl::pw_aff value(first.ctx(), absl::StrCat("[", name, "] -> { [", name, "] }"));
    return first.le_set(value).intersect(last.ge_set(value));
  }

  // `thread`: the phase's instances at the thread's point; `iterations`: the parameters at which the strip's
  // loop has the iteration CaseNames::iteration.
  HeldSums Hold(const isl::union_set& thread, const isl::union_pw_aff& loop, const isl::set& iterations,
                const KernelPhase& phase) const {
    if (!OnlySumUp(scop_, thread, phase.caches)) return {};
    const isl::set points = thread.apply(loop.as_union_map()).as_set().params();
    // Code for points with equal coordinates may take one for the other, which is wrong at other points.
    if (!isl::set(points.affine_hull()).is_equal(isl::set::universe(points.space()))) return {};
    const isl::set known = iterations.intersect(points);
    return HoldSums(scop_, thread, Lower(thread.intersect(WhereEqual(loop, names_.iteration)), known),
                    [&](const isl::union_set& instances) { return Lower(instances); },
                    {helpers_.reduction, names_.point});
  }

  // { S }
  isl::union_set InstancesOf(const std::vector<std::string>& statements) const {
    isl::union_set instances = isl::union_set::empty(domain_.ctx());
    for (const std::string& name : statements)
      instances = instances.unite(domain_.intersect(isl::union_set(scop_.statement(name).domain)));
    return instances;
  }

  // One thread's work before and after the sums.
  std::vector<KernelPhase> SumPhases(const KernelReduction& reduction, KernelPhase sums) const {
    std::vector<KernelPhase> phases;
    const auto add_single = [&](const std::vector<std::string>& statements) {
      const isl::union_set instances = InstancesOf(statements);
      if (!instances.is_empty()) phases.emplace_back().whole = Lower(OfThread(instances));
    };
    add_single(reduction.before);
    phases.push_back(std::move(sums));
    add_single(reduction.after);
    return phases;
  }

  KernelPhase SumPhase(const KernelReduction& reduction) const {
    KernelPhase phase;
    const isl::union_pw_aff loop = Member(reduction.member);  // { S -> [k] }
    const isl::union_set thread = OfThread(InstancesOf(reduction.Shared()));
    const isl::set values = thread.apply(loop.as_union_map()).as_set();  // { [k] }
    const isl::pw_aff first = DimensionMin(values, 0), last = DimensionMax(values, 0);
    phase.strip_first = LowerOnParameters(first);
    phase.strip_last = LowerOnParameters(last);
    phase.strip_where = LowerCondition(values.params());
    phase.strip = Lower(thread.intersect(WhereEqual(loop, names_.strip)), Between(first, names_.strip, last));
    for (const std::string& name : reduction.reduced) {
      const ParsedStatement& statement = scop_.statement(name);
      const int target = statement.proto->target();
      const PartialSum sum = {absl::StrCat(helpers_.reduction, phase.sums.size()),
                              scop_.array(statement.target().array).element_type(),
                              statement.proto->update()};
      phase.sums.push_back(sum);
      UpdateInstead(name, target, sum.name, &phase.strip);
      Block total = Lower(OneInstance(thread, statement));
      AddInstead(name, target, sum, &total);
      phase.whole.insert(phase.whole.end(), total.begin(), total.end());
    }
    return phase;
  }

  IndexExpression LowerOnParameters(const isl::pw_aff& value) const {
    const isl::ast_build build = MakeBuild(value.domain().params(), {});
    return ExpressionLowering({}).Lower(build.expr_from(value));
  }

  IndexExpression LowerCondition(const isl::set& parameters) const {
    const isl::ast_build build = MakeBuild(scop_.context, {});
    return ExpressionLowering({}).Lower(build.expr_from(parameters.gist(scop_.context)));
  }

  std::set<std::string> Written() const {
    std::set<std::string> written;
    for (const std::string& name : kernel_.statements) {
      for (const ParsedAccess& access : scop_.statement(name).accesses) {
        if (access.writes()) written.insert(access.array);
      }
    }
    return written;
  }

  // Calls visit(access, { S -> T }) for each reference of the statements below the node.
  template <typename Visit>
  void ForEachReference(const isl::schedule_node& top, const isl::union_set& instances,
                        const Visit& visit) const {
    top.foreach_descendant_top_down([&](const isl::schedule_node& node) {
      if (!node.isa<isl::schedule_node_leaf>()) return true;
      const isl::union_map schedule = PrefixScheduleRelation(node).intersect_domain(instances);  // { S -> T }
      schedule.foreach_map([&](const isl::map& map) {
        for (const ParsedAccess& access : scop_.statement(TupleName(map, isl_dim_in)).accesses)
          visit(access, map);
      });
      return true;
    });
  }

  // Of all reads of arrays in the part.
  std::vector<std::pair<std::string, std::optional<AccessForm>>> References(
      const isl::schedule_node& part, const isl::union_set& instances) const {
    std::vector<std::pair<std::string, std::optional<AccessForm>>> references;
    ForEachReference(part, instances, [&](const ParsedAccess& access, const isl::map& schedule) {
      if (access.reads()) references.emplace_back(access.array, MakeAccessForm(access, schedule));
    });
    return references;
  }

  // In terms of the host loops' values and of the thread's point.
  isl::union_set OfThread(isl::union_set instances) const {
    for (int depth = 0; depth < kernel_.host_depth; ++depth)
      instances = instances.intersect(WhereEqual(prefix_.at(depth), absl::StrCat(names_.host, depth)));
    for (size_t a = 0; a < axes_.size(); ++a)
      instances = instances.intersect(WhereEqual(Member(axes_[a]), absl::StrCat(names_.value, a)));
    return instances;
  }

  Block Lower(const isl::union_set& instances) const { return Lower(instances, scop_.context); }

  // `known`: of the parameters, where the block runs.
  Block Lower(const isl::union_set& instances, const isl::set& known) const {
    isl::schedule_node mark = FindKernel(IntersectDomain(tree_, instances), kernel_.name).parent();
    while (mark.parent().isa<isl::schedule_node_band>()) mark = WithoutNode(mark.parent());
    const BlockAst ast = BuildBlockAst(context_, mark.schedule(), scop_, scop_.context.intersect(known),
                                       LocalMemory(), helpers_.iterator);
    return ThreadLowering(ast).Lower(ast.root);
  }

  IslContext& context_;
  const isl::schedule tree_;
  const Kernel& kernel_;
  const ParsedScop& scop_;
  const HelperNames& helpers_;
  const CaseNames names_;
  const isl::schedule_node node_;         // below the kernel's mark
  const isl::union_set domain_;           // { S }
  const isl::multi_union_pw_aff prefix_;  // { S -> [h] }
  const std::vector<int> axes_;
  const bool shares_sums_;
};

absl::Status CheckScop(const v1::Scop& scop) {
  // Kernels and host have parameters as names of their own.
  for (const v1::Parameter& parameter : scop.parameters()) {
    if (CudaIdentifier(parameter.name()) == parameter.name()) continue;
    return absl::InvalidArgumentError(absl::StrCat(scop.name(), ": the size ", parameter.name(),
                                                   " has a name that CUDA has another use for: rename it"));
  }
  TUNE_RETURN_IF_ERROR(CheckWholeStructures(scop));
  if (const v1::Statement* statement = FindDataAccess(scop)) {
    return absl::InvalidArgumentError(
        absl::StrCat(scop.name(), ", line ", statement->line(),
                     ": data decide which element is accessed: generate code for given sizes"));
  }
  return absl::OkStatus();
}

absl::Status CheckOwnArrays(const v1::Scop& scop) {
  for (const v1::Array& array : scop.arrays()) {
    if (!array.declared_inside() || array.extents_size() == 0 || !array.extents(0).accessed().empty())
      continue;
    return absl::InvalidArgumentError(absl::StrCat(scop.name(), ": the region declares the array ",
                                                   array.name(),
                                                   ", whose size does not follow from the parameters here: "
                                                   "declare it before the region, or generate code for given "
                                                   "sizes"));
  }
  return absl::OkStatus();
}

absl::StatusOr<ParametricRegion> MakeRegion(ScheduleSpace& space, const ScheduledScop& scheduled, int further,
                                            bool exact) {
  return space.context().Run("kernels with symbols", [&]() -> absl::StatusOr<ParametricRegion> {
    ParametricRegion region;
    const ParsedScop& scop = space.scop();
    region.scop = scop.proto;
    region.own_parameters = scop.proto.parameters_size() - further;
    region.names = ChooseHelperNames(scop.proto);
    MappedProgram program;
    std::map<std::string, isl::set> launches;
    for (size_t i = 0; i < scheduled.kernels.size(); ++i) {
      KernelMaker maker(space.context(), scheduled, i, scop, region.names, exact);
      if (maker.IsEmpty()) continue;
      const size_t number = program.kernels.size();
      program.kernels.push_back(maker.Launches(absl::StrCat("K", number)));
      launches.emplace(scheduled.kernels[i].name, program.kernels.back().launches);
      region.kernels.push_back(maker.Make(absl::StrCat(CIdentifier(scop.proto.name()), "_kernel", number)));
    }
    program.host = HostTree(scheduled.tree, launches);
    region.host = LowerHost(program, scop.context, region.names);
    const isl::ast_build build = MakeBuild(isl::set::universe(scop.context.space()), {});
    const ExpressionLowering expressions({});
    region.requirement = expressions.Lower(build.expr_from(scop.context));
    const isl::union_map used = scop.reads.unite(scop.writes);
    region.used = BoxesOf(used, used, scop.context, build);
    region.written = BoxesOf(scop.writes, used, scop.context, build);
    for (const v1::Array& array : scop.proto.arrays()) {
      for (int d = 0; d < array.extents_size(); ++d) {
        if (array.extents(d).accessed().empty()) continue;
        const isl::pw_aff number(space.context().ctx(), array.extents(d).accessed());
        const IndexExpression extent = expressions.Lower(build.expr_from(number));
        if (array.declared_inside()) {
          region.own_extents[array.name()].push_back(extent);
        } else {
          region.first_extents[array.name()] = extent;
        }
      }
    }
    return region;
  });
}

}  // namespace

CaseNames::CaseNames(const HelperNames& names)
    : first(names.first),
      count(names.count),
      begin(names.block),
      width(absl::StrCat(names.block, "w")),
      value(names.thread),
      host(names.host),
      points(absl::StrCat(names.thread, "s")),
      point(absl::StrCat(names.thread, "p")),
      iteration(absl::StrCat(names.thread, "i")),
      strip(absl::StrCat(names.thread, "k")),
      strip_length(absl::StrCat(names.thread, "kn")) {}

bool ParametricKernel::HoldsSums() const {
  return std::any_of(phases.begin(), phases.end(),
                     [](const KernelPhase& phase) { return !phase.held.empty(); });
}

bool ParametricKernel::HasCaches() const {
  return std::any_of(phases.begin(), phases.end(),
                     [](const KernelPhase& phase) { return !phase.caches.empty(); });
}

bool ParametricKernel::HasStrips() const {
  return std::any_of(phases.begin(), phases.end(), [](const KernelPhase& phase) { return phase.strips; });
}

absl::StatusOr<ParametricRegion> MakeParametricRegion(const v1::Scop& scop, int further, bool exact) {
  TUNE_RETURN_IF_ERROR(CheckScop(scop));
  v1::Scop large = WithLargeParameters(scop, scop.parameters_size() - further);
  if (further == 0) {
    TUNE_ASSIGN_OR_RETURN(large, ExpandForAllSizes(large));
  }
  TUNE_RETURN_IF_ERROR(CheckOwnArrays(large));
  TUNE_ASSIGN_OR_RETURN(const std::unique_ptr<ScheduleSpace> space,
                        ScheduleSpace::Make(large, {}, IslContext::Limits()));
  DefaultChooser chooser;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ScheduledScop> scheduled, space->Walk(chooser));
  try {
    return MakeRegion(*space, *scheduled, further, exact);
  } catch (const std::logic_error& error) {
    return absl::InternalError(absl::StrCat("kernels with symbols: ", error.what()));
  }
}

}  // namespace tune
