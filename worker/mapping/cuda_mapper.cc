#include "worker/mapping/cuda_mapper.h"

#include <stdexcept>

#include "common/isl/bounds.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/same_value.h"
#include "common/isl/schedule.h"
#include "common/isl/schedule_node.h"
#include "common/isl/tuple_name.h"
#include "common/mapping/block_of_kernel.h"
#include "common/mapping/instance_function.h"
#include "common/transform/thread_tree.h"
#include "worker/mapping/host_tree.h"

namespace tune {
namespace {

std::string Numbered(const std::string& name, size_t number) { return absl::StrCat(name, number); }

// Maps one kernel.
class CudaKernelMapper {
 public:
  // `number`: of the kernel in the program.
  CudaKernelMapper(const CudaPlan& plan, size_t index, size_t number, const ParsedScop& scop,
                   const CudaSpaceOptions& options, const isl::set& values, const CudaIds& ids)
      : scheduled_(*plan.scheduled),
        tree_(plan.scheduled->tree),
        values_(values),
        scop_(scop),
        options_(options),
        plan_(plan.kernels[index]),
        kernel_(plan.scheduled->kernels[index]),
        space_name_(Numbered("K", number)),
        ids_(ids),
        node_(FindKernel(plan.scheduled->tree, plan_.name)),
        domain_(NodeDomain(node_).intersect_params(values)),
        prefix_(node_.prefix_schedule_multi_union_pw_aff()) {
    for (const CudaAxis& axis : plan_.threads.axes) CheckAxis(axis);
  }

  // No statement of the kernel has an instance at the parameter values.
  bool IsEmpty() const { return domain_.is_empty(); }

  MappedKernel Map(const TreeHook& hook) {
    MappedKernel mapped;
    mapped.kernel = &kernel_;
    mapped.plan = &plan_;
    // 1. Which launches there are, and which blocks each of them needs.
    mapped.launches = Launches();
    for (size_t axis = 0; axis < plan_.threads.axes.size(); ++axis) {
      const isl::map blocks = Blocks(axis, mapped.launches);
      mapped.first_block.push_back(FirstOrLast(DimensionMin(blocks, 0), blocks.range().dim_min_val(0)));
      mapped.last_block.push_back(FirstOrLast(DimensionMax(blocks, 0), blocks.range().dim_max_val(0)));
      mapped.threads[axis] = plan_.threads.Axis(axis).block;
      if (plan_.threads.Axis(axis).reduction) mapped.reduction_axis = static_cast<int>(axis);
    }
    if (plan_.threads.HasHelpers()) AddFillingAxis(&mapped);
    mapped.relaxed = Relaxed();
    // 2. What is true wherever a thread runs.
    mapped.context = Context(mapped);
    // 3. What a thread runs.
    BlockOfKernel block;
    block.plan = &plan_;
    block.kernel = &kernel_;
    block.scop = &scop_;
    if (!plan_.threads.IsOneThread()) block.members = node_.as<isl::schedule_node_band>().partial_schedule();
    block.domain = BlockDomain();
    if (kernel_.host_depth > 0) block.launch = InLaunch(prefix_);
    block.written_beside = [this] { return WrittenBeside(); };
    block.context = mapped.context;
    block.block_id = ids_.block;
    block.thread_id = ids_.thread;
    block.device = &options_.device;
    block.hook = hook;
    SetTree(&block);
    mapped.thread = block.After("copies", MakeThreadTree(block, &mapped.memory));
    return mapped;
  }

 private:
  void CheckAxis(const CudaAxis& axis) const {
    const bool possible = axis.reduction
                              ? kernel_.reduction && kernel_.reduction->member == axis.member
                              : !kernel_.bands.empty() && axis.member < kernel_.bands[0].member_count() &&
                                    kernel_.bands[0].coincident[axis.member];
    if (!possible || axis.block < 1 || axis.tile % axis.block != 0 ||
        (axis.IsSplit() && !kernel_.reduction->atomic)) {
      throw std::logic_error(
          absl::StrCat("kernel ", plan_.name, " cannot be mapped along member ", axis.member));
    }
  }

  // Along it there is one block, and one thread that runs instances.
  void AddFillingAxis(MappedKernel* mapped) const {
    const isl::pw_aff zero = ConstantOn(mapped->launches, isl::val::zero(domain_.ctx()));
    mapped->threads[mapped->first_block.size()] = plan_.threads.per_runner;
    mapped->first_block.push_back(zero);
    mapped->last_block.push_back(zero);
  }

  // { S -> [m] }
  isl::union_pw_aff Member(int member) const {
    return node_.as<isl::schedule_node_band>().partial_schedule().at(member);
  }
  isl::union_pw_aff Block(size_t axis) const {
    return FloorDiv(Member(plan_.threads.Axis(axis).member), plan_.threads.Axis(axis).tile);
  }

  // { S -> [h_0, ...] }; a prefix without dimensions forgets its domain.
  isl::union_map Prefix() const {
    isl::union_map prefix = node_.prefix_schedule_union_map();
    return prefix.intersect_domain(domain_);
  }

  // { K[h] }
  isl::set Launches() const {
    const isl::set launches = Prefix().range().as_set();
    return WithTupleName(launches, space_name_).coalesce();
  }

  // { K[h] -> [b] }
  isl::map Blocks(size_t axis, const isl::set& launches) const {
    if (!plan_.threads.Axis(axis).HasBlocks()) {
      const isl::set only(launches.ctx(), "{ [0] }");
      return MapFromDomainAndRange(launches, only);
    }
    const isl::union_map blocks = Block(axis).as_union_map();  // { S -> [b] }
    const isl::map map = Prefix().reverse().apply_range(blocks).as_map();
    return WithTupleName(map, isl_dim_in, space_name_).intersect_domain(launches);
  }

  // `exact`, { K[h] -> [b] }, or in tiles' loops, where a launch's blocks are turns that one block takes, the
  // first or last of all launches: a turn that has nothing to do costs less than to tell how many there are.
  isl::pw_aff FirstOrLast(const isl::pw_aff& exact, const isl::val& of_all) const {
    if (kernel_.tile_loops.count == 0 || exact.n_piece() == 1 || !of_all.is_int()) return exact;
    return ConstantOn(exact.domain(), of_all);
  }

  // { S -> S' }: updates of one element by a reduction that threads share.
  isl::union_map Relaxed() const {
    isl::union_map updates = isl::union_map::empty(domain_.ctx());  // { S -> A }
    if (!plan_.threads.HasReduction()) return updates;
    for (const std::string& name : kernel_.reduction->reduced) {
      const ParsedStatement& statement = scop_.statement(name);
      updates = updates.unite(isl::union_map(statement.target().relation));
    }
    updates = updates.intersect_domain(domain_);
    return SameValue(updates);
  }

  // { K[h] : condition(bound) }, asked of one affine piece at a time: comparing functions with domains, isl
  // simplifies each by what its domain tells, which takes long and changes nothing.
  static isl::set WherePieces(const isl::pw_aff& bound,
                              const std::function<isl::set(const isl::pw_aff& piece)>& condition) {
    isl::set where;
    bound.foreach_piece([&](const isl::set& domain, const isl::multi_aff& piece) {
      const isl::set here = condition(isl::pw_aff(piece.at(0))).intersect(domain);
      where = where.is_null() ? here : where.unite(here);
    });
    return where;
  }

  // Parameters at which some thread of some launch runs: every coordinate inside its range.
  isl::set Context(const MappedKernel& mapped) const {
    isl::set place = mapped.launches;  // { K[h] }
    const auto parameter = [&](const std::string& name) {
      const isl::id id = NamedId(place.ctx(), name);
      return isl::pw_aff::param_on_domain(isl::set::universe(mapped.launches.space()), id);
    };
    for (size_t axis = 0; axis < mapped.first_block.size(); ++axis) {
      const isl::pw_aff block = parameter(Numbered(ids_.block, axis));
      place = place.intersect(WherePieces(mapped.first_block[axis],
                                          [&](const isl::pw_aff& first) { return block.ge_set(first); }));
      place = place.intersect(
          WherePieces(mapped.last_block[axis], [&](const isl::pw_aff& last) { return block.le_set(last); }));
      const isl::pw_aff thread = parameter(Numbered(ids_.thread, axis));
      const isl::pw_aff zero = ConstantOn(mapped.launches, isl::val::zero(place.ctx()));
      const isl::pw_aff end = ConstantOn(mapped.launches, isl::val(place.ctx(), mapped.threads[axis]));
      place = place.intersect(thread.ge_set(zero)).intersect(thread.lt_set(end));
    }
    for (int depth = 0; depth < kernel_.host_depth; ++depth) {
      const isl::pw_aff value = isl::pw_aff(VariableOn(mapped.launches.space(), depth));
      place = place.intersect(value.eq_set(parameter(Numbered(ids_.host, depth))));
    }
    return place.params();
  }

  // { S }: at the values of the host loops, of which there is one or more, by what these are: { S -> [h] }.
  isl::union_set InLaunch(const isl::multi_union_pw_aff& prefix) const {
    isl::union_set launch = WhereEqual(prefix.at(0), Numbered(ids_.host, 0));
    for (int depth = 1; depth < kernel_.host_depth; ++depth)
      launch = launch.intersect(WhereEqual(prefix.at(depth), Numbered(ids_.host, depth)));
    return launch;
  }

  // { A }: what the other kernels of the group write at the values of the host loops.
  isl::union_set WrittenBeside() const {
    isl::union_set written = isl::union_set::empty(values_.ctx());
    for (const Kernel& other : scheduled_.kernels) {
      if (&other == &kernel_ || other.launch_group != kernel_.launch_group) continue;
      const isl::schedule_node node = FindKernel(tree_, other.name);
      isl::union_set instances = NodeDomain(node).intersect_params(values_);
      if (kernel_.host_depth > 0)
        instances = instances.intersect(InLaunch(node.prefix_schedule_multi_union_pw_aff()));
      for (const std::string& name : other.statements) {
        for (const ParsedAccess& access : scop_.statement(name).accesses) {
          if (access.writes()) written = written.unite(instances.apply(isl::union_map(access.relation)));
        }
      }
    }
    return written;
  }

  // The instances of one block of one launch, in terms of its coordinates.
  isl::union_set BlockDomain() const {
    isl::union_set domain = domain_;
    if (kernel_.host_depth > 0) domain = domain.intersect(InLaunch(prefix_));
    for (size_t axis = 0; axis < plan_.threads.axes.size(); ++axis) {
      if (!plan_.threads.Axis(axis).HasBlocks()) continue;
      domain = domain.intersect(WhereEqual(Block(axis), Numbered(ids_.block, axis)));
    }
    return domain;
  }

  // The kernel in `tree` without the loops around it, which have one iteration in a launch.
  isl::schedule WithoutHostLoops(const isl::schedule& tree) const {
    isl::schedule_node mark = FindKernel(tree, plan_.name).parent();
    while (mark.parent().isa<isl::schedule_node_band>() || mark.parent().isa<isl::schedule_node_mark>())
      mark = WithoutNode(mark.parent());
    return mark.schedule();
  }

  // The block's part of the whole tree. The members become those of the root band that the hook returns,
  // where they are others on the block's instances.
  void SetTree(BlockOfKernel* block) const {
    const isl::schedule made = WithoutHostLoops(IntersectDomain(tree_, block->domain));
    block->tree = block->After("block", made);
    if (plan_.threads.IsOneThread() || block->tree.get() == made.get()) return;
    const isl::schedule_node band = FindKernel(block->tree, plan_.name);
    if (!band.isa<isl::schedule_node_band>() ||
        static_cast<int>(band.as<isl::schedule_node_band>().n_member()) != block->MemberCount()) {
      throw std::logic_error(absl::StrCat("there is no band of ", block->MemberCount(),
                                          " members below the mark of kernel ", plan_.name));
    }
    const isl::multi_union_pw_aff members = band.as<isl::schedule_node_band>().partial_schedule();
    const auto values = [&](const isl::multi_union_pw_aff& functions) {  // { S -> [members] }
      return isl::union_map::from(functions).intersect_domain(block->domain);
    };
    if (!values(members).is_equal(values(block->members))) block->members = members;
  }

  const ScheduledScop& scheduled_;
  const isl::schedule tree_;
  const isl::set values_;  // of the parameters
  const ParsedScop& scop_;
  const CudaSpaceOptions& options_;
  const KernelPlan& plan_;
  const Kernel& kernel_;
  const std::string space_name_;
  const CudaIds& ids_;
  const isl::schedule_node node_;         // below the kernel's mark
  const isl::union_set domain_;           // { S }
  const isl::multi_union_pw_aff prefix_;  // { S -> [h] }
};

}  // namespace

absl::StatusOr<MappedProgram> MapCudaPlan(IslContext& context, const CudaPlan& plan, const ParsedScop& scop,
                                          const CudaSpaceOptions& options,
                                          const std::map<std::string, int64_t>& parameter_values,
                                          const CudaIds& ids, const TreeHook& hook) {
  if (plan.kernels.size() != plan.scheduled->kernels.size())
    return absl::InternalError("mapping: the plan has another number of kernels than its tree");
  return context.Run("mapping", [&]() -> absl::StatusOr<MappedProgram> {
    const isl::set values = ParameterValues(context, parameter_values);
    MappedProgram program;
    std::map<std::string, isl::set> launches;
    try {
      for (size_t i = 0; i < plan.kernels.size(); ++i) {
        CudaKernelMapper mapper(plan, i, program.kernels.size(), scop, options, values, ids);
        if (mapper.IsEmpty()) continue;
        program.kernels.push_back(mapper.Map(hook));
        launches.emplace(plan.kernels[i].name, program.kernels.back().launches);
      }
    } catch (const std::logic_error& error) {
      return absl::InternalError(absl::StrCat("mapping: ", error.what()));
    }
    program.host = HostTree(plan.scheduled->tree, launches);
    if (hook && !program.kernels.empty()) program.host = hook("host", "", program.host);
    return program;
  });
}

}  // namespace tune
