// What changes variables and elements where it stands: assignments, ++ and --.
#pragma once

#include <vector>

#include "client/extract/tree/tree_visitor.h"

namespace tune {

// Visits each of them; compound assignments too. Not what pointers, references and calls change.
class WriteVisitor : public TreeVisitor {
 public:
  // What is changed, as it is written, and the operation; false ends the visit.
  virtual bool VisitWrite(clang::Expr* target, clang::Expr* operation) = 0;

  bool VisitBinaryOperator(clang::BinaryOperator* operation) override;
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override;
};

// The variables that a statement and all below it change by their names, as often as they are changed, in the
// order of the text.
std::vector<const clang::VarDecl*> VariablesWrittenIn(const clang::Stmt& statement);

}  // namespace tune
