#include "client/extract/source/diagnostic.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/base/file.h"

namespace tune {
namespace {

constexpr size_t kLongestExpression = 80;

// Line `number` (from 1) of a file, or empty.
std::string SourceLine(const std::string& path, int number) {
  absl::StatusOr<std::string> text = ReadFile(path);
  if (!text.ok() || number < 1) return "";
  std::vector<absl::string_view> lines = absl::StrSplit(*text, '\n');
  if (static_cast<size_t>(number) > lines.size()) return "";
  return std::string(absl::StripTrailingAsciiWhitespace(lines[number - 1]));
}

// A caret below byte `column` of `line`; tabs stay tabs, so that it stands below on any terminal.
std::string CaretLine(absl::string_view line, int column) {
  std::string caret;
  for (int i = 0; i + 1 < column && i < static_cast<int>(line.size()); ++i)
    caret += line[i] == '\t' ? '\t' : ' ';
  return caret + "^";
}

}  // namespace

std::string SourceText(const clang::ASTContext& ast, clang::SourceRange range) {
  const clang::SourceManager& manager = ast.getSourceManager();
  if (range.isInvalid()) return "";
  clang::CharSourceRange characters = manager.getExpansionRange(range);
  bool invalid = false;
  std::string text = clang::Lexer::getSourceText(characters, manager, ast.getLangOpts(), &invalid).str();
  if (invalid) return "";
  std::string line;
  for (char c : text) line += absl::ascii_isspace(c) ? ' ' : c;
  absl::RemoveExtraAsciiWhitespace(&line);
  if (line.size() > kLongestExpression) line = absl::StrCat(line.substr(0, kLongestExpression - 4), " ...");
  return line;
}

v1::Diagnostic MakeDiagnostic(const clang::ASTContext& ast, absl::string_view file, const Refusal& refusal) {
  const clang::SourceManager& manager = ast.getSourceManager();
  v1::Diagnostic diagnostic;
  diagnostic.set_file(std::string(file));
  diagnostic.set_reason(refusal.reason);
  diagnostic.set_remedy(refusal.remedy);
  clang::SourceLocation begin = manager.getExpansionLoc(refusal.range.getBegin());
  if (begin.isInvalid()) return diagnostic;
  if (!manager.isInMainFile(begin)) diagnostic.set_file(manager.getFilename(begin).str());
  diagnostic.set_line(static_cast<int>(manager.getExpansionLineNumber(begin)));
  diagnostic.set_column(static_cast<int>(manager.getExpansionColumnNumber(begin)));
  diagnostic.set_expression(SourceText(ast, refusal.range));
  return diagnostic;
}

std::string RenderDiagnostic(const v1::Diagnostic& diagnostic) {
  std::string text = diagnostic.file();
  if (diagnostic.line() > 0) absl::StrAppend(&text, ":", diagnostic.line());
  if (diagnostic.column() > 0) absl::StrAppend(&text, ":", diagnostic.column());
  absl::StrAppend(&text, ": error: ", diagnostic.reason(), "\n");
  std::string line = SourceLine(diagnostic.file(), diagnostic.line());
  if (!line.empty()) {
    absl::StrAppend(&text, line, "\n");
    if (diagnostic.column() > 0) absl::StrAppend(&text, CaretLine(line, diagnostic.column()), "\n");
  }
  if (!diagnostic.expression().empty())
    absl::StrAppend(&text, "  expression: ", diagnostic.expression(), "\n");
  if (!diagnostic.remedy().empty()) absl::StrAppend(&text, "  remedy: ", diagnostic.remedy(), "\n");
  return text;
}

}  // namespace tune
