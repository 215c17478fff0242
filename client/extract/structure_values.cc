#include "client/extract/structure_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/Stmt.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp_lowering.h"
#include "client/extract/tree_visitor.h"

namespace tune {
namespace {

using Path = std::vector<clang::FieldDecl*>;  // from a structure to a member of a member

// In the order of declaration, of paths of one structure.
struct Earlier {
  bool operator()(const Path& a, const Path& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const clang::FieldDecl* x, const clang::FieldDecl* y) {
                                          return x->getFieldIndex() < y->getFieldIndex();
                                        });
  }
};
using Paths = std::set<Path, Earlier>;
using Members = std::map<Path, clang::VarDecl*, Earlier>;

bool BeginsWith(const Path& path, const Path& begin) {
  return path.size() >= begin.size() && std::equal(begin.begin(), begin.end(), path.begin());
}

Path Joined(Path path, const Path& more) {
  path.insert(path.end(), more.begin(), more.end());
  return path;
}

Path From(const Path& path, size_t begin) { return {path.begin() + static_cast<long>(begin), path.end()}; }

// The structure that the type is, where copying one copies its members and does nothing else, and no two of
// them share bytes.
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

// All numbers of the structure; nothing where it has members of another kind.
std::optional<std::vector<Path>> AllNumbers(const clang::RecordDecl& structure) {
  std::vector<Path> all;
  for (clang::FieldDecl* field : structure.fields()) {
    if (field->getType().isVolatileQualified()) return std::nullopt;
    if (field->getType()->isArithmeticType()) {
      all.push_back({field});
      continue;
    }
    const clang::RecordDecl* inner = PlainStructure(field->getType());
    const auto numbers = inner == nullptr ? std::nullopt : AllNumbers(*inner);
    if (!numbers) return std::nullopt;
    for (const Path& path : *numbers) all.push_back(Joined({field}, path));
  }
  return all;
}

// A structure, or a member of one: `root` and what is taken of it by dots.
struct Object {
  clang::Expr* root;
  Path path;
  clang::VarDecl* variable;  // that the root names; null for others
};

Object ObjectOf(clang::Expr* expression) {
  Object object{expression->IgnoreParens(), {}, nullptr};
  while (auto* member = llvm::dyn_cast<clang::MemberExpr>(object.root)) {
    auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (member->isArrow() || field == nullptr) break;
    object.path.insert(object.path.begin(), field);
    object.root = member->getBase()->IgnoreParens();
  }
  if (auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(object.root))
    object.variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  return object;
}

// What a structure is set to: another one, or a value for each member; neither: nothing that is known.
struct Source {
  clang::Expr* object = nullptr;
  clang::InitListExpr* members = nullptr;
};

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

Source SourceOf(clang::Expr* value) {
  value = Copied(value);
  if (value == nullptr) return {};
  if (auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(value)) value = literal->getInitializer();
  if (auto* list = llvm::dyn_cast<clang::InitListExpr>(value))
    return {nullptr, list->isSemanticForm() ? list : list->getSemanticForm()};
  if (!value->isGLValue() || PlainStructure(value->getType()) == nullptr) return {};
  return {value, nullptr};
}

// `a = b` of whole structures.
struct Copy {
  clang::Expr* target;
  Source source;
};

std::optional<Copy> CopyOf(clang::Stmt* statement) {
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
  const Source source = SourceOf(value);
  if (source.object == nullptr && source.members == nullptr) return std::nullopt;
  return Copy{target, source};
}

// Whether another build may give the name of the type to other structures, without a word where it is
// defined.
bool MayBeOfOtherType(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  clang::QualType type = variable.getType();
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

bool IsDeclaration(const clang::ASTContext& ast, const clang::VarDecl& variable) {
  return variable.getIdentifier() != nullptr && variable.hasLocalStorage() && !IsReference(variable) &&
         !variable.hasAttr<clang::CleanupAttr>() && PlainStructure(variable.getType()) != nullptr &&
         !MayBeOfOtherType(ast, variable);
}

// The value that a declaration sets; nothing where it sets none, and false where what it does is not known.
bool InitialSource(const clang::VarDecl& variable, Source* source) {
  clang::Expr* value = const_cast<clang::Expr*>(variable.getInit());
  if (value == nullptr) return true;
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(value);
      construction != nullptr && construction->getNumArgs() == 0)
    return construction->getConstructor()->isTrivial() && !construction->requiresZeroInitialization();
  *source = SourceOf(value);
  return source->object != nullptr || source->members != nullptr;
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

bool HasDataInSubscripts(clang::Expr* object) {
  object = object->IgnoreParenImpCasts();
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(object)) return HasDataInSubscripts(member->getBase());
  auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(object);
  if (element == nullptr) {
    // What a reference or pointer of a function's own names may be decided by data.
    auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(object);
    auto* variable = reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable == nullptr ||
           (variable->isLocalVarDecl() && (variable->getType()->isPointerType() || IsReference(*variable)));
  }
  DataInside data;
  data.TraverseStmt(element->getIdx());
  return data.found || HasDataInSubscripts(element->getBase());
}

// How often variables are named.
class Mentions : public TreeVisitor {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    ++of[reference->getDecl()];
    return true;
  }
  std::map<const clang::ValueDecl*, int> of;
};

// Finds the structures that statements declare, and which of their members are used.
class Finder {
 public:
  std::map<clang::VarDecl*, Paths> used;  // of what is declared
  std::optional<Refusal> refusal;         // the first use that members do not stand for
  bool any = false;

  explicit Finder(const clang::ASTContext& ast) : ast_(ast) {}

  // `function` has the statements.
  void Find(const clang::FunctionDecl& function, const Statements& statements) {
    for (const clang::Stmt* statement : statements) Statement(const_cast<clang::Stmt*>(statement));
    Mentions inside, all;
    for (const clang::Stmt* statement : statements) inside.TraverseStmt(const_cast<clang::Stmt*>(statement));
    all.TraverseStmt(function.getBody());
    for (const auto& [variable, paths] : used) {
      if (inside.of[variable] != all.of[variable]) {
        Refuse(variable->getSourceRange(), "a structure that the region declares and that is used behind it",
               "declare it before the region");
      }
    }
    // What a copy needs of its source depends on what is used of its target.
    for (size_t before = 0, now = 1; before != now && !refusal;) {
      before = Count();
      for (const auto& [target, source] : flows_) Flow(target, source);
      now = Count();
    }
  }

 private:
  size_t Count() const {
    size_t count = 0;
    for (const auto& [variable, paths] : used) count += paths.size();
    return count;
  }

  bool IsOurs(const Object& object) const {
    return object.variable != nullptr && used.count(object.variable) > 0;
  }

  void Refuse(clang::SourceRange range, std::string reason, std::string remedy) {
    if (!refusal) refusal = Refusal{range, std::move(reason), std::move(remedy)};
  }
  void RefuseUse(clang::SourceRange range) {
    Refuse(range,
           "a structure that the region declares, used by more than members, copies and lists of values",
           "declare it before the region, or a variable for each member that is used");
  }

  void Flow(const Object& target, const Source& source) {
    std::vector<Path> needed;
    if (IsOurs(target)) {
      for (const Path& path : used.at(target.variable))
        if (BeginsWith(path, target.path)) needed.push_back(From(path, target.path.size()));
    } else {
      const clang::QualType type =
          target.path.empty() ? target.root->getType() : target.path.back()->getType();
      const clang::RecordDecl& structure = *PlainStructure(type);
      const auto all = AllNumbers(structure);
      if (!all || HasGaps(structure, *all)) {
        return Refuse(target.root->getSourceRange(), "a structure or union as a whole",
                      "access its members one by one");
      }
      needed = *all;
    }
    if (source.object == nullptr) return;
    const Object from = ObjectOf(source.object);
    if (!IsOurs(from)) return;
    for (const Path& path : needed) used.at(from.variable).insert(Joined(from.path, path));
  }

  // A member that another build adds to a structure without gaps makes it longer, which tuned code looks at.
  bool HasGaps(const clang::RecordDecl& structure, const std::vector<Path>& numbers) const {
    clang::CharUnits all = clang::CharUnits::Zero();
    for (const Path& path : numbers) all += ast_.getTypeSizeInChars(path.back()->getType());
    return all != ast_.getASTRecordLayout(&structure).getSize();
  }

  void Statement(clang::Stmt* statement) {
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) return Declaration(*declaration);
    if (const auto copy = CopyOf(statement)) return Whole(*copy, statement->getSourceRange());
    if (llvm::isa<clang::Expr>(statement)) return Expression(statement);
    for (clang::Stmt* child : statement->children()) {
      if (child == nullptr) continue;
      if (llvm::isa<clang::DeclStmt>(child) && !llvm::isa<clang::CompoundStmt>(statement)) {
        Expression(child);  // of a loop's header
      } else {
        Statement(child);
      }
    }
  }

  void Whole(const Copy& copy, clang::SourceRange range) {
    any = true;
    Place(copy.target);
    Value(ObjectOf(copy.target), copy.source);
    // A subscript must not change between the members.
    const bool moves = copy.source.object != nullptr && HasDataInSubscripts(copy.source.object);
    if (HasDataInSubscripts(copy.target) || moves) {
      Refuse(range, "a structure as a whole, where data decide which one it is",
             "copy it to a structure that the region declares, or access its members one by one");
    }
    if (copy.target->HasSideEffects(ast_)) RefuseUse(range);
  }

  void Declaration(clang::DeclStmt& statement) {
    for (clang::Decl* each : statement.decls()) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr) continue;
      if (!IsDeclaration(ast_, *variable)) {
        if (variable->getInit() != nullptr) Expression(variable->getInit());
        continue;
      }
      any = true;
      Source source;
      if (!InitialSource(*variable, &source)) RefuseUse(variable->getSourceRange());
      used.try_emplace(variable);
      Value({nullptr, {}, variable}, source);
    }
  }

  void Value(const Object& target, const Source& source) {
    clang::Expr* value = source.object != nullptr ? source.object : source.members;
    if (value != nullptr && value->HasSideEffects(ast_)) RefuseUse(value->getSourceRange());
    if (source.object != nullptr) Place(source.object);
    flows_.emplace_back(target, source);
    if (source.members == nullptr) return;
    const clang::RecordDecl* structure = PlainStructure(source.members->getType());
    if (structure == nullptr) return RefuseUse(source.members->getSourceRange());
    for (clang::FieldDecl* field : structure->fields()) {
      if (field->getFieldIndex() >= source.members->getNumInits()) break;
      clang::Expr* member = source.members->getInit(field->getFieldIndex());
      if (PlainStructure(field->getType()) == nullptr) {
        Expression(member);
      } else if (!llvm::isa<clang::ImplicitValueInitExpr>(member)) {
        const Source inner = SourceOf(member);
        if (inner.object == nullptr && inner.members == nullptr) RefuseUse(member->getSourceRange());
        Value({target.root, Joined(target.path, {field}), target.variable}, inner);
      }
    }
  }

  // An object that is set or copied as a whole.
  void Place(clang::Expr* expression) {
    const Object object = ObjectOf(expression);
    if (!IsOurs(object)) Expression(object.root);
  }

  void Expression(clang::Stmt* expression) {
    if (auto* object = llvm::dyn_cast<clang::Expr>(expression)) {
      const Object found = ObjectOf(object);
      if (IsOurs(found)) {
        if (!object->getType()->isArithmeticType()) return RefuseUse(object->getSourceRange());
        used.at(found.variable).insert(found.path);
        return;
      }
    }
    for (clang::Stmt* child : expression->children()) {
      if (child != nullptr) Expression(child);
    }
  }

  const clang::ASTContext& ast_;
  std::vector<std::pair<Object, Source>> flows_;
};

// Makes the statements that stand for those of structures.
class Lowerer {
 public:
  Lowerer(clang::ASTContext& ast, clang::FunctionDecl& function, const std::map<clang::VarDecl*, Paths>& used,
          std::vector<std::pair<clang::Stmt**, clang::Stmt*>>* changed)
      : ast_(ast), function_(function), changed_(changed) {
    for (const auto& [variable, paths] : used) {
      Members& members = members_[variable];
      for (const Path& path : paths) members[path] = MakeVariable(variable->getName().str(), *variable, path);
    }
  }

  void Statement(clang::Stmt** slot) {
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(*slot)) {
      Inside(*slot);
      if (clang::Stmt* lowered = Declaration(*declaration)) Change(slot, lowered);
      return;
    }
    if (CopyOf(*slot)) {
      Inside(*slot);
      return Change(slot, Assignments(*CopyOf(*slot), (*slot)->getBeginLoc()));
    }
    if (auto* expression = llvm::dyn_cast<clang::Expr>(*slot)) {
      const Object object = ObjectOf(expression);
      if (IsOurs(object) && expression->getType()->isArithmeticType())
        return Change(slot, Member(expression, {}));
    }
    Inside(*slot);
  }

 private:
  bool IsOurs(const Object& object) const {
    return object.variable != nullptr && members_.count(object.variable) > 0;
  }

  void Inside(clang::Stmt* statement) {
    for (clang::Stmt*& child : statement->children()) {
      if (child != nullptr) Statement(&child);
    }
  }

  void Change(clang::Stmt** slot, clang::Stmt* now) {
    changed_->emplace_back(slot, *slot);
    *slot = now;
  }

  clang::VarDecl* MakeVariable(const std::string& name, const clang::VarDecl& variable, const Path& path) {
    std::string whole = absl::StrCat("tune_", name);
    for (const clang::FieldDecl* field : path)
      if (field->getIdentifier() != nullptr) absl::StrAppend(&whole, "_", field->getName().str());
    clang::QualType type = path.back()->getType();
    if (variable.getType().isConstQualified()) type.addConst();
    const clang::SourceLocation place = variable.getLocation();
    return clang::VarDecl::Create(ast_, &function_, place, place, &ast_.Idents.get(whole), type,
                                  ast_.getTrivialTypeSourceInfo(type, place), clang::SC_None);
  }

  // The member of an object.
  clang::Expr* Member(clang::Expr* expression, const Path& path) {
    const Object object = ObjectOf(expression);
    if (IsOurs(object)) {
      clang::VarDecl* variable = members_.at(object.variable).at(Joined(object.path, path));
      return clang::DeclRefExpr::Create(ast_, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                        variable, false, expression->getBeginLoc(), variable->getType(),
                                        clang::VK_LValue);
    }
    clang::Expr* member = expression;
    for (clang::FieldDecl* field : path) {
      clang::QualType type = field->getType();
      if (member->getType().isConstQualified()) type.addConst();
      member = clang::MemberExpr::CreateImplicit(ast_, member, false, field, type, clang::VK_LValue,
                                                 clang::OK_Ordinary);
    }
    return member;
  }

  clang::Expr* ValueOf(clang::Expr* place) {
    return clang::ImplicitCastExpr::Create(ast_, place->getType().getUnqualifiedType(),
                                           clang::CK_LValueToRValue, place, nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  }

  clang::Expr* Zero(clang::QualType type, clang::SourceLocation place) {
    type = type.getUnqualifiedType();
    if (type->isRealFloatingType()) {
      return clang::FloatingLiteral::Create(ast_, llvm::APFloat::getZero(ast_.getFloatTypeSemantics(type)),
                                            true, type, place);
    }
    clang::Expr* zero =
        clang::IntegerLiteral::Create(ast_, llvm::APInt(ast_.getIntWidth(ast_.IntTy), 0), ast_.IntTy, place);
    return clang::ImplicitCastExpr::Create(ast_, type, clang::CK_IntegralCast, zero, nullptr,
                                           clang::VK_PRValue, clang::FPOptionsOverride());
  }

  // The value of the member that the source sets.
  clang::Expr* ValueFrom(const Source& source, const Path& path) {
    if (source.object != nullptr) return ValueOf(Member(source.object, path));
    const unsigned index = path.front()->getFieldIndex();
    if (index >= source.members->getNumInits())
      return Zero(path.back()->getType(), source.members->getBeginLoc());
    clang::Expr* member = source.members->getInit(index);
    if (llvm::isa<clang::ImplicitValueInitExpr>(member))
      return Zero(path.back()->getType(), member->getBeginLoc());
    if (path.size() == 1) return member;
    return ValueFrom(SourceOf(member), From(path, 1));
  }

  clang::Stmt* Declare(const std::vector<clang::Decl*>& all, clang::SourceRange range) {
    if (all.empty()) return new (ast_) clang::NullStmt(range.getBegin());
    std::vector<clang::Decl*> decls = all;
    const clang::DeclGroupRef group =
        clang::DeclGroupRef::Create(ast_, decls.data(), static_cast<unsigned>(decls.size()));
    return new (ast_) clang::DeclStmt(group, range.getBegin(), range.getEnd());
  }

  // Null where it declares no structure.
  clang::Stmt* Declaration(clang::DeclStmt& statement) {
    std::vector<clang::Decl*> all;
    bool changes = false;
    for (clang::Decl* each : statement.decls()) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      const auto members = variable == nullptr ? members_.end() : members_.find(variable);
      if (members == members_.end()) {
        all.push_back(each);
        continue;
      }
      changes = true;
      Source source;
      InitialSource(*variable, &source);
      for (const auto& [path, member] : members->second) {
        if (source.object != nullptr || source.members != nullptr) member->setInit(ValueFrom(source, path));
        all.push_back(member);
      }
    }
    return changes ? Declare(all, statement.getSourceRange()) : nullptr;
  }

  std::vector<Path> Needed(const Object& target, clang::QualType type) const {
    if (!IsOurs(target)) return *AllNumbers(*PlainStructure(type));
    std::vector<Path> needed;
    for (const auto& [path, member] : members_.at(target.variable))
      if (BeginsWith(path, target.path)) needed.push_back(From(path, target.path.size()));
    return needed;
  }

  // Values of members that are written one by one may be those of the target: they are kept before it is set.
  clang::Stmt* Assignments(const Copy& copy, clang::SourceLocation place) {
    std::vector<clang::Stmt*> all;
    std::vector<clang::Decl*> kept;
    const std::vector<Path> needed = Needed(ObjectOf(copy.target), copy.target->getType());
    for (const Path& path : needed) {
      clang::Expr* target = Member(copy.target, path);
      clang::Expr* value = ValueFrom(copy.source, path);
      if (copy.source.members != nullptr && needed.size() > 1) {
        const clang::QualType type = target->getType().getUnqualifiedType();
        std::string name = "tune_value";
        for (const clang::FieldDecl* field : path) absl::StrAppend(&name, "_", field->getName().str());
        clang::VarDecl* variable =
            clang::VarDecl::Create(ast_, &function_, place, place, &ast_.Idents.get(name), type,
                                   ast_.getTrivialTypeSourceInfo(type, place), clang::SC_None);
        variable->setInit(value);
        kept.push_back(variable);
        value =
            ValueOf(clang::DeclRefExpr::Create(ast_, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                               variable, false, place, type, clang::VK_LValue));
      }
      all.push_back(clang::BinaryOperator::Create(ast_, target, value, clang::BO_Assign,
                                                  target->getType().getUnqualifiedType(), clang::VK_PRValue,
                                                  clang::OK_Ordinary, place, clang::FPOptionsOverride()));
    }
    if (!kept.empty()) all.insert(all.begin(), Declare(kept, {place, place}));
    return clang::CompoundStmt::Create(ast_, all, clang::FPOptionsOverride(), place, place);
  }

  clang::ASTContext& ast_;
  clang::FunctionDecl& function_;
  std::vector<std::pair<clang::Stmt**, clang::Stmt*>>* changed_;
  std::map<clang::VarDecl*, Members> members_;
};

}  // namespace

StructureValues::StructureValues(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                 const Statements& statements)
    : statements_(statements) {
  Finder finder(ast);
  finder.Find(function, statements);
  if (!finder.any) return;
  refusal_ = std::move(finder.refusal);
  if (refusal_) return;
  Lowerer lowerer(const_cast<clang::ASTContext&>(ast), const_cast<clang::FunctionDecl&>(function),
                  finder.used, &changed_);
  for (const clang::Stmt*& statement : statements_) lowerer.Statement(const_cast<clang::Stmt**>(&statement));
  for (const auto& [variable, paths] : finder.used) {
    for (const Path& path : paths) {
      for (const clang::FieldDecl* field : path) {
        structures_.insert(field->getParent());
        members_.emplace_back(variable, field);
      }
    }
  }
}

StructureValues::~StructureValues() {
  for (auto change = changed_.rbegin(); change != changed_.rend(); ++change) *change->first = change->second;
}

}  // namespace tune
