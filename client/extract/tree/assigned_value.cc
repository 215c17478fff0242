#include "client/extract/tree/assigned_value.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include "client/extract/region/region_variables.h"
#include "client/extract/tree/tree_changes.h"

namespace tune {
namespace {

clang::Expr* Operation(const clang::ASTContext& ast, clang::BinaryOperatorKind op, clang::Expr* left,
                       clang::Expr* right, clang::QualType type) {
  return clang::BinaryOperator::Create(const_cast<clang::ASTContext&>(ast), left, right, op, type,
                                       clang::VK_PRValue, clang::OK_Ordinary, left->getBeginLoc(),
                                       clang::FPOptionsOverride());
}

// x op e in the type in which C computes it (C11 6.5.16.2).
const clang::Expr* ValueOfCompound(const clang::ASTContext& ast,
                                   const clang::CompoundAssignOperator& assignment) {
  clang::Expr* before = Converted(ast, ValueOf(ast, assignment.getLHS()), assignment.getComputationLHSType());
  const auto op = clang::BinaryOperator::getOpForCompoundAssignment(assignment.getOpcode());
  clang::Expr* after = Operation(ast, op, before, assignment.getRHS(), assignment.getComputationResultType());
  return Converted(ast, after, assignment.getLHS()->getType());
}

// x + 1, or x - 1, in the type to which x is promoted.
const clang::Expr* ValueOfStep(const clang::ASTContext& ast, const clang::UnaryOperator& step) {
  const clang::QualType type = step.getSubExpr()->getType().getUnqualifiedType();
  const bool promotes = type->isIntegerType() && ast.getTypeSize(type) < ast.getTypeSize(ast.IntTy);
  const clang::QualType computed = promotes ? clang::QualType(ast.IntTy) : type;
  clang::Expr* one = clang::IntegerLiteral::Create(ast, llvm::APInt(ast.getIntWidth(ast.IntTy), 1), ast.IntTy,
                                                   step.getOperatorLoc());
  if (!type->isPointerType()) one = Converted(ast, one, computed);
  clang::Expr* before = Converted(ast, ValueOf(ast, step.getSubExpr()), computed);
  const auto op = step.isIncrementOp() ? clang::BO_Add : clang::BO_Sub;
  return Converted(ast, Operation(ast, op, before, one, computed), type);
}

}  // namespace

std::optional<VariableAssignment> VariableAssignmentOf(const clang::ASTContext& ast,
                                                       const clang::Stmt& statement) {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr* value = nullptr;
  if (const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(&statement);
      assignment != nullptr && assignment->isAssignmentOp()) {
    variable = NamedVariable(assignment->getLHS());
    const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(assignment);
    value = compound == nullptr ? assignment->getRHS() : ValueOfCompound(ast, *compound);
  } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(&statement);
             step != nullptr && step->isIncrementDecrementOp()) {
    variable = NamedVariable(step->getSubExpr());
    value = ValueOfStep(ast, *step);
  }
  return variable == nullptr ? std::nullopt : std::optional(VariableAssignment{variable, value});
}

}  // namespace tune
