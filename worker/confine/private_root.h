// The file system that a sandboxed process sees.
#pragma once

#include "worker/confine/launch.h"

namespace tune {

// In a mount namespace of its own: from now on there is nothing but the system's folders, to be read (/usr
// and what belongs to it, and the parts of /etc that compilers and the loader use), /proc of the own
// processes, the devices null, zero, full and random, an empty /tmp in memory, and what `launch` names. Fails
// the sandbox when it cannot be made.
void EnterPrivateRoot(const Launch& launch);

}  // namespace tune
