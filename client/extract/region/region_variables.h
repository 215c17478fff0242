// What each variable that a region mentions is to it: iterator, parameter, array, or another name for
// an affine expression.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "client/extract/region/set_values.h"
#include "client/extract/source/diagnostic.h"

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class IfStmt;
class Stmt;
class SwitchStmt;
class VarDecl;
}  // namespace clang

namespace tune {

// Found by one walk over the statements before any of them is looked at closely.
class RegionVariables {
 public:
  // `function` holds the statements.
  RegionVariables(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                  const std::vector<const clang::Stmt*>& statements);

  const clang::FunctionDecl& function() const { return function_; }
  const SetValues& set_values() const { return set_values_; }
  // Whose bodies calls of the region stand for, in order of first use.
  const std::vector<const clang::FunctionDecl*>& called() const { return called_; }

  // Integer variables that stand in a bound, condition or subscript, that the region neither declares nor
  // writes, and whose value is not a constant of the program; in order of first use.
  const std::vector<const clang::VarDecl*>& parameters() const { return parameters_; }
  bool IsParameter(const clang::VarDecl* variable) const;

  // Assigned, incremented, or used as an iterator by the region. Initialisers do not count.
  bool IsWritten(const clang::VarDecl* variable) const { return written_.count(variable) > 0; }
  bool IsDeclaredInside(const clang::VarDecl* variable) const { return declared_.count(variable) > 0; }
  const std::set<const clang::VarDecl*>& declared() const { return declared_; }
  // Set by the header of some loop.
  bool IsIterator(const clang::VarDecl* variable) const { return iterators_.count(variable) > 0; }
  const std::set<const clang::VarDecl*>& iterators() const { return iterators_; }

  // A local variable of the region's function that its name alone reaches: no reference, nobody takes its
  // address, and no function gets it at its end (the attribute `cleanup`).
  bool IsReachedByName(const clang::VarDecl* variable) const;

  // Variables that the region names, in the order in which they stand; some more than once.
  const std::vector<const clang::VarDecl*>& mentioned() const { return mentioned_; }

  // An int of our own that takes the value of the statement's condition: a local of the region.
  const clang::VarDecl* ConditionOf(const clang::IfStmt& statement) const;
  // What stands for a `switch` of the region (ReadSwitch).
  const Accepted<const clang::Stmt*>& ChoiceOf(const clang::SwitchStmt& statement) const;

  // Integers that stand where an affine expression is needed, are assigned by the region, not by the headers
  // of loops alone unless the region reads them elsewhere as well, and are reached by their names alone.
  const std::set<const clang::VarDecl*>& assigned_indices() const { return assigned_indices_; }

  // Pointers of the region's function that the region sets by assignments alone, and that can be reached by
  // their names alone.
  const std::set<const clang::VarDecl*>& set_pointers() const { return set_pointers_; }

  // The source name, with a number appended for a local of the region whose name another variable of the
  // region has as well.
  std::string UniqueName(const clang::VarDecl* variable) const;

 private:
  class Collector;
  void NameLocals(const std::vector<const clang::VarDecl*>& mentioned);

  const clang::FunctionDecl& function_;
  std::vector<const clang::FunctionDecl*> called_;
  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> arguments_;  // of parameters of `called_`
  SetValues set_values_;
  std::vector<const clang::VarDecl*> parameters_, mentioned_;
  std::set<const clang::VarDecl*> written_, declared_, iterators_, assigned_indices_, set_pointers_,
      addressed_;
  std::map<const clang::VarDecl*, std::string> renamed_;
  std::map<const clang::IfStmt*, const clang::VarDecl*> conditions_;
  std::map<const clang::SwitchStmt*, Accepted<const clang::Stmt*>> switches_;
};

// `expression` without parentheses and casts that were not written.
const clang::Expr* Bare(const clang::Expr* expression);

// The variable that `expression` names (parentheses and unwritten casts aside), or null.
const clang::VarDecl* NamedVariable(const clang::Expr* expression);

// The initialiser of a variable that can never have another value: `const`, and initialised with a
// constant expression (of such variables, literals, enumerators, sizeof). Else null.
const clang::Expr* ConstantInitializer(const clang::ASTContext& ast, const clang::VarDecl* variable);

}  // namespace tune
