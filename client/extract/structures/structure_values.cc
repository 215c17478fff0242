#include "client/extract/structures/structure_values.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/structures/structure_object.h"
#include "client/extract/structures/structure_uses.h"
#include "client/extract/tree/made_tree.h"

namespace tune {
namespace {

using Members = std::map<MemberPath, clang::VarDecl*, EarlierMember>;

// Makes the statements that stand for those of structures.
class Lowerer {
 public:
  Lowerer(clang::ASTContext& ast, clang::FunctionDecl& function,
          const std::map<clang::VarDecl*, MemberPaths>& used, TreeChanges* changes)
      : ast_(ast), function_(function), used_(used), changes_(changes) {
    for (const auto& [variable, paths] : used) {
      Members& members = members_[variable];
      for (const MemberPath& path : paths) {
        clang::QualType type = path.back()->getType();
        if (ast.getBaseElementType(variable->getType()).isConstQualified()) type.addConst();
        members[path] = MakeVariable(variable->getName().str(), path, Shaped(type, variable->getType()),
                                     variable->getLocation());
      }
    }
  }

  void Statement(clang::Stmt** slot) {
    if (auto* declaration = llvm::dyn_cast<clang::DeclStmt>(*slot)) {
      Inside(*slot);
      if (clang::Stmt* lowered = Declaration(*declaration)) changes_->Change(slot, lowered);
      return;
    }
    if (CopyOf(*slot)) {
      Inside(*slot);
      return changes_->Change(slot, Assignments(*CopyOf(*slot), (*slot)->getBeginLoc()));
    }
    if (auto* expression = llvm::dyn_cast<clang::Expr>(*slot)) {
      if (IsOurs(ObjectOf(expression)) && expression->getType()->isArithmeticType()) {
        Inside(*slot);
        return changes_->Change(slot, Member(expression, {}));
      }
    }
    Inside(*slot);
  }

 private:
  bool IsOurs(const StructureObject& object) const {
    return object.variable != nullptr && members_.count(object.variable) > 0;
  }

  void Inside(clang::Stmt* statement) {
    for (clang::Stmt*& child : statement->children()) {
      if (child != nullptr) Statement(&child);
    }
  }

  // The type, in arrays of the same lengths as those that `array` is.
  clang::QualType Shaped(clang::QualType type, clang::QualType array) const {
    const clang::ArrayType* outer = ast_.getAsArrayType(array);
    if (outer == nullptr) return type;
    type = Shaped(type, outer->getElementType());
    if (const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(outer)) {
      return ast_.getConstantArrayType(type, constant->getSize(), constant->getSizeExpr(),
                                       clang::ArrayType::Normal, 0);
    }
    const auto* variable = llvm::cast<clang::VariableArrayType>(outer);
    return ast_.getVariableArrayType(type, variable->getSizeExpr(), clang::ArrayType::Normal, 0,
                                     variable->getBracketsRange());
  }

  // `name`: of what it is a member.
  clang::VarDecl* MakeVariable(const std::string& name, const MemberPath& path, clang::QualType type,
                               clang::SourceLocation place) {
    std::string whole = absl::StrCat("tune_", name);
    for (const clang::FieldDecl* field : path)
      if (field->getIdentifier() != nullptr) absl::StrAppend(&whole, "_", field->getName().str());
    return clang::VarDecl::Create(ast_, &function_, place, place, &ast_.Idents.get(whole), type,
                                  ast_.getTrivialTypeSourceInfo(type, place), clang::SC_None);
  }

  clang::Expr* Name(clang::VarDecl* variable, clang::SourceLocation place) {
    return clang::DeclRefExpr::Create(ast_, clang::NestedNameSpecifierLoc(), clang::SourceLocation(),
                                      variable, false, place, variable->getType(), clang::VK_LValue);
  }

  // The variable that is the member, or its element.
  clang::Expr* Element(const StructureObject& object, const MemberPath& path, clang::SourceLocation place) {
    clang::Expr* element = Name(members_.at(object.variable).at(path), place);
    for (clang::Expr* subscript : object.subscripts) {
      clang::Expr* pointer = clang::ImplicitCastExpr::Create(
          ast_, ast_.getArrayDecayedType(element->getType()), clang::CK_ArrayToPointerDecay, element, nullptr,
          clang::VK_PRValue, clang::FPOptionsOverride());
      element = new (ast_) clang::ArraySubscriptExpr(pointer, subscript, pointer->getType()->getPointeeType(),
                                                     clang::VK_LValue, clang::OK_Ordinary, place);
    }
    return element;
  }

  // The member of an object.
  clang::Expr* Member(clang::Expr* expression, const MemberPath& path) {
    const StructureObject object = ObjectOf(expression);
    if (IsOurs(object)) return Element(object, Joined(object.path, path), expression->getBeginLoc());
    clang::Expr* member = expression;
    for (clang::FieldDecl* field : path) {
      clang::QualType type = field->getType();
      if (member->getType().isConstQualified()) type.addConst();
      member = clang::MemberExpr::CreateImplicit(ast_, member, false, field, type, clang::VK_LValue,
                                                 clang::OK_Ordinary);
    }
    return member;
  }

  clang::Expr* Zero(clang::QualType type, clang::SourceLocation place) {
    return TreeMaker(ast_, function_, place).Zero(type);
  }

  // The value of the member that the source sets.
  clang::Expr* ValueFrom(const StructureSource& source, const MemberPath& path) {
    if (source.object != nullptr) return ValueOf(ast_, Member(source.object, path));
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
      StructureSource source;
      InitialSource(*variable, &source);
      for (const auto& [path, member] : members->second) {
        if (source.IsKnown()) member->setInit(ValueFrom(source, path));
        all.push_back(member);
      }
    }
    return changes ? Declare(all, statement.getSourceRange()) : nullptr;
  }

  std::vector<MemberPath> Needed(const StructureObject& target, clang::QualType type) const {
    if (!IsOurs(target)) return *AllNumbers(*PlainStructure(type));
    return PathsBelow(used_.at(target.variable), target.path);
  }

  // Values of members that are written one by one may be those of the target: they are kept before it is set.
  clang::Stmt* Assignments(const StructureCopy& copy, clang::SourceLocation place) {
    std::vector<clang::Stmt*> all;
    std::vector<clang::Decl*> kept;
    const std::vector<MemberPath> needed = Needed(ObjectOf(copy.target), copy.target->getType());
    for (const MemberPath& path : needed) {
      clang::Expr* target = Member(copy.target, path);
      clang::Expr* value = ValueFrom(copy.source, path);
      if (copy.source.members != nullptr && needed.size() > 1) {
        clang::VarDecl* variable = MakeVariable("value", path, target->getType().getUnqualifiedType(), place);
        variable->setInit(value);
        kept.push_back(variable);
        value = ValueOf(ast_, Name(variable, place));
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
  const std::map<clang::VarDecl*, MemberPaths>& used_;
  TreeChanges* const changes_;
  std::map<clang::VarDecl*, Members> members_;
};

}  // namespace

StructureValues::StructureValues(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                 const Statements& statements)
    : statements_(statements) {
  StructureUses found = FindStructureUses(ast, function, statements);
  if (!found.any) return;
  refusal_ = std::move(found.refusal);
  if (refusal_) return;
  Lowerer lowerer(const_cast<clang::ASTContext&>(ast), const_cast<clang::FunctionDecl&>(function), found.used,
                  &changes_);
  for (const clang::Stmt*& statement : statements_) lowerer.Statement(const_cast<clang::Stmt**>(&statement));
  for (const auto& [variable, paths] : found.used) {
    for (const MemberPath& path : paths) {
      for (const clang::FieldDecl* field : path) {
        structures_.insert(field->getParent());
        members_.emplace_back(variable, field);
      }
    }
  }
}

}  // namespace tune
