// Runs programs between schedule tree and text on memory of residues, and sees what must not happen.
#pragma once

#include <map>
#include <string>

#include "common/base/status.h"
#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "tests/program_interpreter/residue.h"

namespace tune::testing {

// Values of the scop's arrays, row-major, by their names.
using ResidueMemory = std::map<std::string, std::vector<Residue>>;

// Another value for each element of each array; arrays declared inside the region have none.
ResidueMemory MakeResidues(const std::vector<DeviceArray>& arrays);

// FAILED_PRECONDITION: accesses to one element that nothing orders, one of which writes; an access outside of
// an array or a tile; a result that comes of what nobody wrote; a barrier that some threads of a block miss.
absl::Status Interpret(const DeviceProgram& program, const v1::Scop& scop, const HelperNames& names,
                       ResidueMemory* memory);

// The same of statements one after the other, of programs for the host without OpenMP; `arrays`: the scop's.
absl::Status Interpret(const Block& block, const v1::Scop& scop, const std::vector<DeviceArray>& arrays,
                       ResidueMemory* memory);

}  // namespace tune::testing
