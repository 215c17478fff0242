#include "client/extract/derived_index.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <utility>

#include "client/extract/affine_expression.h"
#include "client/extract/body_end.h"
#include "client/extract/known_value.h"
#include "client/extract/statement_body.h"
#include "client/extract/tree_visitor.h"
#include "common/isl/functions.h"

namespace tune {

// The variable that the assignment changes, if it is one of the derived ones.
const clang::VarDecl* DerivedIndices::DerivedTarget(const clang::Expr& assignment) const {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&assignment);
  const clang::VarDecl* variable = NamedVariable(
      unary != nullptr ? unary->getSubExpr() : llvm::cast<clang::BinaryOperator>(assignment).getLHS());
  return region_.derived.count(variable) > 0 ? variable : nullptr;
}

// What `v++`, `v -= c` and the like add to v, where that is an affine expression.
std::optional<isl::pw_aff> DerivedIndices::Addend(const clang::Expr& assignment, const LoopNest& nest) const {
  const isl::aff zero = isl::aff::zero_on_domain(region_.parameter_space);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&assignment))
    return isl::pw_aff(zero.add_constant(unary->isIncrementOp() ? 1L : -1L));
  const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&assignment);
  if (compound == nullptr ||
      !compound->isAdditiveOp(clang::BinaryOperator::getOpForCompoundAssignment(compound->getOpcode())))
    return std::nullopt;
  const bool as_signed = compound->getComputationResultType()->isSignedIntegerType() &&
                         compound->getRHS()->getType()->isSignedIntegerType();
  if (!as_signed) return std::nullopt;
  Accepted<isl::pw_aff> value = ReadAffine(region_, nest, *compound->getRHS(), Position::kValue);
  if (IsRefused(value)) return std::nullopt;
  const isl::pw_aff& addend = std::get<0>(value);
  return compound->getOpcode() == clang::BO_AddAssign ? addend : addend.neg();
}

bool DerivedIndices::SetsIndex(const clang::Expr& assignment, LoopNest& nest) {
  const clang::VarDecl* variable = DerivedTarget(assignment);
  if (variable == nullptr) return false;
  std::optional<isl::pw_aff> value;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&assignment);
  if (binary != nullptr && binary->getOpcode() == clang::BO_Assign &&
      InnerAssignment(assignment) == nullptr) {
    Accepted<isl::pw_aff> read = ReadAffine(region_, nest, *binary->getRHS(), Position::kValue);
    if (!IsRefused(read)) value = std::get<0>(std::move(read));
  } else if (const auto known = nest.affine_locals.find(variable); known != nest.affine_locals.end()) {
    if (const std::optional<isl::pw_aff> addend = Addend(assignment, nest))
      value = known->second.add(*addend);
  }
  nest.affine_locals.erase(variable);
  if (value) {
    nest.affine_locals.emplace(variable, *std::move(value));
  } else {
    region_.data.insert(variable);
  }
  return true;
}

std::set<const clang::VarDecl*> DerivedIndices::DerivedIn(const clang::Stmt& statement) const {
  struct Finder : TreeVisitor {
    std::set<const clang::VarDecl*> changed;
    bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
      if (operation->isAssignmentOp()) changed.insert(NamedVariable(operation->getLHS()));
      return true;
    }
    bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
      if (operation->isIncrementDecrementOp()) changed.insert(NamedVariable(operation->getSubExpr()));
      return true;
    }
  } finder;
  finder.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  std::set<const clang::VarDecl*> changed;
  for (const clang::VarDecl* variable : finder.changed) {
    if (region_.derived.count(variable) > 0) changed.insert(variable);
  }
  return changed;
}

std::set<const clang::VarDecl*> DerivedIndices::DerivedIn(const Statements& statements) const {
  std::set<const clang::VarDecl*> all;
  for (const clang::Stmt* statement : statements) all.merge(DerivedIn(*statement));
  return all;
}

void DerivedIndices::Forget(const Statements& statements, LoopNest* nest) const {
  for (const clang::VarDecl* variable : DerivedIn(statements)) nest->affine_locals.erase(variable);
}

std::optional<isl::val> DerivedIndices::ConstantAddend(const clang::Expr& assignment,
                                                       const LoopNest& nest) const {
  const std::optional<isl::pw_aff> addend = Addend(assignment, nest);
  if (!addend) return std::nullopt;
  std::optional<isl::val> constant = ConstantOf(*addend);
  if (!constant) AskForValues(region_, nest, *addend);
  return constant;
}

// The number that the statements, executed in any iteration around them, add to the variable; nothing where
// it is not the same in all.
std::optional<isl::val> DerivedIndices::Advance(const clang::VarDecl* variable, const Statements& statements,
                                                const LoopNest& nest) const {
  isl::val sum(isl::ctx(region_.ctx), 0L);
  for (const clang::Stmt* part : statements) {
    if (DerivedIn(*part).count(variable) == 0) continue;
    std::optional<isl::val> advance;
    const auto* expression = llvm::dyn_cast<clang::Expr>(part);
    if (expression != nullptr) expression = expression->IgnoreParens();
    if (expression != nullptr && IsAssignment(*expression) && DerivedTarget(*expression) == variable) {
      advance = ConstantAddend(*expression, nest);
    } else if (llvm::isa<clang::CompoundStmt>(part)) {
      advance = Advance(variable, StatementsOf(*part), nest);
    } else if (IsLoop(*part)) {
      advance = AdvanceOfLoop(variable, *part, nest);
    }
    if (!advance) return std::nullopt;
    sum = sum.add(*advance);
  }
  return sum;
}

// The loop is read ahead of its turn, which leaves no trace.
std::optional<isl::val> DerivedIndices::AdvanceOfLoop(const clang::VarDecl* variable, const clang::Stmt& loop,
                                                      const LoopNest& nest) const {
  const Accepted<LoopForm> read = ReadForm(region_.ast, loop);
  if (IsRefused(read)) return std::nullopt;
  const LoopForm& form = std::get<0>(read);
  const bool may_skip = std::any_of(form.body.begin(), form.body.end(),
                                    [](const clang::Stmt* statement) { return HasContinue(*statement); });
  if (may_skip || form.iterator == variable || DerivedIn(form.before).count(variable) > 0)
    return std::nullopt;
  const isl::set context = region_.context;
  const std::set<const clang::VarDecl*> data = region_.data;
  const Accepted<Loop> inner = ReadLoop(region_, nest, form);
  region_.context = context;
  region_.data = data;
  if (IsRefused(inner)) return std::nullopt;
  LoopNest body = std::get<0>(inner).nest;
  Forget(form.body, &body);
  const std::optional<isl::val> advance = Advance(variable, form.body, body);
  if (!advance) return std::nullopt;
  const isl::pw_aff trips = std::get<0>(inner).trips.gist(nest.domain.intersect(region_.context));
  const std::optional<isl::val> times = ConstantOf(trips);
  if (!times) {
    AskForValues(region_, nest, trips);
    return std::nullopt;
  }
  return advance->mul(*times);
}

void DerivedIndices::EnterLoop(const LoopForm& form, Loop* inner) const {
  const LoopNest outer = inner->nest;
  Forget(form.body, &inner->nest);
  inner->nest.affine_locals.erase(form.iterator);
  const LoopNest start = inner->nest;
  if (std::any_of(form.body.begin(), form.body.end(),
                  [](const clang::Stmt* statement) { return HasContinue(*statement); }))
    return;
  const isl::id& id = inner->nest.iterators.back().id;
  const isl::aff iterator = ParameterOn(region_.parameter_space.add_param(id), id);
  isl::pw_aff distance = isl::pw_aff(iterator).sub(inner->first);
  if (inner->decreases) distance = distance.neg();
  const isl::pw_aff rounds = distance.scale_down(inner->step.abs()).floor();  // exact
  for (const clang::VarDecl* variable : DerivedIn(form.body)) {
    const auto before = outer.affine_locals.find(variable);
    if (before == outer.affine_locals.end()) continue;
    const std::optional<isl::val> advance = Advance(variable, form.body, start);
    if (!advance) continue;
    inner->nest.affine_locals.emplace(variable, before->second.add(rounds.scale(*advance)));
    inner->advanced.emplace(variable, before->second.add(inner->trips.scale(*advance)));
  }
}

void DerivedIndices::LeaveLoop(const LoopForm& form, const Loop& inner, LoopNest* nest) const {
  Forget(form.body, nest);
  for (const auto& [variable, value] : inner.advanced) nest->affine_locals.emplace(variable, value);
  nest->affine_locals.erase(form.iterator);
  if (region_.derived.count(form.iterator) > 0) nest->affine_locals.emplace(form.iterator, inner.behind);
}

bool DerivedIndices::Declares(const clang::VarDecl& variable, LoopNest& nest) {
  if (region_.derived.count(&variable) == 0) return false;
  nest.affine_locals.erase(&variable);
  if (variable.getInit() == nullptr) return true;
  Accepted<isl::pw_aff> value = ReadAffine(region_, nest, *variable.getInit(), Position::kValue);
  if (IsRefused(value)) {
    region_.data.insert(&variable);
  } else {
    nest.affine_locals.emplace(&variable, std::get<0>(std::move(value)));
  }
  return true;
}

}  // namespace tune
