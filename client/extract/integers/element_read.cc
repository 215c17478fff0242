#include "client/extract/integers/element_read.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/integers/constant_table.h"
#include "client/extract/source/main_file.h"
#include "client/extract/tree/evaluation_reach.h"

namespace tune {
namespace {

struct ConstantElement {
  const clang::VarDecl* array;
  std::string name, text;  // "tune_cells_2", "cells[2]"
  uint64_t place = 0;      // among the array's integers
};

bool IsInteger(const clang::ASTContext& ast, clang::QualType type) {
  return IsNumber(ast, type) && type->isIntegerType() && !type->isBooleanType() &&
         !type.isVolatileQualified();
}

// Whether the variable is an array of integers of constant lengths, or a pointer to integers or to such
// arrays.
bool LeadsToIntegers(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  if (variable.getStorageClass() == clang::SC_Register || type.isVolatileQualified()) return false;
  const bool is_pointer = type->isPointerType();
  const clang::QualType row = is_pointer ? type->getPointeeType() : type;
  if (!is_pointer && ast.getAsConstantArrayType(type) == nullptr) return false;
  return IsInteger(ast, ast.getBaseElementType(row));
}

// a[2][0] of such a variable; nothing for others, and for elements that it does not have.
std::optional<ConstantElement> ElementAt(const clang::ASTContext& ast, const clang::Expr& expression) {
  const clang::Expr* bare = expression.IgnoreParenImpCasts();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr || reference->hasQualifier() || !LeadsToIntegers(ast, *variable))
      return std::nullopt;
    const std::string name = variable->getNameAsString();
    return ConstantElement{variable, absl::StrCat("tune_", name), name};
  }
  const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(bare);
  if (subscript == nullptr) return std::nullopt;
  const clang::QualType whole = subscript->getBase()->IgnoreParenImpCasts()->getType();
  const auto* array = ast.getAsConstantArrayType(whole);
  const auto place = subscript->getIdx()->getIntegerConstantExpr(ast);
  if (!place || place->isNegative() || place->getActiveBits() > 32) return std::nullopt;
  const uint64_t number = place->getZExtValue();
  if (array == nullptr ? !whole->isPointerType() : array->getSize().ule(number)) return std::nullopt;
  std::optional<ConstantElement> element = ElementAt(ast, *subscript->getBase());
  if (!element) return std::nullopt;
  absl::StrAppend(&element->name, "_", number);
  absl::StrAppend(&element->text, "[", number, "]");
  element->place = array == nullptr ? number : element->place * array->getSize().getZExtValue() + number;
  return element;
}

class ElementFinder {
 public:
  ElementFinder(const clang::ASTContext& ast, const FoundRegion& region, bool in_loops)
      : ast_(ast), file_(ast.getSourceManager()), region_(region), in_loops_(in_loops) {}

  MemberReads Find() {
    for (const clang::Stmt* statement : region_.statements)
      Visit(*statement, /*decides=*/false, Reach::kCertain);
    if (has_jumps_ || !in_loops_) reached_.clear();
    MemberReads reads;
    std::map<std::string, std::string> names;  // and what they stand for
    for (size_t i = 0; i < found_.size(); ++i) {
      const ConstantElement& element = found_[i];
      if (others_.count(element.array) > 0 || deciding_.count(element.array) == 0) continue;
      const std::optional<int> group = GroupOf(element);
      if (!group) continue;
      const auto [known, is_new] = names.emplace(element.name, element.text);
      if (known->second != element.text) continue;  // cells_1[2] and cells[1][2]
      uses_[i].text = element.name;
      reads.uses.push_back(uses_[i]);
      if (!is_new) continue;
      MemberRead read{
          element.name, element.text, absl::StrCat("__typeof__(", element.text, ")"), {}, {element.text}};
      if (IsPointer(element)) read.cells.push_back(element.array->getNameAsString());
      read.group = *group;
      reads.members.push_back(std::move(read));
    }
    return reads;
  }

 private:
  static bool IsPointer(const ConstantElement& element) { return element.array->getType()->isPointerType(); }

  // MemberRead::group. Nothing where the element may be one that is not there: the region does not read it,
  // or one behind it, whenever it is executed, or loops around have iterations.
  std::optional<int> GroupOf(const ConstantElement& element) {
    if (!IsPointer(element)) return 0;
    const auto last = last_certain_.find(element.array);
    if (last != last_certain_.end() && element.place <= last->second) return 0;
    if (reached_.count(element.text) == 0) return std::nullopt;
    return groups_.emplace(element.text, static_cast<int>(groups_.size()) + 1).first->second;
  }

  // `decides`: about iterations or elements.
  void Visit(const clang::Stmt& node, bool decides, Reach reach) {
    has_jumps_ = has_jumps_ || IsJump(node);
    if (const auto* value = llvm::dyn_cast<clang::ImplicitCastExpr>(&node)) {
      if (value->getCastKind() == clang::CK_LValueToRValue && Take(*value->getSubExpr(), decides, reach))
        return;
    }
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&node))
      others_.insert(reference->getDecl());
    if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&node))
      others_.insert(declarations->decl_begin(), declarations->decl_end());
    int place = 0;
    for (const clang::Stmt* child : node.children()) {
      if (child != nullptr)
        Visit(*child, decides || Decides(node, *child), ReachOf(node, *child, place, reach));
      ++place;
    }
  }

  static bool Decides(const clang::Stmt& whole, const clang::Stmt& part) {
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&whole)) return &part != loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&whole)) return &part != loop->getBody();
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&whole)) return &part != loop->getBody();
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&whole);
    return element != nullptr && &part == element->getIdx();
  }

  bool Take(const clang::Expr& lvalue, bool decides, Reach reach) {
    const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue.IgnoreParens());
    if (subscript == nullptr || TableElementOf(ast_, *subscript)) return false;
    const std::optional<ConstantElement> element = ElementAt(ast_, *subscript);
    const std::optional<MemberUse> use = UseAt(ast_, file_, subscript->getSourceRange());
    if (!element || !use) return false;
    if (decides) deciding_.insert(element->array);
    if (reach == Reach::kCertain) {
      uint64_t& last = last_certain_.emplace(element->array, element->place).first->second;
      last = std::max(last, element->place);
    }
    if (reach == Reach::kInLoops) reached_.insert(element->text);
    found_.push_back(*element);
    uses_.push_back(*use);
    return true;
  }

  const clang::ASTContext& ast_;
  const MainFile file_;
  const FoundRegion& region_;
  const bool in_loops_;
  std::vector<ConstantElement> found_;
  std::vector<MemberUse> uses_;  // parallel
  std::set<const clang::Decl*> deciding_;
  std::set<const clang::Decl*> others_;                  // used in other ways
  std::map<const clang::Decl*, uint64_t> last_certain_;  // place of the last element that is read in any case
  std::set<std::string> reached_;                        // texts of elements that are read in loops
  std::map<std::string, int> groups_;                    // of those
  bool has_jumps_ = false;
};

}  // namespace

MemberReads FindElementReads(const clang::ASTContext& ast, const FoundRegion& region, bool in_loops) {
  return ElementFinder(ast, region, in_loops).Find();
}

}  // namespace tune
