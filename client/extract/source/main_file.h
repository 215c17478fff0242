// Bytes and lines of the C file that is read, and the statements that stand there.
#pragma once

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class LangOptions;
class SourceManager;
class Stmt;
}  // namespace clang

namespace tune {

// The place in the main file that `location` comes from: out of macros and included files. Invalid for what
// the compiler made up.
clang::SourceLocation PlaceInMainFile(const clang::SourceManager& manager, clang::SourceLocation location);

// From the first byte of the first token to the first byte of the last one.
struct ByteRange {
  int64_t first;
  int64_t last;
};

// `manager` must outlive it. Offsets are bytes of the main file.
class MainFile {
 public:
  explicit MainFile(const clang::SourceManager& manager);

  llvm::StringRef text() const { return text_; }
  int64_t Offset(clang::SourceLocation location) const;
  clang::SourceLocation LocationOf(int64_t offset) const;
  int LineOf(int64_t offset) const;  // from 1

  // Offset of the first byte of the line of `offset`.
  int64_t LineBegin(int64_t offset) const;
  // Offset of the newline that ends the line of `offset`, or of the end of the text. A newline behind a
  // backslash does not end a line.
  int64_t LineEnd(int64_t offset) const;
  // The same without the carriage return before the newline.
  int64_t TextEnd(int64_t offset) const;

  // Bytes that a node comes from; nothing when it was made by the compiler.
  std::optional<ByteRange> Bytes(clang::SourceRange range) const;

  // The text of the range; nothing where it begins or ends inside of what a macro stands for.
  std::optional<llvm::StringRef> WholeText(clang::SourceRange range,
                                           const clang::LangOptions& language) const;

  // The function with the bytes from `begin` to `end` in its body; of a template its instances. None where
  // there is no such.
  std::vector<const clang::FunctionDecl*> FunctionsAround(const clang::ASTContext& ast, int64_t begin,
                                                          int64_t end) const;

  // The statements in `around` that lie between the offsets; nothing when one lies there in part.
  std::optional<std::vector<const clang::Stmt*>> Statements(const clang::Stmt& around, int64_t begin,
                                                            int64_t end) const;

 private:
  bool IsSpliced(size_t newline) const;

  const clang::SourceManager& manager_;
  llvm::StringRef text_;
};

}  // namespace tune
