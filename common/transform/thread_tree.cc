#include "common/transform/thread_tree.h"

#include <optional>

#include "common/isl/schedule_node.h"
#include "common/mapping/mark_node.h"
#include "common/transform/transformations.h"

namespace tune {
namespace {

// A thread's part of `loops`, inside of the tile loops, with the marks. The filter says what the tree's
// domain does not: code generation would simplify the rest away, at length.
isl::schedule_node OfThread(const isl::schedule_node& loops, const BlockOfKernel& block,
                            const ThreadNest& nest) {
  const isl::schedule_node thread = loops.insert_filter(block.AtPlaceOfThread(block.domain.universe()));
  const isl::schedule_node threads = block.After("threads", InsertMark(thread, kInsideTilesMark));
  const isl::schedule_node tiles = InsertTileLoops(threads, block, nest);
  return block.After("tiles", InsertMark(tiles, kOutsideTilesMark));
}

// The bands of the kernel at or below `node`, as they are, but for marks.
isl::schedule_node ApplyToBands(const BlockOfKernel& block, isl::schedule_node node, bool is_root) {
  for (const CudaTransformation* transformation : CudaTransformations())
    node = transformation->ApplyToBands(block, node, is_root);
  return node;
}

// Of a kernel with bands below the root band: they keep their loops, inside of the thread's points.
isl::schedule TreeAroundBands(const BlockOfKernel& block, const isl::schedule_node& band) {
  const isl::schedule_node inside = WithoutNode(ApplyToBands(block, band, /*is_root=*/true));
  const ThreadNest nest = MakeNest(block);
  return OfThread(InsertLoopsInPoints(inside, nest), block, nest).schedule();
}

}  // namespace

ThreadNest MakeNest(const BlockOfKernel& block) {
  ThreadNest nest = SerialLoops(block);
  for (const CudaTransformation* transformation : CudaTransformations())
    transformation->ApplyToLoops(block, &nest);
  return nest;
}

isl::schedule_node ThreadTree::InsertLoops(const isl::schedule_node& node) const {
  const ThreadNest nest = MakeNest(block_);
  return OfThread(tune::InsertLoops(node, block_, nest), block_, nest);
}

BlockInstances ThreadTree::Instances(const isl::schedule_node& loops) const {
  BlockInstances instances = InstancesOfBlock(block_, block_.kernel->statements, block_.domain);
  instances.prefix =
      FindMark(loops, kInsideTilesMark).prefix_schedule_union_map().intersect_domain(block_.domain);
  return instances;
}

void ThreadTree::AddTiles(const BlockInstances& instances, const isl::union_set& own_instances,
                          LocalMemory* memory) const {
  for (const CudaTransformation* transformation : CudaTransformations())
    transformation->AddTiles({block_, instances, own_instances}, memory);
}

isl::schedule_node ThreadTree::InsertCopies(isl::schedule_node node, const isl::union_set& domain,
                                            LocalMemory* memory) const {
  for (const CudaTransformation* transformation : CudaTransformations())
    node = transformation->InsertCopies(block_, node, domain, memory);
  return node;
}

isl::schedule MakeThreadTree(const BlockOfKernel& block, LocalMemory* memory) {
  const isl::schedule_node band = FindKernel(block.tree, block.plan->name);
  if (block.plan->threads.IsOneThread())
    return block.After("threads", ApplyToBands(block, band, /*is_root=*/false).schedule());
  for (const CudaTransformation* transformation : CudaTransformations()) {
    if (const std::optional<isl::schedule> tree = transformation->MakeTree(block, band, memory)) return *tree;
  }
  if (!block.kernel->bands[0].innermost) return TreeAroundBands(block, band);
  const ThreadTree tree(block);
  const isl::schedule_node loops = tree.InsertLoops(WithoutNode(band));
  tree.AddTiles(tree.Instances(loops), block.domain, memory);
  return tree.InsertCopies(loops, block.domain, memory).schedule();
}

}  // namespace tune
