#include "client/extract/tree/write_visitor.h"

#include "client/extract/region/region_variables.h"

namespace tune {

bool WriteVisitor::VisitBinaryOperator(clang::BinaryOperator* operation) {
  return !operation->isAssignmentOp() || VisitWrite(operation->getLHS(), operation);
}

bool WriteVisitor::VisitUnaryOperator(clang::UnaryOperator* operation) {
  return !operation->isIncrementDecrementOp() || VisitWrite(operation->getSubExpr(), operation);
}

std::vector<const clang::VarDecl*> VariablesWrittenIn(const clang::Stmt& statement) {
  struct Variables : WriteVisitor {
    std::vector<const clang::VarDecl*> all;
    bool VisitWrite(clang::Expr* target, clang::Expr*) override {
      if (const clang::VarDecl* variable = NamedVariable(target)) all.push_back(variable);
      return true;
    }
  } variables;
  variables.TraverseStmt(const_cast<clang::Stmt*>(&statement));
  return variables.all;
}

}  // namespace tune
