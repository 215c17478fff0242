#include "client/extract/integers/derived_index.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <utility>

#include "client/extract/integers/affine_expression.h"
#include "client/extract/statements/statement_body.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/write_visitor.h"
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

// What the assignment makes its variable; nothing where that is not known.
std::optional<isl::pw_aff> DerivedIndices::ValueBehind(const clang::Expr& assignment,
                                                       const LoopNest& nest) const {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&assignment);
  if (binary != nullptr && binary->getOpcode() == clang::BO_Assign) {
    if (InnerAssignment(assignment) != nullptr) return std::nullopt;
    Accepted<isl::pw_aff> read = ReadAffine(region_, nest, *binary->getRHS(), Position::kValue);
    return IsRefused(read) ? std::nullopt : std::optional(std::get<0>(std::move(read)));
  }
  const auto known = nest.affine_locals.find(DerivedTarget(assignment));
  if (known == nest.affine_locals.end()) return std::nullopt;
  const std::optional<isl::pw_aff> addend = Addend(assignment, nest);
  return addend ? std::optional(known->second.add(*addend)) : std::nullopt;
}

bool DerivedIndices::SetsIndex(const clang::Expr& assignment, LoopNest& nest) {
  const clang::VarDecl* variable = DerivedTarget(assignment);
  if (variable == nullptr) return false;
  std::optional<isl::pw_aff> value = ValueBehind(assignment, nest);
  nest.affine_locals.erase(variable);
  if (value) {
    nest.affine_locals.emplace(variable, *std::move(value));
  } else {
    region_.data.insert(variable);
  }
  return true;
}

std::set<const clang::VarDecl*> DerivedIndices::DerivedIn(const clang::Stmt& statement) const {
  std::set<const clang::VarDecl*> changed;
  for (const clang::VarDecl* variable : VariablesWrittenIn(statement)) {
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

void DerivedIndices::Join(const clang::Stmt& choice, const LoopNest& before,
                          const std::vector<LoopNest>& branches, LoopNest* after) const {
  const bool by_data = std::any_of(branches.begin(), branches.end(), [&](const LoopNest& branch) {
    return branch.guards.size() > before.guards.size();
  });
  for (const clang::VarDecl* variable : DerivedIn(choice)) {
    std::optional<isl::pw_aff> joined;
    bool known = true;
    for (const LoopNest& branch : branches) {
      const auto value = branch.affine_locals.find(variable);
      if (value == branch.affine_locals.end()) {
        known = false;
      } else if (by_data) {
        known = known && (!joined || joined->plain_is_equal(value->second));
        joined = value->second;
      } else {
        const isl::pw_aff piece = value->second.intersect_domain(branch.domain);
        joined = joined ? joined->union_add(piece) : piece;
      }
      if (!known) break;
    }
    if (known && joined) after->affine_locals.emplace(variable, joined->coalesce());
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
