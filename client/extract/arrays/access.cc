#include "client/extract/arrays/access.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/pointers/flat_offset.h"
#include "client/extract/pointers/matrix_argument.h"
#include "client/extract/pointers/product_hint.h"
#include "client/extract/pointers/row_place.h"
#include "client/extract/structures/structure_member.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/tuple_name.h"

namespace tune {
namespace {

class AccessReader {
 public:
  AccessReader(Region& region, const LoopNest& nest, const isl::set& reached)
      : region_(region), reached_(reached), nest_(&nest) {}

  // The element that is the lvalue, with all of its subscripts.
  Accepted<Element> Read(const clang::Expr& lvalue) {
    TUNE_ASSIGN_OR_REFUSE(bool done, Lvalue(lvalue));
    (void)done;
    if (place_) {
      TUNE_ASSIGN_OR_REFUSE(isl::pw_aff place,
                            place_->InElements(region_, *element_.array, lvalue, IsFirst()));
      element_.subscripts.push_back(std::move(place));
      element_.member = lvalue.getType().getCanonicalType().getTypePtr();
    }
    return std::move(element_);
  }

 private:
  // Whether all subscripts are zero.
  bool IsFirst() const {
    return element_.by_data.empty() && std::all_of(element_.subscripts.begin(), element_.subscripts.end(),
                                                   [](const isl::pw_aff& subscript) {
                                                     const std::optional<isl::val> constant =
                                                         ConstantOf(subscript);
                                                     return constant && constant->is_zero();
                                                   });
  }

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
      if (by_reference_ && !IsObject(*variable)) {
        return Refusal{lvalue.getSourceRange(),
                       absl::StrCat("a reference to `", variable->getNameAsString(),
                                    "`, which is an iterator of a loop or stands for another value"),
                       "use it by its name"};
      }
      element_.array = variable;
      return true;
    }
    if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(&lvalue)) {
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(*access->getBase()));
      TUNE_ASSIGN_OR_REFUSE(FlatOffset subscript, Subscript(*access->getIdx()));
      return Dereference(lvalue, lvalue.getType(), offset.Plus(subscript));
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&lvalue);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(*unary->getSubExpr()));
      return Dereference(lvalue, lvalue.getType(), offset);
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&lvalue)) return Member(*member);
    return Refusal{lvalue.getSourceRange(), "not a variable or an element of an array",
                   "access arrays by name with affine subscripts"};
  }

  static const clang::VarDecl* Variable(const clang::Expr& expression) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
    return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  }

  // A number in memory: not an iterator, or a local that stands for its value.
  bool IsObject(const clang::VarDecl& variable) const {
    if (region_.variables.IsIterator(&variable)) return false;
    return !region_.variables.IsDeclaredInside(&variable) ||
           (ConstantInitializer(region_.ast, &variable) == nullptr &&
            nest_->affine_locals.count(&variable) == 0);
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
    if (!IsRefused(flat)) return flat;
    if (data_ != nullptr || expression.HasSideEffects(region_.ast)) return *not_affine_;
    data_ = &expression;
    return Zero();
  }

  // The subscript that data decide, of the dimension that `offset` is along beside it.
  Accepted<bool> DereferenceByData(const clang::Expr& lvalue, const std::optional<isl::pw_aff>& offset) {
    const clang::Expr& subscript = *std::exchange(data_, nullptr);
    const auto rows = region_.rows.find(element_.array);
    const std::optional<isl::val> distance = offset ? ConstantOf(*offset) : std::nullopt;
    if (of_scalar_ || !distance || !distance->is_zero() ||
        (rows != region_.rows.end() && !rows->second.empty())) {
      if (!FindDataReads(region_.variables, subscript).any) return *not_affine_;
      return Refusal{subscript.getSourceRange(),
                     "data decide about a part of a subscript, or about a pointer that was moved",
                     "declare the array with all of its dimensions, and give each a subscript"};
    }
    const auto dimension = static_cast<int>(element_.subscripts.size());
    std::optional<isl::pw_aff> extent = KnownExtent(region_, *element_.array, dimension);
    if (!extent) {
      if (!FindDataReads(region_.variables, subscript).elements) return *not_affine_;
      const std::string name = element_.array->getNameAsString();
      return Refusal{lvalue.getSourceRange(),
                     absl::StrCat("data decide which element of `", name,
                                  "` is accessed, and how many it has is not known"),
                     absl::StrCat("declare its size with parameters of the region: `", name,
                                  "[n]`, or allocate it in the region's function where it is declared")};
    }
    // There are elements, of which the first may stand for one that is not accessed after all.
    const isl::aff zero = isl::aff::zero_on_domain(region_.parameter_space);
    region_.context = region_.context.intersect(extent->ge_set(isl::pw_aff(zero.add_constant(1L))));
    element_.by_data.emplace(dimension, DataSubscript{&subscript, nest_, *std::move(extent), *not_affine_});
    element_.subscripts.push_back(*Zero().Affine());
    return true;
  }

  // What stands that far from where a pointer points to: an lvalue of the type, or what has a member
  // `lvalue`.
  Accepted<bool> Dereference(const clang::Expr& lvalue, clang::QualType type, const FlatOffset& written) {
    const bool of_products = region_.of_products.count(element_.array) > 0;
    const FlatOffset offset = of_products ? WithProducts(region_, *nest_, written) : written;
    const std::optional<isl::pw_aff> affine = offset.Affine();
    if (place_) return DereferenceInside(lvalue, type, affine);
    if (data_ != nullptr) return DereferenceByData(lvalue, affine);
    if (of_scalar_) {
      const std::optional<isl::val> distance = affine ? ConstantOf(*affine) : std::nullopt;
      if (distance && distance->is_zero()) return true;
      return Refusal{lvalue.getSourceRange(), "an element beside the scalar that a pointer points to",
                     "use an array"};
    }
    const bool in_one_dimension =
        element_.subscripts.empty() && (type->isArithmeticType() || type->isRecordType());
    const auto rows = region_.rows.find(element_.array);
    if (rows != region_.rows.end() && !rows->second.empty()) {
      TUNE_ASSIGN_OR_REFUSE(element_.subscripts, FlatSubscripts(region_, *nest_, reached_, offset,
                                                                rows->second, lvalue.getSourceRange()));
      return true;
    }
    if (by_pointer_ && !element_.subscripts.empty()) {
      TUNE_ASSIGN_OR_REFUSE(element_.subscripts,
                            PlaceFromRow(region_, *nest_, reached_, *element_.array,
                                         std::move(element_.subscripts), offset, lvalue.getSourceRange()));
      return true;
    }
    if (affine) {
      element_.subscripts.push_back(*affine);
      return true;
    }
    const bool may_have_rows =
        in_one_dimension && rows == region_.rows.end() && !region_.variables.IsDeclaredInside(element_.array);
    if (!may_have_rows) return *not_affine_;
    offset.AddStrides(&region_.found_strides[element_.array]);
    element_.subscripts.push_back(*Zero().Affine());
    return true;
  }

  // The same in an array that is, or is in, a member of a structure.
  Accepted<bool> DereferenceInside(const clang::Expr& lvalue, clang::QualType type,
                                   const std::optional<isl::pw_aff>& affine) {
    if (data_ != nullptr) {
      if (!FindDataReads(region_.variables, *data_).any) return *not_affine_;
      return Refusal{lvalue.getSourceRange(), "data decide which element of a member is accessed",
                     "copy the member to an array of its own before the region"};
    }
    if (!affine) return *not_affine_;
    const std::optional<Refusal> refusal =
        place_->Subscript(region_, reached_, *affine, type, lvalue.getSourceRange());
    if (refusal) return *refusal;
    return true;
  }

  // The structure that the member is of, and its place there.
  Accepted<bool> Member(const clang::MemberExpr& member) {
    const clang::Expr& base = *member.getBase();
    clang::QualType structure = base.getType();
    if (member.isArrow()) {
      structure = structure->getPointeeType();
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(base));
      TUNE_ASSIGN_OR_REFUSE(bool done, Dereference(member, structure, offset));
      (void)done;
    } else {
      TUNE_ASSIGN_OR_REFUSE(bool done, Lvalue(base));
      (void)done;
    }
    if (!place_) place_.emplace(structure);
    if (std::optional<Refusal> refusal = place_->Enter(region_, member)) return *std::move(refusal);
    return true;
  }

  // A variable that stands for the value of another object, unconverted.
  Accepted<bool> Defined(const clang::VarDecl& variable, const Definition& definition,
                         const clang::Expr& lvalue) {
    const clang::Expr* object = definition.expression->IgnoreParens();
    if (IsReference(variable) && object->isGLValue()) return Referred(definition);
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

  // What a reference of the region's own, or of a called function, is bound to.
  Accepted<bool> Referred(const Definition& definition) {
    const LoopNest* inner = std::exchange(nest_, definition.scope.get());
    const bool outer = std::exchange(by_reference_, true);
    Accepted<bool> done = Lvalue(*definition.expression);
    by_reference_ = outer;
    nest_ = inner;
    if (!IsRefused(done) && !element_.by_data.empty()) {
      return Refusal{definition.expression->getSourceRange(), "data decide what a reference is bound to",
                     "write the subscripts where the element is accessed"};
    }
    return done;
  }

  // What a pointer of the region's own, or of a called function, stands for.
  Accepted<FlatOffset> DefinedPointer(const clang::VarDecl& variable, const Definition& definition) {
    if (definition.then != nullptr) {
      return Refusal{definition.expression->getSourceRange(), "a choice between pointers",
                     "write an `if` with one access in each branch"};
    }
    const clang::Expr* matrix = MatrixArgument(region_, *nest_, variable, *definition.expression);
    const LoopNest* inner = std::exchange(nest_, definition.scope.get());
    Accepted<FlatOffset> offset = Pointer(matrix != nullptr ? *matrix : *definition.expression);
    nest_ = inner;
    by_pointer_ = true;
    // They may have changed since.
    if (!IsRefused(offset) && (data_ != nullptr || !element_.by_data.empty())) {
      if (data_ != nullptr && !FindDataReads(region_.variables, *data_).any) return *not_affine_;
      return Refusal{definition.expression->getSourceRange(), "data decide where a pointer points",
                     "write the subscripts where the element is accessed"};
    }
    return offset;
  }

  // &x: the object x, or its place in an array.
  Accepted<FlatOffset> Address(const clang::Expr& written) {
    const clang::Expr& lvalue = *written.IgnoreParens();
    if (const auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(&lvalue)) {
      TUNE_ASSIGN_OR_REFUSE(FlatOffset offset, Pointer(*access->getBase()));
      TUNE_ASSIGN_OR_REFUSE(FlatOffset subscript, Subscript(*access->getIdx()));
      by_pointer_ = true;
      return offset.Plus(subscript);
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&lvalue);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      return Pointer(*unary->getSubExpr());
    }
    if (llvm::isa<clang::MemberExpr>(lvalue)) {
      return Refusal{lvalue.getSourceRange(), "the address of a member of a structure",
                     "access the member by the structure's name"};
    }
    const clang::VarDecl* variable = Variable(lvalue);
    if (variable == nullptr ||
        !(variable->getType()->isArithmeticType() || variable->getType()->isRecordType()) ||
        variable->getType().isVolatileQualified() || nest_->definitions.count(variable) > 0) {
      return Refusal{lvalue.getSourceRange(), "the address of what is not a scalar or an element of an array",
                     "access arrays by name: A[e] with e affine"};
    }
    if (!IsObject(*variable)) {
      return Refusal{lvalue.getSourceRange(),
                     absl::StrCat("the address of `", variable->getNameAsString(),
                                  "`, which is an iterator of a loop or stands for another value"),
                     "use it by its name"};
    }
    element_.array = variable;
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
          const auto* array = region_.ast.getAsConstantArrayType(cast->getSubExpr()->getType());
          if (place_ && array != nullptr)
            place_->BeginArray(static_cast<int64_t>(array->getSize().getZExtValue()));
          return Zero();
        }
        case clang::CK_LValueToRValue:
          return PointerVariable(*cast->getSubExpr()->IgnoreParens());
        case clang::CK_NoOp:  // qualifiers
          return Pointer(*cast->getSubExpr());
        case clang::CK_BitCast:
          return Converted(*cast);
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
      if (data_ != nullptr && sum->getOpcode() != clang::BO_Add) return *not_affine_;
      by_pointer_ = true;
      return sum->getOpcode() == clang::BO_Add ? offset.Plus(step) : offset.Minus(step);
    }
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&pointer)) {
      const clang::Expr& value = *cast->getSubExpr();
      const bool same =
          cast->getCastKind() == clang::CK_NoOp &&
          region_.ast.hasSameType(cast->getType()->getPointeeType(), value.getType()->getPointeeType());
      return same ? Pointer(value) : Converted(*cast);
    }
    return Refusal{pointer.getSourceRange(), "pointer arithmetic that is not an array with affine subscripts",
                   "access arrays by name: A[e] with e affine"};
  }

  static Refusal Converted(const clang::CastExpr& cast) {
    const auto is_of_rows = [](clang::QualType type) {
      return type->isPointerType() && type->getPointeeType()->isArrayType();
    };
    if (is_of_rows(cast.getType()) && is_of_rows(cast.getSubExpr()->getType())) {
      return {cast.getSourceRange(), "rows that may have other lengths than the array that they are of",
              "let one parameter of the region say both lengths, as for `void g(int n, double a[n][n])` in "
              "g(m, b) of `double b[m][m]`, or give the function rows: g(m, b[i])"};
    }
    return {cast.getSourceRange(), "the type of a pointer is changed by a cast",
            "declare an object of the type that is accessed, and access that"};
  }

  static Refusal NotFollowed(const clang::Expr& use, const clang::VarDecl& pointer) {
    return {use.getSourceRange(),
            absl::StrCat("where the pointer `", pointer.getNameAsString(),
                         "` points here is not known: it is set under a condition or in a loop, by more than "
                         "an exchange of pointers at the end of each iteration"),
            "set pointers before the region, and move along the array with a subscript"};
  }
  static Refusal ReadBehindRegion(const clang::Expr& use, const clang::VarDecl& pointer) {
    return {use.getSourceRange(),
            absl::StrCat("the pointer `", pointer.getNameAsString(),
                         "` is set inside the region, and one of those that it sets is read behind it"),
            "set it again before it is read behind the region, or use another pointer"};
  }

  Accepted<FlatOffset> PointerVariable(const clang::Expr& lvalue) {
    const clang::VarDecl* variable = Variable(lvalue);
    if (variable == nullptr) {
      if (llvm::isa<clang::MemberExpr>(lvalue)) {
        return Refusal{lvalue.getSourceRange(), "a pointer that is a member of a structure, and may change",
                       "copy it to a pointer of its own before the region"};
      }
      return Refusal{lvalue.getSourceRange(), "an array of pointers: its rows may overlap or change",
                     "use a true two-dimensional array: double A[n][m], or double (*restrict A)[m]"};
    }
    if (variable->getType().isVolatileQualified()) {
      return Refusal{lvalue.getSourceRange(), "a volatile pointer",
                     "copy it to a plain variable before the region"};
    }
    const auto defined = nest_->definitions.find(variable);
    const bool is_followed = region_.pointers.count(variable) > 0;
    const bool is_defined = defined != nest_->definitions.end();
    if (is_defined && is_followed && defined->second.expression == nullptr)
      return NotFollowed(lvalue, *variable);
    if (is_defined && (is_followed || !region_.variables.IsWritten(variable)))
      return DefinedPointer(*variable, defined->second);
    if (region_.variables.set_pointers().count(variable) > 0 && !is_followed)
      return ReadBehindRegion(lvalue, *variable);
    const bool is_set = region_.variables.IsWritten(variable) || region_.variables.IsDeclaredInside(variable);
    if (is_set && !is_followed) {
      return Refusal{lvalue.getSourceRange(),
                     absl::StrCat("the pointer `", variable->getNameAsString(), "` is set inside the region"),
                     "set pointers before the region, and move along the array with a subscript"};
    }
    element_.array = variable;
    return Zero();
  }

  std::optional<Refusal> not_affine_;  // of a subscript
  const clang::Expr* data_ = nullptr;  // a subscript of the element being read that data decide
  bool by_reference_ = false;          // what is being read is what a reference is bound to
  bool by_pointer_ = false;            // that is not where a subscript's array begins
  bool of_scalar_ = false;             // the pointer being read points to a scalar, or a single structure
  std::optional<MemberPlace> place_;   // in the structure that the subscripts of element_ lead to
  Region& region_;
  const isl::set reached_;
  const LoopNest* nest_;  // whose names the lvalue has
  Element element_{nullptr, {}};
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
  if (lvalue.getType()->isRecordType()) {
    return Refusal{lvalue.getSourceRange(), "a structure or union as a whole",
                   "access its members one by one"};
  }
  if (!lvalue.getType()->isArithmeticType() && !lvalue.getType()->isEnumeralType()) {
    return Refusal{
        lvalue.getSourceRange(),
        absl::StrCat("a value of type ", lvalue.getType().getAsString(), ", which is not a number"),
        "use scalars and elements of arrays of char, int, float, double and the like"};
  }
  return AccessReader(region, nest, reached).Read(lvalue);
}

isl::map BindElement(const Region& region, const LoopNest& nest, const std::string& statement,
                     const std::string& array, const Element& element) {
  if (element.by_data.empty()) return BindAccess(region, nest, statement, array, element.subscripts);
  std::vector<isl::pw_aff> affine;
  for (size_t i = 0; i < element.subscripts.size(); ++i) {
    if (element.by_data.count(static_cast<int>(i)) == 0) affine.push_back(element.subscripts[i]);
  }
  isl::map relation = BindAccess(region, nest, statement, array, affine);
  for (const auto& [dimension, data] : element.by_data)
    relation = InsertDimensions(relation, isl_dim_out, static_cast<unsigned>(dimension), 1);
  relation = WithTupleName(relation, isl_dim_out, array);
  const isl::space space = relation.space().range();
  for (const auto& [dimension, data] : element.by_data) {
    const isl::pw_aff index = isl::pw_aff(VariableOn(space, dimension));
    const isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(space));
    relation = relation.intersect_range(index.ge_set(zero))
                   .intersect_range(index.lt_set(data.extent.insert_domain(space)));
  }
  return relation;
}

}  // namespace tune
