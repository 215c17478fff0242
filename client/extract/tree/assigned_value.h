// Statements that set a variable, in their different forms.
#pragma once

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

struct VariableAssignment {
  const clang::VarDecl* variable;
  const clang::Expr* value;  // converted to the variable's type; of `x += e` x + e with what x was before
};

// Of `x = e`, `x += e` and its like, `x++` and its like, with a variable by its name; nothing for others.
std::optional<VariableAssignment> VariableAssignmentOf(const clang::ASTContext& ast,
                                                       const clang::Stmt& statement);

}  // namespace tune
