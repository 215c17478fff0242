// Integers that a region sets to affine expressions, followed through its statements.
#pragma once

#include <optional>
#include <set>

#include "client/extract/loop_domain.h"
#include "client/extract/loop_form.h"
#include "client/extract/region.h"

namespace clang {
class Stmt;
}

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

  // At the start of a loop's body: a variable to which each iteration adds the same number, in loops inside
  // of it as well, is known from the iterator, others that the loop changes are not known.
  void EnterLoop(const LoopForm& form, Loop* inner) const;

  // Behind a loop: what these variables are then, and its iterator if that is a derived variable.
  void LeaveLoop(const LoopForm& form, const Loop& inner, LoopNest* nest) const;

 private:
  const clang::VarDecl* DerivedTarget(const clang::Expr& assignment) const;
  std::optional<isl::pw_aff> Addend(const clang::Expr& assignment, const LoopNest& nest) const;
  std::optional<isl::val> ConstantAddend(const clang::Expr& assignment, const LoopNest& nest) const;
  std::optional<isl::val> Advance(const clang::VarDecl* variable, const Statements& statements,
                                  const LoopNest& nest) const;
  std::optional<isl::val> AdvanceOfLoop(const clang::VarDecl* variable, const clang::Stmt& loop,
                                        const LoopNest& nest) const;

  Region& region_;
};

}  // namespace tune
