#include "client/cli/safe_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "client/submit/front_end.h"
#include "common/base/file.h"
#include "common/base/fingerprint.h"
#include "common/base/staged_file.h"
#include "common/exchange/archive.h"
#include "common/exchange/gzip.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

constexpr char kMarkBegin[] = "/* Written by tunectl; checksum of the lines above: ";
constexpr char kMarkEnd[] = " */\n";
constexpr int kMostLinks = 40;  // as Linux follows them

bool HasMark(absl::string_view content) {
  const size_t mark = content.rfind(kMarkBegin);
  if (mark == absl::string_view::npos) return false;
  return content.substr(mark) == absl::StrCat(kMarkBegin, Fingerprint(content.substr(0, mark)), kMarkEnd);
}

// T4, caches and formats are one value; of wisdom each line is one, and the last names its writer.
bool IsOwnJson(absl::string_view content) {
  content = absl::StripSuffix(content, "\n");
  const auto parse = [](absl::string_view text) {
    return nlohmann::json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  };
  const auto has = [](const nlohmann::json& value, const char* outer, const char* inner) {
    return value.is_object() && value.contains(outer) && value[outer].is_object() &&
           value[outer].contains(inner);
  };
  if (!absl::StartsWith(content, "{")) return false;
  const nlohmann::json whole = parse(content);
  return has(whole, "metadata", "tuned") || has(whole, "tuned", "study") ||
         has(whole, "tuned", "case_formats") ||
         has(parse(content.substr(content.rfind('\n') + 1)), "environment", "tuned");
}

bool SameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

// `path` with symbolic links at its end followed, to a file that may be missing.
std::string FollowLinks(std::string path) {
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, error); ++i) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = (target.is_absolute() ? target : fs::path(path).parent_path() / target).string();
  }
  return path;
}

bool IsSpecial(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_regular_file(path, error) && !fs::is_directory(path, error);
}

absl::Status WriteSpecial(const OutputFile& output) {
  const int file = open(output.path.c_str(), O_WRONLY | O_CLOEXEC);
  absl::string_view rest = output.text;
  ssize_t written = 0;
  while (file >= 0 && !rest.empty() && (written >= 0 || errno == EINTR)) {
    written = write(file, rest.data(), rest.size());
    if (written > 0) rest.remove_prefix(written);
  }
  const int error = errno;
  if (file >= 0) close(file);
  if (file >= 0 && rest.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(output.path, ": cannot be written: ", std::strerror(error)));
}

absl::Status WriteOutput(const OutputFile& output) {
  if (IsSpecial(output.path)) return WriteSpecial(output);
  const std::string place = FollowLinks(output.path);
  std::error_code error;
  const bool replaces = fs::exists(place, error);
  TUNE_ASSIGN_OR_RETURN(StagedFile file, StagedFile::Make(place));
  TUNE_RETURN_IF_ERROR(file.Write(output.text));
  return replaces ? file.Replace() : file.Publish();
}

absl::Status IsInput(const std::string& path, const std::string& what) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": ", what,
                   "; it is never overwritten, not with --force either: name another file with --output"));
}

}  // namespace

std::string WithMark(absl::string_view text) {
  std::string lines(text);
  if (!absl::EndsWith(lines, "\n")) lines += "\n";
  return absl::StrCat(lines, kMarkBegin, Fingerprint(lines), kMarkEnd);
}

bool WrittenByTunectl(absl::string_view content) {
  if (IsGzip(content)) {
    const absl::StatusOr<std::string> text = Gunzip(content);
    return text.ok() && !IsGzip(*text) && WrittenByTunectl(*text);
  }
  return HasMark(content) || LooksLikeArchive(content) || IsStoredExtraction("", content) ||
         IsOwnJson(content);
}

absl::Status CheckOutput(const std::string& path, const OutputRules& rules) {
  std::error_code error;
  if (!fs::exists(path, error) || IsSpecial(path)) return absl::OkStatus();
  for (const std::string& input : rules.inputs) {
    if (!input.empty() && SameFile(path, input)) {
      return IsInput(path, input == path ? "is read by this command"
                                         : absl::StrCat("is the same file as ", input,
                                                        ", and that is read by this command"));
    }
  }
  TUNE_ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
  if (content.empty()) return absl::OkStatus();
  if (rules.program != nullptr) {
    for (const v1::SourceFile& file : rules.program->files()) {
      if (file.content() == content)
        return IsInput(path, absl::StrCat("holds ", file.path(), " of the original program"));
    }
  }
  if (rules.force || WrittenByTunectl(content)) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat(path,
                   ": exists, and tunectl did not write it, or it was changed since; name another file with "
                   "--output, or replace it with --force"));
}

absl::Status WriteOutputs(const std::vector<OutputFile>& files, const OutputRules& rules) {
  for (const OutputFile& file : files) TUNE_RETURN_IF_ERROR(CheckOutput(file.path, rules));
  for (const OutputFile& file : files) TUNE_RETURN_IF_ERROR(WriteOutput(file));
  return absl::OkStatus();
}

}  // namespace tune
