#include "client/extract/statements/update_form.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/FoldingSet.h>

#include <algorithm>

#include "client/extract/integers/integer_function.h"
#include "common/scop/c_functions.h"

namespace tune {
namespace {

// Where, on the domain, the subscripts agree that no data decide: [params, iterators] -> { : }.
isl::set Agreement(const LoopNest& nest, const Element& a, const Element& b) {
  isl::set result = nest.domain;
  for (size_t i = 0; i < a.subscripts.size(); ++i) {
    if (a.by_data.count(static_cast<int>(i)) + b.by_data.count(static_cast<int>(i)) == 0)
      result = result.intersect(a.subscripts[i].eq_set(b.subscripts[i]));
  }
  return result;
}

bool AreComparable(const Element& a, const Element& b) {
  return a.array == b.array && a.member == b.member && a.subscripts.size() == b.subscripts.size();
}

bool IsSameText(const clang::ASTContext& ast, const clang::Expr& a, const clang::Expr& b) {
  llvm::FoldingSetNodeID first, second;
  Bare(&a)->Profile(first, ast, /*Canonical=*/true);
  Bare(&b)->Profile(second, ast, /*Canonical=*/true);
  return first == second;
}

// The same dimensions are decided by the same expressions.
bool HaveSameData(const Element& a, const Element& b) {
  if (a.by_data.size() != b.by_data.size()) return false;
  return std::all_of(a.by_data.begin(), a.by_data.end(), [&](const auto& entry) {
    const auto other = b.by_data.find(entry.first);
    return other != b.by_data.end() && other->second.scope == entry.second.scope &&
           IsSameText(a.array->getASTContext(), *other->second.expression, *entry.second.expression);
  });
}

class Matcher {
 public:
  Matcher(Region& region, const LoopNest& nest, const Element& target, clang::QualType target_type)
      : region_(region), nest_(nest), target_(target), target_type_(target_type) {}

  // if (x < e) x = e; and the other ways to say it.
  std::optional<UpdateForm> MatchGuarded(const Guard& guard, const clang::BinaryOperator& assignment) const {
    if (guard.conditions.size() != 1) return std::nullopt;
    return Extremum(*guard.conditions[0], *Unconverted(*assignment.getRHS()), guard.negated);
  }

  std::optional<UpdateForm> Match(const clang::Expr& assignment) const {
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&assignment)) {
      if (!KeepsMeaning(target_type_)) return std::nullopt;
      return UpdateForm{v1::ADD, nullptr, unary->isDecrementOp(), target_type_};
    }
    if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&assignment)) {
      return Arithmetic(clang::BinaryOperator::getOpForCompoundAssignment(compound->getOpcode()),
                        compound->getRHS(), compound->getComputationResultType());
    }
    const clang::Expr& value = *Unconverted(*llvm::cast<clang::BinaryOperator>(assignment).getRHS());
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&value)) {
      if (IsTarget(*operation->getLHS()))
        return Arithmetic(operation->getOpcode(), operation->getRHS(), value.getType());
      bool commutes = operation->getOpcode() == clang::BO_Add || operation->getOpcode() == clang::BO_Mul;
      if (commutes && IsTarget(*operation->getRHS())) {
        return Arithmetic(operation->getOpcode(), operation->getLHS(), value.getType());
      }
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&value)) return Extremum(*choice);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&value)) return Extremum(*call);
    return std::nullopt;
  }

 private:
  // Without the conversion to the target's own type, which the assignment makes anyway.
  const clang::Expr* Unconverted(const clang::Expr& value) const {
    const clang::Expr* bare = Bare(&value);
    const auto* cast = llvm::dyn_cast<clang::CStyleCastExpr>(bare);
    if (cast == nullptr || !region_.ast.hasSameUnqualifiedType(cast->getType(), target_type_)) return bare;
    return Bare(cast->getSubExpr());
  }

  bool IsTarget(const clang::Expr& expression) const {
    const clang::Expr& bare = *Bare(&expression);
    if (!bare.isLValue()) return false;
    Accepted<Element> element = ReadElement(region_, nest_, bare);
    return !IsRefused(element) && IsSame(nest_, std::get<0>(element), target_);
  }

  // An integer that is updated in floating point is rounded at every step, and a truth value becomes 0 or 1:
  // the order matters. So it does for _Float16, in which a sum of some thousand terms has few digits or none.
  bool KeepsMeaning(clang::QualType type) const {
    if (target_type_->isBooleanType() || target_type_->isFloat16Type()) return false;
    // What is left of a complex sum in a real number depends on each step of it.
    if (type->isAnyComplexType()) return target_type_->isAnyComplexType();
    return target_type_->isFloatingType() || type->isIntegerType();
  }

  std::optional<UpdateForm> Arithmetic(clang::BinaryOperatorKind op, const clang::Expr* operand,
                                       clang::QualType type) const {
    if (!KeepsMeaning(type)) return std::nullopt;
    if (op == clang::BO_Add || op == clang::BO_Sub)
      return UpdateForm{v1::ADD, operand, op == clang::BO_Sub, type};
    if (op == clang::BO_Mul) return UpdateForm{v1::MULTIPLY, operand, false, type};
    return std::nullopt;
  }

  // x < e ? x : e and the other ways to say it.
  std::optional<UpdateForm> Extremum(const clang::ConditionalOperator& choice) const {
    const bool keeps = IsTarget(*choice.getTrueExpr());
    const clang::Expr* other = keeps ? choice.getFalseExpr() : choice.getTrueExpr();
    if (!keeps && !IsTarget(*choice.getFalseExpr())) return std::nullopt;
    return Extremum(*choice.getCond(), *other, keeps);
  }

  // Of x and `other`: x where the condition is as `keeps` says.
  std::optional<UpdateForm> Extremum(const clang::Expr& condition, const clang::Expr& other,
                                     bool keeps) const {
    const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(Bare(&condition));
    if (comparison == nullptr || !comparison->isRelationalOp()) return std::nullopt;
    bool less = comparison->getOpcode() == clang::BO_LT || comparison->getOpcode() == clang::BO_LE;
    bool target_left = IsTarget(*comparison->getLHS());
    if (!target_left && !IsTarget(*comparison->getRHS())) return std::nullopt;
    const clang::Expr* operand = target_left ? comparison->getRHS() : comparison->getLHS();
    if (!IsSameText(region_.ast, *operand, other)) return std::nullopt;
    bool smaller = less == target_left;  // the condition says that x is the smaller one
    clang::QualType type = operand->getType();
    if (!KeepsMeaning(type) || IsUnsignedOnly(type)) return std::nullopt;
    return UpdateForm{smaller == keeps ? v1::MIN : v1::MAX, Bare(&other), false, type};
  }

  std::optional<UpdateForm> Extremum(const clang::CallExpr& call) const {
    const clang::FunctionDecl* function = call.getDirectCallee();
    int kind = function == nullptr ? 0 : MinOrMaxFunction(function->getNameAsString());
    if (region_.ast.hasSameUnqualifiedType(call.getType(), target_type_)) {
      const IntegerFunction known = IntegerFunctionOf(region_.ast, call);
      if (known == IntegerFunction::kMin) kind = -1;
      if (known == IntegerFunction::kMax) kind = 1;
    }
    if (kind == 0 || call.getNumArgs() != 2 || !KeepsMeaning(call.getType())) return std::nullopt;
    for (unsigned i = 0; i < 2; ++i) {
      if (IsTarget(*call.getArg(i)))
        return UpdateForm{kind < 0 ? v1::MIN : v1::MAX, call.getArg(1 - i), false, call.getType()};
    }
    return std::nullopt;
  }

  // The comparison takes a negative x for a large number.
  bool IsUnsignedOnly(clang::QualType type) const {
    return type->isUnsignedIntegerType() && !target_type_->isUnsignedIntegerType();
  }

  Region& region_;
  const LoopNest& nest_;
  const Element& target_;
  clang::QualType target_type_;
};

}  // namespace

std::optional<UpdateForm> MatchUpdate(Region& region, const LoopNest& nest, const Element& target,
                                      const clang::Expr& assignment) {
  const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&assignment);
  const clang::Expr* lvalue =
      unary != nullptr ? unary->getSubExpr() : llvm::cast<clang::BinaryOperator>(assignment).getLHS();
  return Matcher(region, nest, target, lvalue->getType()).Match(assignment);
}

std::optional<UpdateForm> MatchGuardedUpdate(Region& region, const LoopNest& nest, const Element& target,
                                             const Guard& guard, const clang::Expr& assignment) {
  const auto* plain = llvm::dyn_cast<clang::BinaryOperator>(&assignment);
  if (plain == nullptr || plain->getOpcode() != clang::BO_Assign) return std::nullopt;
  return Matcher(region, nest, target, plain->getLHS()->getType()).MatchGuarded(guard, *plain);
}

bool IsSame(const LoopNest& nest, const Element& a, const Element& b) {
  return AreComparable(a, b) && HaveSameData(a, b) && nest.domain.is_subset(Agreement(nest, a, b));
}

bool MayBeSame(const LoopNest& nest, const Element& a, const Element& b) {
  return AreComparable(a, b) && !Agreement(nest, a, b).is_empty();
}

}  // namespace tune
