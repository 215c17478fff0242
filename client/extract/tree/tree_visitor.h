// Visits clang's tree.
#pragma once

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace tune {

// The part of clang::RecursiveASTVisitor that is needed here, compiled once: each class that derives from
// that template takes as long to compile as everything around it. Traverse... visits a node and all below it,
// the sizes of variable-length types included, in the order of the text; a Visit... that returns false ends
// that.
class TreeVisitor {
 public:
  virtual ~TreeVisitor() = default;
  void TraverseDecl(clang::Decl* declaration);
  void TraverseStmt(clang::Stmt* statement);

  virtual bool VisitVarDecl(clang::VarDecl*) { return true; }
  virtual bool VisitDeclRefExpr(clang::DeclRefExpr*) { return true; }
  virtual bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) { return true; }
  virtual bool VisitBinaryOperator(clang::BinaryOperator*) { return true; }  // compound assignments too
  virtual bool VisitUnaryOperator(clang::UnaryOperator*) { return true; }
  virtual bool VisitCallExpr(clang::CallExpr*) { return true; }
  virtual bool VisitMemberExpr(clang::MemberExpr*) { return true; }
  virtual bool VisitConstruction(clang::Expr*) {
    return true;
  }  // of C++: an object, or a lambda with its captures
  virtual bool VisitLiteral(clang::Expr*) { return true; }  // a number
  virtual bool VisitSizeOf(clang::UnaryExprOrTypeTraitExpr*) { return true; }
  virtual bool VisitIfStmt(clang::IfStmt*) { return true; }
  virtual bool VisitSwitchStmt(clang::SwitchStmt*) { return true; }
  virtual bool VisitForStmt(clang::ForStmt*) { return true; }
  virtual bool VisitWhileStmt(clang::WhileStmt*) { return true; }
  virtual bool VisitDoStmt(clang::DoStmt*) { return true; }
  virtual bool VisitTypedefName(clang::TypedefNameDecl*) { return true; }    // where a type is written by it
  virtual bool VisitBuiltinType(const clang::BuiltinType&) { return true; }  // where it is written
};

}  // namespace tune
