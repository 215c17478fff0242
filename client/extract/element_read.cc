#include "client/extract/element_read.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/array_shape.h"
#include "client/extract/constant_table.h"
#include "client/extract/main_file.h"

namespace tune {
namespace {

struct ConstantElement {
  const clang::VarDecl* array;
  std::string name, text;  // "tune_cells_2", "cells[2]"
};

bool IsArrayOfIntegers(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  const clang::QualType element = ast.getBaseElementType(type);
  return ast.getAsConstantArrayType(type) != nullptr && variable.getStorageClass() != clang::SC_Register &&
         IsNumber(ast, element) && element->isIntegerType() && !element->isBooleanType();
}

// a[2][0] of such an array; nothing for others, and for elements that it does not have.
std::optional<ConstantElement> ElementAt(const clang::ASTContext& ast, const clang::Expr& expression) {
  const clang::Expr* bare = expression.IgnoreParenImpCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr || reference->hasQualifier() || !IsArrayOfIntegers(ast, *variable))
      return std::nullopt;
    const std::string name = variable->getNameAsString();
    return ConstantElement{variable, absl::StrCat("tune_", name), name};
  }
  const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(bare);
  if (subscript == nullptr) return std::nullopt;
  const auto* array = ast.getAsConstantArrayType(subscript->getBase()->IgnoreParenImpCasts()->getType());
  const auto place = subscript->getIdx()->getIntegerConstantExpr(ast);
  if (array == nullptr || !place || place->isNegative() || place->getActiveBits() > 32 ||
      array->getSize().ule(place->getZExtValue()))
    return std::nullopt;
  std::optional<ConstantElement> element = ElementAt(ast, *subscript->getBase());
  if (!element) return std::nullopt;
  absl::StrAppend(&element->name, "_", place->getZExtValue());
  absl::StrAppend(&element->text, "[", place->getZExtValue(), "]");
  return element;
}

class ElementFinder {
 public:
  ElementFinder(const clang::ASTContext& ast, const FoundRegion& region)
      : ast_(ast), file_(ast.getSourceManager()), region_(region) {}

  MemberReads Find() {
    for (const clang::Stmt* statement : region_.statements) Visit(*statement, /*decides=*/false);
    MemberReads reads;
    std::map<std::string, std::string> names;  // and what they stand for
    for (size_t i = 0; i < found_.size(); ++i) {
      const ConstantElement& element = found_[i];
      if (others_.count(element.array) > 0 || deciding_.count(element.array) == 0) continue;
      const auto [known, is_new] = names.emplace(element.name, element.text);
      if (known->second != element.text) continue;  // cells_1[2] and cells[1][2]
      uses_[i].text = element.name;
      reads.uses.push_back(uses_[i]);
      if (!is_new) continue;
      reads.members.push_back(
          {element.name, element.text, absl::StrCat("__typeof__(", element.text, ")"), {}, {element.text}});
    }
    return reads;
  }

 private:
  // `decides`: about iterations or elements.
  void Visit(const clang::Stmt& node, bool decides) {
    if (const auto* value = llvm::dyn_cast<clang::ImplicitCastExpr>(&node)) {
      if (value->getCastKind() == clang::CK_LValueToRValue && Take(*value->getSubExpr(), decides)) return;
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node))
      others_.insert(reference->getDecl());
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node))
      others_.insert(declarations->decl_begin(), declarations->decl_end());
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr) Visit(*child, decides || Decides(node, *child));
    }
  }

  static bool Decides(const clang::Stmt& whole, const clang::Stmt& part) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole)) return &part != loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&whole)) return &part != loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&whole)) return &part != loop->getBody();
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&whole);
    return element != nullptr && &part == element->getIdx();
  }

  bool Take(const clang::Expr& lvalue, bool decides) {
    const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue.IgnoreParens());
    if (subscript == nullptr || TableElementOf(ast_, *subscript)) return false;
    const std::optional<ConstantElement> element = ElementAt(ast_, *subscript);
    const std::optional<MemberUse> use = UseAt(ast_, file_, subscript->getSourceRange());
    if (!element || !use) return false;
    if (decides) deciding_.insert(element->array);
    found_.push_back(*element);
    uses_.push_back(*use);
    return true;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  const FoundRegion& region_;
  std::vector<ConstantElement> found_;
  std::vector<MemberUse> uses_;  // parallel
  std::set<const clang::Decl*> deciding_;
  std::set<const clang::Decl*> others_;  // used in other ways
};

}  // namespace

MemberReads FindElementReads(const clang::ASTContext& ast, const FoundRegion& region) {
  return ElementFinder(ast, region).Find();
}

}  // namespace tune
