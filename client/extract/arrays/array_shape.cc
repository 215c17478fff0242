#include "client/extract/arrays/array_shape.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/statements/refused_type.h"
#include "client/extract/structures/structure_member.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"
#include "client/extract/tree/write_visitor.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

// The type as declared: a parameter of array type is a pointer to C, and an array to its reader.
clang::QualType DeclaredType(const clang::VarDecl& variable) {
  const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable);
  return parameter == nullptr ? variable.getType() : parameter->getOriginalType().getNonReferenceType();
}

// Where variables of a function change, and which names it declares more than once.
class FunctionFacts : public WriteVisitor {
 public:
  FunctionFacts(const clang::ASTContext& ast, const clang::FunctionDecl& function) : ast_(ast) {
    TraverseDecl(const_cast<clang::FunctionDecl*>(&function));
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared_[variable->getNameAsString()].push_back(variable);
    return true;
  }
  bool VisitWrite(clang::Expr* target, clang::Expr*) override {
    Write(*target);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->getOpcode() == clang::UO_AddrOf) Write(*operation->getSubExpr());
    return WriteVisitor::VisitUnaryOperator(operation);
  }

  // The variable still has the value that it had at this place of the function.
  bool IsUnchangedSince(const clang::VarDecl* variable, clang::SourceLocation since) const {
    // A reference may change it.
    if (ast_.getLangOpts().CPlusPlus && !variable->getType().isConstQualified()) return false;
    for (const auto& [written, place] : writes_) {
      if (written == variable && !ast_.getSourceManager().isBeforeInTranslationUnit(place, since))
        return false;
    }
    return true;
  }
  // The name means this variable wherever the function says it.
  bool IsUnambiguous(const clang::VarDecl* variable) const {
    auto same = declared_.find(variable->getNameAsString());
    if (same == declared_.end()) return true;
    return same->second.size() == 1 && same->second[0] == variable;
  }

 private:
  void Write(const clang::Expr& target) {
    if (const clang::VarDecl* variable = NamedVariable(&target))
      writes_.emplace_back(variable, target.getExprLoc());
  }
  const clang::ASTContext& ast_;
  std::map<std::string, std::vector<const clang::VarDecl*>> declared_;
  std::vector<std::pair<const clang::VarDecl*, clang::SourceLocation>> writes_;
};

// Whether a size expression can be written again at the region with the value that it has at `since`.
class IsRepeatable : public TreeVisitor {
 public:
  IsRepeatable(const FunctionFacts& facts, clang::SourceLocation since, const clang::Expr& size)
      : facts_(facts), since_(since) {
    TraverseStmt(const_cast<clang::Expr*>(&size));
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable == nullptr) return true;  // an enumerator
    value = value && facts_.IsUnchangedSince(variable, since_) && facts_.IsUnambiguous(variable);
    return value;
  }
  bool VisitCallExpr(clang::CallExpr*) override { return value = false; }
  bool VisitMemberExpr(clang::MemberExpr*) override { return value = false; }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return value = false; }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    return value = value && !operation->isAssignmentOp();
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    return value = value && !operation->isIncrementDecrementOp() && operation->getOpcode() != clang::UO_Deref;
  }
  bool value = true;

 private:
  const FunctionFacts& facts_;
  const clang::SourceLocation since_;
};

// Whether nothing but this function can change what the expression mentions.
bool IsOfLocals(const clang::ASTContext& ast, const clang::Expr& expression) {
  const std::vector<const clang::ValueDecl*> names = NamedIn(&expression);
  return std::all_of(names.begin(), names.end(), [&](const clang::ValueDecl* name) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
    return variable == nullptr || variable->hasLocalStorage() ||
           ConstantInitializer(ast, variable) != nullptr;
  });
}

bool IsSizeOf(const clang::ASTContext& ast, const clang::Expr& expression, clang::QualType type) {
  const auto* size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expression.IgnoreParenCasts());
  return size != nullptr && size->getKind() == clang::UETT_SizeOf &&
         ast.hasSameUnqualifiedType(size->getTypeOfArgument(), type);
}

std::string PrintC(const clang::ASTContext& ast, const clang::Expr& expression) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.printPretty(stream, nullptr, ast.getPrintingPolicy());
  return stream.str();
}

// "sizeof(A[0]) / sizeof(A[0][0])" for dimension 1.
std::string SizeofExtent(const std::string& name, int dimension) {
  std::string element = name;
  for (int i = 0; i < dimension; ++i) element += "[0]";
  return absl::StrCat("sizeof(", element, ") / sizeof(", element, "[0])");
}

class Describer {
 public:
  Describer(Region& region, const clang::FunctionDecl& function, const clang::VarDecl& variable,
            clang::SourceRange use, const clang::Type* members)
      : region_(region), function_(function), variable_(variable), use_(use), members_(members) {}

  Accepted<v1::Array> Describe() {
    array_.set_name(region_.variables.UniqueName(&variable_));
    array_.set_declared_inside(region_.variables.IsDeclaredInside(&variable_));
    clang::QualType type = DeclaredType(variable_);
    if (const auto* pointer = type->getAs<clang::PointerType>()) {
      array_.set_is_pointer(true);
      array_.add_extents();
      type = pointer->getPointeeType();
    } else if (type->isArrayType() && llvm::isa<clang::ParmVarDecl>(variable_) && !IsReference(variable_)) {
      array_.set_is_pointer(true);
    }
    while (const clang::ArrayType* dimension = region_.ast.getAsArrayType(type)) {
      if (std::optional<Refusal> refusal = AddExtent(*dimension)) return *refusal;
      type = dimension->getElementType();
    }
    if (members_ != nullptr) {
      const clang::QualType member(members_, 0);
      const int64_t elements = region_.ast.getTypeSize(type) / region_.ast.getTypeSize(member);
      array_.add_extents()->set_c_expression(std::to_string(elements));
      TUNE_ASSIGN_OR_REFUSE(*array_.mutable_structure(),
                            DescribeStructure(region_, variable_, *members_, use_));
      if (region_.structures.at(&variable_).types.size() > 1) array_.set_object(array_.name());
      type = member;
    }
    if (region_.ast.getLangOpts().CPlusPlus && type->isEnumeralType()) {
      return Refuse(absl::StrCat("the elements of `", array_.name(), "` are of an enumeration"),
                    "copy them to integers before the region");
    }
    std::optional<v1::ElementType> element = ElementTypeOf(region_.ast, type);
    if (!element) {
      return Refuse(absl::StrCat("the elements of `", array_.name(), "` have type ",
                                 type.getUnqualifiedType().getAsString()),
                    InsteadOf(type));
    }
    array_.set_element_type(*element);
    array_.set_is_truth(type->isBooleanType() && !array_.declared_inside());
    return array_;
  }

 private:
  Refusal Refuse(std::string reason, std::string remedy) const {
    return {use_, std::move(reason), std::move(remedy)};
  }

  std::optional<Refusal> AddExtent(const clang::ArrayType& dimension) {
    int index = array_.extents_size();
    v1::Extent* extent = array_.add_extents();
    // A pointer that has other values tells nothing of what it pointed to before the region.
    if (index == 0 && array_.is_pointer() && region_.variables.IsWritten(&variable_)) return std::nullopt;
    if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(&dimension)) {
      extent->set_c_expression(std::to_string(constant->getSize().getZExtValue()));
      return std::nullopt;
    }
    const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(&dimension);
    if (variable == nullptr || variable->getSizeExpr() == nullptr) {  // A[] or A[*]
      if (index == 0) array_.set_is_pointer(true);
      return std::nullopt;
    }
    const clang::Expr& size = *variable->getSizeExpr();
    if (array_.declared_inside() && ChangesInside(size)) {
      return Refuse(absl::StrCat("the size of `", array_.name(), "` changes inside the region"),
                    "declare the array before the region, with its largest size");
    }
    FunctionFacts facts(region_.ast, function_);
    if (IsRepeatable(facts, variable_.getLocation(), size).value) {
      extent->set_c_expression(PrintC(region_.ast, size));
      BoundBelow(size, index);
    } else if (index > 0 || !array_.is_pointer()) {
      extent->set_c_expression(SizeofExtent(array_.name(), index));
    }
    return std::nullopt;
  }

  bool ChangesInside(const clang::Expr& size) {
    Accepted<isl::pw_aff> value = ReadAffine(region_, Outside(), size, Position::kSubscript);
    if (!IsRefused(value)) return false;
    struct Written : TreeVisitor {
      const RegionVariables* variables;
      bool found = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
        found = found || (variable != nullptr &&
                          (variables->IsWritten(variable) || variables->IsDeclaredInside(variable)));
        return true;
      }
    } written;
    written.variables = &region_.variables;
    written.TraverseStmt(const_cast<clang::Expr*>(&size));
    return written.found;
  }

  LoopNest Outside() const { return LoopNest{{}, isl::set::universe(region_.parameter_space), {}}; }

  // C demands that the sizes of variable-length arrays be positive; the outermost one of a parameter is
  // never looked at, and merely cannot be negative.
  void BoundBelow(const clang::Expr& size, int index) {
    Accepted<isl::pw_aff> value = ReadAffine(region_, Outside(), size, Position::kSubscript);
    if (IsRefused(value)) return;
    long least = index == 0 && array_.is_pointer() ? 0 : 1;
    isl::aff zero = isl::aff::zero_on_domain(region_.parameter_space);
    isl::pw_aff bound = isl::pw_aff(zero.add_constant(least));
    isl::set context = region_.context.intersect(std::get<0>(value).ge_set(bound));
    if (!context.is_empty()) region_.context = context;
  }

  Region& region_;
  const clang::FunctionDecl& function_;
  const clang::VarDecl& variable_;
  clang::SourceRange use_;
  const clang::Type* const members_;  // of structures: the type of those that are described; else null
  v1::Array array_;
};

}  // namespace

std::optional<v1::ElementType> ElementTypeOf(const clang::ASTContext& ast, clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    type = enumeration->getDecl()->getIntegerType().getCanonicalType().getUnqualifiedType();
  }
  if (const auto* complex = type->getAs<clang::ComplexType>()) {
    if (complex->getElementType() == ast.FloatTy) return v1::ELEMENT_TYPE_COMPLEX_FLOAT;
    if (complex->getElementType() == ast.DoubleTy) return v1::ELEMENT_TYPE_COMPLEX_DOUBLE;
    return std::nullopt;
  }
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (builtin == nullptr) return std::nullopt;
  switch (builtin->getKind()) {
    case clang::BuiltinType::Char_S:
    case clang::BuiltinType::Char_U:
      return v1::ELEMENT_TYPE_CHAR;
    case clang::BuiltinType::SChar:
      return v1::ELEMENT_TYPE_SIGNED_CHAR;
    case clang::BuiltinType::Bool:
    case clang::BuiltinType::UChar:
      return v1::ELEMENT_TYPE_UNSIGNED_CHAR;
    case clang::BuiltinType::Short:
      return v1::ELEMENT_TYPE_SHORT;
    case clang::BuiltinType::UShort:
      return v1::ELEMENT_TYPE_UNSIGNED_SHORT;
    case clang::BuiltinType::Int:
      return v1::ELEMENT_TYPE_INT;
    case clang::BuiltinType::UInt:
      return v1::ELEMENT_TYPE_UNSIGNED_INT;
    case clang::BuiltinType::Long:
      return v1::ELEMENT_TYPE_LONG;
    case clang::BuiltinType::ULong:
      return v1::ELEMENT_TYPE_UNSIGNED_LONG;
    // As wide as long on every system that the project builds on.
    case clang::BuiltinType::LongLong:
      if (ast.getTypeSize(ast.LongTy) != ast.getTypeSize(ast.LongLongTy)) return std::nullopt;
      return v1::ELEMENT_TYPE_LONG;
    case clang::BuiltinType::ULongLong:
      if (ast.getTypeSize(ast.LongTy) != ast.getTypeSize(ast.LongLongTy)) return std::nullopt;
      return v1::ELEMENT_TYPE_UNSIGNED_LONG;
    case clang::BuiltinType::Float:
      return v1::ELEMENT_TYPE_FLOAT;
    case clang::BuiltinType::Double:
      return v1::ELEMENT_TYPE_DOUBLE;
    case clang::BuiltinType::Float16:
      return v1::ELEMENT_TYPE_FLOAT16;
    default:
      return std::nullopt;
  }
}

bool IsNumber(const clang::ASTContext& ast, clang::QualType type) {
  return type.getCanonicalType()->getAs<clang::BuiltinType>() != nullptr && ElementTypeOf(ast, type) &&
         !type.isVolatileQualified();
}

std::string CTypeName(const clang::ASTContext& ast, clang::QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* enumeration = type->getAs<clang::EnumType>()) {
    type = enumeration->getDecl()->getIntegerType().getCanonicalType().getUnqualifiedType();
  }
  return type.getAsString(ast.getPrintingPolicy());
}

std::string ValueTypeName(const clang::ASTContext& ast, clang::QualType type) {
  return type->isBooleanType() ? "unsigned char" : CTypeName(ast, type);
}

// n of `((void)n, v.data())`, where n is a constant that has the value of v.size(); null for others.
const clang::Expr* ElementsOfContainer(const clang::Expr& pointer) {
  const auto called = [](const clang::Expr* expression) -> std::string {
    const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(
        expression == nullptr ? nullptr : expression->IgnoreParenCasts());
    const clang::CXXMethodDecl* method = call == nullptr ? nullptr : call->getMethodDecl();
    return method != nullptr && method->getParent()->isInStdNamespace() ? method->getNameAsString() : "";
  };
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(pointer.IgnoreParenCasts());
  if (both == nullptr || both->getOpcode() != clang::BO_Comma || called(both->getRHS()) != "data")
    return nullptr;
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(both->getLHS()->IgnoreParenCasts());
  const auto* size = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  const bool is_size =
      size != nullptr && size->getType().isConstQualified() && called(size->getInit()) == "size";
  return is_size ? name : nullptr;
}

const clang::Expr* AllocatedElements(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  if (!variable.isLocalVarDecl() || variable.getInit() == nullptr || !variable.getType()->isPointerType())
    return nullptr;
  if (const clang::Expr* elements = ElementsOfContainer(*variable.getInit())) return elements;
  const clang::QualType element = variable.getType()->getPointeeType();
  const auto* call = llvm::dyn_cast<clang::CallExpr>(variable.getInit()->IgnoreParenCasts());
  const clang::FunctionDecl* function = call == nullptr ? nullptr : call->getDirectCallee();
  if (function == nullptr) return nullptr;
  const std::string name = function->getNameAsString();
  const clang::Expr *first = nullptr, *second = nullptr;
  if (name == "calloc" && call->getNumArgs() == 2) {
    first = call->getArg(0);
    second = call->getArg(1);
  } else if (name == "malloc" && call->getNumArgs() == 1) {
    const auto* product = llvm::dyn_cast<clang::BinaryOperator>(call->getArg(0)->IgnoreParenCasts());
    if (product == nullptr || product->getOpcode() != clang::BO_Mul) return nullptr;
    first = product->getLHS();
    second = product->getRHS();
  }
  if (first == nullptr || element->isVariablyModifiedType()) return nullptr;
  const clang::Expr* elements = IsSizeOf(ast, *second, element)  ? first->IgnoreParenImpCasts()
                                : IsSizeOf(ast, *first, element) ? second->IgnoreParenImpCasts()
                                                                 : nullptr;
  return elements != nullptr && IsOfLocals(ast, *elements) ? elements : nullptr;
}

bool IsNeverChanged(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                    const clang::Expr& length) {
  return IsOfLocals(ast, length) &&
         IsRepeatable(FunctionFacts(ast, function), function.getBeginLoc(), length).value;
}

std::optional<isl::pw_aff> KnownExtent(Region& region, const clang::VarDecl& variable, int dimension,
                                       bool products) {
  const auto* function = llvm::dyn_cast<clang::FunctionDecl>(variable.getDeclContext());
  std::optional<FunctionFacts> facts;
  if (function != nullptr) facts.emplace(region.ast, *function);
  // The size as an affine expression of the parameters, if it still has its value.
  const auto known = [&](const clang::Expr* size) -> std::optional<isl::pw_aff> {
    if (size == nullptr || !facts || !IsRepeatable(*facts, variable.getLocation(), *size).value)
      return std::nullopt;
    const LoopNest outside{{}, isl::set::universe(region.parameter_space), {}};
    Accepted<isl::pw_aff> value = ReadAffine(region, outside, *size, Position::kSubscript);
    if (IsRefused(value) && products) value = ReadAffine(region, outside, *size, Position::kBound);
    return IsRefused(value) ? std::nullopt : std::optional(std::get<0>(std::move(value)));
  };
  clang::QualType type = DeclaredType(variable);
  if (const auto* pointer = type->getAs<clang::PointerType>()) {
    if (dimension == 0) {
      const bool set_once = facts && facts->IsUnchangedSince(&variable, variable.getLocation());
      return set_once ? known(AllocatedElements(region.ast, variable)) : std::nullopt;
    }
    --dimension;
    type = pointer->getPointeeType();
  }
  for (; dimension > 0; --dimension) {
    const clang::ArrayType* outer = region.ast.getAsArrayType(type);
    if (outer == nullptr) return std::nullopt;
    type = outer->getElementType();
  }
  const clang::ArrayType* array = region.ast.getAsArrayType(type);
  if (const auto* constant = llvm::dyn_cast_or_null<clang::ConstantArrayType>(array)) {
    const isl::val length(region.ctx, std::to_string(constant->getSize().getZExtValue()));
    return isl::pw_aff(isl::aff::zero_on_domain(region.parameter_space).add_constant(length));
  }
  const auto* variable_length = llvm::dyn_cast_or_null<clang::VariableArrayType>(array);
  return variable_length == nullptr ? std::nullopt : known(variable_length->getSizeExpr());
}

Accepted<v1::Array> DescribeArray(Region& region, const clang::FunctionDecl& function,
                                  const clang::VarDecl& variable, clang::SourceRange use,
                                  const clang::Type* member) {
  return Describer(region, function, variable, use, member).Describe();
}

}  // namespace tune
