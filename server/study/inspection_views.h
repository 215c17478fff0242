// A study's inspected configurations as people see them.
#pragma once

#include "server/store/store.h"
#include "tune/v1/state_service.pb.h"

namespace tune {

// state_service.proto. Errors also the store's, and those of CarvingJudge::Make.
absl::StatusOr<v1::ListInspectionsResponse> ListInspections(const Store& store,
                                                            const v1::ListInspectionsRequest& request);

}  // namespace tune
