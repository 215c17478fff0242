#include "client/extract/cpp/accessor.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/source/visible_name.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

using Words = std::pair<std::string, std::string>;

// The function that is called, of a class of the program's own; null for others.
const clang::CXXMethodDecl* MethodOf(const clang::CallExpr& call) {
  const bool is_member =
      llvm::isa<clang::CXXMemberCallExpr>(call) || llvm::isa<clang::CXXOperatorCallExpr>(call);
  const auto* method =
      is_member ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee()) : nullptr;
  if (method == nullptr || method->isStatic() || method->isInStdNamespace() ||
      method->getParent()->isLambda())
    return nullptr;
  const clang::SourceManager& manager = method->getASTContext().getSourceManager();
  return manager.isInSystemHeader(manager.getExpansionLoc(method->getLocation())) ? nullptr : method;
}

const clang::CXXMethodDecl* WithBody(const clang::CXXMethodDecl& method) {
  const clang::FunctionDecl* body = nullptr;
  if (!method.hasBody(body)) return nullptr;
  return llvm::dyn_cast<clang::CXXMethodDecl>(body);
}

// The assignment to an element, `data_[i] = v;` or `+=`, that the body consists of.
const clang::BinaryOperator* OnlyAssignment(const clang::ASTContext& ast,
                                            const clang::CXXMethodDecl& method) {
  const Statements statements = StatementsOf(*method.getBody());
  const auto* set = statements.size() == 1 ? llvm::dyn_cast<clang::BinaryOperator>(statements[0]) : nullptr;
  if (set == nullptr || !set->isAssignmentOp()) return nullptr;
  const clang::BinaryOperatorKind kind = set->getOpcode();
  const bool is_known = kind == clang::BO_Assign || kind == clang::BO_AddAssign ||
                        kind == clang::BO_SubAssign || kind == clang::BO_MulAssign ||
                        kind == clang::BO_DivAssign;
  const clang::Expr& target = *set->getLHS()->IgnoreParens();
  const bool is_element = llvm::isa<clang::ArraySubscriptExpr>(target) || llvm::isa<clang::CallExpr>(target);
  return is_known && is_element && IsNumber(ast, target.getType()) ? set : nullptr;
}

// The value that the body returns, or the assignment, where it consists of that.
const clang::Expr* Returned(const clang::ASTContext& ast, const clang::CXXMethodDecl& method) {
  clang::QualType type = method.getReturnType();
  if (type->isVoidType()) return OnlyAssignment(ast, method);
  if (type.isVolatileQualified() || type->isRValueReferenceType()) return nullptr;
  type = type.getNonReferenceType();
  const bool is_row = type->isPointerType() && IsNumber(ast, type->getPointeeType());
  if (type.isVolatileQualified() || (!is_row && !IsNumber(ast, type))) return nullptr;
  const Statements statements = StatementsOf(*method.getBody());
  const auto* result = statements.size() == 1 ? llvm::dyn_cast<clang::ReturnStmt>(statements[0]) : nullptr;
  return result == nullptr ? nullptr : result->getRetValue();
}

// Whether generated code may look at what is private: a constant, or the name of a type of numbers.
bool MayBeOpened(const clang::ASTContext& ast, const clang::NamedDecl& name) {
  if (const auto* type = llvm::dyn_cast<clang::TypedefNameDecl>(&name))
    return IsNumber(ast, type->getUnderlyingType()) && !type->getUnderlyingType().hasQualifiers();
  return llvm::isa<clang::EnumConstantDecl>(name) || llvm::isa<clang::VarDecl>(name);
}

// Finds what generated code cannot say again: names that are private, and macros of headers, whose meaning
// nothing tells in other builds.
class HiddenNames : public TreeVisitor {
 public:
  HiddenNames(const clang::ASTContext& ast, const clang::CXXMethodDecl& method) : ast_(ast), method_(method) {
    const clang::SourceManager& manager = ast.getSourceManager();
    in_header_ = !manager.isWrittenInMainFile(manager.getExpansionLoc(method.getBody()->getBeginLoc()));
    TraverseDecl(const_cast<clang::CXXMethodDecl*>(&method));
  }
  bool VisitTypedefName(clang::TypedefNameDecl* declaration) override { return NoteName(*declaration); }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const clang::ValueDecl& declaration = *reference->getDecl();
    return Note(reference->getLocation()) &&
           (llvm::isa<clang::ParmVarDecl>(declaration) || llvm::isa<clang::FunctionDecl>(declaration) ||
            NoteName(declaration));
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override { return Note(member->getMemberLoc()); }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override { return Note(node->getOperatorLoc()); }
  bool VisitCallExpr(clang::CallExpr* node) override { return Note(node->getBeginLoc()); }
  bool VisitLiteral(clang::Expr* node) override { return Note(node->getBeginLoc()); }
  bool found = false;
  std::vector<const clang::NamedDecl*>
      opened;  // that are private or of a template's instance, and may be looked at

 private:
  bool Note(clang::SourceLocation place) { return !(found = found || (in_header_ && place.isMacroID())); }
  bool NoteName(const clang::NamedDecl& name) {
    const bool is_hidden = name.getAccess() == clang::AS_private || name.getAccess() == clang::AS_protected;
    const bool is_of_class = name.getDeclContext()->getRedeclContext()->isRecord();
    const clang::NamedDecl* member = is_of_class ? InInstance(name) : &name;
    if (is_of_class && member != nullptr && MayBeOpened(ast_, *member)) {
      if (is_hidden || FullName(*member).empty()) opened.insert(opened.end(), {&name, member});
      return true;
    }
    return !(found = found || is_hidden);
  }

  // The member of the function's class that one of its template became; itself where it is of no template.
  const clang::NamedDecl* InInstance(const clang::NamedDecl& name) const {
    if (!name.getDeclContext()->getRedeclContext()->isDependentContext()) return &name;
    const auto found_there = method_.getParent()->lookup(name.getDeclName());
    return found_there.isSingleResult() ? found_there.front() : nullptr;
  }
  const clang::ASTContext& ast_;
  const clang::CXXMethodDecl& method_;
  bool in_header_ = false;
};

const clang::Expr* ObjectIn(const clang::CallExpr& call) {
  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const auto* callee = llvm::dyn_cast<clang::MemberExpr>(member->getCallee()->IgnoreParens());
    if (callee == nullptr) return nullptr;
    const clang::Expr* base = callee->getBase()->IgnoreParens();
    return callee->isArrow() && !llvm::isa<clang::CXXThisExpr>(base->IgnoreImpCasts()) ? nullptr : base;
  }
  return call.getNumArgs() == 0 ? nullptr : call.getArg(0)->IgnoreParens();
}

}  // namespace

std::optional<AccessorCall> AccessorOf(const clang::ASTContext& ast, const clang::CallExpr& call) {
  const clang::CXXMethodDecl* called = MethodOf(call);
  const clang::CXXMethodDecl* method = called == nullptr ? nullptr : WithBody(*called);
  const clang::Expr* object = method == nullptr ? nullptr : ObjectIn(call);
  if (object == nullptr || method->isVirtual() || method->isVariadic() || method->isWeak())
    return std::nullopt;
  const clang::Expr* returned = Returned(ast, *method);
  if (returned == nullptr) return std::nullopt;
  HiddenNames names(ast, *method);
  if (names.found) return std::nullopt;
  const unsigned first = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
  if (call.getNumArgs() - first != method->getNumParams()) return std::nullopt;
  AccessorCall accessor{method, object, {}, returned, std::move(names.opened)};
  for (unsigned i = first; i < call.getNumArgs(); ++i) accessor.arguments.push_back(call.getArg(i));
  return accessor;
}

bool IsInSubscripts(const AccessorCall& call, const clang::ParmVarDecl& parameter) {
  const auto* set = llvm::dyn_cast<clang::BinaryOperator>(call.returned);
  if (set == nullptr || !set->isAssignmentOp()) return true;
  const auto is_in = [&](const clang::Expr& expression) {
    const std::vector<const clang::ValueDecl*> named = NamedIn(&expression);
    return std::find(named.begin(), named.end(), &parameter) != named.end();
  };
  const bool is_value = llvm::isa<clang::DeclRefExpr>(set->getRHS()->IgnoreParenCasts());
  return is_in(*set->getLHS()) || (!is_value && is_in(*set->getRHS()));
}

std::optional<Words> RefusedAccessor(const clang::ASTContext& ast, const clang::CallExpr& call) {
  const clang::CXXMethodDecl* method = MethodOf(call);
  if (method == nullptr) return std::nullopt;
  const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call);
  const std::string name =
      operation == nullptr ? method->getNameAsString() : clang::getOperatorSpelling(operation->getOperator());
  const std::string what = operation != nullptr
                               ? absl::StrCat("the overloaded operator `", name, "` of a class")
                               : absl::StrCat("a call of the ", method->isVirtual() ? "virtual" : "member",
                                              " function `", name, "`");
  const bool is_element = operation != nullptr && (operation->getOperator() == clang::OO_Subscript ||
                                                   operation->getOperator() == clang::OO_Call);
  if (operation != nullptr && !is_element)
    return Words{what, "write what it does with numbers and elements of arrays"};
  const std::string instead =
      is_element
          ? "let a pointer stand for the elements before the region, `float *p = v.data();`, and write "
            "p[i] or, of a matrix, p[i * m + j]"
          : "call it before the region and keep its result in a variable, or write what it does as a "
            "`static` function of numbers and arrays";
  if (method->isVirtual()) return Words{what, instead};
  const clang::CXXMethodDecl* body = WithBody(*method);
  if (body == nullptr) {
    return Words{what + ", whose body is in another file",
                 absl::StrCat("write its body in the class, as one `return`, or ", instead)};
  }
  if (Returned(ast, *body) == nullptr) {
    return Words{what +
                     ", which is more than one `return` of a number or an element, or one assignment to an "
                     "element",
                 absl::StrCat("let its body be `return data[i * cols + j];` alone, or ", instead)};
  }
  const clang::Expr* object = ObjectIn(call);
  const auto* pointed =
      object == nullptr ? nullptr : llvm::dyn_cast<clang::UnaryOperator>(object->IgnoreParenImpCasts());
  const bool is_behind =
      object == nullptr ||
      (pointed != nullptr && !llvm::isa<clang::CXXThisExpr>(pointed->getSubExpr()->IgnoreParenImpCasts()));
  if (is_behind) {
    return Words{what + " behind a pointer",
                 "let a reference to the object stand for it before the region, `auto &m = *p;`"};
  }
  if (HiddenNames(ast, *body).found) {
    return Words{what + ", whose body uses private types or constants, or macros of a header",
                 absl::StrCat("make these public, or ", instead)};
  }
  return Words{what +
                   ", which has more in it than members, elements, parameters, constants, and sums, "
                   "differences, products and quotients of them",
               absl::StrCat("write it of these alone, or ", instead)};
}

FoundAccessors AccessorsIn(const clang::ASTContext& ast, const std::vector<const clang::Stmt*>& statements) {
  struct Calls : TreeVisitor {
    explicit Calls(const clang::ASTContext& ast) : ast(ast) {}
    bool VisitCallExpr(clang::CallExpr* call) override {
      const std::optional<AccessorCall> accessor = AccessorOf(ast, *call);
      if (accessor && seen.insert(accessor->method).second) found.functions.push_back(accessor->method);
      if (accessor) found.hidden.insert(accessor->hidden.begin(), accessor->hidden.end());
      return true;
    }
    const clang::ASTContext& ast;
    std::set<const clang::FunctionDecl*> seen;
    FoundAccessors found;
  } calls(ast);
  for (const clang::Stmt* statement : statements) calls.TraverseStmt(const_cast<clang::Stmt*>(statement));
  for (size_t i = 0; i < calls.found.functions.size(); ++i)
    calls.TraverseStmt(calls.found.functions[i]->getBody());
  return std::move(calls.found);
}

}  // namespace tune
