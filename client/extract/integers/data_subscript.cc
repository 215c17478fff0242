#include "client/extract/integers/data_subscript.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

class DataReadsFinder : public TreeVisitor {
 public:
  explicit DataReadsFinder(const RegionVariables& variables) : variables_(variables) {}

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override {
    return found.any = found.elements = true;
  }
  bool VisitMemberExpr(clang::MemberExpr*) override { return found.any = true; }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->getOpcode() == clang::UO_Deref) found.any = found.elements = true;
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr || !variable->getType()->isArithmeticType()) return true;
    found.any = found.any || (!variables_.IsIterator(variable) &&
                              (variables_.IsWritten(variable) || variables_.IsDeclaredInside(variable)));
    return true;
  }

  DataReads found;

 private:
  const RegionVariables& variables_;
};

}  // namespace

DataReads FindDataReads(const RegionVariables& variables, const clang::Expr& expression) {
  DataReadsFinder finder(variables);
  finder.TraverseStmt(const_cast<clang::Expr*>(&expression));
  return finder.found;
}

}  // namespace tune
