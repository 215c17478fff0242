#include "common/tuned/tuned_kernel.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"
#include "common/expression/expression.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

constexpr int64_t kSharedWithoutAsking = int64_t{48} << 10;

// Of CUDA's vectors: "float" of float4. Empty: there are none.
std::string VectorStem(v1::NumberType type) {
  switch (type) {
    case v1::NUMBER_INT8:
      return "char";
    case v1::NUMBER_UINT8:
      return "uchar";
    case v1::NUMBER_INT16:
      return "short";
    case v1::NUMBER_UINT16:
      return "ushort";
    case v1::NUMBER_INT32:
      return "int";
    case v1::NUMBER_UINT32:
      return "uint";
    case v1::NUMBER_INT64:
      return "longlong";
    case v1::NUMBER_UINT64:
      return "ulonglong";
    case v1::NUMBER_FLOAT:
      return "float";
    case v1::NUMBER_DOUBLE:
      return "double";
    default:
      return "";
  }
}

std::string NumberName(v1::NumberType type) {
  switch (type) {
    case v1::NUMBER_BOOL:
      return "bool";
    case v1::NUMBER_INT8:
      return "signed char";
    case v1::NUMBER_UINT8:
      return "unsigned char";
    case v1::NUMBER_UINT16:
      return "unsigned short";
    case v1::NUMBER_UINT32:
      return "unsigned int";
    case v1::NUMBER_INT64:
      return "long long";
    case v1::NUMBER_UINT64:
      return "unsigned long long";
    case v1::NUMBER_CUSTOM:
    case v1::NUMBER_HALF:
      return "";
    default:
      return VectorStem(type);
  }
}

// Of an element; "void" where C++ has no name for it that needs no header.
std::string ElementType(const v1::KernelArgument& argument) {
  const int lanes = std::max(1, argument.lanes());
  std::string name;
  if (lanes == 1) name = NumberName(argument.type());
  if (lanes > 1 && lanes <= 4 && !VectorStem(argument.type()).empty())
    name = absl::StrCat(VectorStem(argument.type()), lanes);
  return name.empty() ? "void" : name;
}

// A number whose value the tuning parameters decide is none of the caller's.
bool IsDecided(const v1::KernelDefinition& definition, const v1::KernelArgument& argument) {
  if (MemoryOf(argument) != v1::ARGUMENT_SCALAR) return false;
  const absl::StatusOr<Expression> expression = Expression::Parse(argument.fill().constant());
  if (!expression.ok()) return false;
  const std::vector<std::string> names = expression->Names();
  return std::any_of(definition.parameters().begin(), definition.parameters().end(),
                     [&](const auto& parameter) {
                       return std::find(names.begin(), names.end(), parameter.name()) != names.end();
                     });
}

bool IsSymbol(const v1::KernelArgument& argument) { return MemoryOf(argument) == v1::ARGUMENT_SYMBOL; }

// Beside a variable of the source of the same name.
std::string ParameterName(const v1::KernelArgument& argument) {
  return IsSymbol(argument) ? absl::StrCat(argument.name(), "_values") : argument.name();
}

// `float *x`; of a number without a name in C++ a pointer to its bytes.
std::string Parameter(const v1::KernelArgument& argument) {
  const v1::ArgumentMemory memory = MemoryOf(argument);
  const std::string type = ElementType(argument), name = ParameterName(argument);
  if (memory == v1::ARGUMENT_TEXTURE) return absl::StrCat("cudaTextureObject_t ", name);
  if (memory == v1::ARGUMENT_SCALAR && type != "void") return absl::StrCat(type, " ", name);
  return absl::StrCat(IsOutput(argument) ? "" : "const ", type, " *", name);
}

// Of "blur::rows" what is declared: rows.
std::string LastName(const std::string& kernel) {
  const size_t colons = kernel.rfind("::");
  return colons == std::string::npos ? kernel : kernel.substr(colons + 2);
}

std::string WithTag(const std::string& name, absl::string_view tag) {
  return tag.empty() ? name : absl::StrCat(name, "_", tag);
}

class TunedKernelFile {
 public:
  TunedKernelFile(const v1::KernelDefinition& definition, const EvaluatedConfiguration& configuration,
                  absl::string_view tag)
      : definition_(definition), configuration_(configuration), tag_(tag) {}

  absl::StatusOr<std::string> Print(absl::string_view source, absl::string_view comment) {
    text_ = std::string(comment);
    for (const std::string& macro : configuration_.macros) {
      const size_t name = macro.find('=');
      absl::StrAppend(&text_, "#define ", macro.substr(0, name), " ", macro.substr(name + 1), "\n");
    }
    PrintNames();
    absl::StrAppend(&text_, "\n", source, source.empty() || source.back() == '\n' ? "" : "\n",
                    "\n#include <cuda_runtime.h>\n\n");
    PrintComment();
    absl::StrAppend(&text_, TunedKernelDeclaration(definition_, tag_),
                    " {\n  cudaError_t error = cudaSuccess;\n");
    PrintDecided();
    TUNE_RETURN_IF_ERROR(PrintSymbols(/*back=*/false));
    for (const EvaluatedLaunch& launch : configuration_.launches) TUNE_RETURN_IF_ERROR(PrintLaunch(launch));
    TUNE_RETURN_IF_ERROR(PrintSymbols(/*back=*/true));
    absl::StrAppend(&text_, "  return error;\n}\n");
    return std::move(text_);
  }

 private:
  // Kernels have names for linkers, and what is in front of the source renames them in all of it.
  void PrintNames() {
    if (tag_.empty()) return;
    std::set<std::string> names;
    for (const EvaluatedKernel& kernel : configuration_.kernels) names.insert(LastName(kernel.name));
    for (const std::string& name : names)
      absl::StrAppend(&text_, "#define ", name, " ", WithTag(name, tag_), "\n");
  }

  void PrintComment() {
    std::vector<std::string> sizes;
    for (const v1::ProblemSize& size : definition_.problem()) {
      if (!size.name().empty()) sizes.push_back(absl::StrCat(size.name(), " = ", size.size()));
    }
    if (configuration_.graphics_clock_mhz > 0)
      absl::StrAppend(&text_, "// Measured at a graphics clock of ", configuration_.graphics_clock_mhz,
                      " MHz, which is for you to set.\n");
    absl::StrAppend(&text_, "// Launches the kernels on the stream as they were measured",
                    sizes.empty() ? "" : absl::StrCat(", for ", absl::StrJoin(sizes, ", "), " alone"),
                    ".\n// Pointers are to device memory. The first error of CUDA, or cudaSuccess.\n");
  }

  void PrintDecided() {
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      const auto value = configuration_.scalars.find(argument.name());
      if (!IsDecided(definition_, argument) || value == configuration_.scalars.end()) continue;
      if (ElementType(argument) == "void") continue;
      absl::StrAppend(&text_, "  ", ElementType(argument), " ", argument.name(), " = ",
                      PrintValue(value->second), ";\n");
    }
  }

  absl::Status PrintSymbols(bool back) {
    TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition_));
    const NamedValues study = StudyNames(definition_, problem);
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      const std::string symbol = IsSymbol(argument) ? argument.name() : argument.copied_to_symbol();
      if (symbol.empty() || (back && !(IsSymbol(argument) && IsOutput(argument)))) continue;
      TUNE_ASSIGN_OR_RETURN(const int64_t count, CountOf(argument, study));
      const std::string values = ParameterName(argument);
      absl::StrAppend(&text_, "  error = cudaMemcpy", back ? "From" : "To", "SymbolAsync(",
                      back ? absl::StrCat(values, ", ", symbol) : absl::StrCat(symbol, ", ", values), ", ",
                      count * ElementBytes(argument), ", 0, cudaMemcpyDeviceToDevice, stream);\n",
                      kReturnError);
    }
    return absl::OkStatus();
  }

  absl::Status PrintLaunch(const EvaluatedLaunch& launch) {
    const auto kernel = std::find_if(configuration_.kernels.begin(), configuration_.kernels.end(),
                                     [&](const EvaluatedKernel& each) { return each.name == launch.kernel; });
    TUNE_ASSIGN_OR_RETURN(const auto arguments,
                          ArgumentsOf(definition_, KernelNamed(definition_, launch.kernel)));
    std::vector<std::string> pointers;
    for (const v1::KernelArgument* argument : arguments) {
      const bool is_pointer = MemoryOf(*argument) == v1::ARGUMENT_SCALAR && ElementType(*argument) == "void";
      pointers.push_back(absl::StrCat("(void *)", is_pointer ? "" : "&", argument->name()));
    }
    if (pointers.empty()) pointers.emplace_back("nullptr");
    absl::StrAppend(&text_, "  {\n    const void *const kernel = (const void *)&", kernel->expression,
                    ";\n    void *arguments[] = {", absl::StrJoin(pointers, ", "), "};\n");
    if (launch.shared_bytes > kSharedWithoutAsking) {
      absl::StrAppend(&text_,
                      "    error = cudaFuncSetAttribute(kernel, "
                      "cudaFuncAttributeMaxDynamicSharedMemorySize, ",
                      launch.shared_bytes, ");\n  ", kReturnError);
    }
    const std::string again = launch.times == 1 ? ""
                                                : absl::StrCat("for (long turn = 0; turn < ", launch.times,
                                                               " && error == cudaSuccess; turn++)\n      ");
    absl::StrAppend(&text_, "    ", again, "error = cudaLaunchKernel(kernel, dim3(",
                    absl::StrJoin(launch.grid, ", "), "), dim3(", absl::StrJoin(launch.block, ", "),
                    "), arguments, ", launch.shared_bytes, ", stream);\n  ", kReturnError, "  }\n");
    return absl::OkStatus();
  }

  static constexpr char kReturnError[] = "  if (error != cudaSuccess) return error;\n";

  const v1::KernelDefinition& definition_;
  const EvaluatedConfiguration& configuration_;
  const absl::string_view tag_;
  std::string text_;
};

}  // namespace

std::vector<std::string> TunedKernelFlags(const v1::KernelDefinition& definition,
                                          const v1::Program& program) {
  std::vector<std::string> flags(program.compile_flags().begin(), program.compile_flags().end());
  flags.insert(flags.end(), definition.compiler_options().begin(), definition.compiler_options().end());
  for (const std::string& define : program.defines()) flags.push_back("-D" + define);
  for (const std::string& folder : program.include_directories()) flags.push_back("-I" + folder);
  return flags;
}

std::string TunedKernelFunction(const v1::KernelDefinition& definition, absl::string_view tag) {
  return WithTag(absl::StrCat("tuned_", LastName(definition.kernels(0).name())), tag);
}

std::vector<TunedKernelParameter> TunedKernelParameters(const v1::KernelDefinition& definition) {
  std::vector<TunedKernelParameter> parameters;
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (MemoryOf(argument) == v1::ARGUMENT_LOCAL) continue;
    if (!IsDecided(definition, argument) || ElementType(argument) == "void")
      parameters.push_back({Parameter(argument), ParameterName(argument)});
  }
  return parameters;
}

std::string TunedKernelDeclaration(const v1::KernelDefinition& definition, absl::string_view tag) {
  std::string text =
      absl::StrCat("cudaError_t ", TunedKernelFunction(definition, tag), "(cudaStream_t stream");
  for (const TunedKernelParameter& parameter : TunedKernelParameters(definition))
    absl::StrAppend(&text, ", ", parameter.declaration);
  return text + ")";
}

absl::StatusOr<std::string> PrintTunedKernelFile(const v1::KernelDefinition& definition,
                                                 const EvaluatedConfiguration& configuration,
                                                 absl::string_view source, absl::string_view comment,
                                                 absl::string_view tag) {
  return TunedKernelFile(definition, configuration, tag).Print(source, comment);
}

}  // namespace tune
