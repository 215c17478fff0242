// Whether an expression reads more than variables.
#pragma once

#include "client/extract/tree/tree_visitor.h"

namespace tune {

// Finds elements of arrays, members, calls, and what pointers lead to.
class MemoryReads : public TreeVisitor {
 public:
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return !(found = true); }
  bool VisitMemberExpr(clang::MemberExpr*) override { return !(found = true); }
  bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    found = found || operation->getOpcode() == clang::UO_Deref;
    return !found;
  }
  bool found = false;
};

}  // namespace tune
