// compile_commands.json: how each file of a project is compiled.
#pragma once

#include <string>
#include <vector>

#include "client/project/compile_flags_of_entry.h"
#include "common/base/status.h"

namespace tune {

struct CompiledFile {
  std::string file;                  // absolute
  absl::StatusOr<EntryFlags> flags;  // an error where they cannot be told
};

class CompilationDatabase {
 public:
  // `path` is the file, or the folder that has it. NOT_FOUND with what makes one; INVALID_ARGUMENT: no such
  // database, or an empty one.
  static absl::StatusOr<CompilationDatabase> Read(const std::string& path);

  // As written, of several entries of a file the first.
  const std::vector<CompiledFile>& files() const { return files_; }
  const std::string& path() const { return path_; }

  // Flags of the file, by whatever path or link it is named. NOT_FOUND, and the entry's error.
  absl::StatusOr<EntryFlags> FlagsOf(const std::string& file) const;

 private:
  std::string path_;
  std::vector<CompiledFile> files_;
};

// The file that Read of this path reads.
std::string DatabaseFile(const std::string& path);

}  // namespace tune
