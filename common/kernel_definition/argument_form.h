// What follows from the fields of an argument.
#pragma once

#include "common/kernel_definition/definition_names.h"
#include "common/kernel_definition/number_type.h"

namespace tune {

inline constexpr int64_t kMostArrayBytes = int64_t{1} << 40;

// `argument in`, for messages.
std::string ArgumentText(const v1::KernelArgument& argument);

// With the defaults of kernel.proto.
v1::ArgumentMemory MemoryOf(const v1::KernelArgument& argument);
v1::ArgumentAccess AccessOf(const v1::KernelArgument& argument);

// VECTOR, SYMBOL or TEXTURE.
bool IsArray(const v1::KernelArgument& argument);
// A parameter of functions: SCALAR, VECTOR or TEXTURE.
bool IsHandedOver(const v1::KernelArgument& argument);
// An array that is written.
bool IsOutput(const v1::KernelArgument& argument);

// Elements; 1 of SCALAR. `names`: of the study, or with LOCAL of a configuration. INVALID_ARGUMENT, which
// names the argument, where that is no whole number from 1, or more bytes than kMostArrayBytes.
absl::StatusOr<int64_t> CountOf(const v1::KernelArgument& argument, const NamedValues& names);

// The definition's kernel of this name, which it has.
const v1::KernelFunction& KernelNamed(const v1::KernelDefinition& definition, const std::string& name);

// The arguments that a function takes, in order. INVALID_ARGUMENT, with the names that there are, for one
// that is not there, and for one that cannot be handed over.
absl::StatusOr<std::vector<const v1::KernelArgument*>> ArgumentsOf(const v1::KernelDefinition& definition,
                                                                   const v1::KernelFunction& kernel);
// Of a C function beside them, which may take symbols and textures, too: it gets pointers to what they hold.
// `function` names it and its arguments.
absl::StatusOr<std::vector<const v1::KernelArgument*>> HostArgumentsOf(const v1::KernelDefinition& definition,
                                                                       const v1::KernelFunction& function);

}  // namespace tune
