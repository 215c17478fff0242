// Reads the text of programs (program_text.h).
#pragma once

#include "common/base/status.h"
#include "common/program/device_program.h"

namespace tune {

// What PrintProgramText printed, or a person wrote: attributes may have another order, lines of nothing may
// stand anywhere. INVALID_ARGUMENT: "line 3, column 7: expected ..., not ..."; so are numbers that do not fit
// and what is nested too deep (kMostExpressionDepth, kMostNodeLevels). Only the form is looked at: a program
// may name arrays that it does not have.
absl::StatusOr<DeviceProgram> ReadDeviceProgram(absl::string_view text);
absl::StatusOr<OpenMpProgram> ReadOpenMpProgram(absl::string_view text);

// The same of PrintBlockText.
absl::StatusOr<Block> ReadBlock(absl::string_view text);

}  // namespace tune
