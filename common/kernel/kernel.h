// Which subtrees of a schedule tree are kernels, and what is true of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/kernel/product.h"
#include "common/kernel/reduction.h"
#include "common/kernel/reference_name.h"
#include "common/kernel/thread_rows.h"
#include "common/kernel/tile_loops.h"
#include "common/schedule/scheduler.h"

namespace tune {

// Variables of which each thread is to have one of its own where it runs iterations of a loop.
struct PrivateVariables {
  std::vector<std::string> local;  // whose values stay within an iteration
  std::vector<std::string> last;   // scalars of which the last iteration leaves a value behind
  bool empty() const { return local.empty() && last.empty(); }
  bool operator==(const PrivateVariables&) const = default;
};

// One band of the kernel's subtree.
struct KernelBand {
  bool permutable = false;
  std::vector<bool> coincident;      // one a member, outermost first
  std::vector<int64_t> trip_counts;  // largest number of iterations of each member at the known parameter
                                     // values; -1 when unknown
  // Parallel to the members of a permutable band with several that are not coincident: those along which the
  // same elements are written (MembersOfSums). Else empty.
  std::vector<bool> sums;
  int depth = 0;           // number of schedule dimensions above it
  bool innermost = false;  // no band below it
  // Parallel to the members of an innermost band: loop_reads.h, for the kernel's read_only_arrays. Where all
  // that repeat are coincident there are no words_read, and rows are those of reads alone. Else empty.
  std::vector<int64_t> words_read = {};
  std::vector<bool> along_rows = {};  // AlongRows, or ReadsAlongRows
  // Of a kernel in tiles' loops: whether each launch runs all combinations of its members' values.
  bool boxes = true;
  // Of each member what must be private for it to be coincident; empty: nothing of any.
  std::vector<PrivateVariables> privates;
  int member_count() const { return static_cast<int>(coincident.size()); }
};

// One launch site of generated code: an outermost tilable subtree. In the tree it stands under a mark node
// whose id is `name` and whose user pointer is not used.
struct Kernel {
  std::string name;                     // "k[S0,S1]", "@depth" appended when it lies below host loops
  std::vector<std::string> statements;  // in tree order
  int host_depth = 0;                   // schedule dimensions (host loops) above it
  TileLoops tile_loops;                 // of these
  // Kernels of one number, which stand next to each other in the tree, are launched in the same iterations of
  // the same host loops, and in each of them none touches an element that another one writes.
  int launch_group = 0;
  // Some other kernel of its launch_group touches other elements of an array that this one writes, or writes
  // some of one that it touches.
  bool shares_arrays = false;
  std::vector<KernelBand> bands;  // of its subtree, pre-order; bands[0] is the root's band when it has one
  std::vector<std::string> read_only_arrays;  // but scalars
  // Reads of arrays at elements that no data decide, and that no instance of the same launch writes: copies
  // of these stay true.
  std::vector<ReferenceName> constant_reads;
  int constant_references = 0;  // of these, of the statements in the most loops
  int64_t constant_bytes = 0;   // of the largest element of these; 0: there are none
  // Those that constant_references counts are elements of _Float16, but for scalars.
  bool constant_halves = false;
  std::vector<bool> bounds_sums;  // parallel to the root band's members: sum_bounds.h
  bool writes_words = false;      // arrays whose elements have 4 or 8 bytes
  bool updates_of_data = false;   // some statement updates elements that data decide
  // Of one element of each array with as many dimensions as the root band has members that repeat: about what
  // one iteration of the band touches that others do not.
  int64_t bytes_of_iteration = 0;
  std::optional<KernelReduction> reduction;  // of the root band, when that is the only one
  std::optional<ThreadRows> rows;            // of the root band, when that is the only one
  // That its only statement is, in its only band; looked for in distributed loops (ScheduleSpace).
  std::optional<KernelProduct> product;
};

// A schedule and its kernels.
struct ScheduledScop {
  isl::schedule tree;           // kernels marked
  std::vector<Kernel> kernels;  // in tree order
  std::string fingerprint;      // of the tree's text: equal for equal schedules
};

// What becomes of a band without any coincident member whose last member is a reduction: one kernel of one
// thread; or host loops around a kernel whose threads can share the reduction.
enum class InnerReductions { kInKernels, kAreKernels };

// Finds and marks the kernels of `schedule`.
absl::StatusOr<std::shared_ptr<const ScheduledScop>> SelectKernels(
    IslContext& context, const isl::schedule& schedule, const ParsedScop& scop,
    const Dependences& dependences, const std::map<std::string, int64_t>& parameter_values,
    InnerReductions reductions = InnerReductions::kInKernels);

}  // namespace tune
