// What a worker keeps over its restarts, so that nobody else can take its name.
#pragma once

#include <string>

#include "common/base/file_descriptor.h"
#include "common/base/status.h"

namespace tune {

// Held for as long as the process works under the name.
class WorkerSecret {
 public:
  // Of the worker `name` with this cache folder: read, or made at the first time. UNAVAILABLE when another
  // process works under the name with the same folder, or the file cannot be used.
  static absl::StatusOr<WorkerSecret> Take(const std::string& cache, const std::string& name);

  const std::string& text() const { return text_; }

 private:
  WorkerSecret(FileDescriptor lock, std::string text) : lock_(std::move(lock)), text_(std::move(text)) {}
  FileDescriptor lock_;
  std::string text_;
};

}  // namespace tune
