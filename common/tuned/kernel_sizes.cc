#include "common/tuned/kernel_sizes.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/kernel_definition/argument_form.h"
#include "common/kernel_definition/definition_names.h"
#include "common/tuned/tuned_kernel.h"

namespace tune {
namespace {

std::string NameOfSize(const v1::KernelDefinition& definition, int place) {
  const std::string& name = definition.problem(place).name();
  return name.empty() ? absl::StrCat("size", place) : name;
}

absl::StatusOr<std::vector<int64_t>> SizesOf(const v1::KernelDefinition& definition) {
  std::vector<int64_t> values;
  TUNE_ASSIGN_OR_RETURN(const NamedValues names, ProblemNames(definition));
  const auto sizes = names.find(kProblemSize);
  if (sizes == names.end()) return values;
  for (const Value& value : sizes->second.list()) values.push_back(value.whole());
  return values;
}

// The argument of the launch function that tells a size: a number that is given nothing but it. Empty: none.
std::string ArgumentOfSize(const v1::KernelDefinition& definition, int place) {
  const std::string& name = definition.problem(place).name();
  for (const TunedKernelParameter& parameter : TunedKernelParameters(definition)) {
    for (const v1::KernelArgument& argument : definition.arguments()) {
      const bool is_number =
          MemoryOf(argument) == v1::ARGUMENT_SCALAR && parameter.declaration.find('*') == std::string::npos;
      if (argument.name() == parameter.name && is_number && !name.empty() &&
          absl::StripAsciiWhitespace(argument.fill().constant()) == name)
        return parameter.name;
    }
  }
  return "";
}

// Each size in which they differ, and what tells it.
std::vector<std::pair<int, std::string>> TellingArguments(const v1::KernelDefinition& definition,
                                                          const std::vector<KernelSize>& sizes) {
  std::vector<std::pair<int, std::string>> arguments;
  for (const auto& [place, value] : sizes[0].values) {
    const std::string argument = ArgumentOfSize(definition, place);
    arguments.emplace_back(place, argument.empty() ? NameOfSize(definition, place) + "_size" : argument);
  }
  return arguments;
}

std::string ListOf(const std::vector<KernelSize>& sizes) {
  const auto print = [](std::string* out, const KernelSize& size) { out->append(size.text); };
  return absl::StrJoin(sizes, "; or ", print);
}

}  // namespace

absl::StatusOr<std::vector<KernelSize>> FindKernelSizes(
    const std::vector<const v1::KernelDefinition*>& definitions) {
  std::vector<std::vector<int64_t>> all;
  for (const v1::KernelDefinition* definition : definitions) {
    TUNE_ASSIGN_OR_RETURN(std::vector<int64_t> values, SizesOf(*definition));
    all.push_back(std::move(values));
  }
  if (std::set<std::vector<int64_t>>(all.begin(), all.end()).size() < all.size())
    return absl::InvalidArgumentError("two studies are of kernels at the same sizes");
  std::vector<KernelSize> sizes(definitions.size());
  for (size_t place = 0; place < all[0].size(); ++place) {
    const auto same = [&](const std::vector<int64_t>& values) { return values[place] == all[0][place]; };
    if (std::all_of(all.begin(), all.end(), same)) continue;
    for (size_t i = 0; i < all.size(); ++i) {
      const std::string name = NameOfSize(*definitions[0], static_cast<int>(place));
      const bool named = !definitions[0]->problem(static_cast<int>(place)).name().empty();
      sizes[i].values.emplace_back(static_cast<int>(place), all[i][place]);
      absl::StrAppend(&sizes[i].tag, sizes[i].tag.empty() ? "" : "_", name, named ? "" : "_", all[i][place]);
      absl::StrAppend(&sizes[i].text, sizes[i].text.empty() ? "" : ", ", name, " = ", all[i][place]);
    }
  }
  return sizes;
}

std::vector<std::string> SizeMacrosOf(const v1::KernelDefinition& definition, const KernelSize& size) {
  std::vector<std::string> macros;
  for (const auto& [place, value] : size.values)
    macros.push_back(absl::StrCat("-DTUNED_", NameOfSize(definition, place), "=", value));
  return macros;
}

std::string PrintSizedHeaders(const v1::KernelDefinition& definition, const std::vector<KernelSize>& sizes,
                              const std::vector<std::string>& headers, absl::string_view name) {
  std::string text;
  std::vector<std::string> told;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<std::string> conditions;
    for (const auto& [place, value] : sizes[i].values)
      conditions.push_back(absl::StrCat("TUNED_", NameOfSize(definition, place), " == ", value));
    absl::StrAppend(&text, i == 0 ? "#if " : "#elif ", absl::StrJoin(conditions, " && "), "\n", headers[i]);
    told.push_back(absl::StrJoin(SizeMacrosOf(definition, sizes[i]), " "));
  }
  return absl::StrCat(text, "#else\n#error ", name, " has macros of some sizes alone: say one with ",
                      absl::StrJoin(told, " or "), "\n#endif\n");
}

std::string JoinedTags(const std::string& device, const std::string& size) {
  return absl::StrCat(device, device.empty() || size.empty() ? "" : "_", size);
}

std::string KernelDispatchDeclaration(const v1::KernelDefinition& definition,
                                      const std::vector<KernelSize>& sizes, const std::string& tag) {
  std::string text =
      absl::StrCat("cudaError_t ", TunedKernelFunction(definition, tag), "(cudaStream_t stream");
  for (const auto& [place, argument] : TellingArguments(definition, sizes))
    if (ArgumentOfSize(definition, place).empty()) absl::StrAppend(&text, ", long long ", argument);
  for (const TunedKernelParameter& parameter : TunedKernelParameters(definition))
    absl::StrAppend(&text, ", ", parameter.declaration);
  return text + ")";
}

std::vector<std::string> KernelDispatchArguments(const v1::KernelDefinition& definition,
                                                 const std::vector<KernelSize>& sizes) {
  std::vector<std::string> arguments = {"stream"};
  for (const auto& [place, argument] : TellingArguments(definition, sizes))
    if (ArgumentOfSize(definition, place).empty()) arguments.push_back(argument);
  for (const TunedKernelParameter& parameter : TunedKernelParameters(definition))
    arguments.push_back(parameter.name);
  return arguments;
}

std::string PrintKernelDispatch(const v1::KernelDefinition& definition, const std::vector<KernelSize>& sizes,
                                absl::string_view comment, const std::string& tag) {
  std::string text = absl::StrCat(comment, "#include <cuda_runtime.h>\n\n");
  for (const KernelSize& size : sizes)
    absl::StrAppend(&text, TunedKernelDeclaration(definition, JoinedTags(tag, size.tag)), ";\n");
  absl::StrAppend(
      &text, "\n// For ", ListOf(sizes),
      ". At any other size cudaErrorInvalidValue.\n// In the files of the sizes functions beside the kernels "
      "must be static, inline or templates.\n",
      KernelDispatchDeclaration(definition, sizes, tag), " {\n");
  std::string arguments = "stream";
  for (const TunedKernelParameter& parameter : TunedKernelParameters(definition))
    absl::StrAppend(&arguments, ", ", parameter.name);
  const auto telling = TellingArguments(definition, sizes);
  for (const KernelSize& size : sizes) {
    std::vector<std::string> conditions;
    for (size_t i = 0; i < size.values.size(); ++i)
      conditions.push_back(absl::StrCat(telling[i].second, " == ", size.values[i].second));
    absl::StrAppend(&text, "  if (", absl::StrJoin(conditions, " && "), ")\n    return ",
                    TunedKernelFunction(definition, JoinedTags(tag, size.tag)), "(", arguments, ");\n");
  }
  return absl::StrCat(text, "  return cudaErrorInvalidValue;\n}\n");
}

}  // namespace tune
