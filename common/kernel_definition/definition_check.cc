#include "common/kernel_definition/definition_check.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/argument_check.h"
#include "common/kernel_definition/argument_form.h"
#include "common/kernel_definition/definition_space.h"
#include "common/kernel_definition/expression_check.h"
#include "common/kernel_definition/launch.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

bool IsFunctionName(absl::string_view name) {
  for (const absl::string_view part : absl::StrSplit(name, "::")) {
    if (!IsCIdentifier(part)) return false;
  }
  return true;
}

const char* KindOf(const v1::TuningValue& value) {
  switch (value.value_case()) {
    case v1::TuningValue::kBoolean:
      return "boolean";
    case v1::TuningValue::kText:
      return "text";
    case v1::TuningValue::VALUE_NOT_SET:
      return "nothing";
    default:
      return "number";
  }
}

class DefinitionCheck {
 public:
  DefinitionCheck(const v1::KernelDefinition& definition, const ParameterSpaceLimits& limits)
      : definition_(definition), limits_(limits) {}

  std::vector<std::string> Run() {
    CheckGeneral();
    const absl::StatusOr<NamedValues> problem = ProblemNames(definition_);
    faults_.Add(problem.status());
    if (problem.ok()) problem_ = *problem;
    CheckParameters();
    study_ = StudyNames(definition_, problem_);
    for (const std::string& constraint : definition_.constraints()) CheckText(constraint, "constraint");
    CheckKernels();
    CheckMacros();
    CheckArguments(definition_, study_, &faults_);
    CheckReference();
    CheckSearch();
    if (faults_.empty()) CheckDefault();
    return faults_.lines();
  }

 private:
  bool is_c() const { return definition_.language() == v1::KERNEL_LANGUAGE_C; }

  void CheckText(const std::string& text, const std::string& where) {
    faults_.Add(CheckExpression(text, study_), where);
  }

  void CheckGeneral() {
    if (definition_.language() == v1::KERNEL_LANGUAGE_UNSPECIFIED)
      faults_.Add("the language is not given: CUDA or C");
    if (!IsPlainLine(definition_.file()) || definition_.file().empty())
      faults_.Add("the source file is not given, or its name is no line of text");
    for (const std::string& option : definition_.compiler_options()) {
      if (option.empty() || !IsPlainLine(option))
        faults_.Add(absl::StrCat("compiler option \"", EscapeLine(option), "\" is no line of text"));
    }
  }

  void CheckParameters() {
    std::set<std::string> names;
    for (const v1::TuningParameterValues& parameter : definition_.parameters()) {
      const std::string where = absl::StrCat("parameter ", EscapeLine(parameter.name()));
      if (!IsDefinitionName(parameter.name()))
        faults_.Add(absl::StrCat(where, ": this is no name of C that expressions can use"));
      if (problem_.contains(parameter.name()) || !names.insert(parameter.name()).second)
        faults_.Add(absl::StrCat(where, ": the name is given twice"));
      if (parameter.values().empty()) faults_.Add(absl::StrCat(where, ": there are no values"));
      CheckValues(parameter, where);
      CheckClock(parameter, where);
    }
  }

  // Kernel Tuner's names of what it sets of a device.
  void CheckClock(const v1::TuningParameterValues& parameter, const std::string& where) {
    constexpr int64_t kMostMhz = 100'000;
    for (const char* other : {"nvml_mem_clock", "nvml_pwr_limit"}) {
      if (parameter.name() == other)
        faults_.Add(absl::StrCat(where, ": of a device its graphics clock alone is set, by the parameter ",
                                 kGraphicsClock, "; leave this one out"));
    }
    if (parameter.name() != kGraphicsClock) return;
    if (is_c())
      faults_.Add(absl::StrCat(where,
                               ": clocks are those of NVIDIA GPUs, and C functions run on the host; leave ",
                               "it, or --clocks, out"));
    for (const v1::TuningValue& value : parameter.values()) {
      if (value.value_case() == v1::TuningValue::kInteger && value.integer() > 0 &&
          value.integer() <= kMostMhz)
        continue;
      return faults_.Add(
          absl::StrCat(where, ": ", PrintTuningValue(value), " is no clock in MHz, such as 1200"));
    }
  }

  void CheckValues(const v1::TuningParameterValues& parameter, const std::string& where) {
    std::set<std::string> texts;
    for (const v1::TuningValue& value : parameter.values()) {
      if (const auto checked = ToTuningValue(ToValue(value)); !checked.ok())
        return faults_.Add(checked.status(), where);
      if (std::string(KindOf(value)) != KindOf(parameter.values(0))) {
        return faults_.Add(absl::StrCat(where, ": a ", KindOf(value),
                                        " stands among values of which the first is a ",
                                        KindOf(parameter.values(0))));
      }
      texts.insert(value.SerializeAsString());
    }
    if (!parameter.has_default_value() || texts.contains(parameter.default_value().SerializeAsString()))
      return;
    faults_.Add(absl::StrCat(where, ": the default ", PrintTuningValue(parameter.default_value()),
                             " is none of its values"));
  }

  void CheckKernels() {
    if (definition_.kernels().empty()) faults_.Add("no kernel is given");
    std::set<std::string> names;
    for (const v1::KernelFunction& kernel : definition_.kernels()) {
      if (!names.insert(kernel.name()).second)
        faults_.Add(absl::StrCat("kernel ", EscapeLine(kernel.name()), ": the name is given twice"));
      CheckKernel(kernel);
    }
    for (const v1::KernelLaunch& launch : definition_.launches()) {
      const std::string where = absl::StrCat("launch of ", EscapeLine(launch.kernel()));
      if (!names.contains(launch.kernel())) {
        faults_.Add(absl::StrCat(
            where, ": there is no such kernel; there are: ", EscapeLine(absl::StrJoin(names, ", "))));
      }
      if (!launch.times().empty()) CheckText(launch.times(), absl::StrCat(where, ": times"));
    }
  }

  void CheckKernel(const v1::KernelFunction& kernel) {
    const std::string where = absl::StrCat("kernel ", EscapeLine(kernel.name()));
    if (!IsFunctionName(kernel.name())) faults_.Add(absl::StrCat(where, ": this is no name of a function"));
    faults_.Add(ArgumentsOf(definition_, kernel).status());
    if (is_c()) {
      if (!kernel.block().empty() || !kernel.grid().empty() || !kernel.dynamic_shared_bytes().empty() ||
          !kernel.template_arguments().empty())
        faults_.Add(
            absl::StrCat(where, ": a C function has no block, grid, shared memory and template arguments"));
      return;
    }
    if (kernel.block().empty()) faults_.Add(absl::StrCat(where, ": the block's size is not given"));
    if (kernel.block_size() > 3 || kernel.grid_size() > 3)
      faults_.Add(absl::StrCat(where, ": blocks and grids have at most three dimensions"));
    if (kernel.grid().empty() && (definition_.problem().empty() || definition_.problem_size() > 3))
      faults_.Add(absl::StrCat(where, ": there is no grid, nor one to three problem sizes to make one of"));
    for (const std::string& size : kernel.block()) CheckText(size, absl::StrCat(where, ": block"));
    for (const std::string& size : kernel.grid()) CheckText(size, absl::StrCat(where, ": grid"));
    for (const std::string& argument : kernel.template_arguments())
      CheckText(argument, absl::StrCat(where, ": template argument"));
    if (!kernel.dynamic_shared_bytes().empty())
      CheckText(kernel.dynamic_shared_bytes(), absl::StrCat(where, ": dynamic shared memory"));
  }

  void CheckMacros() {
    std::set<std::string> names;
    for (const v1::KernelMacro& macro : definition_.macros()) {
      const std::string where = absl::StrCat("macro ", EscapeLine(macro.name()));
      if (!IsCIdentifier(macro.name())) faults_.Add(absl::StrCat(where, ": this is no name of C"));
      if (!names.insert(macro.name()).second) faults_.Add(absl::StrCat(where, ": the name is given twice"));
      CheckText(macro.value(), where);
    }
  }

  void CheckReference() {
    const v1::KernelReference& reference = definition_.reference();
    if (reference.has_plain_kernel()) CheckPlainKernel(reference.plain_kernel().kernel());
    if (reference.has_host_function()) {
      const v1::HostFunction& function = reference.host_function();
      v1::KernelFunction named;
      named.set_name(function.name());
      if (function.has_arguments()) *named.mutable_arguments() = function.arguments();
      if (!IsCIdentifier(function.name()))
        faults_.Add(absl::StrCat("reference: ", EscapeLine(function.name()), " is no name of a C function"));
      if (function.file().empty() || !IsPlainLine(function.file()))
        faults_.Add("reference: the host function's file is not given");
      faults_.Add(HostArgumentsOf(definition_, named).status(), "reference");
    }
    CheckOutputChecks(definition_, study_, &faults_);
  }

  // At the sizes of the problem, which is all that it knows.
  void CheckPlainKernel(const v1::KernelFunction& kernel) {
    if (is_c()) return faults_.Add("reference: a kernel is launched on a GPU; name a host function");
    if (!IsFunctionName(kernel.name()))
      faults_.Add(absl::StrCat("reference: ", EscapeLine(kernel.name()), " is no name of a function"));
    if (kernel.block().empty()) return faults_.Add("reference: the block's size is not given");
    faults_.Add(ArgumentsOf(definition_, kernel).status(), "reference");
    if (faults_.empty()) faults_.Add(EvaluateKernel(definition_, kernel, problem_).status(), "reference");
  }

  void CheckSearch() {
    const v1::KernelSearch& search = definition_.search();
    if (search.evaluations() < 0) faults_.Add("the budget of evaluations is negative");
    if (!(search.fraction() >= 0 && search.fraction() <= 1))
      faults_.Add("the budget is a part of the space that is not between 0 and 1");
    if (!(search.seconds() >= 0)) faults_.Add("the budget of seconds is negative");
  }

  // Sizes and types at the configuration that runs first.
  void CheckDefault() {
    const absl::StatusOr<ParameterSpace> space = ParameterSpaceOf(definition_, limits_);
    if (!space.ok()) return faults_.Add(space.status());
    const absl::StatusOr<ParameterChoice> choice = DefaultConfiguration(definition_, limits_);
    if (!choice.ok()) return faults_.Add(choice.status());
    const std::vector<Value> values = ValuesOf(definition_, *choice);
    const absl::Status launch = EvaluateLaunch(definition_, values).status();
    if (launch.ok()) return;
    faults_.Add(definition_.parameters().empty()
                    ? std::string(launch.message())
                    : absl::StrCat(launch.message(), " (at ", PrintValues(definition_, values), ")"));
  }

  const v1::KernelDefinition& definition_;
  const ParameterSpaceLimits& limits_;
  NamedValues problem_, study_;
  FaultList faults_;
};

}  // namespace

std::vector<std::string> FaultsOf(const v1::KernelDefinition& definition,
                                  const ParameterSpaceLimits& limits) {
  return DefinitionCheck(definition, limits).Run();
}

absl::Status CheckDefinition(const v1::KernelDefinition& definition, const ParameterSpaceLimits& limits) {
  const std::vector<std::string> faults = FaultsOf(definition, limits);
  return faults.empty() ? absl::OkStatus() : absl::InvalidArgumentError(absl::StrJoin(faults, "\n"));
}

}  // namespace tune
