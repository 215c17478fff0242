// The parts of a loop, however it is written.
#pragma once

#include <vector>

#include "client/extract/source/diagnostic.h"
#include "client/extract/tree/body_end.h"

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
}  // namespace clang

namespace tune {

// Of `for`, and of `while` and `do` with one step in its condition or body. A loop without a condition may
// start with `if (...) break;`. What the header does beside its iterator belongs to what is around it: before
// the loop, or at the end of the body.
struct LoopForm {
  // Where the iterator makes its step: behind the rest of the body, before it, or in the condition, which
  // looks at it before that (i-- > 0) or then (--i > 0).
  enum class Step { kBehindBody, kBeforeBody, kBehindCondition, kBeforeCondition };

  clang::SourceRange header;
  std::vector<const clang::VarDecl*> declared;  // in the header, before the iterator is set
  Statements before;                            // assignments there
  const clang::VarDecl* iterator = nullptr;
  clang::SourceRange setting;              // what sets the iterator, else `header`
  const clang::Expr* start = nullptr;      // null: the value that the iterator has
  const clang::Expr* condition = nullptr;  // without the step
  bool negated = false;                    // the loop goes on while the condition does not hold
  bool first_always = false;               // the first iteration comes before the condition is looked at
  const clang::Expr* step = nullptr;       // what changes the iterator
  Step place = Step::kBehindBody;
  Statements body;  // of each iteration, without the step
};

// The variable that an assignment, or ++ and --, changes; else null.
const clang::VarDecl* ChangedBy(const clang::Stmt& statement);

// `loop` is a `for`, `while` or `do`. Types are not looked at.
Accepted<LoopForm> ReadForm(const clang::ASTContext& ast, const clang::Stmt& loop);

}  // namespace tune
