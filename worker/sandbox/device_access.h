// The GPUs of this machine in a sandbox.
#pragma once

#include "worker/sandbox/sandbox_settings.h"

namespace tune {

// Adds what NVIDIA's driver needs: its device files, the state of the machine, its sockets, and the libraries
// that the environment names. On a machine without a GPU no device.
void AllowDevices(SandboxSettings* settings);

}  // namespace tune
