// Lines that hold statements and nothing else, which a tuned file can replace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/extract/source/diagnostic.h"
#include "client/extract/source/main_file.h"

namespace tune {

// Bytes from `begin` to before `end`: of whole lines without the last line end, unless something else is
// said.
struct WholeLines {
  int64_t begin;
  int64_t end;
};

// The tokens of the main file as they are written, which the syntax tree does not have: comments, directives
// and what macros hide.
class WrittenTokens {
 public:
  // `file` must outlive it.
  WrittenTokens(const clang::ASTContext& ast, const MainFile& file);

  // The lines of the statements from the first to the last token, with the pragmas that stand right before
  // them and are about them. `ends_in_macro`: they need no `;` at the end. Refused where these lines hold
  // more, or a part of an #if.
  Accepted<WholeLines> LinesOf(ByteRange statements, bool ends_in_macro) const;

  // Bytes from the first token of the statements, with the pragmas that stand right before them, to behind
  // the last one, with its `;`. Nothing where that does not follow right behind. `ends_in_macro`: as for
  // LinesOf.
  std::optional<WholeLines> BytesOf(ByteRange statements, bool ends_in_macro) const;

  // The byte of a pragma of OpenMP or OpenACC that is about the statement that begins at `first`.
  std::optional<int64_t> ParallelPragma(int64_t first) const;

  // The byte of a pragma that stands right before the directive that begins at this byte, and is about the
  // statement behind that.
  std::optional<int64_t> PragmaOfStatement(int64_t directive) const;

  // The names of the directives that begin at these bytes, up to before `end`, in order: "if", "define".
  // Those of pragmas are left out, but for what changes macros: "pragma".
  std::vector<std::string> DirectivesIn(int64_t begin, int64_t end) const;

 private:
  enum class Kind { kCode, kComment, kDirective };
  struct Written {
    Kind kind;
    int64_t begin, end;
    llvm::StringRef text;
  };

  bool Is(size_t index, llvm::StringRef text) const;
  // The first and the last token of statements, pragmas before them and their `;` included.
  std::optional<std::pair<size_t, size_t>> TokensOf(ByteRange statements) const;
  // The first token that begins at this byte or behind it; their number where there is none.
  size_t FirstFrom(int64_t byte) const;
  // The token of code that begins at this byte, or nothing.
  std::optional<size_t> At(int64_t byte) const;
  // The first token of the pragma that ends before this one, with nothing but comments between, or of the #if
  // around nothing but pragmas.
  std::optional<size_t> PragmaBefore(size_t index) const;
  // The #if of this #endif, if pragmas and comments are all that stands between them.
  std::optional<size_t> ConditionOfPragmas(size_t endif) const;
  // The byte of the nearest of the pragmas before this token that is, or has in its #if, such a one.
  std::optional<int64_t> NearestPragma(size_t index, bool (*is)(llvm::StringRef)) const;
  // The next token that is no comment.
  std::optional<size_t> Next(size_t index) const;
  Refusal Refuse(size_t index, std::string reason, std::string remedy) const;
  std::optional<Refusal> CheckBegin(size_t first, const WholeLines& lines) const;
  std::optional<Refusal> CheckEnd(size_t last, const WholeLines& lines) const;
  // The last token, or the #endif of what is open there, before which nothing follows that is compiled. An
  // #if from before the first token must not go on.
  Accepted<size_t> EndOfConditions(size_t first, size_t last) const;

  const MainFile& file_;
  std::vector<Written> tokens_;  // in order
};

}  // namespace tune
