#include "client/extract/access.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/affine_expression.h"
#include "client/extract/flat_offset.h"

namespace tune {
namespace {

class AccessReader {
 public:
  AccessReader(Region& region, const LoopNest& nest, isl::set reached)
      : region_(region), reached_(std::move(reached)), nest_(&nest) {}

  // Adds the subscripts of an lvalue, outermost first. The value is unused.
  Accepted<bool> Lvalue(const clang::Expr& written) {
    const clang::Expr& lvalue = *written.IgnoreParens();
    if (lvalue.getType().isVolatileQualified()) {
      return Refusal{lvalue.getSourceRange(), "a volatile object may not be moved or left out",
                     "copy it to a plain variable before the region"};
    }
    if (const clang::VarDecl* variable = Variable(lvalue)) {
      const auto defined = nest_->definitions.find(variable);
      if (defined != nest_->definitions.end()) return Defined(*variable, defined->second, lvalue);
      element.array = variable;
      return true;
    }
    if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(&lvalue)) {
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(*access->getBase()));
      TUNE_ASSIGN_OR_REFUSE(FlatOffset subscript, Subscript(*access->getIdx()));
      return Dereference(lvalue, offset.Plus(subscript));
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&lvalue);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(*unary->getSubExpr()));
      return Dereference(lvalue, offset);
    }
    if (llvm::isa<clang::MemberExpr>(lvalue)) {
      return Member(lvalue);
    }
    return Refusal{lvalue.getSourceRange(), "not a variable or an element of an array",
                   "access arrays by name with affine subscripts"};
  }

  Element element{nullptr, {}};

 private:
  static const clang::VarDecl* Variable(const clang::Expr& expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
    return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  }

  FlatOffset Zero() const {
    return FlatOffset(isl::pw_aff(isl::aff::zero_on_domain(region_.parameter_space)));
  }

  Accepted<FlatOffset> Subscript(const clang::Expr& expression) {
    Accepted<isl::pw_aff> affine =
        Of("the subscript", ReadAffine(region_, *nest_, expression, Position::kSubscript));
    if (!IsRefused(affine)) return FlatOffset(std::get<0>(std::move(affine)));
    not_affine_ = std::get<Refusal>(std::move(affine));
    Accepted<FlatOffset> flat = ReadFlatOffset(region_, *nest_, expression);
    if (IsRefused(flat)) return *not_affine_;
    return flat;
  }

  Accepted<bool> Dereference(const clang::Expr& lvalue, const FlatOffset& offset) {
    const std::optional<isl::pw_aff> affine = offset.Affine();
    if (of_scalar_) {
      const std::optional<isl::val> distance = affine ? ConstantOf(*affine) : std::nullopt;
      if (distance && distance->is_zero()) return true;
      return Refusal{lvalue.getSourceRange(), "an element beside the scalar that a pointer points to",
                     "use an array"};
    }
    const bool in_one_dimension = element.subscripts.empty() && lvalue.getType()->isArithmeticType();
    const auto rows = region_.rows.find(element.array);
    if (rows != region_.rows.end() && !rows->second.empty()) {
      TUNE_ASSIGN_OR_REFUSE(element.subscripts, FlatSubscripts(region_, *nest_, reached_, offset,
                                                               rows->second, lvalue.getSourceRange()));
      return true;
    }
    if (affine) {
      element.subscripts.push_back(*affine);
      return true;
    }
    const bool may_have_rows =
        in_one_dimension && rows == region_.rows.end() && !region_.variables.IsDeclaredInside(element.array);
    if (!may_have_rows) return *not_affine_;
    region_.found_strides[element.array].merge(offset.Strides());
    element.subscripts.push_back(*Zero().Affine());
    return true;
  }

  // A variable that stands for the value of another object, unconverted.
  Accepted<bool> Defined(const clang::VarDecl& variable, const Definition& definition,
                         const clang::Expr& lvalue) {
    const clang::Expr* object = definition.expression->IgnoreParens();
    const auto* value = llvm::dyn_cast<clang::ImplicitCastExpr>(object);
    if (definition.then != nullptr || value == nullptr || value->getCastKind() != clang::CK_LValueToRValue) {
      return Refusal{lvalue.getSourceRange(),
                     absl::StrCat("`", variable.getNameAsString(), "` stands for the value of an expression"),
                     "write the expression in its place"};
    }
    const LoopNest* inner = std::exchange(nest_, definition.scope.get());
    Accepted<bool> done = Lvalue(*value->getSubExpr());
    nest_ = inner;
    return done;
  }

  // What a pointer of the region's own, or of a called function, stands for.
  Accepted<FlatOffset> DefinedPointer(const Definition& definition) {
    if (definition.then != nullptr) {
      return Refusal{definition.expression->getSourceRange(), "a choice between pointers",
                     "write an `if` with one access in each branch"};
    }
    const LoopNest* inner = std::exchange(nest_, definition.scope.get());
    Accepted<FlatOffset> offset = Pointer(*definition.expression);
    nest_ = inner;
    return offset;
  }

  // &x: the object x, or its place in an array.
  Accepted<FlatOffset> Address(const clang::Expr& written) {
    const clang::Expr& lvalue = *written.IgnoreParens();
    if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(&lvalue)) {
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(*access->getBase()));
      TUNE_ASSIGN_OR_REFUSE(FlatOffset subscript, Subscript(*access->getIdx()));
      return offset.Plus(subscript);
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&lvalue);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      return Pointer(*unary->getSubExpr());
    }
    const clang::VarDecl* variable = Variable(lvalue);
    if (variable == nullptr || !variable->getType()->isArithmeticType() ||
        variable->getType().isVolatileQualified() || nest_->definitions.count(variable) > 0) {
      return Refusal{lvalue.getSourceRange(), "the address of what is not a scalar or an element of an array",
                     "access arrays by name: A[e] with e affine"};
    }
    element.array = variable;
    of_scalar_ = true;
    return Zero();
  }

  // The object that a pointer value points into, and the offset in elements.
  Accepted<FlatOffset> Pointer(const clang::Expr& written) {
    const clang::Expr& pointer = *written.IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&pointer)) {
      switch (cast->getCastKind()) {
        case clang::CK_ArrayToPointerDecay: {
          TUNE_ASSIGN_OR_REFUSE(bool done, Lvalue(*cast->getSubExpr()));
          (void)done;
          return Zero();
        }
        case clang::CK_LValueToRValue:
          return PointerVariable(*cast->getSubExpr()->IgnoreParens());
        case clang::CK_NoOp:  // qualifiers
          return Pointer(*cast->getSubExpr());
        default:
          break;
      }
    }
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(&pointer);
        address != nullptr && address->getOpcode() == clang::UO_AddrOf) {
      return Address(*address->getSubExpr());
    }
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(&pointer);
    if (sum != nullptr && sum->isAdditiveOp()) {
      bool pointer_first = sum->getLHS()->getType()->isPointerType();
      const clang::Expr& base = pointer_first ? *sum->getLHS() : *sum->getRHS();
      const clang::Expr& distance = pointer_first ? *sum->getRHS() : *sum->getLHS();
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(base));
      TUNE_ASSIGN_OR_REFUSE(FlatOffset step, Subscript(distance));
      return sum->getOpcode() == clang::BO_Add ? offset.Plus(step) : offset.Minus(step);
    }
    if (llvm::isa<clang::ExplicitCastExpr>(pointer)) {
      return Refusal{pointer.getSourceRange(), "the type of a pointer is changed by a cast",
                     "declare an object of the type that is accessed, and access that"};
    }
    return Refusal{pointer.getSourceRange(), "pointer arithmetic that is not an array with affine subscripts",
                   "access arrays by name: A[e] with e affine"};
  }

  Accepted<FlatOffset> PointerVariable(const clang::Expr& lvalue) {
    const clang::VarDecl* variable = Variable(lvalue);
    if (variable == nullptr) {
      if (llvm::isa<clang::MemberExpr>(lvalue)) return Member(lvalue);
      return Refusal{lvalue.getSourceRange(), "an array of pointers: its rows may overlap or change",
                     "use a true two-dimensional array: double A[n][m], or double (*restrict A)[m]"};
    }
    if (variable->getType().isVolatileQualified()) {
      return Refusal{lvalue.getSourceRange(), "a volatile pointer",
                     "copy it to a plain variable before the region"};
    }
    const auto defined = nest_->definitions.find(variable);
    if (defined != nest_->definitions.end() && !region_.variables.IsWritten(variable))
      return DefinedPointer(defined->second);
    if (region_.variables.IsWritten(variable) || region_.variables.IsDeclaredInside(variable)) {
      return Refusal{lvalue.getSourceRange(),
                     absl::StrCat("the pointer `", variable->getNameAsString(), "` is set inside the region"),
                     "set pointers before the region, and move along the array with a subscript"};
    }
    element.array = variable;
    return Zero();
  }

  static Refusal Member(const clang::Expr& lvalue) {
    return {lvalue.getSourceRange(), "a member of a structure or union",
            "copy it to a variable, or an array of its own, before the region"};
  }

  std::optional<Refusal> not_affine_;  // of a subscript
  bool of_scalar_ = false;             // the pointer being read points to a scalar
  Region& region_;
  const isl::set reached_;
  const LoopNest* nest_;  // whose names the lvalue has
};

}  // namespace

Accepted<Element> ReadElement(Region& region, const LoopNest& nest, const clang::Expr& lvalue) {
  return ReadElement(region, nest, lvalue, nest.domain);
}

Accepted<Element> ReadElement(Region& region, const LoopNest& nest, const clang::Expr& lvalue,
                              const isl::set& reached) {
  if (lvalue.getType()->isPointerType()) {
    return Refusal{lvalue.getSourceRange(), "a pointer is set inside the region",
                   "set pointers before the region, and move along the array with a subscript"};
  }
  if (!lvalue.getType()->isArithmeticType() && !lvalue.getType()->isEnumeralType()) {
    return Refusal{
        lvalue.getSourceRange(),
        absl::StrCat("a value of type ", lvalue.getType().getAsString(), ", which is not a number"),
        "use scalars and elements of arrays of char, int, float, double and the like"};
  }
  AccessReader reader(region, nest, reached);
  TUNE_ASSIGN_OR_REFUSE(bool done, reader.Lvalue(lvalue));
  (void)done;
  return std::move(reader.element);
}

}  // namespace tune
