#include "server/store/store.h"

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace tune {

std::string StudyIdOf(int64_t number) { return absl::StrCat("s", number); }

absl::StatusOr<int64_t> StudyNumberOf(const std::string& study_id) {
  absl::string_view digits = study_id;
  int64_t number = 0;
  if (!absl::ConsumePrefix(&digits, "s") || !absl::SimpleAtoi(digits, &number) || number <= 0 ||
      StudyIdOf(number) != study_id) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", study_id, "' is not the id of a study: ids look like s12, see `tunectl ls`"));
  }
  return number;
}

absl::StatusOr<std::vector<AddedStudy>> Store::AddWholeStudies(const std::vector<StoredStudy>& studies) {
  std::vector<StudyKey> keys;
  for (const StoredStudy& study : studies) {
    TUNE_ASSIGN_OR_RETURN(StudyKey key, KeyOf(study.spec));
    keys.push_back(std::move(key));
  }
  auto at = studies.begin();
  return AddWholeStudies(std::move(keys), [&at]() -> absl::StatusOr<StoredStudy> { return *at++; });
}

absl::Status TakeInPieces(const v1::Program& program,
                          const std::function<absl::Status(std::string piece)>& take) {
  const std::string bytes = program.SerializeAsString();
  for (size_t begin = 0; begin < bytes.size(); begin += kProgramPieceBytes) {
    TUNE_RETURN_IF_ERROR(take(bytes.substr(begin, kProgramPieceBytes)));
  }
  return absl::OkStatus();
}

}  // namespace tune
