// What arguments of hand-written kernels hold before a run.
#pragma once

#include <string>

#include "absl/time/time.h"
#include "common/kernel_definition/definition_names.h"
#include "tune/v1/program.pb.h"
#include "worker/run/cancellation.h"

namespace tune {

// What fills are made of; nothing is owned.
struct FillContext {
  NamedValues study;                     // names of the study
  const v1::Program* program = nullptr;  // with the files
  uint64_t seed = 0;                     // added to that of random fills
  absl::Time deadline = absl::InfiniteFuture();
  Cancellation* cancellation = nullptr;  // may be null
};

// The bytes of an array by the argument's fill, or by another one in its place: elements as they lie in
// memory. Zeros where there is none. INVALID_ARGUMENT, which names the argument and says what to do, where
// an element has no value of its type, the bundle lacks the file, or that has another size;
// DEADLINE_EXCEEDED; CANCELLED.
absl::StatusOr<std::string> FillBytes(const v1::KernelArgument& argument, const v1::ArgumentFill& fill,
                                      const FillContext& context);

// The bytes of a scalar of this value, which fits it.
std::string ScalarBytes(const v1::KernelArgument& argument, const Value& value);

}  // namespace tune
