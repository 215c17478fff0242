#include "worker/cuda/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace tune {
namespace {

std::vector<std::string> ToolkitFolders() {
  std::vector<std::string> homes;
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0') homes.push_back(home);
  homes.push_back("/usr/local/cuda");
  std::vector<std::string> folders;
  for (const std::string& home : homes) {
    for (const char* below : {"/lib64/", "/targets/x86_64-linux/lib/", "/extras/CUPTI/lib64/"}) {
      folders.push_back(home + below);
    }
  }
  return folders;
}

}  // namespace

absl::StatusOr<void*> OpenCudaLibrary(const std::vector<std::string>& names) {
  std::string reason;
  for (const std::string& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    const char* text = dlerror();
    if (reason.empty()) reason = text != nullptr ? text : name;
    for (const std::string& folder : ToolkitFolders()) {
      if (void* library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    }
  }
  return absl::NotFoundError(reason);
}

void* FindSymbolAddress(void* library, const char* symbol) { return dlsym(library, symbol); }

}  // namespace tune
