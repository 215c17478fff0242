#include "common/kernel_definition/launch.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"
#include "common/expression/value_text.h"
#include "common/kernel_definition/argument_form.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

constexpr const char* kDimensions[] = {"x", "y", "z"};

std::string KernelText(const v1::KernelFunction& kernel) {
  return absl::StrCat("kernel ", EscapeLine(kernel.name()));
}

absl::Status EvaluateBlock(const v1::KernelFunction& kernel, const NamedValues& names,
                           std::array<int64_t, 3>* block) {
  int64_t threads = 1;
  for (int d = 0; d < std::min(3, kernel.block_size()); ++d) {
    const int64_t most = d == 2 ? kMostBlockDepth : kMostBlockThreads;
    const absl::StatusOr<int64_t> size = EvaluateWholeText(kernel.block(d), names, 1, most);
    if (!size.ok())
      return Annotate(size.status(), absl::StrCat(KernelText(kernel), ": block ", kDimensions[d]));
    (*block)[d] = *size;
    threads *= *size;
  }
  if (threads <= kMostBlockThreads) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(KernelText(kernel), ": a block of ",
                                                 absl::StrJoin(*block, " x "), " has ", threads,
                                                 " threads, more than ", kMostBlockThreads));
}

absl::Status SetGrid(const v1::KernelFunction& kernel, int d, int64_t size, bool in_threads,
                     EvaluatedLaunch* launch) {
  const int64_t block = launch->block[d];
  const int64_t blocks = in_threads ? (size + block - 1) / block : size;
  const int64_t most = d == 0 ? kMostGridWidth : kMostGridHeight;
  if (blocks > most) {
    return absl::InvalidArgumentError(absl::StrCat(KernelText(kernel), ": grid ", kDimensions[d], ": ",
                                                   blocks, " blocks, more than ", most));
  }
  launch->grid[d] = blocks;
  return absl::OkStatus();
}

absl::Status EvaluateGrid(const v1::KernelFunction& kernel, const NamedValues& names,
                          EvaluatedLaunch* launch) {
  const bool in_threads = kernel.grid_unit() == v1::GRID_UNIT_THREADS;
  for (int d = 0; d < std::min(3, kernel.grid_size()); ++d) {
    const absl::StatusOr<int64_t> size = EvaluateWholeText(kernel.grid(d), names, 1, kMostProblemSize);
    if (!size.ok())
      return Annotate(size.status(), absl::StrCat(KernelText(kernel), ": grid ", kDimensions[d]));
    TUNE_RETURN_IF_ERROR(SetGrid(kernel, d, *size, in_threads, launch));
  }
  if (kernel.grid_size() > 0) return absl::OkStatus();
  const auto problem = names.find(kProblemSize);
  if (problem == names.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat(KernelText(kernel), ": there is neither a grid nor a problem size to make one of"));
  }
  const std::vector<Value>& sizes = problem->second.list();
  for (size_t d = 0; d < std::min<size_t>(3, sizes.size()); ++d)
    TUNE_RETURN_IF_ERROR(SetGrid(kernel, static_cast<int>(d), sizes[d].whole(), true, launch));
  return absl::OkStatus();
}

// Dynamic shared memory, with what LOCAL arguments take of it.
absl::Status CheckSharedBytes(const EvaluatedLaunch& launch) {
  if (launch.shared_bytes <= kMostSharedBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("kernel ", EscapeLine(launch.kernel), ": ", launch.shared_bytes,
                   " bytes of dynamic shared memory, more than ", kMostSharedBytes));
}

absl::Status AddLocalArguments(const v1::KernelDefinition& definition, const NamedValues& names,
                               EvaluatedLaunch* launch) {
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (MemoryOf(argument) != v1::ARGUMENT_LOCAL) continue;
    TUNE_ASSIGN_OR_RETURN(const int64_t count, CountOf(argument, names));
    launch->shared_bytes += count * ElementBytes(argument);
    TUNE_RETURN_IF_ERROR(CheckSharedBytes(*launch));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> EvaluateMacros(const v1::KernelDefinition& definition,
                                                        const NamedValues& names) {
  std::vector<std::string> macros;
  const auto add = [&](const std::string& name, const Value& value) {
    const absl::StatusOr<std::string> text = MacroText(value);
    if (!text.ok()) return Annotate(text.status(), absl::StrCat("macro ", EscapeLine(name)));
    macros.push_back(absl::StrCat(name, "=", *text));
    return absl::OkStatus();
  };
  for (const int i : MacroParameters(definition)) {
    const std::string& name = definition.parameters(i).name();
    TUNE_RETURN_IF_ERROR(add(name, names.at(name)));
  }
  for (const v1::KernelMacro& macro : definition.macros()) {
    const absl::StatusOr<Value> value = EvaluateText(macro.value(), names);
    if (!value.ok()) return Annotate(value.status(), absl::StrCat("macro ", EscapeLine(macro.name())));
    TUNE_RETURN_IF_ERROR(add(macro.name(), *value));
  }
  return macros;
}

absl::StatusOr<NamedValues> EvaluateScalars(const v1::KernelDefinition& definition,
                                            const NamedValues& names) {
  NamedValues scalars;
  for (const v1::KernelArgument& argument : definition.arguments()) {
    if (MemoryOf(argument) != v1::ARGUMENT_SCALAR || !argument.fill().has_constant()) continue;
    const std::string where = ArgumentText(argument);
    const absl::StatusOr<Value> value = EvaluateText(argument.fill().constant(), names);
    if (!value.ok()) return Annotate(value.status(), where);
    TUNE_RETURN_IF_ERROR(Annotate(CheckFits(*value, argument.type()), where));
    scalars.emplace(argument.name(), *value);
  }
  return scalars;
}

absl::StatusOr<EvaluatedLaunch> LaunchKernel(const v1::KernelDefinition& definition,
                                             const v1::KernelLaunch& launch, const NamedValues& names) {
  const auto kernel = std::find_if(definition.kernels().begin(), definition.kernels().end(),
                                   [&](const v1::KernelFunction& k) { return k.name() == launch.kernel(); });
  if (kernel == definition.kernels().end()) {
    const auto name = [](std::string* out, const v1::KernelFunction& k) {
      out->append(EscapeLine(k.name()));
    };
    return absl::InvalidArgumentError(absl::StrCat(
        "launch of ", EscapeLine(launch.kernel()),
        ": there is no such kernel; there are: ", absl::StrJoin(definition.kernels(), ", ", name)));
  }
  TUNE_ASSIGN_OR_RETURN(EvaluatedLaunch evaluated, EvaluateKernel(definition, *kernel, names));
  TUNE_RETURN_IF_ERROR(AddLocalArguments(definition, names, &evaluated));
  if (launch.times().empty()) return evaluated;
  const absl::StatusOr<int64_t> times = EvaluateWholeText(launch.times(), names, 0, kMostTimes);
  if (!times.ok())
    return Annotate(times.status(), absl::StrCat("launch of ", EscapeLine(launch.kernel()), ": times"));
  evaluated.times = *times;
  return evaluated;
}

}  // namespace

std::vector<int> MacroParameters(const v1::KernelDefinition& definition) {
  std::set<std::string> others = {kGraphicsClock};
  for (const v1::KernelFunction& kernel : definition.kernels()) {
    for (const std::string& argument : kernel.template_arguments()) {
      const absl::StatusOr<Expression> expression = Expression::Parse(argument);
      if (!expression.ok()) continue;
      const std::vector<std::string> names = expression->Names();
      others.insert(names.begin(), names.end());
    }
  }
  for (const v1::KernelMacro& macro : definition.macros()) others.insert(macro.name());
  std::vector<int> parameters;
  for (int i = 0; i < definition.parameters_size(); ++i) {
    if (!others.contains(definition.parameters(i).name())) parameters.push_back(i);
  }
  return parameters;
}

absl::StatusOr<EvaluatedLaunch> EvaluateKernel(const v1::KernelDefinition& definition,
                                               const v1::KernelFunction& kernel, const NamedValues& names) {
  EvaluatedLaunch launch;
  launch.kernel = kernel.name();
  launch.on_gpu = definition.language() != v1::KERNEL_LANGUAGE_C;
  if (!launch.on_gpu) return launch;
  TUNE_RETURN_IF_ERROR(EvaluateBlock(kernel, names, &launch.block));
  TUNE_RETURN_IF_ERROR(EvaluateGrid(kernel, names, &launch));
  if (kernel.dynamic_shared_bytes().empty()) return launch;
  const absl::StatusOr<int64_t> bytes =
      EvaluateWholeText(kernel.dynamic_shared_bytes(), names, 0, kMostSharedBytes);
  if (!bytes.ok())
    return Annotate(bytes.status(), absl::StrCat(KernelText(kernel), ": dynamic shared memory"));
  launch.shared_bytes = *bytes;
  return launch;
}

absl::StatusOr<std::string> KernelExpression(const v1::KernelFunction& kernel, const NamedValues& names) {
  if (kernel.template_arguments().empty()) return kernel.name();
  std::vector<std::string> texts;
  for (const std::string& argument : kernel.template_arguments()) {
    const std::string where = absl::StrCat(KernelText(kernel), ": template argument ", texts.size() + 1);
    const absl::StatusOr<Value> value = EvaluateText(argument, names);
    if (!value.ok()) return Annotate(value.status(), where);
    const absl::StatusOr<std::string> text = TemplateText(*value);
    if (!text.ok()) return Annotate(text.status(), where);
    texts.push_back(*text);
  }
  return absl::StrCat(kernel.name(), "<", absl::StrJoin(texts, ", "), ">");
}

absl::StatusOr<EvaluatedConfiguration> EvaluateLaunch(const v1::KernelDefinition& definition,
                                                      absl::Span<const Value> configuration) {
  if (configuration.size() != static_cast<size_t>(definition.parameters_size())) {
    return absl::InvalidArgumentError(absl::StrCat("a configuration of ", configuration.size(),
                                                   " values, where there are ", definition.parameters_size(),
                                                   " parameters"));
  }
  TUNE_ASSIGN_OR_RETURN(const NamedValues problem, ProblemNames(definition));
  const NamedValues names = ConfigurationNames(definition, problem, configuration);
  EvaluatedConfiguration evaluated;
  TUNE_ASSIGN_OR_RETURN(evaluated.macros, EvaluateMacros(definition, names));
  TUNE_ASSIGN_OR_RETURN(evaluated.scalars, EvaluateScalars(definition, names));
  for (int i = 0; i < definition.parameters_size(); ++i) {
    if (definition.parameters(i).name() == kGraphicsClock && configuration[i].IsWhole())
      evaluated.graphics_clock_mhz = static_cast<int>(configuration[i].whole());
  }
  for (const v1::KernelFunction& kernel : definition.kernels()) {
    TUNE_ASSIGN_OR_RETURN(std::string expression, KernelExpression(kernel, names));
    evaluated.kernels.push_back({kernel.name(), std::move(expression)});
  }
  std::vector<v1::KernelLaunch> launches(definition.launches().begin(), definition.launches().end());
  for (const v1::KernelFunction& kernel : definition.kernels()) {
    if (definition.launches().empty()) launches.emplace_back().set_kernel(kernel.name());
  }
  for (const v1::KernelLaunch& launch : launches) {
    TUNE_ASSIGN_OR_RETURN(EvaluatedLaunch one, LaunchKernel(definition, launch, names));
    evaluated.launches.push_back(std::move(one));
  }
  return evaluated;
}

}  // namespace tune
