#include "common/kernel_definition/argument_form.h"

#include <algorithm>

#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"

namespace tune {

std::string ArgumentText(const v1::KernelArgument& argument) {
  return absl::StrCat("argument ", EscapeLine(argument.name()));
}

v1::ArgumentMemory MemoryOf(const v1::KernelArgument& argument) {
  if (argument.memory() != v1::ARGUMENT_MEMORY_UNSPECIFIED) return argument.memory();
  return argument.count().empty() ? v1::ARGUMENT_SCALAR : v1::ARGUMENT_VECTOR;
}

v1::ArgumentAccess AccessOf(const v1::KernelArgument& argument) {
  if (argument.access() != v1::ARGUMENT_ACCESS_UNSPECIFIED) return argument.access();
  return MemoryOf(argument) == v1::ARGUMENT_VECTOR ? v1::ARGUMENT_READ_WRITE : v1::ARGUMENT_READ;
}

bool IsArray(const v1::KernelArgument& argument) {
  const v1::ArgumentMemory memory = MemoryOf(argument);
  return memory != v1::ARGUMENT_SCALAR && memory != v1::ARGUMENT_LOCAL;
}

bool IsHandedOver(const v1::KernelArgument& argument) {
  const v1::ArgumentMemory memory = MemoryOf(argument);
  return memory != v1::ARGUMENT_SYMBOL && memory != v1::ARGUMENT_LOCAL;
}

bool IsOutput(const v1::KernelArgument& argument) {
  return IsArray(argument) && AccessOf(argument) != v1::ARGUMENT_READ;
}

absl::StatusOr<int64_t> CountOf(const v1::KernelArgument& argument, const NamedValues& names) {
  if (MemoryOf(argument) == v1::ARGUMENT_SCALAR) return 1;
  const int64_t most = kMostArrayBytes / std::max<int64_t>(1, ElementBytes(argument));
  const absl::StatusOr<int64_t> count = EvaluateWholeText(argument.count(), names, 1, most);
  if (!count.ok())
    return Annotate(count.status(), absl::StrCat(ArgumentText(argument), ": count of elements"));
  return *count;
}

namespace {

absl::StatusOr<std::vector<const v1::KernelArgument*>> NamedArguments(const v1::KernelDefinition& definition,
                                                                      const v1::KernelFunction& kernel,
                                                                      bool with_symbols) {
  std::vector<const v1::KernelArgument*> arguments;
  if (!kernel.has_arguments()) {
    for (const v1::KernelArgument& argument : definition.arguments()) {
      if (IsHandedOver(argument)) arguments.push_back(&argument);
    }
    return arguments;
  }
  const std::string where = absl::StrCat("kernel ", EscapeLine(kernel.name()));
  for (const std::string& name : kernel.arguments().names()) {
    const auto found = std::find_if(definition.arguments().begin(), definition.arguments().end(),
                                    [&](const v1::KernelArgument& a) { return a.name() == name; });
    if (found == definition.arguments().end()) {
      const auto print = [](std::string* out, const v1::KernelArgument& a) {
        out->append(EscapeLine(a.name()));
      };
      return absl::InvalidArgumentError(absl::StrCat(
          where, ": there is no argument ", EscapeLine(name),
          definition.arguments().empty()
              ? "; there are none"
              : absl::StrCat("; there are: ", absl::StrJoin(definition.arguments(), ", ", print))));
    }
    if (!IsHandedOver(*found) && !(with_symbols && IsArray(*found))) {
      return absl::InvalidArgumentError(
          absl::StrCat(where, ": argument ", EscapeLine(name),
                       " is no parameter of functions: it is a symbol or dynamic shared memory"));
    }
    arguments.push_back(&*found);
  }
  return arguments;
}

}  // namespace

const v1::KernelFunction& KernelNamed(const v1::KernelDefinition& definition, const std::string& name) {
  return *std::find_if(definition.kernels().begin(), definition.kernels().end(),
                       [&](const v1::KernelFunction& kernel) { return kernel.name() == name; });
}

absl::StatusOr<std::vector<const v1::KernelArgument*>> ArgumentsOf(const v1::KernelDefinition& definition,
                                                                   const v1::KernelFunction& kernel) {
  return NamedArguments(definition, kernel, /*with_symbols=*/false);
}

absl::StatusOr<std::vector<const v1::KernelArgument*>> HostArgumentsOf(const v1::KernelDefinition& definition,
                                                                       const v1::KernelFunction& function) {
  return NamedArguments(definition, function, /*with_symbols=*/true);
}

}  // namespace tune
