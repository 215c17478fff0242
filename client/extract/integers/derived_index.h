// Integers that a region sets to affine expressions, followed through its statements.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "client/extract/loops/loop_domain.h"
#include "client/extract/loops/loop_form.h"
#include "client/extract/region/region.h"

namespace clang {
class DeclStmt;
class Expr;
class IfStmt;
class Stmt;
}  // namespace clang

namespace tune {

// Region::derived as LoopNest::affine_locals: what each is at the place that is being read.
class DerivedIndices {
 public:
  explicit DerivedIndices(Region& region) : region_(region) {}

  // An assignment to a derived variable is known from then on, and no statement; nor is its declaration.
  bool SetsIndex(const clang::Expr& assignment, LoopNest& nest);
  bool Declares(const clang::VarDecl& variable, LoopNest& nest);

  // Those that the statement changes; they are not known behind it.
  std::set<const clang::VarDecl*> DerivedIn(const clang::Stmt& statement) const;
  std::set<const clang::VarDecl*> DerivedIn(const Statements& statements) const;
  void Forget(const Statements& statements, LoopNest* nest) const;

  // Behind a choice in `before`: what its variables are at the ends of the branches, of which one is reached
  // in each iteration. Nothing is known where data choose.
  void Join(const clang::Stmt& choice, const LoopNest& before, const std::vector<LoopNest>& branches,
            LoopNest* after) const;

  // At the start of a loop's body: a variable to which each iteration adds the same number, in loops inside
  // of it as well, is known from the iterator, others that the loop changes are not known.
  void EnterLoop(const LoopForm& form, Loop* inner) const;

  // Behind a loop: what these variables are then, and its iterator if that is a derived variable.
  void LeaveLoop(const LoopForm& form, const Loop& inner, LoopNest* nest) const;

 private:
  const clang::VarDecl* DerivedTarget(const clang::Expr& assignment) const;
  std::optional<isl::pw_aff> Addend(const clang::Expr& assignment, const LoopNest& nest) const;
  std::optional<isl::pw_aff> ValueBehind(const clang::Expr& assignment, const LoopNest& nest) const;

  // derived_index_loop.cc
  void Evaluate(const Statements& statements, LoopNest* nest) const;
  void EvaluateOne(const clang::Stmt& statement, LoopNest* nest) const;
  void EvaluateExpression(const clang::Expr& expression, LoopNest* nest) const;
  void EvaluateDeclarations(const clang::DeclStmt& statement, LoopNest* nest) const;
  void EvaluateChoice(const clang::IfStmt& choice, LoopNest* nest) const;
  void EvaluateLoop(const clang::Stmt& loop, LoopNest* nest) const;
  std::map<const clang::VarDecl*, isl::pw_aff> ValuesAtEnd(const Statements& body,
                                                           const LoopNest& start) const;
  bool MaySkipChanges(const Statements& body) const;
  std::optional<isl::val> Advance(const clang::VarDecl* variable, const Statements& body,
                                  const LoopNest& start) const;
  std::optional<isl::val> ConstantAdvance(const clang::VarDecl* variable, const isl::pw_aff& end,
                                          const LoopNest& start) const;
  std::optional<isl::pw_aff> WithoutEntries(isl::pw_aff value,
                                            const std::set<const clang::VarDecl*>& variables,
                                            const LoopNest& known) const;
  isl::pw_aff InLastIteration(const isl::pw_aff& value, const Loop& inner) const;
  isl::id EntryId(const clang::VarDecl* variable) const;
  bool IsOfEntries(const isl::pw_aff& value, const std::set<const clang::VarDecl*>& variables) const;

  Region& region_;
};

}  // namespace tune
