#include "worker/print/merged_kernel_printer.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "absl/strings/str_join.h"
#include "common/array/element_type.h"
#include "common/program/bound_name.h"
#include "common/program/loop_condition.h"
#include "worker/print/block_printer.h"
#include "worker/print/kernel_parameters_text.h"

namespace tune {
namespace {

// Counts the blocks that have come; the last one opens the next round. Thread 0 speaks for its block: the
// block's barriers before and after it make its fences those of all threads.
constexpr char kGridBarrier[] = R"(#ifndef TUNE_GRID_BARRIER
// Waits until every block of the launch has come here; what they wrote before is seen by all afterwards.
static __device__ unsigned tune_barrier_arrived;
static __device__ volatile unsigned tune_barrier_round;
static __device__ void tune_grid_barrier() {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned round = tune_barrier_round;
    __threadfence();
    if (atomicAdd(&tune_barrier_arrived, 1u) == gridDim.x - 1) {
      tune_barrier_arrived = 0;
      __threadfence();
      tune_barrier_round = round + 1;
    } else {
      while (tune_barrier_round == round) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}
#define TUNE_GRID_BARRIER tune_grid_barrier
#endif

)";

class MergedKernelPrinter : public BlockPrinter {
 public:
  MergedKernelPrinter(const DeviceProgram& program, const MergedLaunch& merged, const HelperNames& names)
      : BlockPrinter(names, program.host_index_type), program_(program), merged_(merged) {}

  std::string Print() {
    ++indent_;
    PrintBlockArrays();
    --indent_;
    PrintInside(merged_.body);
    const std::string body = std::move(text_);
    text_ = indices_.Definitions();
    if (merged_.HasGridBarriers()) text_ += kGridBarrier;
    const std::string limit = merged_.per_processor > 1 ? absl::StrCat(", ", merged_.per_processor) : "";
    Line("extern \"C\" __global__ void __launch_bounds__(", merged_.threads, limit, ")");
    Line(merged_.function, "(", absl::StrJoin(Parameters(), ", "), ") {");
    text_ += body;
    Line("}");
    return std::move(text_);
  }

 private:
  void PrintBlockArrays() {
    for (const DeviceArray* array : MergedKernelArrays(program_, merged_)) {
      if (array->of_block == 0) continue;
      std::string extents;
      for (size_t i = array->of_block; i + array->of_thread < array->extents.size(); ++i)
        absl::StrAppend(&extents, "[", array->extents[i], "]");
      const std::string place =
          array->of_thread > 0 ? "" : absl::StrCat("__shared__ __align__(", kTileAlignment, ") ");
      Line(place, ElementCType(array->type), " ", array->name, extents, ";");
    }
  }

  // Of a tiles' loop the block runs one iteration: by its number, in which the innermost loop counts first.
  void PrintLoop(const Loop& loop) override {
    if (!loop.parallel) return PrintSteps(loop);
    const int64_t count = *FixedIterations(loop);
    tiles_ = (tiles_ == 0 ? merged_.blocks : tiles_) / count;  // of one iteration
    std::string number = tiles_ == 1 ? "blockIdx.x" : absl::StrCat("blockIdx.x / ", tiles_);
    if (tiles_ * count != merged_.blocks) absl::StrAppend(&number, " % ", count);
    Line("{");
    ++indent_;
    Line("const ", indices_.index_type(), " ", loop.iterator, " = ",
         loop.first.value == 0 ? "" : absl::StrCat(loop.first.value, " + "), "(", indices_.index_type(), ")(",
         number, ");");
    --indent_;
    PrintInside(loop.body);
    Line("}");
  }

  // A bound that asks for several numbers is worked out once: nvcc does it again in each iteration, in front
  // of its barrier.
  void PrintSteps(const Loop& loop) {
    const IndexExpression* const bound = IsCanonical(loop) ? &loop.condition.operands[1] : nullptr;
    if (bound == nullptr || bound->op != IndexExpression::Op::kMinimum) return BlockPrinter::PrintLoop(loop);
    const std::string last = BoundName(names_, names_.bound, loop.iterator);
    const bool inclusive = loop.condition.op == IndexExpression::Op::kLessEqual;
    PrintPragmas(loop);
    Line("for (", indices_.index_type(), " ", loop.iterator, " = ", Text(loop.first), ", ", last, " = ",
         Text(*bound), "; ", loop.iterator, inclusive ? " <= " : " < ", last, "; ", loop.iterator,
         " += ", Text(loop.step), ") {");
    PrintInside(loop.body);
    Line("}");
  }

  void PrintPragmas(const Loop& loop) override { PrintUnrollPragma(loop); }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> parameters;
    for (const DeviceArray* array : MergedKernelArrays(program_, merged_)) {
      if (array->of_block > 0) continue;
      const bool written = merged_.joined ? IsWritten(*array) : array->written;
      parameters.push_back(DeviceParameter(*array, written, merged_.joined || !written));
    }
    std::vector<std::string> numbers = MergedKernelSizes(program_, merged_);
    numbers.insert(numbers.end(), merged_.iterators.begin(), merged_.iterators.end());
    for (const std::string& number : numbers)
      parameters.push_back(absl::StrCat("const ", program_.host_index_type, " ", number));
    return parameters;
  }

  // By some kernel of the launch.
  bool IsWritten(const DeviceArray& array) const {
    bool written = false;
    ForEachNode(merged_.body, [&](const Node& node) {
      const auto* const turns = node.As<BlockTurns>();
      if (turns == nullptr) return;
      for (const KernelArray& used : program_.kernels[turns->launch.kernel].arrays)
        written = written || (used.writes && &program_.arrays[used.array] == &array);
    });
    return written;
  }

  void PrintOther(const Node& node) override {
    if (const auto* turns = node.As<BlockTurns>()) {
      PrintTurns(*turns);
    } else if (const auto* barrier = node.As<Barrier>()) {
      Line(barrier->of == Barrier::Of::kGrid ? "TUNE_GRID_BARRIER();" : "__syncthreads();");
    } else {
      throw std::logic_error("the kernel of one launch has no such node");
    }
  }

  // Of a joined launch the blocks that run nothing else, which are told by their numbers.
  void PrintTurns(const BlockTurns& turns) {
    if (!merged_.joined)
      return PrintTurns(turns, {"blockIdx.x", merged_.HasGridBarriers() ? merged_.blocks : 1});
    if (turns.own == 0) return PrintOwnBlocks(turns);
    const int64_t end = joined_ + turns.own;
    Line(joined_ > 0 ? "else " : "", end < merged_.blocks ? absl::StrCat("if (blockIdx.x < ", end, ") ") : "",
         "{");
    ++indent_;
    PrintTurns(turns, {joined_ > 0 ? absl::StrCat("(blockIdx.x - ", joined_, ")") : "blockIdx.x", turns.own});
    --indent_;
    Line("}");
    joined_ = end;
  }

  // The same where sizes tell how many blocks each launch has: those that are left are counted.
  void PrintOwnBlocks(const BlockTurns& turns) {
    const std::string &number = names_.block_index, own = names_.turn + "s";
    if (!std::exchange(counts_blocks_, true)) Line("unsigned ", number, " = blockIdx.x;");
    Line("{");
    ++indent_;
    std::vector<std::string> counts;
    for (size_t axis = 0; axis < turns.launch.count.size(); ++axis) {
      counts.push_back(absl::StrCat(names_.count, axis));
      Line("const unsigned ", counts.back(), " = (unsigned)(", Text(turns.launch.count[axis]), ");");
    }
    const std::string all = counts.empty() ? "1" : absl::StrJoin(counts, " * ");
    const bool several = turns.at_once > 1;
    Line("const unsigned ", own, " = ",
         several ? absl::StrCat("(", all, " + ", turns.at_once - 1, ") / ", turns.at_once) : all, ";");
    Line("if (", number, " < ", own, ") {");
    ++indent_;
    const int64_t threads = program_.kernels[turns.launch.kernel].ThreadCount();
    Line("const unsigned ", names_.turn, " = ",
         several ? absl::StrCat(turns.at_once, " * ", number, " + threadIdx.x / ", threads) : number, ";");
    Line(several ? absl::StrCat("if (", names_.turn, " < ", all, ") ") : "", CallOf(turns, counts));
    Line("return;");
    --indent_;
    Line("}");
    Line(number, " -= ", own, ";");
    --indent_;
    Line("}");
  }

  // Of the kernel's block number names_.turn; `counts`: of its blocks, along each axis.
  std::string CallOf(const BlockTurns& turns, const std::vector<std::string>& counts) {
    const DeviceKernel& kernel = program_.kernels[turns.launch.kernel];
    const std::string thread =
        turns.at_once > 1 ? absl::StrCat("threadIdx.x % ", kernel.ThreadCount()) : "threadIdx.x";
    return absl::StrCat(kernel.function, "(", absl::StrJoin(Arguments(turns.launch, kernel), ", "), ", ",
                        BlockIndex(counts), ", ", ThreadIndex(kernel.threads, thread), ");");
  }

  // Blocks of this launch that run those of another.
  struct Runners {
    std::string number;  // of a block
    int64_t count = 1;
  };

  // The runners' blocks, which the kernel's take in turns.
  void PrintTurns(const BlockTurns& turns, const Runners& runners) {
    const Launch& launch = turns.launch;
    const DeviceKernel& kernel = program_.kernels[launch.kernel];
    const int64_t block = kernel.ThreadCount();
    const int64_t at_once = turns.at_once;
    const std::vector<std::string> counts = PrintCounts(launch);
    const std::string call = CallOf(turns, counts);
    if (counts.empty()) {
      std::vector<std::string> conditions;
      if (runners.count > 1) conditions.push_back(absl::StrCat(runners.number, " == 0"));
      if (block < merged_.threads) conditions.push_back(absl::StrCat("threadIdx.x < ", block));
      Line(conditions.empty() ? "" : absl::StrCat("if (", absl::StrJoin(conditions, " && "), ") "), call);
      return;
    }
    // Of a launch whose threads are no multiple of the block's, some are left over.
    const int64_t busy = at_once * block;
    const std::string is_busy = busy < merged_.threads ? absl::StrCat("if (threadIdx.x < ", busy, ") ") : "";
    const std::string own = at_once > 1 ? absl::StrCat("threadIdx.x / ", block) : "";
    std::string first = own.empty() ? "0" : own;
    if (runners.count > 1)
      first = at_once > 1 ? absl::StrCat(at_once, " * ", runners.number, " + ", own) : runners.number;
    const std::string count = absl::StrJoin(counts, " * ");
    if (const int64_t turn = runners.count * at_once;
        merged_.joined && !HasVariable(launch) && Count(launch) <= turn) {
      Line("const unsigned ", names_.turn, " = ", first, ";");
      Line(Count(launch) < turn ? absl::StrCat("if (", names_.turn, " < ", count, ") ") : "", call);
      return;
    }
    Line("for (unsigned ", names_.turn, " = ", first, "; ", names_.turn, " < ", count, "; ", names_.turn,
         " += ", runners.count * at_once, ")");
    ++indent_;
    Line(is_busy, call);
    --indent_;
    if (HasVariable(launch)) {
      --indent_;
      Line("}");
    }
  }

  // Of one whose numbers of blocks are constant.
  static int64_t Count(const Launch& launch) {
    int64_t count = 1;
    for (const IndexExpression& along : launch.count) count *= along.value;
    return count;
  }

  static bool HasVariable(const Launch& launch) {
    return std::any_of(launch.count.begin(), launch.count.end(),
                       [](const IndexExpression& count) { return !count.IsConstant(); });
  }

  // Number of blocks along each axis; none when there is one block. Opens a brace when some are variables.
  std::vector<std::string> PrintCounts(const Launch& launch) {
    std::vector<std::string> counts;
    const bool variable = HasVariable(launch);
    if (variable) {
      Line("{");
      ++indent_;
    }
    bool one = !variable;
    for (size_t axis = 0; axis < launch.count.size(); ++axis) {
      const std::string count = Text(launch.count[axis]);
      counts.push_back(count);
      one = one && count == "1";
      if (launch.count[axis].IsConstant()) continue;
      counts.back() = absl::StrCat(names_.count, axis);
      Line("const unsigned ", counts.back(), " = ", count, ";");
    }
    if (one) counts.clear();
    return counts;
  }

  std::vector<std::string> Arguments(const Launch& launch, const DeviceKernel& kernel) {
    std::vector<std::string> arguments;
    for (const KernelArray& used : kernel.arrays) arguments.push_back(program_.arrays[used.array].name);
    arguments.insert(arguments.end(), kernel.sizes.begin(), kernel.sizes.end());
    for (const IndexExpression& value : launch.host) arguments.push_back(Text(value));
    for (size_t axis = 0; axis < launch.first.size(); ++axis) {
      if (!kernel.axes[axis].first_is_constant) arguments.push_back(Text(launch.first[axis]));
    }
    return arguments;
  }

  std::string BlockIndex(const std::vector<std::string>& counts) const {
    std::vector<std::string> parts(3, "0");
    for (size_t axis = 0; axis < counts.size(); ++axis) {
      parts[axis] = names_.turn;
      for (size_t lower = 0; lower < axis; ++lower) absl::StrAppend(&parts[axis], " / ", counts[lower]);
      if (axis + 1 < counts.size()) absl::StrAppend(&parts[axis], " % ", counts[axis]);
    }
    return absl::StrCat("make_uint3(", absl::StrJoin(parts, ", "), ")");
  }

  // `number`: of the thread among those of its block.
  static std::string ThreadIndex(const std::array<int64_t, 3>& threads, const std::string& number) {
    std::vector<std::string> parts;
    int64_t below = 1;
    for (size_t axis = 0; axis < 3; ++axis) {
      if (threads[axis] == 1) {
        parts.push_back("0");
        continue;
      }
      const bool last = below * threads[axis] == threads[0] * threads[1] * threads[2];
      std::string part = number;
      if (below > 1) absl::StrAppend(&part, " / ", below);
      if (!last) absl::StrAppend(&part, " % ", threads[axis]);
      parts.push_back(part);
      below *= threads[axis];
    }
    return absl::StrCat("make_uint3(", absl::StrJoin(parts, ", "), ")");
  }

  const DeviceProgram& program_;
  const MergedLaunch& merged_;
  int64_t tiles_ = 0;   // of an iteration of the tiles' loop that is printed; 0: before the first
  int64_t joined_ = 0;  // blocks of those of a joined launch that are printed
  bool counts_blocks_ = false;
};

}  // namespace

std::string PrintMergedKernel(const DeviceProgram& program, const MergedLaunch& merged,
                              const HelperNames& names) {
  return MergedKernelPrinter(program, merged, names).Print();
}

std::vector<const MergedLaunch*> MergedLaunchesOf(const DeviceProgram& program) {
  std::vector<const MergedLaunch*> all;
  ForEachNode(program.host, [&](const Node& node) {
    if (const auto* merged = node.As<MergedLaunch>()) all.push_back(merged);
  });
  return all;
}

std::vector<std::string> MergedKernelSizes(const DeviceProgram& program, const MergedLaunch& merged) {
  std::vector<std::string> sizes;
  ForEachNode(merged.body, [&](const Node& node) {
    const auto* const turns = node.As<BlockTurns>();
    if (turns == nullptr) return;
    for (const std::string& size : program.kernels[turns->launch.kernel].sizes)
      if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
  });
  return sizes;
}

std::vector<const DeviceArray*> MergedKernelArrays(const DeviceProgram& program, const MergedLaunch& merged) {
  std::set<int> used;
  ForEachNode(merged.body, [&](const Node& node) {
    const auto* const turns = node.As<BlockTurns>();
    if (turns == nullptr) return;
    for (const KernelArray& array : program.kernels[turns->launch.kernel].arrays) used.insert(array.array);
  });
  std::vector<const DeviceArray*> arrays;
  for (const int array : used) arrays.push_back(&program.arrays[array]);
  return arrays;
}

}  // namespace tune
