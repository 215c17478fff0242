#include <clang/Basic/Version.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "client/extract/source/clang_front_end.h"

namespace tune {
namespace {

// The file of the libclang-cpp that this process runs with, links resolved; empty when linked statically.
std::filesystem::path LibraryPath() {
  Dl_info info;
  // A function that lives in libclang-cpp: its address tells which file that is.
  std::string (*function)() = &clang::getClangFullVersion;
  if (dladdr(reinterpret_cast<void*>(function), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(info.dli_fname, error);
  return error ? std::filesystem::path() : path;
}

}  // namespace

absl::StatusOr<std::string> FindClangResourceDirectory() {
  const std::string major = CLANG_VERSION_MAJOR_STRING;
  std::vector<std::filesystem::path> places;
  if (const char* given = std::getenv("TUNE_CLANG_RESOURCE_DIR"); given != nullptr && *given != '\0') {
    places = {given};
  } else {
    std::filesystem::path library = LibraryPath();
    if (!library.empty()) {
      places.push_back(library.parent_path() / "clang" / major);
      places.push_back(library.parent_path() / "clang" / CLANG_VERSION_STRING);
      places.push_back(library.parent_path().parent_path() / ("llvm-" + major) / "lib" / "clang" / major);
    }
    places.push_back("/usr/lib/llvm-" + major + "/lib/clang/" + major);
    places.push_back("/usr/lib/clang/" + major);
  }
  std::string searched;
  for (const std::filesystem::path& place : places) {
    std::error_code error;
    if (std::filesystem::exists(place / "include" / "stddef.h", error)) return place.string();
    absl::StrAppend(&searched, searched.empty() ? "" : ", ", place.string());
  }
  return absl::NotFoundError(
      absl::StrCat("clang's own headers (stddef.h and others) are not found in ", searched));
}

}  // namespace tune
