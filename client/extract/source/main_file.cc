#include "client/extract/source/main_file.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "client/extract/source/defined_functions.h"

namespace tune {

clang::SourceLocation PlaceInMainFile(const clang::SourceManager& manager, clang::SourceLocation location) {
  location = manager.getExpansionLoc(location);
  while (location.isValid() && !manager.isWrittenInMainFile(location)) {
    location = manager.getIncludeLoc(manager.getFileID(location));
  }
  return location;
}

MainFile::MainFile(const clang::SourceManager& manager)
    : manager_(manager), text_(manager.getBufferData(manager.getMainFileID())) {}

int64_t MainFile::Offset(clang::SourceLocation location) const { return manager_.getFileOffset(location); }

clang::SourceLocation MainFile::LocationOf(int64_t offset) const {
  return manager_.getLocForStartOfFile(manager_.getMainFileID()).getLocWithOffset(static_cast<int>(offset));
}

int MainFile::LineOf(int64_t offset) const {
  return static_cast<int>(manager_.getSpellingLineNumber(LocationOf(offset)));
}

int64_t MainFile::LineBegin(int64_t offset) const {
  const size_t newline = text_.rfind('\n', static_cast<size_t>(offset));
  return newline == llvm::StringRef::npos ? 0 : static_cast<int64_t>(newline) + 1;
}

int64_t MainFile::LineEnd(int64_t offset) const {
  size_t end = static_cast<size_t>(offset);
  while (end < text_.size() && (text_[end] != '\n' || IsSpliced(end))) ++end;
  return static_cast<int64_t>(end);
}

int64_t MainFile::TextEnd(int64_t offset) const {
  const int64_t end = LineEnd(offset);
  return end > offset && text_[end - 1] == '\r' ? end - 1 : end;
}

bool MainFile::IsSpliced(size_t newline) const {
  if (newline > 0 && text_[newline - 1] == '\r') --newline;
  return newline > 0 && text_[newline - 1] == '\\';
}

std::optional<ByteRange> MainFile::Bytes(clang::SourceRange range) const {
  const clang::SourceLocation begin = PlaceInMainFile(manager_, range.getBegin());
  const clang::SourceLocation end =
      PlaceInMainFile(manager_, manager_.getExpansionRange(range.getEnd()).getEnd());
  if (begin.isInvalid() || end.isInvalid()) return {};
  return ByteRange{Offset(begin), Offset(end)};
}

std::optional<llvm::StringRef> MainFile::WholeText(clang::SourceRange range,
                                                   const clang::LangOptions& language) const {
  const clang::SourceLocation begin = range.getBegin(), end = range.getEnd();
  const std::optional<ByteRange> bytes = Bytes(range);
  if (!bytes || (begin.isMacroID() && !clang::Lexer::isAtStartOfMacroExpansion(begin, manager_, language)) ||
      (end.isMacroID() && !clang::Lexer::isAtEndOfMacroExpansion(end, manager_, language)))
    return std::nullopt;
  const unsigned last = clang::Lexer::MeasureTokenLength(LocationOf(bytes->last), manager_, language);
  return text_.slice(static_cast<size_t>(bytes->first), static_cast<size_t>(bytes->last) + last);
}

std::vector<const clang::FunctionDecl*> MainFile::FunctionsAround(const clang::ASTContext& ast, int64_t begin,
                                                                  int64_t end) const {
  std::vector<const clang::FunctionDecl*> around;
  int64_t innermost = -1;  // where their bodies begin: in C++ a function may stand in a class in another one
  for (const clang::FunctionDecl* function : FunctionsOf(ast)) {
    const std::optional<ByteRange> bytes = Bytes(function->getBody()->getSourceRange());
    if (!bytes || bytes->first >= begin || end > bytes->last || bytes->first < innermost) continue;
    if (bytes->first > innermost) around.clear();
    innermost = bytes->first;
    around.push_back(function);
  }
  return around;
}

std::optional<std::vector<const clang::Stmt*>> MainFile::Statements(const clang::Stmt& around, int64_t begin,
                                                                    int64_t end) const {
  std::vector<const clang::Stmt*> inside;
  const clang::Stmt* holder = nullptr;  // begins before the bytes and ends with them: a loop whose body it is
  for (const clang::Stmt* child : around.children()) {
    if (child == nullptr) continue;
    const std::optional<ByteRange> bytes = Bytes(child->getSourceRange());
    if (!bytes || bytes->last < begin || bytes->first > end) continue;
    if (bytes->first < begin && bytes->last > end) return Statements(*child, begin, end);
    if (bytes->last > end || (bytes->first < begin && llvm::isa<clang::CompoundStmt>(child)))
      return std::nullopt;
    if (bytes->first < begin) {
      holder = child;
    } else {
      inside.push_back(child);
    }
  }
  if (holder == nullptr) return inside;
  if (!inside.empty()) return std::nullopt;
  return Statements(*holder, begin, end);
}

}  // namespace tune
