// Runs clang over one file in C or C++: syntax tree, scop pragmas, included files, errors.
#pragma once

#include <clang/Basic/SourceLocation.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/extract/source/file_facts.h"
#include "client/extract/source/macro_record.h"
#include "common/base/status.h"
#include "tune/v1/extraction.pb.h"

namespace clang {
class ASTContext;
}

namespace tune {

struct FrontEndOptions {
  std::vector<std::string> include_directories;  // -I, in search order
  std::vector<std::string> defines;              // -D, "NAME" or "NAME=VALUE"
  std::vector<std::string> compile_flags;  // the host compiler's; those that change the language are heeded
  std::optional<std::string> text = {};    // read in place of what the file holds
  std::map<std::string, int64_t> constants = {};  // FileFacts::constants
};

// `#pragma scop` or `#pragma endscop`.
struct PragmaMark {
  bool begins;                     // scop, not endscop
  bool is_operator;                // written as _Pragma("scop")
  clang::SourceLocation location;  // of the `#`
};

// A parsed file. What C++ has beyond C is lowered (cpp_lowering.h). Owns the syntax tree. Not thread safe.
class TranslationUnit {
 public:
  // Parses `path`. What clang calls an error is appended to `diagnostics` (at most 20); the tree must
  // not be used then. Never null.
  static std::unique_ptr<TranslationUnit> Parse(
      const std::string& path, const FrontEndOptions& options,
      google::protobuf::RepeatedPtrField<v1::Diagnostic>* diagnostics);
  ~TranslationUnit();
  TranslationUnit(const TranslationUnit&) = delete;
  TranslationUnit& operator=(const TranslationUnit&) = delete;

  clang::ASTContext& ast() const;
  const std::string& path() const { return path_; }
  bool ok() const { return ok_; }

  // In the order in which they were met.
  const std::vector<PragmaMark>& pragmas() const { return pragmas_; }
  FileFacts facts() const { return {macros_.Meanings(), constants_}; }
  // Every file that was entered and does not lie in a system directory, as clang names it; the main
  // file is not among them.
  const std::vector<std::string>& user_headers() const { return user_headers_; }
  // Those of options.include_directories through which a file was found.
  const std::vector<std::string>& used_include_directories() const { return used_include_directories_; }
  bool DefinesMain() const;

 private:
  struct Clang;
  class Recorder;
  class ScopPragma;
  class Errors;
  class ParseAction;

  TranslationUnit() = default;

  std::string path_;
  bool ok_ = false;
  std::vector<PragmaMark> pragmas_;
  MacroRecord macros_;
  std::map<std::string, int64_t> constants_;
  std::vector<std::string> user_headers_;
  std::vector<std::string> used_include_directories_;
  std::unique_ptr<Clang> clang_;
};

// The folder with clang's own headers (stddef.h and the like), which must fit the libclang in use.
// $TUNE_CLANG_RESOURCE_DIR goes before the usual places. NOT_FOUND says which package is missing.
absl::StatusOr<std::string> FindClangResourceDirectory();

// Runs `body` on a stack large enough for deeply nested input. False when it crashed; the process can
// go on to report that, nothing more.
bool RunGuarded(const std::function<void()>& body);

}  // namespace tune
