#include "client/exchange/rpc_source.h"

#include <algorithm>

#include "common/evaluation/outcome.h"

namespace tune {

absl::Status RpcSource::Explain(const absl::Status& status) const {
  if (!absl::IsUnauthenticated(status)) return status;
  return absl::UnauthenticatedError(
      absl::StrCat(address(), " demands a token, or another one. Give its file with ", token_option_, "."));
}

absl::StatusOr<std::string> RpcSource::FetchArchive(const std::string& study_id) {
  absl::StatusOr<std::string> file = exchange_.Export({study_id}, /*without_texts=*/false);
  if (!file.ok()) return Explain(file.status());
  return file;
}

absl::StatusOr<std::vector<v1::Study>> RpcSource::ListResults() {
  absl::StatusOr<std::vector<v1::Study>> listed = server_->ListStudies(kMostStudies);
  if (!listed.ok()) return Explain(listed.status());
  std::vector<v1::Study> studies = *std::move(listed);
  const auto lacks_result = [](const v1::Study& study) {
    return !IsFinished(study.state()) || study.best_index() < 0;
  };
  studies.erase(std::remove_if(studies.begin(), studies.end(), lacks_result), studies.end());
  std::reverse(studies.begin(), studies.end());
  return studies;
}

}  // namespace tune
