#include "client/cli/libtune_location.h"

#include <filesystem>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/subprocess.h"

namespace tune {
namespace {

namespace fs = std::filesystem;

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// Of `cmake --install`, with lib, lib64 or Debian's folder of an architecture; or of a build.
std::optional<LibtuneLocation> FindIn(const fs::path& folder) {
  std::vector<fs::path> libraries = {folder, folder / "libtune", folder / "lib", folder / "lib64"};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "lib", error)) libraries.push_back(entry.path());
  for (const fs::path& include : {folder / "include", folder / "libtune" / "include"}) {
    if (!Exists(include / "tune.h")) continue;
    for (const fs::path& library : libraries) {
      if (Exists(library / "libtune.so") || Exists(library / "libtune.a"))
        return LibtuneLocation{fs::absolute(include).lexically_normal(),
                               fs::absolute(library).lexically_normal()};
    }
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<LibtuneLocation> FindLibtune(const std::string& given) {
  constexpr char kInstall[] =
      "install it with `cmake --install BUILD --component libtune --prefix DIR`, and name it with --libtune "
      "DIR";
  if (!given.empty()) {
    if (const auto found = FindIn(given)) return *found;
    return absl::NotFoundError(absl::StrCat(
        "--libtune ", given, ": no include/tune.h with libtune.so or libtune.a there; ", kInstall));
  }
  std::vector<fs::path> prefixes;
  if (const auto sibling = FindSiblingProgram("tune-extract"); sibling.ok())
    prefixes.push_back(fs::path(*sibling).parent_path().parent_path());
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  for (const fs::path& prefix : prefixes) {
    if (const auto found = FindIn(prefix)) return *found;
  }
  return absl::NotFoundError(
      absl::StrCat("libtune is not in ", prefixes[0].string(), ", /usr/local or /usr; ", kInstall));
}

}  // namespace tune
