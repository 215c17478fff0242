#include "client/extract/tree/made_tree.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "client/extract/tree/tree_changes.h"

namespace tune {

TreeMaker::TreeMaker(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                     clang::SourceLocation place)
    : ast_(const_cast<clang::ASTContext&>(ast)),
      function_(const_cast<clang::FunctionDecl&>(function)),
      place_(place) {}

clang::VarDecl* TreeMaker::Variable(const std::string& name, clang::QualType type) const {
  return clang::VarDecl::Create(ast_, &function_, place_, place_, &ast_.Idents.get(name), type,
                                ast_.getTrivialTypeSourceInfo(type, place_), clang::SC_None);
}

clang::Expr* TreeMaker::Name(clang::VarDecl* variable) const {
  return clang::DeclRefExpr::Create(ast_, clang::NestedNameSpecifierLoc(), clang::SourceLocation(), variable,
                                    false, place_, variable->getType(), clang::VK_LValue);
}

clang::Expr* TreeMaker::Value(clang::VarDecl* variable) const { return ValueOf(ast_, Name(variable)); }

clang::Expr* TreeMaker::Number(uint64_t value, clang::QualType type) const {
  return clang::IntegerLiteral::Create(ast_, llvm::APInt(ast_.getIntWidth(type), value), type, place_);
}

clang::Expr* TreeMaker::Zero(clang::QualType type) const {
  type = type.getUnqualifiedType();
  if (type->isRealFloatingType()) {
    return clang::FloatingLiteral::Create(ast_, llvm::APFloat::getZero(ast_.getFloatTypeSemantics(type)),
                                          true, type, place_);
  }
  return clang::ImplicitCastExpr::Create(ast_, type, clang::CK_IntegralCast, Number(0, ast_.IntTy), nullptr,
                                         clang::VK_PRValue, clang::FPOptionsOverride());
}

clang::Expr* TreeMaker::Operation(clang::BinaryOperatorKind op, clang::Expr* left, clang::Expr* right,
                                  clang::QualType type) const {
  return clang::BinaryOperator::Create(ast_, left, right, op, type, clang::VK_PRValue, clang::OK_Ordinary,
                                       place_, clang::FPOptionsOverride());
}

clang::Expr* TreeMaker::Element(clang::Expr* pointer, clang::Expr* index) const {
  const clang::QualType type = pointer->getType()->getPointeeType();
  clang::Expr* element = new (ast_)
      clang::ArraySubscriptExpr(pointer, index, type, clang::VK_LValue, clang::OK_Ordinary, place_);
  if (!type->isArrayType()) return element;
  return clang::ImplicitCastExpr::Create(ast_, ast_.getArrayDecayedType(type), clang::CK_ArrayToPointerDecay,
                                         element, nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
}

clang::Expr* TreeMaker::SizeOfElement(clang::Expr* pointer) const {
  clang::Expr* element = new (ast_)
      clang::ArraySubscriptExpr(pointer, Number(0, ast_.IntTy), pointer->getType()->getPointeeType(),
                                clang::VK_LValue, clang::OK_Ordinary, place_);
  return new (ast_)
      clang::UnaryExprOrTypeTraitExpr(clang::UETT_SizeOf, element, ast_.getSizeType(), place_, place_);
}

clang::Stmt* TreeMaker::Assignment(clang::Expr* target, clang::Expr* value) const {
  return Operation(clang::BO_Assign, target, value, target->getType().getUnqualifiedType());
}

clang::Stmt* TreeMaker::Loop(clang::VarDecl* variable, clang::Expr* start, clang::Expr* end,
                             clang::Stmt* body, clang::BinaryOperatorKind goes_on) const {
  variable->setInit(start);
  auto* declaration = new (ast_) clang::DeclStmt(clang::DeclGroupRef(variable), place_, place_);
  clang::Expr* condition = Operation(goes_on, Value(variable), end, ast_.IntTy);
  clang::Expr* step = clang::UnaryOperator::Create(ast_, Name(variable), clang::UO_PreInc,
                                                   variable->getType(), clang::VK_PRValue, clang::OK_Ordinary,
                                                   place_, false, clang::FPOptionsOverride());
  return new (ast_) clang::ForStmt(ast_, declaration, condition, nullptr, step, body, place_, place_, place_);
}

void NameOthers(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                const std::map<const clang::VarDecl*, clang::VarDecl*>& others, clang::Stmt** slot,
                TreeChanges* changes) {
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(*slot)) {
    const auto other = others.find(llvm::dyn_cast<clang::VarDecl>(reference->getDecl()));
    if (other != others.end())
      changes->Change(slot, TreeMaker(ast, function, reference->getLocation()).Name(other->second));
    return;
  }
  for (clang::Stmt*& child : (*slot)->children()) {
    if (child != nullptr) NameOthers(ast, function, others, &child, changes);
  }
}

}  // namespace tune
