// Studies of an archive file into the store.
#pragma once

#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "server/store/store.h"
#include "tune/v1/exchange_service.pb.h"

namespace tune {

struct ImportTerms {
  std::string source;  // where the studies come from
  absl::Time now;
  std::string charged_to;  // on whose account they are; empty: nobody's
  std::function<absl::Status(int64_t bytes)>
      admit;  // may refuse the specs of the new ones; null: all are taken
};

// Adds the studies of the file, all or none, in its order; copies of what is here are named and left out. The
// file is read twice, one study in memory at a time. `gone`: the caller has left; asked before each study,
// since its scop may take long to identify: CANCELLED. INVALID_ARGUMENT, DATA_LOSS and RESOURCE_EXHAUSTED as
// ParseArchive and CheckArchivedContent; others are the store's.
absl::StatusOr<v1::ImportStudiesResponse> ImportArchive(Store& store, absl::string_view file,
                                                        const ImportTerms& terms,
                                                        const std::function<bool()>& gone);

}  // namespace tune
