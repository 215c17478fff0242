// Studies as they leave the store for an archive, and come back from one.
#pragma once

#include <string>

#include "common/base/status.h"
#include "server/store/store.h"
#include "tune/v1/archive.pb.h"

namespace tune {

// The study with all that belongs to it; without_texts leaves out logs, code and device files. NOT_FOUND;
// FAILED_PRECONDITION while it is not finished.
absl::StatusOr<v1::ArchivedStudy> ReadWholeStudy(const Store& store, const std::string& study_id,
                                                 bool without_texts);

// What is stored of an archived study: candidates with an evaluation, provenance set (that of the archive
// when it has one, else `source` and its id there). Errors are CheckArchivedContent's.
absl::StatusOr<StoredStudy> CheckArchivedStudy(const v1::ArchivedStudy& archived, const std::string& source,
                                               absl::Time now);

// Id of the study of this server that the archived one is a copy of; empty: there is none. Studies that were
// imported are found by the store itself. `key`: Store::KeyOf its spec.
absl::StatusOr<std::string> FindOwnCopy(const Store& store, const v1::ArchivedStudy& archived,
                                        const StudyKey& key);

}  // namespace tune
