#include "client/extract/cpp/range_loop.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include "absl/strings/str_cat.h"
#include "client/extract/source/main_file.h"

namespace tune {
namespace {

// The first semicolon from there on that is in no brackets; nothing where the text has no such before they
// end.
std::optional<int64_t> BehindSemicolon(const clang::ASTContext& ast, const MainFile& file, int64_t from) {
  const clang::SourceManager& manager = ast.getSourceManager();
  const llvm::StringRef text = file.text();
  clang::Lexer lexer(manager.getLocForStartOfFile(manager.getMainFileID()), ast.getLangOpts(), text.begin(),
                     text.begin() + from, text.end());
  clang::Token token;
  int depth = 0;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) ++depth;
    if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) --depth;
    if (depth < 0 || token.is(clang::tok::hash)) break;
    if (depth == 0 && token.is(clang::tok::semi)) return file.Offset(token.getLocation()) + 1;
  }
  return std::nullopt;
}

// One past the last byte of a statement, with its semicolon; nothing where that is in a macro.
std::optional<int64_t> EndOf(const clang::ASTContext& ast, const MainFile& file,
                             const clang::Stmt& statement) {
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement))
    return EndOf(ast, file, *loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement))
    return EndOf(ast, file, *loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&statement))
    return EndOf(ast, file, *loop->getBody());
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement))
    return EndOf(ast, file, choice->getElse() != nullptr ? *choice->getElse() : *choice->getThen());
  if (!llvm::isa<clang::Expr>(statement)) {
    const clang::SourceLocation last = statement.getEndLoc();
    const bool is_block = llvm::isa<clang::CompoundStmt>(statement) && UseAt(ast, file, {last, last});
    return is_block ? std::optional<int64_t>(file.Offset(last) + 1) : std::nullopt;
  }
  // What functions of the library are lowered to ends elsewhere.
  const clang::SourceLocation first = statement.getBeginLoc();
  return UseAt(ast, file, {first, first}) ? BehindSemicolon(ast, file, file.Offset(first)) : std::nullopt;
}

}  // namespace

std::optional<RangeLoop> RangeLoopAt(const clang::ASTContext& ast, const MainFile& file,
                                     const clang::CXXForRangeStmt& loop) {
  const clang::VarDecl& variable = *loop.getLoopVariable();
  const std::optional<MemberUse> head = UseAt(ast, file, {loop.getForLoc(), loop.getRParenLoc()});
  const std::optional<MemberUse> declared =
      UseAt(ast, file, {variable.getBeginLoc(), variable.getLocation()});
  const std::optional<int64_t> end = EndOf(ast, file, *loop.getBody());
  if (!head || !declared || !end || loop.getInit() != nullptr) return std::nullopt;
  const clang::SourceLocation first = loop.getBody()->getBeginLoc();
  const bool is_block = llvm::isa<clang::CompoundStmt>(loop.getBody()) && UseAt(ast, file, {first, first});
  return RangeLoop{&variable, *head, TextAt(file, *declared),
                   is_block ? std::optional(file.Offset(first) + 1) : std::nullopt, *end};
}

void AddSubscriptLoop(const RangeLoop& loop, const std::string& declared, const std::string& elements,
                      const std::string& count, std::vector<MemberUse>* uses) {
  std::string index = "tune_at_" + loop.variable->getNameAsString();
  const clang::IdentifierTable& names = loop.variable->getASTContext().Idents;
  while (names.find(index) != names.end()) index += "_";  // which the program has
  const std::string header =
      absl::StrCat("for (__SIZE_TYPE__ ", index, " = 0; ", index, " < ", count, "; ++", index, ")");
  const std::string element = absl::StrCat(" ", declared, " = ", elements, "[", index, "];");
  if (loop.block) {
    uses->push_back({loop.head.offset, loop.head.length, header});
    uses->push_back({*loop.block, 0, element});
  } else {
    uses->push_back({loop.head.offset, loop.head.length, absl::StrCat(header, " {", element)});
    uses->push_back({loop.end, 0, " }"});
  }
}

}  // namespace tune
