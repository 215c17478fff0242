// The parts of a T1 file: each adds to the definition what its objects say.
#pragma once

#include "client/kernels/t1_fields.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// `ConfigurationSpace`.
void ReadT1Space(T1Object space, v1::KernelDefinition* definition);

// `KernelSpecification`: block and grid of the one kernel, and the problem's sizes. The space was read
// before.
void ReadT1Sizes(T1Object* kernel, v1::KernelDefinition* definition, T1Report* report);

// `KernelSpecification`: arguments and what outputs are compared with.
void ReadT1Arguments(T1Object* kernel, v1::KernelDefinition* definition);

// `Search`, `Budget` and `General`.
void ReadT1Search(T1Object* file, v1::KernelDefinition* definition, T1Report* report);

// An expression with `ProblemSize` under our name. `is_number`: the file has one number there, no list.
std::string RenameProblemSize(const std::string& expression, bool is_number);

// Whether `ProblemSize` of the file is a number.
bool HasPlainProblemSize(T1Object* kernel);

}  // namespace tune
