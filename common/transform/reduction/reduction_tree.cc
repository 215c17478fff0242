#include "common/transform/reduction/reduction_tree.h"

#include "common/isl/schedule_node.h"
#include "common/mapping/block_instances.h"
#include "common/mapping/local_copies.h"
#include "common/mapping/mark_node.h"
#include "common/mapping/thread_nest.h"
#include "common/transform/reduction/promote_reduction.h"
#include "common/transform/registers/promote_registers.h"
#include "common/transform/thread_tree.h"

namespace tune {
namespace {

// Marks of the places where statements go.
constexpr char kReducedMark[] = "reduced";
constexpr char kFirstThreadMark[] = "first_thread";

// { S }: the block's instances of the statements.
isl::union_set InstancesOf(const BlockOfKernel& block, const std::vector<std::string>& statements) {
  isl::union_set instances = isl::union_set::empty(block.domain.ctx());
  for (const std::string& name : statements)
    instances = instances.unite(isl::union_set(block.scop->statement(name).domain));
  return instances.intersect(block.domain);
}

// Puts what makes one value of the partial ones after the thread's share, below `node`.
isl::schedule_node InsertCombination(isl::schedule_node node, const BlockOfKernel& block,
                                     const isl::union_set& reduced, LocalMemory* memory) {
  for (size_t t = 0; t < memory->tiles.size(); ++t) {
    if (memory->tiles[t].combined_by == v1::NONE) continue;
    node = UpTo(node, InsertCopies(FindMark(node, kReducedMark), block, block.AtPlaceOfThread(reduced),
                                   block.FirstOfReduction(), static_cast<int>(t),
                                   CopyStatement::Kind::kAccumulate, memory));
  }
  return UpTo(node, InsertCombine(FindMark(node, kReducedMark), reduced, memory));
}

// Loads and stores the first thread's registers before and after everything, at or below `node`.
isl::schedule_node InsertRegisters(isl::schedule_node node, const BlockOfKernel& block, LocalMemory* memory) {
  for (size_t t = 0; t < memory->tiles.size(); ++t) {
    if (memory->tiles[t].combined_by != v1::NONE) continue;
    for (const auto kind : {CopyStatement::Kind::kLoad, CopyStatement::Kind::kStore}) {
      node = UpTo(node,
                  InsertCopies(FindMark(node, kFirstThreadMark), block, block.AtPlaceOfThread(block.domain),
                               block.FirstOfReduction(), static_cast<int>(t), kind, memory));
    }
  }
  return node;
}

}  // namespace

isl::schedule MakeReductionTree(const BlockOfKernel& block, const isl::schedule_node& band,
                                LocalMemory* memory) {
  const KernelReduction& reduction = *block.kernel->reduction;
  // 1. Elements in registers where other statements use them, then a partial value for each thread.
  if (!reduction.before.empty() || !reduction.after.empty())
    PromoteToRegisters(InstancesOfBlock(block, block.kernel->statements, block.domain),
                       block.kernel->constant_reads, block.domain, memory);
  const isl::union_set reduced = InstancesOf(block, reduction.reduced);
  PromoteReduction(InstancesOfBlock(block, reduction.reduced, reduced), reduction, memory);
  // 2. The loops of a thread, for one phase after the other.
  std::vector<isl::union_set> phases;
  isl::union_set_list filters(band.ctx(), 3);
  for (const isl::union_set& phase :
       {InstancesOf(block, reduction.before), InstancesOf(block, reduction.Shared()),
        InstancesOf(block, reduction.after)}) {
    phases.push_back(phase);
    if (!phase.is_empty()) filters = filters.add(phase);
  }
  isl::schedule_node node = InsertLoops(WithoutNode(band), block, MakeNest(block)).insert_sequence(filters);
  int child = 0;
  for (size_t phase = 0; phase < phases.size(); ++phase) {
    if (phases[phase].is_empty()) continue;
    node = node.child(child).child(0).insert_filter(block.OfThread(phases[phase]));
    if (phase == 1) node = InsertMark(node, kReducedMark);
    node = node.parent().parent();
    ++child;
  }
  node = block.After("threads", InsertMark(node, kFirstThreadMark));
  // 3. One value of all parts, in the first thread.
  node = InsertCombination(node, block, reduced, memory);
  return InsertRegisters(node, block, memory).schedule();
}

}  // namespace tune
