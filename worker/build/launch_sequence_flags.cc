#include "worker/build/launch_sequence_flags.h"

namespace tune {

v1::Program LaunchSequenceFlags() {
  v1::Program program;
  program.add_compile_flags("-O1");
  return program;
}

}  // namespace tune
