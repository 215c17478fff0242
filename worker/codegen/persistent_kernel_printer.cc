#include "worker/codegen/persistent_kernel_printer.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_join.h"
#include "worker/codegen/ast_printer.h"
#include "worker/codegen/launch_plan_printer.h"
#include "worker/codegen/launch_site.h"

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

// Arrays by index, with whether they are written.
using Touched = std::map<int, bool>;

class PersistentKernelPrinter : public AstPrinter {
 public:
  PersistentKernelPrinter(const PersistentKernel& kernel, const MappedProgram& program,
                          const std::vector<KernelSignature>& signatures, const HelperNames& names)
      : AstPrinter(names, IntegerType(signatures), {}),
        kernel_(kernel),
        program_(program),
        signatures_(signatures) {}

  PersistentKernelText Print(const isl::set& values) {
    ast_ = BuildHostAst(program_, values, names_);
    ++indent_;
    PrintNode(ast_.root);
    --indent_;
    const std::string body = std::move(text_);
    text_ = expressions_.Definitions();
    if (kernel_.blocks > 1) text_ += kGridBarrier;
    const std::string limit = kernel_.per_processor > 1 ? absl::StrCat(", ", kernel_.per_processor) : "";
    Line("extern \"C\" __global__ void __launch_bounds__(", kernel_.threads, limit, ")");
    Line(kernel_.function, "(", absl::StrJoin(Parameters(), ", "), ") {");
    text_ += body;
    Line("}");
    PersistentKernelText text;
    text.kernel = std::move(text_);
    text.plan = PrintOneLaunch(Arrays(), kernel_.blocks, kernel_.threads);
    return text;
  }

 private:
  static const char* IntegerType(const std::vector<KernelSignature>& signatures) {
    for (const KernelSignature& signature : signatures) {
      if (signature.integer_type != std::string("int")) return signature.integer_type;
    }
    return "int";
  }

  // Those that some kernel uses, in the scop's order.
  std::vector<const DeviceArray*> Arrays() const {
    std::map<int, const DeviceArray*> used;
    for (const KernelSignature& signature : signatures_) {
      for (const KernelSignature::Array& array : signature.arrays) used[array.array->index] = array.array;
    }
    std::vector<const DeviceArray*> arrays;
    for (const auto& [index, array] : used) arrays.push_back(array);
    return arrays;
  }

  std::vector<std::string> Parameters() const {
    std::vector<std::string> parameters;
    for (const DeviceArray* array : Arrays())
      parameters.push_back(DeviceParameter(*array, array->written, !array->written));
    return parameters;
  }

  void PrintUser(const isl::ast_node_user& node) override {
    const LaunchSite& site = ast_.site(node);
    if (Conflicts(signatures_[site.kernel])) PrintBarrier();
    for (const KernelSignature::Array& array : signatures_[site.kernel].arrays) {
      if (!array.array->by_value) touched_[array.array->index] |= array.writes;
    }
    PrintTurns(site);
  }

  // What loops leave open is closed inside of them: the state is the same in each iteration.
  bool PrintBeforeFor(const isl::ast_node_for&, const std::string&, std::string&) override {
    if (!touched_.empty()) PrintBarrier();
    return false;
  }
  void BeginInside() override { before_.push_back(touched_); }
  void EndInside() override {
    if (touched_ != before_.back()) PrintBarrier();
    touched_ = before_.back();  // the branch may not have been taken
    before_.pop_back();
  }

  bool Conflicts(const KernelSignature& signature) const {
    for (const KernelSignature::Array& array : signature.arrays) {
      const auto found = touched_.find(array.array->index);
      if (!array.array->by_value && found != touched_.end() && (array.writes || found->second)) return true;
    }
    return false;
  }

  void PrintBarrier() {
    Line(kernel_.blocks > 1 ? "TUNE_GRID_BARRIER();" : "__syncthreads();");
    touched_.clear();
  }

  // The launch's blocks, which the kernel's take in turns.
  void PrintTurns(const LaunchSite& site) {
    const KernelSignature& signature = signatures_[site.kernel];
    const MappedKernel& kernel = program_.kernels[site.kernel];
    const int64_t block = kernel.ThreadCount();
    const int64_t at_once = kernel_.threads / block;  // in one block of this kernel
    const std::vector<std::string> counts = PrintCounts(site);
    const std::string thread = at_once > 1 ? absl::StrCat("threadIdx.x % ", block) : "threadIdx.x";
    const std::string call =
        absl::StrCat(signature.function, "(", absl::StrJoin(Arguments(site, signature), ", "), ", ",
                     BlockIndex(counts), ", ", ThreadIndex(kernel.threads, thread), ");");
    if (counts.empty()) {
      std::vector<std::string> conditions;
      if (kernel_.blocks > 1) conditions.push_back("blockIdx.x == 0");
      if (at_once > 1) conditions.push_back(absl::StrCat("threadIdx.x < ", block));
      Line(conditions.empty() ? "" : absl::StrCat("if (", absl::StrJoin(conditions, " && "), ") "), call);
      return;
    }
    const std::string own = at_once > 1 ? absl::StrCat("threadIdx.x / ", block) : "";
    std::string first = own.empty() ? "0" : own;
    if (kernel_.blocks > 1)
      first = at_once > 1 ? absl::StrCat(at_once, " * blockIdx.x + ", own) : "blockIdx.x";
    Line("for (unsigned ", names_.turn, " = ", first, "; ", names_.turn, " < ", absl::StrJoin(counts, " * "),
         "; ", names_.turn, " += ", kernel_.blocks * at_once, ")");
    ++indent_;
    Line(call);
    --indent_;
    if (HasVariable(site)) {
      --indent_;
      Line("}");
    }
  }

  static bool HasVariable(const LaunchSite& site) {
    return std::any_of(site.count.begin(), site.count.end(),
                       [](const isl::ast_expr& count) { return !count.isa<isl::ast_expr_int>(); });
  }

  // Number of blocks along each axis; none when there is one block. Opens a brace when some are variables.
  std::vector<std::string> PrintCounts(const LaunchSite& site) {
    std::vector<std::string> counts;
    const bool variable = HasVariable(site);
    if (variable) {
      Line("{");
      ++indent_;
    }
    bool one = !variable;
    for (size_t axis = 0; axis < site.count.size(); ++axis) {
      const CText count = expressions_.Print(site.count[axis]);
      counts.push_back(count.text);
      one = one && count.text == "1";
      if (site.count[axis].isa<isl::ast_expr_int>()) continue;
      counts.back() = absl::StrCat(names_.count, axis);
      Line("const unsigned ", counts.back(), " = ", count.text, ";");
    }
    if (one) counts.clear();
    return counts;
  }

  std::vector<std::string> Arguments(const LaunchSite& site, const KernelSignature& signature) {
    std::vector<std::string> arguments;
    for (const KernelSignature::Array& array : signature.arrays) arguments.push_back(array.array->name);
    for (const isl::ast_expr& value : site.host) arguments.push_back(expressions_.Print(value).text);
    for (size_t axis = 0; axis < site.first.size(); ++axis) {
      if (!signature.axes[axis].first_is_constant)
        arguments.push_back(expressions_.Print(site.first[axis]).text);
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

  const PersistentKernel& kernel_;
  const MappedProgram& program_;
  const std::vector<KernelSignature>& signatures_;
  HostAst ast_;
  Touched touched_;              // since the last barrier
  std::vector<Touched> before_;  // the same at the beginning of each open brace
};

}  // namespace

PersistentKernelText PrintPersistentKernel(const PersistentKernel& kernel, const MappedProgram& program,
                                           const std::vector<KernelSignature>& signatures,
                                           const isl::set& values, const HelperNames& names) {
  return PersistentKernelPrinter(kernel, program, signatures, names).Print(values);
}

}  // namespace tune
