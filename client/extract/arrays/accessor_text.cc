#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/cpp/accessor.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/cpp/stand_in.h"
#include "client/extract/cpp/vector_rows.h"
#include "client/extract/source/main_file.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

using Text = std::optional<std::string>;

// An argument that is there once in the text is evaluated as often as it was; one that is there more or less
// often must not do or cost anything.
class Calls : public TreeVisitor {
 public:
  explicit Calls(const clang::Expr& expression) { TraverseStmt(const_cast<clang::Expr*>(&expression)); }
  bool VisitCallExpr(clang::CallExpr*) override { return !(found = true); }
  bool VisitConstruction(clang::Expr*) override { return !(found = true); }
  bool found = false;
};

class Changes : public TreeVisitor {
 public:
  explicit Changes(const clang::Expr& expression) { TraverseStmt(const_cast<clang::Expr*>(&expression)); }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    return !(found = found || node->isIncrementDecrementOp());
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    return !(found = found || node->isAssignmentOp() || node->isCommaOp());
  }
  bool found = false;
};

bool IsSimple(const clang::Expr& written) {
  return llvm::isa<clang::DeclRefExpr>(written) || llvm::isa<clang::IntegerLiteral>(written) ||
         llvm::isa<clang::ParenExpr>(written) || llvm::isa<clang::ArraySubscriptExpr>(written);
}

class AccessorWriter {
 public:
  AccessorWriter(const clang::ASTContext& ast, StandIns* stand_ins) : ast_(ast), stand_ins_(*stand_ins) {}

  std::optional<MemberUse> Write(const AccessorCall& call, clang::SourceRange range) {
    const MainFile file(ast_.getSourceManager());
    std::optional<MemberUse> use = UseAt(ast_, file, range);
    const std::optional<NamedObject> object = stand_ins_.ObjectOfCall(*call.object);
    if (!use || !object) return std::nullopt;
    Frame frame{*object, {}, {}};
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const clang::Expr& written = *call.arguments[i]->IgnoreImpCasts();
      const clang::ParmVarDecl* parameter = call.method->getParamDecl(static_cast<unsigned>(i));
      if (llvm::isa<clang::IntegerLiteral>(*written.IgnoreParens()))
        SetPlace(*parameter, written, frame, &frame);
      const std::optional<MemberUse> hole = UseAt(ast_, file, written.getSourceRange());
      if (!hole || llvm::isa<clang::CXXDefaultArgExpr>(written) || Changes(written).found)
        return std::nullopt;
      use->holes.push_back({hole->offset, hole->length});
      const std::string mark = MarkOfHole(i);
      Text text =
          AsParameter(IsSimple(written) ? mark : absl::StrCat("(", mark, ")"), written.getType(), *parameter);
      if (!text) return std::nullopt;
      frame.values[parameter] = *std::move(text);
    }
    const Text text = OpensNames(call) ? Returned(*call.method, *call.returned, frame) : std::nullopt;
    if (!text) return std::nullopt;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const std::vector<std::string> pieces = absl::StrSplit(*text, MarkOfHole(i));
      if (pieces.size() != 2 && Calls(*call.arguments[i]).found) return std::nullopt;
    }
    stand_ins_.CheckClass(*object);
    use->text = *text;
    return use;
  }

 private:
  struct Frame {
    NamedObject object;
    std::map<const clang::ValueDecl*, std::string> values;  // of parameters
    std::map<const clang::ValueDecl*, uint64_t> places;     // of those that are known small numbers
  };
  static constexpr int kDeepest = 8;          // of calls in one another
  static constexpr uint64_t kLastPlace = 63;  // of an array in which single values are stood for

  bool OpensNames(const AccessorCall& call) {
    return std::all_of(call.hidden.begin(), call.hidden.end(),
                       [&](const clang::NamedDecl* name) { return stand_ins_.OpenName(*name); });
  }

  // A value of one type as one of another.
  Text As(const std::string& text, clang::QualType from, clang::QualType to) const {
    if (ast_.hasSameUnqualifiedType(from.getNonReferenceType(), to.getNonReferenceType())) return text;
    const bool is_number = from->isUnscopedEnumerationType() || IsNumber(ast_, from.getNonReferenceType());
    if (!is_number || !IsNumber(ast_, to.getNonReferenceType())) return std::nullopt;
    return absl::StrCat("((", CTypeName(ast_, to.getNonReferenceType()), ")", text, ")");
  }

  Text AsParameter(const std::string& text, clang::QualType from, const clang::ParmVarDecl& to) const {
    if (MayChangeReferred(to) || to.getType().isVolatileQualified() || !IsNumber(ast_, to.getType()))
      return std::nullopt;
    return As(text, from, to.getType());
  }

  Text Returned(const clang::CXXMethodDecl& method, const clang::Expr& value, const Frame& frame) {
    const clang::QualType type = method.getReturnType();
    if (type->isVoidType()) return Assignment(llvm::cast<clang::BinaryOperator>(value), frame);
    const clang::Expr& written = *value.IgnoreParenImpCasts();
    const bool is_place = type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
    if (is_place) places_.insert(&Whole(value));
    Text text = Value(value, frame);
    if (!text || type->isPointerType()) return text;
    if (type->isReferenceType()) {
      const bool same = ast_.hasSameUnqualifiedType(written.getType(), type.getNonReferenceType());
      return same && written.isLValue() ? text : std::nullopt;
    }
    return As(*text, written.getType(), type);
  }

  // element = value, element += value.
  Text Assignment(const clang::BinaryOperator& set, const Frame& frame) {
    places_.insert(&Whole(*set.getLHS()));
    const Text target = Bare(*set.getLHS(), frame),
               value = target ? Value(*set.getRHS(), frame) : std::nullopt;
    if (!value) return std::nullopt;
    return absl::StrCat("(", *target, " ", set.getOpcodeStr().str(), " ", *value, ")");
  }

  // As an operand.
  Text Value(const clang::Expr& expression, const Frame& frame) {
    const Text text = Bare(expression, frame);
    return text && llvm::isa<clang::BinaryOperator>(Whole(expression)) ? Text("(" + *text + ")") : text;
  }

  // Without parentheses and what else is not written or changes nothing.
  static const clang::Expr& Whole(const clang::Expr& expression) {
    const clang::Expr* inner = expression.IgnoreParenImpCasts();
    while (const auto* whole = llvm::dyn_cast<clang::FullExpr>(inner))
      inner = whole->getSubExpr()->IgnoreParenImpCasts();
    return *inner;
  }

  // The same where nothing that binds more stands around.
  Text Bare(const clang::Expr& expression, const Frame& frame) {
    const clang::Expr& inner = *expression.IgnoreParens();
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(&inner))
      return OfImplicitCast(*cast, frame);
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(&inner)) return OfCast(*cast, frame);
    if (const auto* whole = llvm::dyn_cast<clang::FullExpr>(&inner)) return Bare(*whole->getSubExpr(), frame);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&inner)) {
      const auto value = frame.values.find(name->getDecl());
      return value != frame.values.end() ? Text(value->second) : Constant(inner);
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&inner)) return OfMember(*member, frame);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&inner)) {
      if (Text cell = Cell(*element, *element->getBase(), *element->getIdx(), frame)) return cell;
      return Element(Value(*element->getBase(), frame), {element->getIdx()}, frame);
    }
    if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(&inner))
      return OfUnary(*operation, frame);
    if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&inner))
      return OfBinary(*operation, frame);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&inner))
      return OfChoice(*choice, frame);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&inner)) return OfCall(*call, frame);
    if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(&inner)) return Literal(*number);
    return Constant(inner);
  }

  // An integer that is known.
  Text Constant(const clang::Expr& expression) const {
    clang::Expr::EvalResult result;
    const clang::QualType type = expression.getType();
    const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(&expression);
    if (size != nullptr && !IsNumber(ast_, size->getTypeOfArgument())) return std::nullopt;
    if (!type->isIntegerType() || type->isBooleanType() || !IsNumber(ast_, type) ||
        expression.isValueDependent() || !expression.EvaluateAsInt(result, ast_))
      return std::nullopt;
    const std::string value = llvm::toString(result.Val.getInt(), 10);
    if (ast_.hasSameUnqualifiedType(type, ast_.IntTy) && value[0] != '-') return value;
    return absl::StrCat("((", CTypeName(ast_, type), ")", value, ")");
  }

  Text Literal(const clang::FloatingLiteral& number) const {
    if (number.getLocation().isMacroID()) return std::nullopt;
    return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(number.getSourceRange()),
                                       ast_.getSourceManager(), ast_.getLangOpts())
        .str();
  }

  // C++ converts again what stands for the operand, which has its type.
  Text OfImplicitCast(const clang::ImplicitCastExpr& cast, const Frame& frame) {
    if (cast.getSubExpr()->getType()->isEnumeralType()) return Constant(cast);
    switch (cast.getCastKind()) {
      case clang::CK_LValueToRValue:
      case clang::CK_NoOp:
      case clang::CK_IntegralCast:
      case clang::CK_IntegralToFloating:
      case clang::CK_FloatingCast:
      case clang::CK_FloatingToIntegral:
      case clang::CK_ArrayToPointerDecay:
        return Bare(*cast.getSubExpr(), frame);
      default:
        return std::nullopt;
    }
  }

  Text OfCast(const clang::ExplicitCastExpr& cast, const Frame& frame) {
    if (cast.getSubExpr()->IgnoreParenImpCasts()->getType()->isUnscopedEnumerationType())
      return Constant(cast);
    if (!IsNumber(ast_, cast.getType()) ||
        !IsNumber(ast_, cast.getSubExpr()->IgnoreParenImpCasts()->getType()))
      return std::nullopt;
    const Text text = Value(*cast.getSubExpr(), frame);
    return text ? Text(absl::StrCat("((", CTypeName(ast_, cast.getType()), ")", *text, ")")) : text;
  }

  // What `this` points to in the function, or a member of that.
  std::optional<NamedObject> ObjectIn(const clang::Expr& expression, const Frame& frame) {
    const clang::Expr* inner = expression.IgnoreParenImpCasts();
    if (const auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(inner);
        pointed != nullptr && pointed->getOpcode() == clang::UO_Deref &&
        llvm::isa<clang::CXXThisExpr>(pointed->getSubExpr()->IgnoreParenImpCasts()))
      return frame.object;
    if (llvm::isa<clang::CXXThisExpr>(inner)) return frame.object;
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(inner);
    const auto* field =
        member == nullptr ? nullptr : llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr) return std::nullopt;
    const clang::Expr& base = *member->getBase()->IgnoreParenImpCasts();
    if (member->isArrow() && !llvm::isa<clang::CXXThisExpr>(base)) return std::nullopt;
    const std::optional<NamedObject> object = ObjectIn(base, frame);
    return object ? stand_ins_.MemberOf(*object, *field) : std::nullopt;
  }

  static Text NotEmpty(std::string text) { return text.empty() ? Text() : Text(std::move(text)); }

  Text OfMember(const clang::MemberExpr& member, const Frame& frame) {
    if (!llvm::isa<clang::FieldDecl>(member.getMemberDecl())) return Constant(member);
    const std::optional<NamedObject> object = ObjectIn(member, frame);
    if (!object) return std::nullopt;
    const auto* array = ast_.getAsConstantArrayType(object->class_type);
    const bool is_flat = array != nullptr && IsNumber(ast_, array->getElementType());
    return NotEmpty(is_flat && !stand_ins_.ChoosesMembers() ? stand_ins_.Pointer(*object)
                                                            : stand_ins_.Value(*object));
  }

  // What the expression is where that is a small number which is known.
  std::optional<uint64_t> PlaceIn(const clang::Expr& expression, const Frame& frame) const {
    const clang::Expr& inner = *expression.IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&inner)) {
      const auto known = frame.places.find(name->getDecl());
      if (known != frame.places.end()) return known->second;
    }
    clang::Expr::EvalResult result;
    const bool is_known = Constant(inner) && inner.EvaluateAsInt(result, ast_) &&
                          !result.Val.getInt().isNegative() && result.Val.getInt().ule(kLastPlace);
    return is_known ? std::optional(result.Val.getInt().getZExtValue()) : std::nullopt;
  }

  void SetPlace(const clang::ParmVarDecl& parameter, const clang::Expr& argument, const Frame& around,
                Frame* frame) const {
    const clang::QualType type = parameter.getType().getNonReferenceType();
    if (!type->isIntegerType() || type->isBooleanType()) return;  // which may have another value
    const std::optional<uint64_t> place = PlaceIn(argument, around);
    if (place) frame->places[&parameter] = *place;
  }

  // The value of an integer at a known place of an array that is a member: one of the sizes of a matrix.
  Text Cell(const clang::Expr& element, const clang::Expr& array, const clang::Expr& subscript,
            const Frame& frame) {
    if (places_.count(&element) > 0) return std::nullopt;
    const std::optional<uint64_t> place = PlaceIn(subscript, frame);
    const std::optional<NamedObject> object = place ? ObjectIn(array, frame) : std::nullopt;
    const bool holds_elements =
        object && (ast_.getAsConstantArrayType(object->class_type) != nullptr || object->type.is_array);
    const clang::QualType type = element.getType();
    const bool is_inside =
        holds_elements && (*place + 1) * ast_.getTypeSize(type) <= ast_.getTypeSize(object->class_type);
    return is_inside ? NotEmpty(stand_ins_.Cell(*object, *place, type)) : std::nullopt;
  }

  // Elements of arrays do not decide about others there.
  Text Element(Text elements, const std::vector<const clang::Expr*>& subscripts, const Frame& frame) {
    if (!elements || in_subscript_) return std::nullopt;
    in_subscript_ = true;
    for (const clang::Expr* subscript : subscripts) {
      const Text text = elements ? Bare(*subscript, frame) : std::nullopt;
      elements = text ? Text(absl::StrCat(*elements, "[", *text, "]")) : std::nullopt;
    }
    in_subscript_ = false;
    return elements;
  }

  // One of two values where the call says which: k == 0 ? rows : cols.
  Text OfChoice(const clang::ConditionalOperator& choice, const Frame& frame) {
    const std::optional<bool> first = Holds(*choice.getCond(), frame);
    if (!first) return std::nullopt;
    const clang::Expr& chosen = *first ? *choice.getTrueExpr() : *choice.getFalseExpr();
    const Text text = Value(chosen, frame);
    return text ? As(*text, Whole(chosen).getType(), choice.getType()) : text;
  }

  // Whether a comparison of small numbers that are known holds; nothing for others.
  std::optional<bool> Holds(const clang::Expr& condition, const Frame& frame) const {
    const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(&Whole(condition));
    if (comparison == nullptr || !comparison->isComparisonOp()) return std::nullopt;
    const std::optional<uint64_t> left = PlaceIn(*comparison->getLHS(), frame),
                                  right = PlaceIn(*comparison->getRHS(), frame);
    if (!left || !right) return std::nullopt;
    switch (comparison->getOpcode()) {
      case clang::BO_EQ:
        return *left == *right;
      case clang::BO_NE:
        return *left != *right;
      case clang::BO_LT:
        return *left < *right;
      case clang::BO_GT:
        return *left > *right;
      case clang::BO_LE:
        return *left <= *right;
      case clang::BO_GE:
        return *left >= *right;
      default:
        return std::nullopt;
    }
  }

  Text OfUnary(const clang::UnaryOperator& operation, const Frame& frame) {
    switch (operation.getOpcode()) {
      case clang::UO_Minus:
      case clang::UO_Plus:
      case clang::UO_Not:
      case clang::UO_AddrOf: {
        if (operation.getOpcode() == clang::UO_AddrOf) places_.insert(&Whole(*operation.getSubExpr()));
        const Text text = Value(*operation.getSubExpr(), frame);
        const std::string sign = clang::UnaryOperator::getOpcodeStr(operation.getOpcode()).str();
        return text ? Text(absl::StrCat("(", sign, *text, ")")) : text;
      }
      case clang::UO_Deref:
        return OfPointed(operation, frame);
      default:
        return std::nullopt;
    }
  }

  // *(p + i)
  Text OfPointed(const clang::UnaryOperator& operation, const Frame& frame) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(operation.getSubExpr()->IgnoreParenImpCasts());
    if (sum == nullptr || sum->getOpcode() != clang::BO_Add || !sum->getLHS()->getType()->isPointerType())
      return std::nullopt;
    return Element(Value(*sum->getLHS(), frame), {sum->getRHS()}, frame);
  }

  Text OfBinary(const clang::BinaryOperator& operation, const Frame& frame) {
    if (!operation.isMultiplicativeOp() && !operation.isAdditiveOp()) return std::nullopt;
    if (operation.getType()->isPointerType()) {  // p + i, whose parts are seen to be those of a subscript
      if (operation.getOpcode() != clang::BO_Add || !operation.getLHS()->getType()->isPointerType())
        return std::nullopt;
      const Text element = Element(Value(*operation.getLHS(), frame), {operation.getRHS()}, frame);
      return element ? Text("&" + *element) : element;
    }
    const auto side = [&](const clang::Expr& expression) {
      const auto* inner = llvm::dyn_cast<clang::BinaryOperator>(expression.IgnoreParenImpCasts());
      const bool binds = inner != nullptr && inner->getOpcode() == clang::BO_Mul && operation.isAdditiveOp();
      return binds ? Bare(expression, frame) : Value(expression, frame);
    };
    const Text left = side(*operation.getLHS()), right = left ? side(*operation.getRHS()) : std::nullopt;
    return right ? Text(absl::StrCat(*left, " ", operation.getOpcodeStr().str(), " ", *right)) : std::nullopt;
  }

  Text OfCall(const clang::CallExpr& call, const Frame& frame) {
    if (const std::optional<AccessorCall> inner = AccessorOf(ast_, call)) return OfInner(*inner, frame);
    std::vector<const clang::Expr*> subscripts;
    const clang::Expr* base = &call;
    while (const auto* element = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base)) {
      if (element->getOperator() != clang::OO_Subscript || element->getNumArgs() != 2) return std::nullopt;
      subscripts.insert(subscripts.begin(), element->getArg(1));
      base = WholeObject(*element->getArg(0));
    }
    const bool is_call = subscripts.empty();
    const clang::Expr* whole = is_call ? ObjectOfCall(call) : base;
    if (Text text = OfVectors(call, whole, subscripts, frame)) return text;
    const bool is_container = whole != nullptr && ContainerOf(ast_, whole->getType());
    const std::optional<NamedObject> object = is_container ? ObjectIn(*whole, frame) : std::nullopt;
    if (!object) return std::nullopt;
    if (is_call) return OfContainer(*object, NameOfCalled(call));
    if (static_cast<int>(subscripts.size()) != object->type.dimensions) return std::nullopt;
    if (subscripts.size() == 1) {
      if (Text cell = Cell(call, *whole, *subscripts[0], frame)) return cell;
    }
    const bool is_flat = object->type.is_array && subscripts.size() == 1 && !stand_ins_.ChoosesMembers();
    return Element(NotEmpty(is_flat ? stand_ins_.Pointer(*object) : stand_ins_.Elements(*object)), subscripts,
                   frame);
  }

  // d[i][j], d.size(), d[i].size() of a vector of vectors.
  Text OfVectors(const clang::CallExpr& call, const clang::Expr* whole,
                 const std::vector<const clang::Expr*>& subscripts, const Frame& frame) {
    const auto* row = whole == nullptr ? nullptr : llvm::dyn_cast<clang::CXXOperatorCallExpr>(whole);
    const bool is_row = subscripts.empty() && row != nullptr && row->getOperator() == clang::OO_Subscript &&
                        !Calls(*row->getArg(1)).found;
    const clang::Expr* table = is_row ? row->getArg(0)->IgnoreParens() : whole;
    const bool is_table = table != nullptr && !ElementOfVectors(ast_, table->getType()).isNull();
    const std::optional<NamedObject> object = is_table ? ObjectIn(*table, frame) : std::nullopt;
    if (!object) return std::nullopt;
    if (subscripts.size() == 2) return Element(NotEmpty(stand_ins_.Rows(*object)), subscripts, frame);
    if (!subscripts.empty() || NameOfCalled(call) != "size") return std::nullopt;
    return NotEmpty(is_row ? stand_ins_.RowLength(*object, !IsZero(ast_, *row->getArg(1)))
                           : stand_ins_.RowCount(*object));
  }

  Text OfContainer(const NamedObject& object, const std::string& called) {
    if (called == "size") return NotEmpty(stand_ins_.Size(object, 0));
    if ((called != "data" && called != "get") || object.type.dimensions > 1) return std::nullopt;
    return NotEmpty(object.type.is_array ? stand_ins_.Pointer(object) : stand_ins_.Elements(object));
  }

  // Of another function of the object, or of a member's.
  Text OfInner(const AccessorCall& call, const Frame& frame) {
    const std::optional<NamedObject> object = ObjectIn(*call.object, frame);
    if (!object || depth_ >= kDeepest) return std::nullopt;
    Frame inner{*object, {}, {}};
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const clang::Expr& written = *call.arguments[i]->IgnoreParenImpCasts();
      const clang::ParmVarDecl& parameter = *call.method->getParamDecl(static_cast<unsigned>(i));
      const Text value = Changes(written).found ? std::nullopt : Value(written, frame);
      const Text converted = value ? AsParameter(*value, written.getType(), parameter) : std::nullopt;
      if (!converted) return std::nullopt;
      inner.values[&parameter] = *converted;
      SetPlace(parameter, written, frame, &inner);
    }
    if (!OpensNames(call)) return std::nullopt;
    ++depth_;
    Text text = Returned(*call.method, *call.returned, inner);
    --depth_;
    return text;
  }

  const clang::ASTContext& ast_;
  StandIns& stand_ins_;
  std::set<const clang::Expr*> places_;  // elements of which more than the value is needed
  bool in_subscript_ = false;
  int depth_ = 0;
};

}  // namespace

std::optional<MemberUse> ReadAccessor(const clang::ASTContext& ast, const AccessorCall& call,
                                      clang::SourceRange range, StandIns* stand_ins) {
  return AccessorWriter(ast, stand_ins).Write(call, range);
}

}  // namespace tune
