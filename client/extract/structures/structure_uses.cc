#include "client/extract/structures/structure_uses.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/extract/cpp/refused_cpp.h"
#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {
namespace {

// And pointers that they set, which may lead to the same.
std::set<const clang::VarDecl*> DeclaredInside(const Statements& statements) {
  struct Variables : TreeVisitor {
    bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
      for (const PointerSetting& setting : PointerSettings(*operation)) all.insert(setting.pointer);
      return true;
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      for (const PointerSetting& setting : PointerSettings(*call)) all.insert(setting.pointer);
      return true;
    }
    bool VisitVarDecl(clang::VarDecl* variable) override {
      all.insert(variable);
      return true;
    }
    std::set<const clang::VarDecl*> all;
  } variables;
  for (const clang::Stmt* statement : statements) variables.TraverseStmt(const_cast<clang::Stmt*>(statement));
  return std::move(variables.all);
}

// Finds the structures that statements declare, and which of their members are used.
class UseFinder {
 public:
  explicit UseFinder(const clang::ASTContext& ast) : ast_(ast) {}

  // `function` has the statements.
  void Find(const clang::FunctionDecl& function, const Statements& statements) {
    inside_ = DeclaredInside(statements);
    for (const clang::Stmt* statement : statements) Statement(const_cast<clang::Stmt*>(statement));
    const std::vector<const clang::ValueDecl*> inside = NamedIn(statements),
                                               all = NamedIn(function.getBody());
    for (const auto& [variable, paths] : uses.used) {
      if (std::count(inside.begin(), inside.end(), variable) !=
          std::count(all.begin(), all.end(), variable)) {
        Refuse(variable->getSourceRange(), "a structure that the region declares and that is used behind it",
               "declare it before the region");
      }
    }
    // What a copy needs of its source depends on what is used of its target.
    for (size_t before = 0, now = 1; before != now && !uses.refusal;) {
      before = Count();
      for (const auto& [target, source] : flows_) Flow(target, source);
      now = Count();
    }
  }

  StructureUses uses;

 private:
  size_t Count() const {
    size_t count = 0;
    for (const auto& [variable, paths] : uses.used) count += paths.size();
    return count;
  }

  bool IsOurs(const StructureObject& object) const {
    return object.variable != nullptr && uses.used.count(object.variable) > 0;
  }

  void Refuse(clang::SourceRange range, std::string reason, std::string remedy) {
    if (!uses.refusal) uses.refusal = Refusal{range, std::move(reason), std::move(remedy)};
  }
  void RefuseUse(clang::SourceRange range) {
    Refuse(range,
           "a structure that the region declares, used by more than members, copies and lists of values",
           "declare it before the region, or a variable for each member that is used");
  }

  void RefuseInitial(const clang::VarDecl& variable) {
    auto words = RefusedConstruction(*variable.getInit());
    if (!words) return RefuseUse(variable.getSourceRange());
    Refuse(variable.getSourceRange(), std::move(words->first), std::move(words->second));
  }

  void Flow(const StructureObject& target, const StructureSource& source) {
    std::vector<MemberPath> needed;
    if (IsOurs(target)) {
      needed = PathsBelow(uses.used.at(target.variable), target.path);
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
    const StructureObject from = ObjectOf(source.object);
    if (!IsOurs(from)) return;
    for (const MemberPath& path : needed) uses.used.at(from.variable).insert(Joined(from.path, path));
  }

  // A member that another build adds to a structure without gaps makes it longer, which tuned code looks at.
  bool HasGaps(const clang::RecordDecl& structure, const std::vector<MemberPath>& numbers) const {
    clang::CharUnits all = clang::CharUnits::Zero();
    for (const MemberPath& path : numbers) all += ast_.getTypeSizeInChars(path.back()->getType());
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

  void Whole(const StructureCopy& copy, clang::SourceRange range) {
    uses.any = true;
    Place(copy.target);
    Value(ObjectOf(copy.target), copy.source);
    // A subscript must not change between the members.
    std::string why = WhyNotOneStructure(copy.target, inside_);
    if (why.empty() && copy.source.object != nullptr) why = WhyNotOneStructure(copy.source.object, inside_);
    if (!why.empty()) {
      Refuse(range, absl::StrCat("a structure as a whole, ", why),
             "copy it to a structure that the region declares, or access its members one by one");
    }
    if (copy.target->HasSideEffects(ast_)) RefuseUse(range);
  }

  void Declaration(clang::DeclStmt& statement) {
    for (clang::Decl* each : statement.decls()) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr) continue;
      if (!IsStructureValue(ast_, *variable)) {
        if (variable->getInit() != nullptr) Expression(variable->getInit());
        continue;
      }
      uses.any = true;
      StructureSource source;
      if (!InitialSource(*variable, &source)) RefuseInitial(*variable);
      uses.used.try_emplace(variable);
      Value({nullptr, {}, variable}, source);
    }
  }

  void Value(const StructureObject& target, const StructureSource& source) {
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
        const StructureSource inner = SourceOf(member);
        if (!inner.IsKnown()) RefuseUse(member->getSourceRange());
        Value({target.root, Joined(target.path, {field}), target.variable}, inner);
      }
    }
  }

  // An object that is set or copied as a whole.
  void Place(clang::Expr* expression) {
    const StructureObject object = ObjectOf(expression);
    if (!IsOurs(object)) return Expression(object.root);
    for (clang::Expr* subscript : object.subscripts) Expression(subscript);
  }

  void Expression(clang::Stmt* expression) {
    if (auto* object = llvm::dyn_cast<clang::Expr>(expression)) {
      const StructureObject found = ObjectOf(object);
      if (IsOurs(found)) {
        if (!object->getType()->isArithmeticType()) return RefuseUse(object->getSourceRange());
        uses.used.at(found.variable).insert(found.path);
        for (clang::Expr* subscript : found.subscripts) Expression(subscript);
        return;
      }
    }
    for (clang::Stmt* child : expression->children()) {
      if (child != nullptr) Expression(child);
    }
  }

  const clang::ASTContext& ast_;
  std::set<const clang::VarDecl*> inside_;
  std::vector<std::pair<StructureObject, StructureSource>> flows_;
};

}  // namespace

StructureUses FindStructureUses(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                const Statements& statements) {
  UseFinder finder(ast);
  finder.Find(function, statements);
  return std::move(finder.uses);
}

}  // namespace tune
