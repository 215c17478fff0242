// Bodies as lists of statements, and the statements that end them early.
#pragma once

#include <vector>

namespace clang {
class ASTContext;
class DoStmt;
class IfStmt;
class Stmt;
}  // namespace clang

namespace tune {

using Statements = std::vector<const clang::Stmt*>;

// Those of a block; others are lists of one.
Statements StatementsOf(const clang::Stmt& statement);

// The same, with those of a block that is the last of them.
Statements AllStatementsOf(const clang::Stmt& statement);

// `for`, `while` and `do`.
bool IsLoop(const clang::Stmt& statement);

// What statements are the whole body of.
enum class Whole { kNothing, kLoop, kFunction };

// `continue` in a loop's body, or `break`, behind which no iteration comes; `return` in that of a function
// that is called for its effects.
bool EndsBody(const clang::ASTContext& ast, const clang::Stmt& statement, Whole whole);

// Whether the branch, null for none, ends with such a statement.
bool SkipsRest(const clang::ASTContext& ast, const clang::Stmt* branch, Whole whole);
// Whether one of the two branches does, or one of an `else if`.
bool SkipsRest(const clang::ASTContext& ast, const clang::IfStmt& choice, Whole whole);

// Whether the statement has such a statement in it, but for one that ends a loop in it, or a `switch`.
bool HasEndOfBody(const clang::ASTContext& ast, const clang::Stmt& statement, Whole whole);

// Whether the statement holds a `continue`, or a `goto`, which may leave out as much, or a `break`, of what
// is around it.
bool HasContinue(const clang::Stmt& statement);
bool HasBreak(const clang::Stmt& statement);
// Whether it holds either: what stands behind it may be left out. The same of any of the statements.
bool HasJump(const clang::Stmt& statement);
bool HasJump(const Statements& statements);

// `do { ... } while (0)`, whose body is executed once.
bool IsExecutedOnce(const clang::DoStmt& loop);

}  // namespace tune
