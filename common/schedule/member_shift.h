// Loops of a schedule begin where those of the program do.
#pragma once

#include "common/isl/isl.h"

namespace tune {

// isl's scheduler may count all of a loop's iterations from another number on, i + 1 in place of i. Tiles are
// aligned to 0, so that the first and the last are then filled in part, by fills with more conditions. Of
// each member of a band what all of its statements in most loops are moved by is taken from all statements,
// which changes no order. Throws isl::exception.
isl::schedule WithoutShifts(const isl::schedule& schedule);

}  // namespace tune
