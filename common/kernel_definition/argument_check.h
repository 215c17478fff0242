// Whether arguments and checks of outputs are what they can be.
#pragma once

#include "common/kernel_definition/definition_names.h"
#include "common/kernel_definition/fault_list.h"

namespace tune {

// `study`: names of the study.
void CheckArguments(const v1::KernelDefinition& definition, const NamedValues& study, FaultList* faults);
void CheckOutputChecks(const v1::KernelDefinition& definition, const NamedValues& study, FaultList* faults);

}  // namespace tune
