// Definitions of hand-written kernels as lines of a file, or options of a command line: the same words.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/base/status.h"
#include "tune/v1/kernel.pb.h"

namespace tune {

// A word that a line begins with, and an option of the same name.
struct ShortFormWord {
  const char* word;
  const char* type;  // what stands behind it: "NAME"; empty: nothing
  const char* help;
  bool of_files_alone = false;  // on a command line another option says it
};
const std::vector<ShortFormWord>& ShortFormWords();

// Collects what words say.
class ShortFormReader {
 public:
  // One line or option. INVALID_ARGUMENT, without the word, where there is no such word or its text cannot
  // be read.
  absl::Status Add(absl::string_view word, absl::string_view text);

  // A file: each line a word and its text; empty lines, and what follows a `#`, count for nothing. A line
  // that ends with a backslash goes on in the next one. INVALID_ARGUMENT: "NAME:12: block: ..." with each
  // line that cannot be read.
  absl::Status AddLines(absl::string_view content, absl::string_view name);

  // In place of what was said of it.
  void SetFile(const std::string& path) { definition_.set_file(path); }

  // The whole; what later words say of earlier ones is put together. INVALID_ARGUMENT where a default or a
  // template argument does not fit. Whether it can be tuned is another question: CheckDefinition.
  absl::StatusOr<v1::KernelDefinition> Finish();

 private:
  absl::Status AddOfKernel(absl::string_view word, absl::string_view text);
  absl::Status AddParameter(absl::string_view text);
  absl::Status AddProblem(absl::string_view text);
  absl::Status AddLaunch(absl::string_view text);
  absl::Status AddSearch(absl::string_view word, absl::string_view text);
  absl::Status ApplyDefaults();
  void QuoteTypes();

  v1::KernelDefinition definition_;
  std::vector<std::string> defaults_;  // texts
};

// AddLines and Finish; of Finish's errors, too, with the name before them.
absl::StatusOr<v1::KernelDefinition> ReadShortForm(absl::string_view content, absl::string_view name);

// What ReadShortForm reads as the same definition.
std::string WriteShortForm(const v1::KernelDefinition& definition);

// CUDA for .cu and .cuh, C for .c; else unspecified.
v1::KernelLanguage LanguageOfFile(absl::string_view path);

}  // namespace tune
