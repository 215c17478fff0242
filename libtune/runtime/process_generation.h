// Whether this process is the one that made an object, or a child of it.
#pragma once

namespace libtune {

// Changes with each fork that this process is the child of. Costs a read of memory.
int ProcessGeneration();

}  // namespace libtune
