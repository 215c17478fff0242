// Member functions of the program's own classes that return an element or a number, a(i, j), m.rows(), or
// that set an element, m.set(i, j, v).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "client/extract/structures/member_read.h"

namespace clang {
class ASTContext;
class CallExpr;
class CXXMethodDecl;
class Expr;
class NamedDecl;
class ParmVarDecl;
class Stmt;
}  // namespace clang

namespace tune {

class StandIns;

// A call in a region.
struct AccessorCall {
  const clang::CXXMethodDecl* method;  // with its body
  const clang::Expr* object;           // what it is called for; `this` by itself where that is not written
  std::vector<const clang::Expr*> arguments;
  const clang::Expr* returned;  // the value of the body's only statement, or that, an assignment
  // Constants and types in the function that are private, or of an instance of a template; also as they are
  // in the template.
  std::vector<const clang::NamedDecl*> hidden = {};
};

// Nothing where the call is none of a member function in sight that returns a value, or sets an element to
// one, and does nothing else.
std::optional<AccessorCall> AccessorOf(const clang::ASTContext& ast, const clang::CallExpr& call);

// Whether the parameter decides about elements in the function.
bool IsInSubscripts(const AccessorCall& call, const clang::ParmVarDecl& parameter);

// What cannot be in a region, and what to write instead, where a member function of the program's own is
// called, or an operator of its classes.
std::optional<std::pair<std::string, std::string>> RefusedAccessor(const clang::ASTContext& ast,
                                                                   const clang::CallExpr& call);

// The text that stands for the call: the function's expression, of variables that stand for the members, and
// of the arguments, which are holes. Nothing where that is not the same in each case.
std::optional<MemberUse> ReadAccessor(const clang::ASTContext& ast, const AccessorCall& call,
                                      clang::SourceRange range, StandIns* stand_ins);

// The functions that the calls in the statements lead to, if they are accessors, and the private constants
// and types in them.
struct FoundAccessors {
  std::vector<const clang::FunctionDecl*> functions;
  std::set<const clang::NamedDecl*> hidden;
};
FoundAccessors AccessorsIn(const clang::ASTContext& ast, const std::vector<const clang::Stmt*>& statements);

}  // namespace tune
