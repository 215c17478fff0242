#include "worker/kernels/device_adapter.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/argument_form.h"
#include "worker/kernels/argument_values.h"
#include "worker/print/launch_sequence_printer.h"

namespace tune {
namespace {

// Of the compiler's own words, so that it does with any standard and without headers.
constexpr char kCheckPrelude[] = R"(
namespace tune_check {
template <class Function>
struct Count;
template <class... Types>
struct Count<void (*)(Types...)> {
  static constexpr int value = sizeof...(Types);
};
template <int index, class Function>
struct Parameter;
template <int index, class First, class... Others>
struct Parameter<index, void (*)(First, Others...)> : Parameter<index - 1, void (*)(Others...)> {};
template <class First, class... Others>
struct Parameter<0, void (*)(First, Others...)> {
  static constexpr unsigned long long size = sizeof(First);
  static constexpr bool is_pointer = false;
};
template <class Target, class... Others>
struct Parameter<0, void (*)(Target*, Others...)> {
  static constexpr unsigned long long size = sizeof(Target*);
  static constexpr bool is_pointer = true;
};
)";

constexpr int kPointerBytes = 8;

// In a literal of C.
std::string Quoted(absl::string_view text) {
  std::string quoted;
  for (const char c : EscapeLine(text)) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted;
}

class DeviceAdapter {
 public:
  DeviceAdapter(const v1::KernelDefinition& definition, const EvaluatedConfiguration& configuration)
      : definition_(definition), configuration_(configuration) {}

  absl::StatusOr<DeviceText> Print(const std::string& file) {
    if (file.find_first_of("\"\\\n") != std::string::npos) {
      return absl::InvalidArgumentError(absl::StrCat(
          "file ", EscapeLine(file), ": rename it; a name with quotes or backslashes cannot be included"));
    }
    text_.macros = configuration_.macros;
    text_.candidate.set_graphics_clock_mhz(configuration_.graphics_clock_mhz);
    TUNE_RETURN_IF_ERROR(AddArrays());
    for (const EvaluatedKernel& kernel : configuration_.kernels) AddKernel(kernel);
    TUNE_RETURN_IF_ERROR(PrintChecks());
    text_.unit = absl::StrCat("#include \"", file, "\"\n", checks_);
    TUNE_RETURN_IF_ERROR(PrintScalars());
    std::string body;
    for (const EvaluatedLaunch& launch : configuration_.launches) {
      TUNE_ASSIGN_OR_RETURN(const std::string text, PrintLaunch(launch));
      absl::StrAppend(&body, text);
    }
    text_.launches = LaunchSequenceText(scalars_, body);
    return std::move(text_);
  }

 private:
  absl::Status AddArrays() {
    TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition_));
    study_ = StudyNames(definition_, problem);
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      if (!IsArray(argument)) continue;
      places_[argument.name()] = text_.candidate.arrays_size();
      TUNE_ASSIGN_OR_RETURN(const int64_t count, CountOf(argument, study_));
      v1::CudaArray& array = *text_.candidate.add_arrays();
      array.set_name(argument.name());
      array.set_bytes(count * ElementBytes(argument));
      const v1::ArgumentMemory memory = MemoryOf(argument);
      if (memory == v1::ARGUMENT_SYMBOL) array.set_symbol(argument.name());
      if (memory == v1::ARGUMENT_SYMBOL) array.set_symbol_is_output(IsOutput(argument));
      if (!argument.copied_to_symbol().empty()) array.set_symbol(argument.copied_to_symbol());
      if (memory == v1::ARGUMENT_TEXTURE) TUNE_RETURN_IF_ERROR(AddTexture(argument));
    }
    return absl::OkStatus();
  }

  absl::Status AddTexture(const v1::KernelArgument& argument) {
    v1::CudaTexture& texture = *text_.candidate.add_textures();
    texture.set_array(places_.at(argument.name()));
    v1::TextureForm& form = *texture.mutable_form();
    form.set_type(argument.type());
    form.set_lanes(std::max(1, argument.lanes()));
    for (const std::string& extent : argument.texture().extents()) {
      TUNE_ASSIGN_OR_RETURN(const int64_t value, EvaluateWholeText(extent, study_, 1, INT32_MAX));
      form.add_extents(value);
    }
    form.set_linear(argument.texture().linear());
    form.set_address(argument.texture().address());
    form.set_normalized(argument.texture().normalized());
    return absl::OkStatus();
  }

  void AddKernel(const EvaluatedKernel& kernel) {
    text_.kernels.push_back(kernel.expression);
    v1::CudaKernel& entry = *text_.candidate.add_kernels();
    for (const EvaluatedLaunch& launch : configuration_.launches) {
      if (launch.kernel == kernel.name) entry.set_dynamic_shared_bytes(launch.shared_bytes);
    }
  }

  absl::Status PrintChecks() {
    checks_ = kCheckPrelude;
    for (size_t k = 0; k < configuration_.kernels.size(); ++k) {
      const EvaluatedKernel& kernel = configuration_.kernels[k];
      TUNE_ASSIGN_OR_RETURN(const auto arguments,
                            ArgumentsOf(definition_, KernelNamed(definition_, kernel.name)));
      const std::string type = absl::StrCat("Kernel", k);
      absl::StrAppend(&checks_, "typedef decltype(&::", kernel.expression, ") ", type, ";\n");
      const auto name = [](std::string* out, const v1::KernelArgument* a) { out->append(a->name()); };
      absl::StrAppend(&checks_, "static_assert(Count<", type, ">::value == ", arguments.size(), ", \"kernel ",
                      Quoted(kernel.name), " takes another number of arguments than the ", arguments.size(),
                      " that it is given: ", Quoted(absl::StrJoin(arguments, ", ", name)), "\");\n");
      for (size_t i = 0; i < arguments.size(); ++i) PrintCheck(kernel, type, i, *arguments[i]);
    }
    absl::StrAppend(&checks_, "}\n");
    return absl::OkStatus();
  }

  void PrintCheck(const EvaluatedKernel& kernel, const std::string& type, size_t index,
                  const v1::KernelArgument& argument) {
    const v1::ArgumentMemory memory = MemoryOf(argument);
    const bool is_pointer = memory == v1::ARGUMENT_VECTOR;
    const int64_t bytes = memory == v1::ARGUMENT_SCALAR ? ElementBytes(argument) : kPointerBytes;
    const std::string parameter = absl::StrCat("Parameter<", index, ", ", type, ">");
    absl::StrAppend(&checks_, "static_assert(", parameter, "::size == ", bytes, " && ", is_pointer ? "" : "!",
                    parameter, "::is_pointer, \"kernel ", Quoted(kernel.name),
                    " takes something else as argument ", index + 1, " than ", Quoted(argument.name()), ", ",
                    is_pointer                      ? "an array"
                    : memory == v1::ARGUMENT_SCALAR ? absl::StrCat("a number of ", bytes, " bytes")
                                                    : "a texture object",
                    "\");\n");
  }

  // A constant of each scalar, with the bytes of its elements.
  absl::Status PrintScalars() {
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      if (MemoryOf(argument) != v1::ARGUMENT_SCALAR) continue;
      const auto value = configuration_.scalars.find(argument.name());
      if (value == configuration_.scalars.end())
        return absl::InvalidArgumentError(absl::StrCat(ArgumentText(argument), ": a scalar needs a value"));
      const std::string bytes = ScalarBytes(argument, value->second);
      const auto print = [](std::string* out, char c) {
        absl::StrAppend(out, static_cast<unsigned>(static_cast<unsigned char>(c)));
      };
      absl::StrAppend(&scalars_, "static _Alignas(16) unsigned char tune_scalar_", argument.name(), "[] = {",
                      absl::StrJoin(bytes, ", ", print), "};\n");
    }
    return absl::OkStatus();
  }

  std::string ArgumentPointer(const v1::KernelArgument& argument) const {
    if (MemoryOf(argument) == v1::ARGUMENT_SCALAR)
      return absl::StrCat("(void *)tune_scalar_", argument.name());
    const int place = places_.at(argument.name());
    const bool is_texture = MemoryOf(argument) == v1::ARGUMENT_TEXTURE;
    return absl::StrCat("(void *)&memory[", is_texture ? text_.candidate.arrays_size() + place : place, "]");
  }

  absl::StatusOr<std::string> PrintLaunch(const EvaluatedLaunch& launch) const {
    TUNE_ASSIGN_OR_RETURN(const auto arguments,
                          ArgumentsOf(definition_, KernelNamed(definition_, launch.kernel)));
    const auto kernel = std::find_if(configuration_.kernels.begin(), configuration_.kernels.end(),
                                     [&](const EvaluatedKernel& each) { return each.name == launch.kernel; });
    std::vector<std::string> pointers;
    for (const v1::KernelArgument* argument : arguments) pointers.push_back(ArgumentPointer(*argument));
    if (pointers.empty()) pointers.emplace_back("0");
    const std::string again = launch.times == 1 ? "  {\n"
                                                : absl::StrCat("  for (long tune_turn = 0; tune_turn < ",
                                                               launch.times, "; tune_turn++) {\n");
    return absl::StrCat(again, "    void *arguments[] = {", absl::StrJoin(pointers, ", "), "};\n",
                        "    const struct tune_launch one = {", kernel - configuration_.kernels.begin(),
                        ", {", absl::StrJoin(launch.grid, ", "), "}, {", absl::StrJoin(launch.block, ", "),
                        "}, arguments};\n    launch(context, &one);\n  }\n");
  }

  const v1::KernelDefinition& definition_;
  const EvaluatedConfiguration& configuration_;
  NamedValues study_;
  std::map<std::string, int> places_;  // of arrays, by name
  std::string checks_, scalars_;
  DeviceText text_;
};

}  // namespace

absl::StatusOr<DeviceText> PrintDeviceText(const v1::KernelDefinition& definition, const std::string& file,
                                           const EvaluatedConfiguration& configuration) {
  return DeviceAdapter(definition, configuration).Print(file);
}

absl::Status CheckLaunches(const EvaluatedConfiguration& configuration, const v1::Device& device) {
  const v1::CudaDevice& facts = device.cuda();
  for (const EvaluatedLaunch& launch : configuration.launches) {
    const auto refuse = [&](int64_t has, const char* what, int64_t most) {
      return absl::InvalidArgumentError(absl::StrCat("kernel ", EscapeLine(launch.kernel), ": ", has, what,
                                                     device.model(), " takes ", most));
    };
    const int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    if (facts.max_threads_per_block() > 0 && threads > facts.max_threads_per_block())
      return refuse(threads, " threads a block; ", facts.max_threads_per_block());
    const int64_t most_shared =
        std::max(facts.shared_bytes_per_block_optin(), facts.shared_bytes_per_block());
    if (most_shared > 0 && launch.shared_bytes > most_shared)
      return refuse(launch.shared_bytes, " bytes of dynamic shared memory a block; ", most_shared);
  }
  return absl::OkStatus();
}

}  // namespace tune
