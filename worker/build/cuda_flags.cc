#include "worker/build/cuda_flags.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr absl::string_view kWords[] = {"use_fast_math", "lineinfo", "generate-line-info",
                                        "restrict",      "w",        "extra-device-vectorization"};
// Before `=`.
constexpr absl::string_view kSettings[] = {"std",  "ftz",          "prec-div", "prec-sqrt",
                                           "fmad", "maxrregcount", "Xptxas",   "ptxas-options"};

bool IsPlainSetting(absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return absl::ascii_isalnum(c) || absl::StrContains("_.,+:=-", c);
  });
}

template <size_t count>
bool IsAmong(absl::string_view word, const absl::string_view (&words)[count]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool IsFolderBelow(absl::string_view path) {
  const std::vector<absl::string_view> parts = absl::StrSplit(path, '/');
  return !path.empty() && path[0] != '/' && std::find(parts.begin(), parts.end(), "..") == parts.end();
}

absl::Status Refuse(absl::string_view flag) {
  return absl::InvalidArgumentError(absl::StrCat(
      "the flag `", EscapeLine(flag),
      "` is refused: workers take -D -U -I -std= -use_fast_math -ftz= -prec-div= -prec-sqrt= -fmad= "
      "-maxrregcount= -Xptxas= -lineinfo -restrict -extra-device-vectorization -w for kernels in CUDA, and "
      "compile for the device that they have; leave it out"));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CudaFlags(const std::vector<std::string>& flags,
                                                   const std::string& bundle) {
  std::vector<std::string> accepted;
  for (const std::string& flag : flags) {
    absl::string_view name = flag;
    if (flag == "-O3") continue;
    const bool is_definition = absl::StartsWith(flag, "-D") || absl::StartsWith(flag, "-U");
    if (absl::ConsumePrefix(&name, "-I")) {
      if (!IsFolderBelow(name)) return Refuse(flag);
      accepted.push_back(absl::StrCat("-I", bundle, "/", name));
      continue;
    }
    if (!absl::ConsumePrefix(&name, "--")) absl::ConsumePrefix(&name, "-");
    const size_t equals = name.find('=');
    const bool is_setting = equals != absl::string_view::npos && IsAmong(name.substr(0, equals), kSettings) &&
                            IsPlainSetting(name.substr(equals + 1));
    const bool is_word = flag[0] == '-' && IsAmong(name, kWords);
    if (!(is_definition && flag.size() > 2) && !is_setting && !is_word) return Refuse(flag);
    accepted.push_back(flag);
  }
  return accepted;
}

}  // namespace tune
