#include "client/extract/tree/tree_visitor.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace tune {
namespace {

class Forwarder : public clang::RecursiveASTVisitor<Forwarder> {
 public:
  explicit Forwarder(TreeVisitor* visitor) : visitor_(visitor) {}
  bool VisitVarDecl(clang::VarDecl* node) { return visitor_->VisitVarDecl(node); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* node) { return visitor_->VisitDeclRefExpr(node); }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* node) {
    return visitor_->VisitArraySubscriptExpr(node);
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) { return visitor_->VisitBinaryOperator(node); }
  bool VisitUnaryOperator(clang::UnaryOperator* node) { return visitor_->VisitUnaryOperator(node); }
  bool VisitCallExpr(clang::CallExpr* node) { return visitor_->VisitCallExpr(node); }
  bool VisitMemberExpr(clang::MemberExpr* node) { return visitor_->VisitMemberExpr(node); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* node) { return visitor_->VisitConstruction(node); }
  bool VisitLambdaExpr(clang::LambdaExpr* node) { return visitor_->VisitConstruction(node); }
  bool VisitIntegerLiteral(clang::IntegerLiteral* node) { return visitor_->VisitLiteral(node); }
  bool VisitFloatingLiteral(clang::FloatingLiteral* node) { return visitor_->VisitLiteral(node); }
  bool VisitUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr* node) {
    return visitor_->VisitSizeOf(node);
  }
  bool VisitIfStmt(clang::IfStmt* node) { return visitor_->VisitIfStmt(node); }
  bool VisitSwitchStmt(clang::SwitchStmt* node) { return visitor_->VisitSwitchStmt(node); }
  bool VisitForStmt(clang::ForStmt* node) { return visitor_->VisitForStmt(node); }
  bool VisitWhileStmt(clang::WhileStmt* node) { return visitor_->VisitWhileStmt(node); }
  bool VisitDoStmt(clang::DoStmt* node) { return visitor_->VisitDoStmt(node); }
  bool VisitBuiltinTypeLoc(clang::BuiltinTypeLoc node) {
    return visitor_->VisitBuiltinType(*node.getTypePtr());
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc node) {
    return visitor_->VisitTypedefName(node.getTypedefNameDecl());
  }

 private:
  TreeVisitor* const visitor_;
};

}  // namespace

void TreeVisitor::TraverseDecl(clang::Decl* declaration) { Forwarder(this).TraverseDecl(declaration); }

void TreeVisitor::TraverseStmt(clang::Stmt* statement) { Forwarder(this).TraverseStmt(statement); }

}  // namespace tune
