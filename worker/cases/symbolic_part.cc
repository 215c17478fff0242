#include "worker/cases/symbolic_part.h"

#include <cmath>
#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/case_call.h"
#include "worker/cases/symbolic_conditions.h"
#include "worker/print/block_printer.h"
#include "worker/print/merged_kernel_printer.h"

namespace tune {
namespace {

constexpr char kReady[] =
    R"(// Whether a block of the kernel can have so many threads and be given so much shared memory, which is told to the
// driver once for each device, with the part of a multiprocessor's memory that is to be shared memory (-1: any).
bool IsReady(const Machine &machine, const void *kernel, int threads, int carveout, int shared) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void *>, bool> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = known.find(std::make_pair(machine.device, kernel));
  if (found != known.end()) return found->second;
  bool ready = machine.threads >= threads && MostThreads(machine, kernel) >= threads;
  if (ready && carveout >= 0)
    ready = cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carveout) == cudaSuccess;
  if (ready && shared > 0)
    ready = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared) == cudaSuccess;
  if (!ready) cudaGetLastError();
  return known[std::make_pair(machine.device, kernel)] = ready;
}

)";

// Words in capitals are replaced; names that begin with `tune_` begin as the region's helpers do.
constexpr char kFunctions[] =
    R"(// Whether program NUMBER is for the sizes and the machine.
bool IsForProgramNUMBER(const Machine &tune_machine, void *const *tune_memory, const long long *tune_sizes) {
DEFINITIONSCONDITIONS  (void)tune_memory;
  return true;
}

cudaError_t LaunchProgramNUMBER(void *const *tune_memory, const long long *tune_sizes, cudaStream_t tune_stream) {
DEFINITIONS  cudaError_t tune_error = cudaSuccess;
LAUNCHES  (void)tune_memory;
  (void)tune_stream;
  return tune_error;
}

)";

constexpr char kProgramFor[] =
    R"(// Which programs are the best at the sizes: those of the nearest cell of a grid of sizes. On a device with more
// multiprocessors sides of arrays are larger by as much as these have more blocks.
int ClassFor(const Machine &tune_machine, const long long *tune_sizes) {
DEFINITIONS  static const double tune_limits[] = {LIMITS};  // between sizes that are next to each other
  static const char tune_classes[] =
CLASSES
  const double tune_values[] = {VALUES};
  const double tune_scale = std::sqrt(PROCESSORS / (tune_machine.processors > 0 ? tune_machine.processors : 1));
  int tune_cell = 0;
  for (const double value : tune_values) {
    int place = 0;
    while (place < COUNT - 1 && value * tune_scale >= tune_limits[place]) ++place;
    tune_cell = tune_cell * COUNT + place;
  }
  return tune_classes[tune_cell] - 'a';
}

// The best program that is for the call; -1: there is none. A thread knows what its last call had.
int ProgramFor(const Machine &tune_machine, void *const *tune_memory, const long long *tune_sizes) {
  constexpr int kSizes = SIZES, kPlaces = PLACES, kAlignment = 256;
  struct Call {
    int device, program;
    long long sizes[kSizes + 1];
    int places[kPlaces + 1];  // of arrays, behind what addresses are multiples of
  };
  static thread_local Call known = {-1, -1, {}, {}};
  bool same = known.device == tune_machine.device;
  for (int i = 0; i < kSizes; ++i) same = same && known.sizes[i] == tune_sizes[i];
  for (int i = 0; i < kPlaces; ++i) same = same && known.places[i] == (int)((size_t)tune_memory[i] % kAlignment);
  if (same) return known.program;
  Call call = {tune_machine.device, -1, {}, {}};
  for (int i = 0; i < kSizes; ++i) call.sizes[i] = tune_sizes[i];
  for (int i = 0; i < kPlaces; ++i) call.places[i] = (int)((size_t)tune_memory[i] % kAlignment);
  const int best = ClassFor(tune_machine, tune_sizes);
  for (int others = 0; others < 2 && call.program < 0; ++others) {
CHOICES  }
  known = call;
  return call.program;
}

)";

constexpr char kProgramIsFor[] =
    R"(    if (call.program < 0 && (best == CLASS || others) && IsForProgramNUMBER(tune_machine, tune_memory, tune_sizes))
      call.program = NUMBER;
)";

constexpr char kCall[] =
    R"(    case NUMBER:
      return LaunchProgramNUMBER(tune_memory, tune_sizes, tune_stream);
)";

const CudaKernelFacts& FactsOf(const SymbolicProgram& program, const std::string& function) {
  for (const CudaKernelFacts& launched : program.launched)
    if (launched.function == function) return launched;
  throw std::logic_error("a function is launched of which nothing is known");
}

// Loops and conditions around launches.
class LaunchPrinter : public BlockPrinter {
 public:
  LaunchPrinter(const SymbolicProgram& program, const HelperNames& names)
      : BlockPrinter(names, "long long"), program_(program), prefix_(HelperPrefix(names)) {}

  std::string Print() {
    ++indent_;
    PrintBlock(program_.device.host);
    return absl::StrCat(indices_.Definitions(), text_, indices_.Undefinitions());
  }

 private:
  void PrintOther(const Node& node) override {
    if (const auto* const launch = node.As<Launch>()) {
      PrintLaunch(*launch);
    } else if (const auto* const merged = node.As<MergedLaunch>()) {
      PrintMerged(*merged);
    } else {
      throw std::logic_error("a host has no such node");
    }
  }

  void PrintLaunch(const Launch& launch) {
    const DeviceKernel& kernel = program_.device.kernels[launch.kernel];
    Begin();
    for (const KernelArray& used : kernel.arrays) PassArray(program_.device.arrays[used.array], used.writes);
    for (const std::string& size : kernel.sizes) PassNumber(kernel.index_type, size);
    for (const IndexExpression& value : launch.host) PassNumber(kernel.index_type, Text(value));
    for (size_t axis = 0; axis < launch.first.size(); ++axis)
      if (!kernel.axes[axis].first_is_constant) PassNumber(kernel.index_type, Text(launch.first[axis]));
    std::vector<std::string> grid;
    for (const IndexExpression& count : launch.count)
      grid.push_back(absl::StrCat("(unsigned)(", Text(count), ")"));
    End(kernel.function, grid, absl::StrJoin(kernel.threads, ", "));
  }

  void PrintMerged(const MergedLaunch& merged) {
    Begin();
    for (const DeviceArray* const array : MergedKernelArrays(program_.device, merged))
      PassArray(*array, array->written);
    for (const std::string& size : MergedKernelSizes(program_.device, merged))
      PassNumber(program_.device.host_index_type, size);
    for (const std::string& iterator : merged.iterators)
      PassNumber(program_.device.host_index_type, iterator);
    End(merged.function, {merged.joined ? JoinedBlocks(merged) : absl::StrCat(merged.blocks)},
        absl::StrCat(merged.threads));
  }

  // Of the launches that the kernel runs side by side.
  std::string JoinedBlocks(const MergedLaunch& merged) {
    std::vector<std::string> all;
    for (const Node& node : merged.body) {
      const auto* const turns = node.As<BlockTurns>();
      if (turns == nullptr) throw std::logic_error("independent launches are no loops");
      std::vector<std::string> counts;
      for (const IndexExpression& count : turns->launch.count)
        counts.push_back(absl::StrCat("(", Text(count), ")"));
      const std::string blocks = counts.empty() ? "1" : absl::StrJoin(counts, " * ");
      all.push_back(turns->at_once > 1
                        ? absl::StrCat("(", blocks, " + ", turns->at_once - 1, ") / ", turns->at_once)
                        : blocks);
    }
    return absl::StrCat("(unsigned)(", absl::StrJoin(all, " + "), ")");
  }

  void Begin() {
    arguments_.clear();
    Line("if (", prefix_, "error == cudaSuccess) {");
    ++indent_;
  }

  void End(const std::string& function, const std::vector<std::string>& grid, const std::string& threads) {
    Line("void *", prefix_, "arguments[] = {", arguments_.empty() ? "0" : absl::StrJoin(arguments_, ", "),
         "};");
    Line(prefix_, "error = cudaLaunchKernel((const void *)", function, ", dim3(",
         grid.empty() ? "1" : absl::StrJoin(grid, ", "), "), dim3(", threads, "), ", prefix_, "arguments, ",
         FactsOf(program_, function).dynamic_shared_bytes, ", ", prefix_, "stream);");
    --indent_;
    Line("}");
  }

  void PassArray(const DeviceArray& array, bool writes) {
    const std::string type(ElementCType(array.type)),
        memory = absl::StrCat(prefix_, "memory[", array.index, "]");
    if (array.by_value) return Pass(type, absl::StrCat("*(const ", type, " *)", memory));
    const std::string pointer = absl::StrCat(writes ? "" : "const ", type, " *");
    Pass(pointer, absl::StrCat("(", pointer, ")", memory));
  }

  void PassNumber(const std::string& type, const std::string& value) {
    Pass(type, absl::StrCat("(", type, ")(", value, ")"));
  }

  void Pass(const std::string& type, const std::string& value) {
    const std::string name = absl::StrCat(prefix_, "argument", arguments_.size());
    Line(type, " ", name, " = ", value, ";");
    arguments_.push_back(absl::StrCat("(void *)&", name));
  }

  const SymbolicProgram& program_;
  const std::string prefix_;
  std::vector<std::string> arguments_;
};

std::string SpaceName(const SymbolicProgram& program) {
  return absl::StrCat("of_", program.launched[0].function);
}

std::string OfEachProgram(const char* text, const SymbolicPrograms& programs,
                          const ParametricRegion& region) {
  std::string all;
  for (size_t number = 0; number < programs.programs.size(); ++number)
    all += absl::StrReplaceAll(
        WithHelperPrefix(text, region.names),
        {{"NUMBER", absl::StrCat(number)}, {"CLASS", absl::StrCat(programs.programs[number].size_class)}});
  return all;
}

// A letter for each cell, as pieces of a literal.
std::string ClassesText(const std::vector<int>& classes) {
  constexpr size_t kOfLine = 100;
  std::string text;
  for (size_t i = 0; i < classes.size(); ++i) {
    if (i % kOfLine == 0) text += i == 0 ? "      \"" : "\"\n      \"";
    text += static_cast<char>('a' + classes[i]);
  }
  return text + "\";";
}

// Along each axis: a parameter's value, or the geometric mean of several. Negative ones are none.
std::string ValuesText(const SizeGrid& grid) {
  std::vector<std::string> values;
  for (const std::vector<std::string>& axis : grid.axes) {
    std::vector<std::string> factors;
    for (const std::string& parameter : axis)
      factors.push_back(absl::StrCat("(", parameter, " > 1 ? (double)", parameter, " : 1)"));
    const std::string product = absl::StrJoin(factors, " * ");
    values.push_back(axis.size() == 1 ? product
                                      : absl::StrCat("std::pow(", product, ", 1. / ", axis.size(), ")"));
  }
  return values.empty() ? "1" : absl::StrJoin(values, ", ");
}

}  // namespace

std::string SymbolicKernels(const SymbolicPrograms& programs) {
  std::string text;
  for (size_t number = 0; number < programs.programs.size(); ++number) {
    const SymbolicProgram& program = programs.programs[number];
    absl::StrAppend(&text, "// Program ", number, ", where ", ConditionsOfProgram(program), ".\nnamespace ",
                    SpaceName(program), " {\n", program.kernels, "}\n");
    for (const CudaKernelFacts& launched : program.launched)
      absl::StrAppend(&text, "using ", SpaceName(program), "::", launched.function, ";\n");
    text += "\n";
  }
  return text;
}

std::string SymbolicFunctions(const SymbolicPrograms& programs, const ParametricRegion& region) {
  if (programs.programs.empty()) return "";
  std::string text = kReady;
  for (size_t number = 0; number < programs.programs.size(); ++number) {
    const SymbolicProgram& program = programs.programs[number];
    text += absl::StrReplaceAll(WithHelperPrefix(kFunctions, region.names),
                                {{"NUMBER", absl::StrCat(number)},
                                 {"DEFINITIONS", SizeDefinitions(region, SizeChoice::kAll)},
                                 {"CONDITIONS", ConditionsText(program, HelperPrefix(region.names))},
                                 {"LAUNCHES", LaunchPrinter(program, region.names).Print()}});
  }
  return text +
         absl::StrReplaceAll(
             WithHelperPrefix(kProgramFor, region.names),
             {{"DEFINITIONS", SizeDefinitions(region, SizeChoice::kAll)},
              {"LIMITS", programs.grid.limits.empty() ? "0" : absl::StrJoin(programs.grid.limits, ", ")},
              {"CLASSES", ClassesText(programs.classes)},
              {"VALUES", ValuesText(programs.grid)},
              {"PROCESSORS", absl::StrCat(programs.processors, ".")},
              {"COUNT", absl::StrCat(programs.grid.sizes.size())},
              {"SIZES", absl::StrCat(SizeCount(region))},
              {"PLACES", absl::StrCat(region.scop.arrays_size())},
              {"CHOICES", OfEachProgram(kProgramIsFor, programs, region)}});
}

std::string SymbolicCalls(const SymbolicPrograms& programs, const ParametricRegion& region) {
  if (programs.programs.empty()) return "";
  return absl::StrCat(
      WithHelperPrefix("  switch (ProgramFor(tune_machine, tune_memory, tune_sizes)) {\n", region.names),
      OfEachProgram(kCall, programs, region), "    default:\n      break;\n  }\n");
}

}  // namespace tune
