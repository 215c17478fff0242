// How the C of launch sequences is compiled.
#pragma once

#include "tune/v1/program.pb.h"

namespace tune {

// They are short and run once a sample.
v1::Program LaunchSequenceFlags();

}  // namespace tune
