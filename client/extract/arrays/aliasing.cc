#include "client/extract/arrays/aliasing.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// How variables of the file get their values, and which have their address taken.
class Assignments : public TreeVisitor {
 public:
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) values[variable].push_back(variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    const clang::VarDecl* variable =
        operation->isAssignmentOp() ? NamedVariable(operation->getLHS()) : nullptr;
    if (variable != nullptr) values[variable].push_back(operation->getRHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    const clang::VarDecl* variable = NamedVariable(operation->getSubExpr());
    if (variable == nullptr) return true;
    if (operation->getOpcode() == clang::UO_AddrOf) address_taken.insert(variable);
    if (operation->isIncrementDecrementOp()) values[variable].push_back(operation);
    return true;
  }

  std::map<const clang::VarDecl*, std::vector<const clang::Expr*>> values;
  std::set<const clang::VarDecl*> address_taken;
};

bool IsAllocation(const clang::Expr& expression) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(expression.IgnoreParenCasts());
  const clang::FunctionDecl* function = call == nullptr ? nullptr : call->getDirectCallee();
  if (function == nullptr) return false;
  std::string name = function->getNameAsString();
  return name == "malloc" || name == "calloc" || name == "aligned_alloc" ||
         function->hasAttr<clang::RestrictAttr>();
}

class Checker {
 public:
  Checker(const clang::ASTContext& ast) : ast_(ast) {
    if (!IsCpp()) assignments_.TraverseDecl(ast.getTranslationUnitDecl());
  }

  v1::Array::Overlap OverlapOf(const clang::VarDecl* variable) const {
    const clang::QualType type = Declared(variable);
    if (type.isRestrictQualified() || variable->getType().isRestrictQualified()) return v1::Array::NONE;
    if (IsReference(*variable)) return v1::Array::POINTER;
    if (type->isPointerType()) return IsFresh(variable) ? v1::Array::TARGET : v1::Array::POINTER;
    if (llvm::isa<clang::ParmVarDecl>(variable) && type->isArrayType()) return v1::Array::POINTER;
    // Of a structure the address of a member may be taken, without `&` that of an array.
    const bool has_parts = type->isArrayType() || type->isRecordType();
    return has_parts || MayBePointedTo(variable) ? v1::Array::TARGET : v1::Array::NONE;
  }

  // Whether the pointer's value may be based on that of the other one, which is restrict, so that both may
  // lead to the same memory (C11, 6.7.3.1).
  bool MayBeBasedOn(const clang::VarDecl* pointer, const clang::VarDecl* other) const {
    std::set<const clang::VarDecl*> seen;
    return MayBeBasedOn(pointer, other, &seen);
  }

  // Whether the file sets the pointer to a place in the array: `restrict` is no promise about both then.
  bool MayBeSetTo(const clang::VarDecl* pointer, const clang::VarDecl* array) const {
    const Assignments& known = AssignmentsAround(*pointer);
    const auto values = known.values.find(pointer);
    if (values == known.values.end()) return false;
    return std::any_of(values->second.begin(), values->second.end(), [&](const clang::Expr* value) {
      const std::vector<const clang::ValueDecl*> names = NamedIn(value);
      return std::find(names.begin(), names.end(), array) != names.end();
    });
  }

  // In C++ an address may be taken by a reference, or where nothing is written.
  bool MayBePointedTo(const clang::VarDecl* variable) const {
    return IsCpp() || variable->hasExternalFormalLinkage() || assignments_.address_taken.count(variable) > 0;
  }

 private:
  static clang::QualType Declared(const clang::VarDecl* variable) {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    return parameter == nullptr ? variable->getType() : parameter->getOriginalType().getNonReferenceType();
  }
  bool IsCpp() const { return ast_.getLangOpts().CPlusPlus; }

  bool MayBeBasedOn(const clang::VarDecl* pointer, const clang::VarDecl* other,
                    std::set<const clang::VarDecl*>* seen) const {
    if (pointer == other) return true;
    if (!seen->insert(pointer).second) return false;
    const bool is_array = pointer->getType()->isArrayType();
    if (is_array || pointer->getType()->isIntegerType()) return false;
    const Assignments& known = AssignmentsAround(*pointer);
    const auto values = known.values.find(pointer);
    const bool is_named = pointer->hasLocalStorage() && known.address_taken.count(pointer) == 0;
    if (!is_named) return true;  // somebody may have set it
    if (values == known.values.end()) return !llvm::isa<clang::ParmVarDecl>(pointer);
    return std::any_of(values->second.begin(), values->second.end(), [&](const clang::Expr* value) {
      return !IsAllocation(*value) && MayBeBasedOn(*value, other, seen);
    });
  }
  // What memory or a function tells may be anything.
  bool MayBeBasedOn(const clang::Expr& value, const clang::VarDecl* other,
                    std::set<const clang::VarDecl*>* seen) const {
    if (value.isPRValue() && value.getType()->isArithmeticType()) return false;  // p += 2; element = 2
    if (llvm::isa<clang::CallExpr>(value) || llvm::isa<clang::MemberExpr>(value)) return true;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&value);
        cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue)
      return NamedVariable(cast->getSubExpr()) == nullptr ||
             MayBeBasedOn(NamedVariable(cast->getSubExpr()), other, seen);
    return std::any_of(value.child_begin(), value.child_end(), [&](const clang::Stmt* child) {
      const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child);
      return part != nullptr && MayBeBasedOn(*part, other, seen);
    });
  }

  // Of C++, which assigns in more ways, the variable's function alone is looked at.
  const Assignments& AssignmentsAround(const clang::VarDecl& variable) const {
    if (!IsCpp()) return assignments_;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
    const auto [known, is_new] = of_functions_.try_emplace(function);
    if (is_new && function != nullptr && function->hasBody()) known->second.TraverseStmt(function->getBody());
    return known->second;
  }

  // Holds what one allocation returned, or null, and can hold nothing else: a local that is set once. Other
  // pointers may be copies of it.
  bool IsFresh(const clang::VarDecl* variable) const {
    if (IsCpp() || !variable->isLocalVarDecl() || assignments_.address_taken.count(variable) > 0)
      return false;
    auto values = assignments_.values.find(variable);
    if (values == assignments_.values.end()) return false;
    int allocations = 0;
    for (const clang::Expr* value : values->second) {
      if (value->IgnoreParenCasts()->isNullPointerConstant(const_cast<clang::ASTContext&>(ast_),
                                                           clang::Expr::NPC_ValueDependentIsNotNull)) {
        continue;
      }
      if (!IsAllocation(*value)) return false;
      ++allocations;
    }
    return allocations == 1;
  }

  const clang::ASTContext& ast_;
  Assignments assignments_;
  mutable std::map<const clang::FunctionDecl*, Assignments> of_functions_;
};

// Arrays that only a restrict pointer leads to, by which other pointers of the region were set.
void TellPointersBasedOnOthers(const Checker& checker, const ArrayTable& arrays,
                               std::vector<v1::Array::Overlap>* overlaps) {
  const std::vector<v1::Array::Overlap> own = *overlaps;
  for (size_t i = 0; i < own.size(); ++i) {
    const clang::VarDecl* variable = arrays.entries()[i].variable;
    if (own[i] != v1::Array::NONE || !variable->getType()->isPointerType()) continue;
    for (size_t j = 0; j < own.size(); ++j) {
      if (own[j] == v1::Array::POINTER && checker.MayBeBasedOn(arrays.entries()[j].variable, variable))
        (*overlaps)[i] = v1::Array::POINTER;
    }
  }
}

// Restrict pointers that the file sets to places in arrays which the region uses by their names as well.
void TellPointersSetToArrays(const Checker& checker, const ArrayTable& arrays,
                             std::vector<v1::Array::Overlap>* overlaps) {
  for (size_t i = 0; i < overlaps->size(); ++i) {
    const clang::VarDecl* variable = arrays.entries()[i].variable;
    if ((*overlaps)[i] != v1::Array::NONE || !variable->getType()->isPointerType()) continue;
    for (size_t j = 0; j < overlaps->size(); ++j) {
      if ((*overlaps)[j] == v1::Array::TARGET && checker.MayBeSetTo(variable, arrays.entries()[j].variable))
        (*overlaps)[i] = v1::Array::POINTER;
    }
  }
}

}  // namespace

std::vector<v1::Array::Overlap> FindOverlap(const clang::ASTContext& ast, const ArrayTable& arrays,
                                            const RegionVariables& variables) {
  const Checker checker(ast);
  const bool has_reference = std::any_of(variables.parameters().begin(), variables.parameters().end(),
                                         [](const clang::VarDecl* each) { return IsReference(*each); });
  std::vector<v1::Array::Overlap> overlaps;
  for (const ArrayTable::Entry& entry : arrays.entries()) {
    overlaps.push_back(variables.IsDeclaredInside(entry.variable) ? v1::Array::NONE
                                                                  : checker.OverlapOf(entry.variable));
    // A parameter that is a reference may be another name of an integer.
    const bool may_change = has_reference && entry.is_written && overlaps.back() == v1::Array::TARGET &&
                            ast.getBaseElementType(entry.variable->getType())->isIntegerType();
    if (may_change) overlaps.back() = v1::Array::POINTER;
  }
  TellPointersSetToArrays(checker, arrays, &overlaps);
  TellPointersBasedOnOthers(checker, arrays, &overlaps);
  return overlaps;
}

std::vector<bool> FindParametersPointedTo(const clang::ASTContext& ast, const RegionVariables& variables) {
  const Checker checker(ast);
  std::vector<bool> targets;
  for (const clang::VarDecl* parameter : variables.parameters())
    targets.push_back(checker.MayBePointedTo(parameter));
  return targets;
}

}  // namespace tune
