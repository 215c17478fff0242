#include "server/dashboard/page_files.h"

#include "absl/strings/match.h"

namespace tune {

const PageFile* FindPageFile(absl::string_view path) {
  for (const PageFile& file : PageFiles()) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

absl::string_view PageFileType(absl::string_view path) {
  if (absl::EndsWith(path, ".html")) return "text/html; charset=utf-8";
  if (absl::EndsWith(path, ".js")) return "text/javascript; charset=utf-8";
  if (absl::EndsWith(path, ".css")) return "text/css; charset=utf-8";
  if (absl::EndsWith(path, ".svg")) return "image/svg+xml";
  if (absl::EndsWith(path, ".json")) return "application/json; charset=utf-8";
  return "text/plain; charset=utf-8";
}

bool HasPageLibraries() { return FindPageFile("lib/uPlot.iife.min.js") != nullptr; }

}  // namespace tune
