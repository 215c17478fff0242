#include "worker/sandbox/clean_environment.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

extern char** environ;

namespace tune {
namespace {

constexpr const char* kNames[] = {"PATH",
                                  "LANG",
                                  "LANGUAGE",
                                  "TZ",
                                  "CPATH",
                                  "C_INCLUDE_PATH",
                                  "CPLUS_INCLUDE_PATH",
                                  "LIBRARY_PATH",
                                  "COMPILER_PATH",
                                  "GCC_EXEC_PREFIX",
                                  "LD_LIBRARY_PATH",
                                  "TUNE_CUPTI"};
// ccache's folder is not visible, so it gets one in HOME.
constexpr const char* kPrefixes[] = {
    "LC_", "OMP_",    "GOMP_", "KMP_",  "MALLOC_", "GLIBC_TUNABLES=", "CUDA_",
    "NV_", "NVIDIA_", "ASAN_", "LSAN_", "TSAN_",   "UBSAN_"};

bool IsKept(absl::string_view entry) {
  const absl::string_view name = entry.substr(0, entry.find('='));
  for (const char* kept : kNames) {
    if (name == kept) return true;
  }
  for (const char* prefix : kPrefixes) {
    if (absl::StartsWith(entry, prefix)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> CleanEnvironment(const std::string& folder) {
  std::vector<std::string> kept;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (IsKept(*entry)) kept.push_back(*entry);
  }
  const std::string home = folder.empty() ? "/tmp" : folder;
  kept.push_back("HOME=" + home);
  kept.push_back("TMPDIR=" + home);
  return kept;
}

}  // namespace tune
