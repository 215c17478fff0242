// The text between the runner and functions of the user's file.
#pragma once

#include <string>
#include <vector>

#include "common/kernel_definition/launch.h"

namespace tune {

// What is called, in this order.
struct HostCall {
  v1::KernelFunction function;
  int64_t times = 1;
};

// The launches of a configuration. Precondition: they are the definition's.
std::vector<HostCall> HostCalls(const v1::KernelDefinition& definition,
                                const EvaluatedConfiguration& configuration);

// A C file with
//   void tune_region(void **arrays);
// which includes `file` and makes the calls with arrays, in the order of KernelArrays, and scalars. The
// compiler sees neither the values of scalars in the functions nor the functions where they are called, as in
// a program with a file of its own for them. INVALID_ARGUMENT for a function's argument that is not there,
// and a file that no line of C can name.
absl::StatusOr<std::string> PrintHostAdapter(const v1::KernelDefinition& definition, const std::string& file,
                                             const std::vector<HostCall>& calls, const NamedValues& scalars);

}  // namespace tune
