#include "server/exchange/archive_import.h"

#include "common/exchange/archive_reader.h"
#include "server/exchange/whole_study.h"

namespace tune {
namespace {

class ArchiveImport {
 public:
  ArchiveImport(Store& store, absl::string_view file, const ImportTerms& terms)
      : store_(store), file_(file), terms_(terms) {}

  absl::StatusOr<v1::ImportStudiesResponse> Run(const std::function<bool()>& gone) {
    TUNE_RETURN_IF_ERROR(Check(gone));
    if (terms_.admit != nullptr) TUNE_RETURN_IF_ERROR(terms_.admit(bytes_));
    TUNE_ASSIGN_OR_RETURN(reader_, ArchiveReader::Open(file_));
    TUNE_ASSIGN_OR_RETURN(const std::vector<AddedStudy> added,
                          store_.AddWholeStudies(std::move(keys_), [this] { return NextNew(); }));
    for (size_t i = 0; i < added.size(); ++i) {
      v1::ImportedStudy& imported = *response_.mutable_studies(places_[i]);
      *imported.mutable_study() = added[i].study;
      imported.set_duplicate(added[i].duplicate);
    }
    return std::move(response_);
  }

 private:
  // Looks at every study and finds out which are new.
  absl::Status Check(const std::function<bool()>& gone) {
    TUNE_ASSIGN_OR_RETURN(reader_, ArchiveReader::Open(file_));
    v1::ArchivedStudy archived;
    while (true) {
      if (gone()) return absl::CancelledError("the caller has left");
      TUNE_ASSIGN_OR_RETURN(const bool more, reader_->Next(&archived));
      if (!more) return absl::OkStatus();
      // Checked before anything else is made of it.
      TUNE_RETURN_IF_ERROR(CheckArchivedStudy(archived, terms_.source, terms_.now).status());
      TUNE_ASSIGN_OR_RETURN(StudyKey key, store_.KeyOf(archived.spec()));
      TUNE_ASSIGN_OR_RETURN(const std::string own, FindOwnCopy(store_, archived, key));
      v1::ImportedStudy& imported = *response_.add_studies();
      if (!own.empty()) {
        TUNE_ASSIGN_OR_RETURN(*imported.mutable_study(), store_.GetStudy(own));
        imported.set_duplicate(true);
        continue;
      }
      keys_.push_back(std::move(key));
      bytes_ += static_cast<int64_t>(archived.spec().ByteSizeLong());
      places_.push_back(response_.studies_size() - 1);
    }
  }

  // The next study that is not here.
  absl::StatusOr<StoredStudy> NextNew() {
    v1::ArchivedStudy archived;
    for (const int place = places_[taken_++]; at_ <= place; ++at_) {
      TUNE_ASSIGN_OR_RETURN(const bool more, reader_->Next(&archived));
      if (!more) return absl::InternalError("the archive has fewer studies than before");
    }
    TUNE_ASSIGN_OR_RETURN(StoredStudy study, CheckArchivedStudy(archived, terms_.source, terms_.now));
    study.charged_to = terms_.charged_to;
    return study;
  }

  Store& store_;
  const absl::string_view file_;
  const ImportTerms& terms_;
  std::unique_ptr<ArchiveReader> reader_;
  v1::ImportStudiesResponse response_;
  std::vector<StudyKey> keys_;  // of the new ones
  std::vector<int> places_;     // of them in the archive
  int64_t bytes_ = 0;           // of their specs
  size_t taken_ = 0;            // of them
  int at_ = 0;                  // studies that were read again
};

}  // namespace

absl::StatusOr<v1::ImportStudiesResponse> ImportArchive(Store& store, absl::string_view file,
                                                        const ImportTerms& terms,
                                                        const std::function<bool()>& gone) {
  return ArchiveImport(store, file, terms).Run(gone);
}

}  // namespace tune
