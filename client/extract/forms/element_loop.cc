#include "client/extract/forms/element_loop.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Builtins.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "client/extract/arrays/array_shape.h"
#include "client/extract/pointers/written_products.h"
#include "client/extract/region/region_variables.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/memory_reads.h"

namespace tune {
namespace {

enum class ElementCall { kNone, kSet, kMove, kFill, kFillNumber, kCopy };

ElementCall CallOf(const clang::CallExpr& call) {
  const clang::FunctionDecl* function = call.getDirectCallee();
  if (function == nullptr || call.getNumArgs() != 3) return ElementCall::kNone;
  switch (function->getBuiltinID()) {
    case clang::Builtin::BImemset:
    case clang::Builtin::BI__builtin_memset:
      return ElementCall::kSet;
    case clang::Builtin::BImemcpy:
    case clang::Builtin::BI__builtin_memcpy:
      return ElementCall::kMove;
    default:
      break;
  }
  if (!function->isInStdNamespace() || function->getIdentifier() == nullptr ||
      !call.getArg(0)->getType()->isPointerType())
    return ElementCall::kNone;
  const llvm::StringRef name = function->getName();
  if (name == "fill") return ElementCall::kFill;
  if (name == "fill_n") return ElementCall::kFillNumber;
  return name == "copy" ? ElementCall::kCopy : ElementCall::kNone;
}

// A product of a constant and of others.
struct NumberOfBytes {
  uint64_t constant = 1;
  std::vector<clang::Expr*> factors = {};  // in the order of the text
};

// Elements of a type of numbers, in arrays inside of one another, that a pointer leads to.
struct Target {
  clang::Expr* pointer;  // a value
  clang::QualType element;
  std::vector<clang::Expr*> lengths = {};  // of the arrays that it points to, outermost first
};

class LoopMaker {
 public:
  LoopMaker(const clang::ASTContext& ast, const clang::FunctionDecl& function,
            const WrittenProducts& products, clang::CallExpr& call)
      : ast_(ast),
        function_(function),
        products_(products),
        make_(ast, function, call.getBeginLoc()),
        call_(call),
        index_(ast.LongTy) {}

  // Null where it is about more than elements of numbers. What it relies on joins `sources`.
  clang::Stmt* Loop(Statements* sources) {
    clang::Stmt* loop = Made();
    if (loop == nullptr) return nullptr;
    sources->push_back(&call_);
    sources->insert(sources->end(), sizes_.begin(), sizes_.end());
    return loop;
  }

 private:
  using Elements = std::vector<clang::Expr*>;  // one of each target

  clang::Stmt* Made() {
    switch (CallOf(call_)) {
      case ElementCall::kSet:
        return Set();
      case ElementCall::kMove:
        return Move();
      case ElementCall::kFill:
        return Fill();
      case ElementCall::kFillNumber:
        return FillNumber();
      case ElementCall::kCopy:
        return Copy();
      default:
        return nullptr;
    }
  }

  clang::Stmt* Set() {
    const std::optional<Target> target = TargetOf(call_.getArg(0));
    clang::Expr* value = target ? SetValue(target->element) : nullptr;
    if (value == nullptr) return nullptr;
    return Nest({*target}, [&](const Elements& each) { return make_.Assignment(each[0], value); });
  }

  clang::Stmt* Move() {
    const std::optional<Target> target = TargetOf(call_.getArg(0)), source = TargetOf(call_.getArg(1));
    if (!target || !source || !HaveOneShape(*target, *source)) return nullptr;
    return Nest({*target, *source},
                [&](const Elements& each) { return make_.Assignment(each[0], ValueOf(ast_, each[1])); });
  }

  // What memset stores in each element.
  clang::Expr* SetValue(clang::QualType element) const {
    clang::Expr* value = call_.getArg(1);
    clang::Expr::EvalResult constant;
    if (value->EvaluateAsInt(constant, ast_) && constant.Val.getInt().isZero()) return make_.Zero(element);
    const bool is_character = ast_.getTypeSize(element) == 8 && !element->isBooleanType();
    if (!is_character || !IsSteady(*value)) return nullptr;
    return clang::ImplicitCastExpr::Create(ast_, element.getUnqualifiedType(), clang::CK_IntegralCast, value,
                                           nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
  }

  // Whether the value is the same in all iterations: setting elements may change what it would read.
  bool IsSteady(const clang::Expr& value) const {
    MemoryReads reads;
    reads.TraverseStmt(const_cast<clang::Expr*>(&value));
    return !reads.found && !value.HasSideEffects(ast_) && value.getType()->isArithmeticType();
  }

  // What the pointer leads to, whatever it is converted to.
  std::optional<Target> TargetOf(clang::Expr* pointer) const {
    for (pointer = pointer->IgnoreParens();;) {
      auto* cast = llvm::dyn_cast<clang::CastExpr>(pointer);
      const bool converts = cast != nullptr && (cast->getCastKind() == clang::CK_BitCast ||
                                                cast->getCastKind() == clang::CK_NoOp);
      if (!converts || (cast->getCastKind() == clang::CK_BitCast && !cast->getType()->isVoidPointerType()))
        break;
      pointer = cast->getSubExpr()->IgnoreParens();
    }
    if (!pointer->getType()->isPointerType() || pointer->HasSideEffects(ast_)) return std::nullopt;
    Target target{pointer, pointer->getType()->getPointeeType()};
    while (const clang::ArrayType* array = ast_.getAsArrayType(target.element)) {
      clang::Expr* length = LengthOf(*array);
      if (length == nullptr) return std::nullopt;
      target.lengths.push_back(length);
      target.element = array->getElementType();
    }
    if (!IsNumber(ast_, target.element)) return std::nullopt;
    return target;
  }

  // Null where it is not known.
  clang::Expr* LengthOf(const clang::ArrayType& array) const {
    if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(&array))
      return make_.Number(constant->getSize().getZExtValue(), index_);
    const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(&array);
    clang::Expr* length = variable == nullptr ? nullptr : variable->getSizeExpr();
    // The type keeps the length that it had when the array was declared.
    return length != nullptr && IsNeverChanged(ast_, function_, *length) ? length : nullptr;
  }

  bool HaveOneShape(const Target& a, const Target& b) const {
    return ast_.hasSameUnqualifiedType(a.element, b.element) && a.lengths.size() == b.lengths.size() &&
           std::equal(a.lengths.begin(), a.lengths.end(), b.lengths.begin(),
                      [&](const clang::Expr* one, const clang::Expr* other) { return IsSame(*one, *other); });
  }

  // Both are one constant, or one variable.
  bool IsSame(const clang::Expr& a, const clang::Expr& b) const {
    const std::optional<uint64_t> first = Constant(a), second = Constant(b);
    if (first && second) return *first == *second;
    return NamedVariable(Plain(&a)) != nullptr && NamedVariable(Plain(&a)) == NamedVariable(Plain(&b));
  }

  std::optional<uint64_t> Constant(const clang::Expr& expression) const {
    clang::Expr::EvalResult result;
    if (expression.isValueDependent() || !expression.EvaluateAsInt(result, ast_)) return std::nullopt;
    const llvm::APSInt& value = result.Val.getInt();
    if (value.isNegative() || value.getActiveBits() > 31) return std::nullopt;
    return value.getZExtValue();
  }

  // Without conversions to integers that are at least as wide.
  const clang::Expr* Plain(const clang::Expr* expression) const {
    expression = expression->IgnoreParens();
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(expression);
    if (cast == nullptr || !cast->getType()->isIntegerType() ||
        !cast->getSubExpr()->getType()->isIntegerType() ||
        ast_.getTypeSize(cast->getType()) < ast_.getTypeSize(cast->getSubExpr()->getType()))
      return expression;
    return cast->getCastKind() == clang::CK_LValueToRValue ? expression : Plain(cast->getSubExpr());
  }

  bool AddFactors(const clang::Expr& written, NumberOfBytes* bytes) const {
    const clang::Expr& expression = *Plain(&written);
    if (const std::optional<uint64_t> constant = Constant(expression)) {
      bytes->constant *= *constant;
      return bytes->constant < (uint64_t{1} << 31);
    }
    if (const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&expression))
      return size->getKind() == clang::UETT_SizeOf && AddSize(size->getTypeOfArgument(), bytes);
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    const bool wraps = expression.getType()->isUnsignedIntegerType() &&
                       ast_.getTypeSize(expression.getType()) < ast_.getTypeSize(ast_.getSizeType());
    if (product != nullptr && product->getOpcode() == clang::BO_Mul && !wraps)
      return AddFactors(*product->getLHS(), bytes) && AddFactors(*product->getRHS(), bytes);
    bytes->factors.push_back(const_cast<clang::Expr*>(&expression));
    return expression.getType()->isIntegerType();
  }

  // Of an array whose length is a variable.
  bool AddSize(clang::QualType type, NumberOfBytes* bytes) const {
    while (const clang::ArrayType* array = ast_.getAsArrayType(type)) {
      const clang::Expr* length = LengthOf(*array);
      if (length == nullptr || !AddFactors(*length, bytes)) return false;
      type = array->getElementType();
    }
    bytes->constant *= static_cast<uint64_t>(ast_.getTypeSizeInChars(type).getQuantity());
    return bytes->constant < (uint64_t{1} << 31);
  }

  // The numbers of iterations of the loops around the targets' rows; nothing where the bytes are no whole
  // rows.
  std::optional<std::vector<clang::Expr*>> RowsOf(const Target& target) const {
    NumberOfBytes bytes;
    if (!AddFactors(*call_.getArg(2), &bytes)) return std::nullopt;
    const auto take = [&](uint64_t part) {
      const bool fits = part > 0 && bytes.constant % part == 0;
      if (fits) bytes.constant /= part;
      return fits;
    };
    if (!take(static_cast<uint64_t>(ast_.getTypeSizeInChars(target.element).getQuantity())))
      return std::nullopt;
    for (auto length = target.lengths.rbegin(); length != target.lengths.rend(); ++length) {
      if (const std::optional<uint64_t> constant = Constant(**length)) {
        if (!take(*constant)) return std::nullopt;
        continue;
      }
      const auto same = std::find_if(bytes.factors.rbegin(), bytes.factors.rend(),
                                     [&](const clang::Expr* factor) { return IsSame(*factor, **length); });
      if (same == bytes.factors.rend()) return std::nullopt;
      bytes.factors.erase(std::next(same).base());
    }
    if (bytes.constant == 0) return std::nullopt;
    if (target.lengths.empty() && bytes.factors.size() > 1)
      bytes.factors = AsRegionHas(target, std::move(bytes.factors));
    if (bytes.constant > 1 || bytes.factors.empty())
      bytes.factors.push_back(make_.Number(bytes.constant, index_));
    // Rows of an array have one subscript.
    if (!target.lengths.empty() && bytes.factors.size() > 1) return std::nullopt;
    return std::move(bytes.factors);
  }

  // Factors of a number of elements: lengths of rows behind others, as subscripts of the region have them;
  // one product where it has no rows and a loop has that bound.
  std::vector<clang::Expr*> AsRegionHas(const Target& target, std::vector<clang::Expr*> factors) const {
    const std::optional<Place> place = PlaceOf(target.pointer);
    const clang::VarDecl* array = place ? NamedVariable(place->pointer) : nullptr;
    const auto rows = std::stable_partition(factors.begin(), factors.end(), [&](const clang::Expr* factor) {
      return !products_.IsInSubscript(array, NamedVariable(factor));
    });
    std::vector<const clang::VarDecl*> variables;
    for (const clang::Expr* factor : factors) variables.push_back(NamedVariable(factor));
    if (rows != factors.end() || !products_.IsBound(variables)) return factors;
    clang::Expr* product = factors[0];
    for (size_t i = 1; i < factors.size(); ++i)
      product = make_.Operation(clang::BO_Mul, product, factors[i], index_);
    return {product};
  }

  // The statement of each element of targets of one shape, with loops around it.
  template <typename Make>
  clang::Stmt* Nest(const std::vector<Target>& targets, Make statement) {
    const std::optional<std::vector<clang::Expr*>> rows = RowsOf(targets[0]);
    if (!rows) return nullptr;
    for (const Target& target : targets) {
      const bool is_fixed =
          std::any_of(target.lengths.begin(), target.lengths.end(),
                      [&](const clang::Expr* length) { return Constant(*length).has_value(); });
      if (is_fixed && NamedVariable(target.pointer) == nullptr) return nullptr;
      if (is_fixed) sizes_.push_back(make_.SizeOfElement(target.pointer));
    }
    std::vector<clang::VarDecl*> iterators;
    std::vector<clang::Expr*> ends = *rows;
    ends.insert(ends.end(), targets[0].lengths.begin(), targets[0].lengths.end());
    for (size_t i = 0; i < ends.size(); ++i) iterators.push_back(make_.Variable("tune_at", index_));
    Elements elements;
    for (const Target& target : targets) {
      clang::Expr* row = nullptr;  // its number
      for (size_t i = 0; i < rows->size(); ++i) {
        clang::Expr* next = make_.Value(iterators[i]);
        row = row == nullptr
                  ? next
                  : make_.Operation(clang::BO_Add, make_.Operation(clang::BO_Mul, row, ends[i], index_), next,
                                    index_);
      }
      clang::Expr* element = make_.Element(target.pointer, row);
      for (size_t i = rows->size(); i < ends.size(); ++i)
        element = make_.Element(element, make_.Value(iterators[i]));
      elements.push_back(element);
    }
    // The product of two negative factors is positive: loops up to != factor have no end where one is.
    const clang::BinaryOperatorKind goes_on = rows->size() > 1 ? clang::BO_NE : clang::BO_LT;
    clang::Stmt* all = statement(elements);
    for (size_t i = ends.size(); i-- > 0;)
      all = make_.Loop(iterators[i], make_.Number(0, index_), ends[i], all, goes_on);
    return all;
  }

  // A pointer as a variable and a distance from there, null for none.
  struct Place {
    clang::Expr* pointer;
    clang::Expr* distance;
  };

  std::optional<Place> PlaceOf(clang::Expr* written) const {
    clang::Expr* pointer = written->IgnoreParens();
    if (NamedVariable(pointer) != nullptr) return Place{pointer, nullptr};
    auto* sum = llvm::dyn_cast<clang::BinaryOperator>(pointer);
    if (sum == nullptr || !sum->isAdditiveOp() || !sum->getLHS()->getType()->isPointerType() ||
        !sum->getRHS()->getType()->isIntegerType())
      return std::nullopt;
    std::optional<Place> place = PlaceOf(sum->getLHS());
    if (!place) return std::nullopt;
    clang::Expr* before = place->distance == nullptr ? make_.Number(0, index_) : place->distance;
    place->distance = sum->getOpcode() == clang::BO_Add && place->distance == nullptr
                          ? sum->getRHS()
                          : make_.Operation(sum->getOpcode(), before, sum->getRHS(), index_);
    return place;
  }

  // for (k = first; k < last; ++k) statement, of pointers into the same.
  template <typename Make>
  clang::Stmt* Between(clang::Expr* first, clang::Expr* last, Make statement) const {
    const std::optional<Place> from = PlaceOf(first), to = PlaceOf(last);
    if (!from || !to || NamedVariable(from->pointer) != NamedVariable(to->pointer) ||
        to->distance == nullptr || !TargetOf(from->pointer) || !TargetOf(from->pointer)->lengths.empty())
      return nullptr;
    clang::VarDecl* iterator = make_.Variable("tune_at", index_);
    clang::Expr* start = from->distance == nullptr ? make_.Number(0, index_) : from->distance;
    clang::Expr* at = make_.Value(iterator);
    clang::Expr* number =
        from->distance == nullptr ? at : make_.Operation(clang::BO_Sub, at, from->distance, index_);
    return make_.Loop(iterator, start, to->distance, statement(make_.Element(from->pointer, at), number));
  }

  // The value of an argument that is a number, the same in all iterations; else null.
  clang::Expr* Steady(clang::Expr* value) const {
    if (!IsSteady(*value)) return nullptr;
    return value->isGLValue() ? ValueOf(ast_, value) : value;
  }

  clang::Stmt* Fill() const {
    clang::Expr* value = Steady(call_.getArg(2));
    if (value == nullptr) return nullptr;
    return Between(call_.getArg(0), call_.getArg(1),
                   [&](clang::Expr* element, clang::Expr*) { return make_.Assignment(element, value); });
  }

  clang::Stmt* FillNumber() const {
    clang::Expr* value = Steady(call_.getArg(2));
    const std::optional<Target> target = TargetOf(call_.getArg(0));
    if (value == nullptr || !target || !target->lengths.empty() ||
        !call_.getArg(1)->getType()->isIntegerType())
      return nullptr;
    clang::VarDecl* iterator = make_.Variable("tune_at", index_);
    return make_.Loop(iterator, make_.Number(0, index_), call_.getArg(1),
                      make_.Assignment(make_.Element(target->pointer, make_.Value(iterator)), value));
  }

  clang::Stmt* Copy() const {
    const std::optional<Target> target = TargetOf(call_.getArg(2));
    if (!target || !target->lengths.empty()) return nullptr;
    return Between(call_.getArg(0), call_.getArg(1), [&](clang::Expr* element, clang::Expr* number) {
      return make_.Assignment(make_.Element(target->pointer, number), ValueOf(ast_, element));
    });
  }

  const clang::ASTContext& ast_;
  const clang::FunctionDecl& function_;
  const WrittenProducts& products_;  // of the region
  const TreeMaker make_;
  clang::CallExpr& call_;
  const clang::QualType index_;  // the type of iterators
  Statements sizes_;             // of rows
};

}  // namespace

bool SetsElements(const clang::CallExpr& call) { return CallOf(call) != ElementCall::kNone; }

ElementLoops::ElementLoops(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                           const Statements& statements)
    : statements_(statements) {
  const WrittenProducts products(statements);
  const auto change = [&](clang::Stmt** slot) {
    auto* call = llvm::dyn_cast<clang::CallExpr>(llvm::cast<clang::Expr>(*slot)->IgnoreParenCasts());
    clang::Stmt* loop = call == nullptr ? nullptr : LoopMaker(ast, function, products, *call).Loop(&sources_);
    if (loop != nullptr) changes_.Change(slot, loop);
  };
  for (const clang::Stmt*& statement : statements_)
    VisitExpressions(const_cast<clang::Stmt**>(&statement), change);
}

}  // namespace tune
