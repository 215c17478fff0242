// New nodes of clang's tree, in C.
#pragma once

#include <clang/AST/OperationKinds.h>
#include <clang/AST/Type.h>
#include <clang/Basic/SourceLocation.h>

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class Stmt;
class VarDecl;
}  // namespace clang

namespace tune {

class TreeChanges;

// All stand at one place of the text. Operands are not converted to a common type: what reads regions takes
// the values that they have.
class TreeMaker {
 public:
  TreeMaker(const clang::ASTContext& ast, const clang::FunctionDecl& function, clang::SourceLocation place);

  // A variable of the function that nothing declares.
  clang::VarDecl* Variable(const std::string& name, clang::QualType type) const;
  clang::Expr* Name(clang::VarDecl* variable) const;
  clang::Expr* Value(clang::VarDecl* variable) const;
  clang::Expr* Number(uint64_t value, clang::QualType type) const;
  // Of any type of numbers.
  clang::Expr* Zero(clang::QualType type) const;
  // `type`: of the result.
  clang::Expr* Operation(clang::BinaryOperatorKind op, clang::Expr* left, clang::Expr* right,
                         clang::QualType type) const;
  // pointer[index]; of a pointer to arrays a pointer to the first element of that one.
  clang::Expr* Element(clang::Expr* pointer, clang::Expr* index) const;
  // sizeof(pointer[0])
  clang::Expr* SizeOfElement(clang::Expr* pointer) const;
  clang::Stmt* Assignment(clang::Expr* target, clang::Expr* value) const;
  // for (variable = start; variable < end; ++variable) body, which declares the variable; `goes_on`: < or
  // another comparison.
  clang::Stmt* Loop(clang::VarDecl* variable, clang::Expr* start, clang::Expr* end, clang::Stmt* body,
                    clang::BinaryOperatorKind goes_on = clang::BO_LT) const;

 private:
  clang::ASTContext& ast_;
  clang::FunctionDecl& function_;
  const clang::SourceLocation place_;
};

// Lets other variables stand where these are named in what stands in the slot.
void NameOthers(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                const std::map<const clang::VarDecl*, clang::VarDecl*>& others, clang::Stmt** slot,
                TreeChanges* changes);

}  // namespace tune
