#include "tests/simt/preprocessed_text.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "common/base/file.h"
#include "common/base/subprocess.h"

namespace tune::simt {
namespace {

constexpr const char* kEmptyHeaders[] = {"cuda_runtime.h", "math.h", "cmath"};

}  // namespace

absl::Status WriteEmptyHeaders(const std::string& folder) {
  for (const char* header : kEmptyHeaders)
    TUNE_RETURN_IF_ERROR(WriteFile(absl::StrCat(folder, "/", header), "#pragma once\n"));
  return absl::OkStatus();
}

absl::StatusOr<std::string> PreprocessText(const std::string& file, const std::vector<std::string>& flags) {
  TUNE_ASSIGN_OR_RETURN(const TemporaryFolder headers, TemporaryFolder::Make());
  TUNE_RETURN_IF_ERROR(WriteEmptyHeaders(headers.path()));
  std::vector<std::string> command = {"g++", "-E", "-P", "-x", "c++", "-std=gnu++17", "-I", headers.path()};
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(command), [](const std::string& flag) {
    return absl::StartsWith(flag, "-D") || absl::StartsWith(flag, "-U") || absl::StartsWith(flag, "-I");
  });
  command.push_back(file);
  SubprocessOptions options;
  options.output_limit_bytes = 16 << 20;
  TUNE_ASSIGN_OR_RETURN(const SubprocessResult result, RunSubprocess(command, options));
  if (result.ok()) return result.standard_output;
  return absl::InvalidArgumentError(result.standard_error);
}

}  // namespace tune::simt
