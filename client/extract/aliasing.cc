#include "client/extract/aliasing.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

#include <map>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/extract/tree_visitor.h"

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
    assignments_.TraverseDecl(ast.getTranslationUnitDecl());
  }

  bool IsPlainPointer(const clang::VarDecl* variable) const {
    if (!Declared(variable)->isPointerType() || variable->getType().isRestrictQualified()) return false;
    return !IsFresh(variable);
  }

  v1::Array::Overlap OverlapOf(const clang::VarDecl* variable) const {
    const clang::QualType type = Declared(variable);
    if (type.isRestrictQualified() || variable->getType().isRestrictQualified()) return v1::Array::NONE;
    if (type->isPointerType()) return IsFresh(variable) ? v1::Array::NONE : v1::Array::POINTER;
    if (llvm::isa<clang::ParmVarDecl>(variable) && type->isArrayType()) return v1::Array::POINTER;
    if (type->isArrayType() || variable->hasExternalFormalLinkage()) return v1::Array::TARGET;
    return assignments_.address_taken.count(variable) > 0 ? v1::Array::TARGET : v1::Array::NONE;
  }

  bool MayBePointedInto(const clang::VarDecl* variable) const {
    clang::QualType type = Declared(variable);
    if (type.isRestrictQualified() || variable->getType().isRestrictQualified()) return false;
    if (type->isArithmeticType()) return assignments_.address_taken.count(variable) > 0;
    return true;
  }

  // C forbids access to an object through a pointer of another type, char aside.
  bool AreCompatible(const clang::VarDecl* a, const clang::VarDecl* b) const {
    clang::QualType first = Element(a), second = Element(b);
    return first == second || first->isCharType() || second->isCharType();
  }

 private:
  static clang::QualType Declared(const clang::VarDecl* variable) {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    return parameter == nullptr ? variable->getType() : parameter->getOriginalType();
  }

  clang::QualType Element(const clang::VarDecl* variable) const {
    clang::QualType type = Declared(variable);
    if (const auto* pointer = type->getAs<clang::PointerType>()) type = pointer->getPointeeType();
    clang::QualType element = ast_.getBaseElementType(type).getCanonicalType().getUnqualifiedType();
    if (element->isSignedIntegerType() && !element->isCharType())
      element = ast_.getCorrespondingUnsignedType(element);
    return element;
  }

  // Holds what one allocation returned, or null, and nobody else can have got hold of that through it: a
  // local that is set once.
  bool IsFresh(const clang::VarDecl* variable) const {
    if (!variable->isLocalVarDecl() || assignments_.address_taken.count(variable) > 0) return false;
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
};

}  // namespace

std::vector<Refusal> CheckAliasing(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                   const ArrayTable& arrays) {
  Checker checker(ast);
  std::vector<Refusal> refusals;
  const std::vector<ArrayTable::Entry>& entries = arrays.entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!checker.IsPlainPointer(entries[i].variable)) continue;
    for (size_t j = 0; j < entries.size(); ++j) {
      if (i == j || !(entries[i].is_written || entries[j].is_written)) continue;
      if (j < i && checker.IsPlainPointer(entries[j].variable)) continue;  // said before
      if (!checker.MayBePointedInto(entries[j].variable)) continue;
      if (!checker.AreCompatible(entries[i].variable, entries[j].variable)) continue;
      refusals.push_back({entries[i].use,
                          absl::StrCat("the pointer `", entries[i].name, "` may point into `",
                                       entries[j].name, "`, and the region writes one of them"),
                          absl::StrCat("declare it as `restrict`, or as an array with its size: `",
                                       entries[i].name, "[n]`")});
      break;
    }
  }
  return refusals;
}

std::vector<v1::Array::Overlap> FindOverlap(const clang::ASTContext& ast, const ArrayTable& arrays,
                                            const RegionVariables& variables) {
  const Checker checker(ast);
  std::vector<v1::Array::Overlap> overlaps;
  for (const ArrayTable::Entry& entry : arrays.entries()) {
    overlaps.push_back(variables.IsDeclaredInside(entry.variable) ? v1::Array::NONE
                                                                  : checker.OverlapOf(entry.variable));
  }
  return overlaps;
}

}  // namespace tune
