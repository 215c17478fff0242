#include "client/extract/structures/structure_object.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// What a trivial copy is made of; the expression itself where it is none, null where it does more.
clang::Expr* Copied(clang::Expr* value) {
  value = value->IgnoreParens();
  if (auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(value)) {
    // Of those with one argument only copies are trivial.
    if (construction->getNumArgs() != 1 || !construction->getConstructor()->isTrivial()) return nullptr;
    return Copied(construction->getArg(0));
  }
  if (auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(value))
    return Copied(temporary->getSubExpr());
  if (llvm::isa<clang::ImplicitCastExpr>(value) || llvm::isa<clang::CXXFunctionalCastExpr>(value))
    return Copied(llvm::cast<clang::CastExpr>(value)->getSubExpr());
  return value;
}

// Of an array, whose type no other name stands for, what it consists of; other types as they are.
clang::QualType WithoutLengths(clang::QualType type) {
  while (const auto* array = llvm::dyn_cast<clang::ArrayType>(type.getTypePtr()))
    type = array->getElementType();
  return type;
}

// Whether another build may give the name of the type to other structures, without a word where it is
// defined.
bool MayBeOfOtherType(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  clang::QualType type = WithoutLengths(variable.getType());
  while (const auto* name = type->getAs<clang::TypedefType>()) {
    const clang::SourceRange written = name->getDecl()->getTypeSourceInfo()->getTypeLoc().getSourceRange();
    if (written.getBegin().isMacroID() || written.getEnd().isMacroID()) return true;
    type = name->getDecl()->getUnderlyingType();
  }
  const auto* object = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(type->getAsRecordDecl());
  if (object == nullptr) return false;
  // Of a class that a header defines another build may know other operators, and other values of members.
  return llvm::isa<clang::ClassTemplateSpecializationDecl>(object) ||
         !ast.getSourceManager().isWrittenInMainFile(object->getLocation());
}

// The variable of which the expression is an element, whose subscripts come before those that are there;
// null for others, and for elements behind pointers.
clang::VarDecl* ArrayOf(clang::Expr* expression, std::vector<clang::Expr*>* subscripts) {
  expression = expression->IgnoreParens();
  if (auto* access = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    auto* array = llvm::dyn_cast<clang::ImplicitCastExpr>(access->getBase()->IgnoreParens());
    if (array == nullptr || array->getCastKind() != clang::CK_ArrayToPointerDecay) return nullptr;
    subscripts->insert(subscripts->begin(), access->getIdx());
    return ArrayOf(array->getSubExpr(), subscripts);
  }
  auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
}

// The data that decide where an object is: elements and members in its subscripts.
class DataInside : public TreeVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    found = found || (variable != nullptr && IsReference(*variable));
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr*) override { return found = true; }
  bool VisitMemberExpr(clang::MemberExpr*) override { return found = true; }
  bool found = false;
};

}  // namespace

bool EarlierMember::operator()(const MemberPath& a, const MemberPath& b) const {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](const clang::FieldDecl* x, const clang::FieldDecl* y) {
                                        return x->getFieldIndex() < y->getFieldIndex();
                                      });
}

bool BeginsWith(const MemberPath& path, const MemberPath& begin) {
  return path.size() >= begin.size() && std::equal(begin.begin(), begin.end(), path.begin());
}

MemberPath Joined(MemberPath path, const MemberPath& more) {
  path.insert(path.end(), more.begin(), more.end());
  return path;
}

MemberPath From(const MemberPath& path, size_t begin) {
  return {path.begin() + static_cast<long>(begin), path.end()};
}

std::vector<MemberPath> PathsBelow(const MemberPaths& paths, const MemberPath& begin) {
  std::vector<MemberPath> below;
  for (const MemberPath& path : paths) {
    if (BeginsWith(path, begin)) below.push_back(From(path, begin.size()));
  }
  return below;
}

const clang::RecordDecl* PlainStructure(clang::QualType type) {
  const clang::RecordDecl* record = type.isVolatileQualified() ? nullptr : type->getAsRecordDecl();
  if (record == nullptr || record->isUnion() || record->getDefinition() == nullptr) return nullptr;
  record = record->getDefinition();
  for (const clang::FieldDecl* field : record->fields()) {
    const clang::QualType element(field->getType()->getBaseElementTypeUnsafe(), 0);
    if (field->isBitField() || (element->isRecordType() && PlainStructure(element) == nullptr))
      return nullptr;
  }
  const auto* object = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (object != nullptr && (!object->isTriviallyCopyable() || object->getNumBases() > 0)) return nullptr;
  return record;
}

std::optional<std::vector<MemberPath>> AllNumbers(const clang::RecordDecl& structure) {
  std::vector<MemberPath> all;
  for (clang::FieldDecl* field : structure.fields()) {
    if (field->getType().isVolatileQualified()) return std::nullopt;
    if (field->getType()->isArithmeticType()) {
      all.push_back({field});
      continue;
    }
    const clang::RecordDecl* inner = PlainStructure(field->getType());
    const auto numbers = inner == nullptr ? std::nullopt : AllNumbers(*inner);
    if (!numbers) return std::nullopt;
    for (const MemberPath& path : *numbers) all.push_back(Joined({field}, path));
  }
  return all;
}

StructureObject ObjectOf(clang::Expr* expression) {
  StructureObject object{expression->IgnoreParens(), {}, nullptr};
  while (auto* member = llvm::dyn_cast<clang::MemberExpr>(object.root)) {
    auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (member->isArrow() || field == nullptr) break;
    object.path.insert(object.path.begin(), field);
    object.root = member->getBase()->IgnoreParens();
  }
  object.variable = ArrayOf(object.root, &object.subscripts);
  return object;
}

StructureSource SourceOf(clang::Expr* value) {
  value = Copied(value);
  if (value == nullptr) return {};
  if (auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(value)) value = literal->getInitializer();
  if (auto* list = llvm::dyn_cast<clang::InitListExpr>(value))
    return {nullptr, list->isSemanticForm() ? list : list->getSemanticForm()};
  if (!value->isGLValue() || PlainStructure(value->getType()) == nullptr) return {};
  return {value, nullptr};
}

std::optional<StructureCopy> CopyOf(clang::Stmt* statement) {
  auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression == nullptr) return std::nullopt;
  expression = expression->IgnoreParens();
  clang::Expr *target = nullptr, *value = nullptr;
  if (auto* binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->getOpcode() != clang::BO_Assign) return std::nullopt;
    target = binary->getLHS();
    value = binary->getRHS();
  } else if (auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression)) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (call->getOperator() != clang::OO_Equal || method == nullptr || !method->isTrivial())
      return std::nullopt;
    target = call->getArg(0);
    value = call->getArg(1);
  }
  if (target == nullptr || PlainStructure(target->getType()) == nullptr) return std::nullopt;
  const StructureSource source = SourceOf(value);
  if (!source.IsKnown()) return std::nullopt;
  return StructureCopy{target, source};
}

bool IsStructureValue(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  return variable.getIdentifier() != nullptr && variable.hasLocalStorage() && !IsReference(variable) &&
         !variable.hasAttr<clang::CleanupAttr>() &&
         PlainStructure(WithoutLengths(variable.getType())) != nullptr && !MayBeOfOtherType(ast, variable);
}

bool InitialSource(const clang::VarDecl& variable, StructureSource* source) {
  clang::Expr* value = const_cast<clang::Expr*>(variable.getInit());
  if (value == nullptr) return true;
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(value);
      construction != nullptr && construction->getNumArgs() == 0)
    return construction->getConstructor()->isTrivial() && !construction->requiresZeroInitialization();
  if (variable.getType()->isArrayType()) return false;
  *source = SourceOf(value);
  return source->IsKnown();
}

std::string WhyNotOneStructure(clang::Expr* object, const std::set<const clang::VarDecl*>& inside) {
  object = object->IgnoreParenImpCasts();
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(object))
    return WhyNotOneStructure(member->getBase(), inside);
  if (auto* pointed = llvm::dyn_cast<clang::UnaryOperator>(object);
      pointed != nullptr && pointed->getOpcode() == clang::UO_Deref)
    return WhyNotOneStructure(pointed->getSubExpr(), inside);
  if (auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object)) {
    DataInside data;
    data.TraverseStmt(element->getIdx());
    return data.found ? "where data decide which one it is" : WhyNotOneStructure(element->getBase(), inside);
  }
  auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(object);
  auto* variable = reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  if (variable == nullptr) return "that is no variable, element or member";
  const bool is_name = variable->getType()->isPointerType() || IsReference(*variable);
  return is_name && inside.count(variable) > 0 ? "behind a pointer or reference that the region declares"
                                               : "";
}

}  // namespace tune
