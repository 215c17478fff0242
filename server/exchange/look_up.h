// Which stored studies are of the same computation as a program, and how near they are.
#pragma once

#include <vector>

#include "common/base/status.h"
#include "server/store/store.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

// Answers `request` from the store: studies of the same shape (ScopIdentity) with a correct result, of the
// wanted target; of kernels those of the same KernelShape. Nearest first: by device (the same model, the same
// architecture, another), then by sizes (the same, the same by their settings, not known, other), then by how
// far the sizes are apart, then the fastest, then the newest. Matches have results where the request asks for
// them. `workers` are the devices that are offered now. INVALID_ARGUMENT when the request has neither scop
// nor kernel; other errors are those of Store::Identify.
absl::StatusOr<v1::LookUpResponse> LookUp(const Store& store, const v1::LookUpRequest& request,
                                          const std::vector<v1::Device>& workers);

}  // namespace tune
