// Which of what loops load ahead, and store, can be loaded and stored several elements at once.
#pragma once

#include "common/program/device_program.h"

namespace tune {

// Of loops that load ahead, and not neighbours of few iterations at once (Loop::wide): what they fetch of
// arrays that are read plainly, and what each iteration stores (collected_stores.h), where those are
// neighbours in rows, of iterations that begin pieces at the same time (Loop::phase): as many as can be.
void LoadAndStorePieces(const v1::Scop& scop, const std::vector<DeviceArray>& arrays, DeviceKernel* kernel);

}  // namespace tune
