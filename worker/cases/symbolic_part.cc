#include "worker/cases/symbolic_part.h"

#include <stdexcept>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "common/array/element_type.h"
#include "worker/cases/case_arguments.h"
#include "worker/cases/case_call.h"
#include "worker/cases/plain_expression.h"
#include "worker/print/block_printer.h"

namespace tune {
namespace {

// Words in capitals are replaced; names that begin with `tune_` begin as the region's helpers do.
constexpr char kFunctions[] =
    R"(// Whether program NUMBER is for the sizes and has blocks enough for the device.
bool IsForProgramNUMBER(const Machine &tune_machine, void *const *tune_memory, const long long *tune_sizes) {
DEFINITIONS  if (!(REQUIREMENT)) return false;
ARRAYSKERNELS  (void)tune_memory;
  return true;
}

cudaError_t LaunchProgramNUMBER(void *const *tune_memory, const long long *tune_sizes, cudaStream_t tune_stream) {
DEFINITIONS  cudaError_t tune_error = cudaSuccess;
LAUNCHES  (void)tune_memory;
  (void)tune_stream;
  return tune_error;
}

)";

constexpr char kCall[] =
    R"(  if (IsForProgramNUMBER(tune_machine, tune_memory, tune_sizes))
    return LaunchProgramNUMBER(tune_memory, tune_sizes, tune_stream);
)";

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
    const auto* const launch = node.As<Launch>();
    if (launch == nullptr) throw std::logic_error("a host has no such node");
    const DeviceKernel& kernel = program_.device.kernels[launch->kernel];
    arguments_.clear();
    Line("if (", prefix_, "error == cudaSuccess) {");
    ++indent_;
    for (const KernelArray& used : kernel.arrays) PassArray(program_.device.arrays[used.array], used);
    const auto pass = [&](const std::string& value) {
      Pass(kernel.index_type, absl::StrCat("(", kernel.index_type, ")(", value, ")"));
    };
    for (const std::string& size : kernel.sizes) pass(size);
    for (const IndexExpression& value : launch->host) pass(Text(value));
    for (size_t axis = 0; axis < launch->first.size(); ++axis)
      if (!kernel.axes[axis].first_is_constant) pass(Text(launch->first[axis]));
    std::vector<std::string> grid;
    for (const IndexExpression& count : launch->count)
      grid.push_back(absl::StrCat("(unsigned)(", Text(count), ")"));
    Line("void *", prefix_, "arguments[] = {", arguments_.empty() ? "0" : absl::StrJoin(arguments_, ", "),
         "};");
    Line(prefix_, "error = cudaLaunchKernel((const void *)", kernel.function, ", dim3(",
         grid.empty() ? "1" : absl::StrJoin(grid, ", "), "), dim3(", absl::StrJoin(kernel.threads, ", "),
         "), ", prefix_, "arguments, ", kernel.given_shared_bytes, ", ", prefix_, "stream);");
    --indent_;
    Line("}");
  }

  void PassArray(const DeviceArray& array, const KernelArray& used) {
    const std::string type(ElementCType(array.type)),
        memory = absl::StrCat(prefix_, "memory[", array.index, "]");
    if (array.by_value) return Pass(type, absl::StrCat("*(const ", type, " *)", memory));
    const std::string pointer = absl::StrCat(used.writes ? "" : "const ", type, " *");
    Pass(pointer, absl::StrCat("(", pointer, ")", memory));
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

// Arrays of which indices are `int`, at addresses from which several elements can be loaded at once.
std::string ArrayConditions(const SymbolicProgram& program, const std::string& prefix) {
  std::string text;
  for (const DeviceArray& array : program.device.arrays) {
    if (array.extent_names.empty()) continue;
    absl::StrAppend(&text, "  if (", absl::StrJoin(array.extent_names, " < 1 || "), " < 1 || (double)",
                    absl::StrJoin(array.extent_names, " * (double)"), " > ", kMostElements,
                    ".) return false;\n");
    const int64_t alignment = program.alignments[array.index];
    if (alignment > static_cast<int64_t>(ElementSize(array.type)))
      absl::StrAppend(&text, "  if ((size_t)", prefix, "memory[", array.index, "] % ", alignment,
                      " != 0) return false;\n");
  }
  return text;
}

// That a block can have what it needs, and that there are enough of them.
std::string KernelConditions(const SymbolicProgram& program, const std::string& prefix) {
  std::string text;
  for (size_t i = 0; i < program.device.kernels.size(); ++i) {
    const DeviceKernel& kernel = program.device.kernels[i];
    std::vector<std::string> blocks = {"1."};
    for (const IndexExpression& count : program.most_blocks[i])
      blocks.push_back(absl::StrCat("(", PlainText(count), ")"));
    const std::string machine = prefix + "machine",
                      function = absl::StrCat("(const void *)", kernel.function);
    absl::StrAppend(&text, "  if (2 * ", absl::StrJoin(blocks, " * "), " < ", machine,
                    ".processors) return false;\n");
    absl::StrAppend(&text, "  if (", machine, ".threads < ", kernel.ThreadCount(), " || MostThreads(",
                    machine, ", ", function, ") < ", kernel.ThreadCount(), ") return false;\n");
    const auto set = [&](const char* attribute, int64_t value) {
      absl::StrAppend(&text, "  if (cudaFuncSetAttribute(", function, ", cudaFuncAttribute", attribute, ", ",
                      value, ") != cudaSuccess) {\n    cudaGetLastError();\n    return false;\n  }\n");
    };
    if (kernel.carveout >= 0) set("PreferredSharedMemoryCarveout", kernel.carveout);
    if (kernel.given_shared_bytes > 0) {
      set("MaxDynamicSharedMemorySize", kernel.given_shared_bytes);
    } else {
      absl::StrAppend(&text, "  if (", machine, ".shared < ", kernel.SharedBytes(), ") return false;\n");
    }
  }
  return text;
}

std::string SpaceName(const SymbolicProgram& program) {
  return absl::StrCat("of_", program.device.kernels[0].function);
}

}  // namespace

std::string SymbolicKernels(const std::vector<SymbolicProgram>& programs) {
  std::string text;
  for (size_t number = 0; number < programs.size(); ++number) {
    const SymbolicProgram& program = programs[number];
    absl::StrAppend(&text, "// Program ", number, ", where ", PlainText(program.requirement),
                    ", the largest launch of each kernel has a block for every other\n"
                    "// multiprocessor at least, and no array has more elements than `int` counts; the cases "
                    "elsewhere.\nnamespace ",
                    SpaceName(program), " {\n", program.kernels, "}\n");
    for (const DeviceKernel& kernel : program.device.kernels)
      absl::StrAppend(&text, "using ", SpaceName(program), "::", kernel.function, ";\n");
    text += "\n";
  }
  return text;
}

std::string SymbolicFunctions(const std::vector<SymbolicProgram>& programs, const ParametricRegion& region) {
  std::string text;
  for (size_t number = 0; number < programs.size(); ++number) {
    const SymbolicProgram& program = programs[number];
    text += absl::StrReplaceAll(WithHelperPrefix(kFunctions, region.names),
                                {{"NUMBER", absl::StrCat(number)},
                                 {"DEFINITIONS", SizeDefinitions(region, SizeChoice::kAll)},
                                 {"REQUIREMENT", PlainText(program.requirement)},
                                 {"ARRAYS", ArrayConditions(program, HelperPrefix(region.names))},
                                 {"KERNELS", KernelConditions(program, HelperPrefix(region.names))},
                                 {"LAUNCHES", LaunchPrinter(program, region.names).Print()}});
  }
  return text;
}

std::string SymbolicCalls(const std::vector<SymbolicProgram>& programs, const ParametricRegion& region) {
  std::string text;
  for (size_t number = 0; number < programs.size(); ++number) {
    text += absl::StrReplaceAll(WithHelperPrefix(kCall, region.names), {{"NUMBER", absl::StrCat(number)}});
  }
  return text;
}

}  // namespace tune
