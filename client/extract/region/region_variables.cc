#include "client/extract/region/region_variables.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/extract/arrays/array_shape.h"
#include "client/extract/calls/called_function.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/forms/switch_form.h"
#include "client/extract/loops/loop_form.h"
#include "client/extract/pointers/pointer_setting.h"
#include "client/extract/pointers/row_table.h"
#include "client/extract/statements/guard.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/tree_visitor.h"

namespace tune {

// One walk: who is declared, written, an iterator, and which expressions have to be affine.
class RegionVariables::Collector : public TreeVisitor {
 public:
  Collector(const clang::ASTContext& ast, RegionVariables* variables) : ast_(ast), variables_(variables) {}

  bool VisitVarDecl(clang::VarDecl* variable) override {
    variables_->declared_.insert(variable);
    mentioned_.push_back(variable);
    if (variable->getType()->isPointerType() && variable->getInit() != nullptr)
      affine_.push_back(variable->getInit());
    if (ReferredBy(*variable) != nullptr && MayChangeReferred(*variable)) Write(variable->getInit());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (IsPointerSwap(*call)) {
      for (const clang::Expr* argument : call->arguments()) Write(argument);
      NotePointers(*call);
    }
    const clang::FunctionDecl* function = FunctionInSight(*call);
    if (function == nullptr || function == variables_->function_.getDefinition()) return true;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      clang::Expr* argument = call->getArg(i);
      variables_->arguments_[function->getParamDecl(i)].push_back(argument);
      if (argument->getType()->isPointerType()) affine_.push_back(argument);
      if (argument->isGLValue() && MayChangeReferred(*function->getParamDecl(i))) Write(argument);
    }
    std::vector<const clang::FunctionDecl*>& called = variables_->called_;
    if (std::find(called.begin(), called.end(), function) != called.end()) return true;
    called.push_back(function);
    for (clang::ParmVarDecl* parameter : function->parameters()) {
      variables_->declared_.insert(parameter);
      mentioned_.push_back(parameter);
    }
    TraverseStmt(function->getBody());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      mentioned_.push_back(variable);
      places_[variable].push_back(reference->getLocation());
    }
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    if (!operation->isAssignmentOp()) return true;
    Write(operation->getLHS());
    if (operation->getLHS()->getType()->isPointerType()) affine_.push_back(operation->getRHS());
    NotePointers(*operation);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    const bool may_write = operation->isIncrementDecrementOp() || operation->getOpcode() == clang::UO_AddrOf;
    if (may_write) Write(operation->getSubExpr());
    if (operation->getOpcode() == clang::UO_Deref) affine_.push_back(operation->getSubExpr());
    if (operation->getOpcode() == clang::UO_AddrOf) addresses_.insert(Bare(operation->getSubExpr()));
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* access) override {
    affine_.push_back(access->getIdx());
    accesses_.push_back(access);
    subscripted_.insert(Bare(access->getBase()));
    AddDistance(*access->getBase());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* access) override {
    if (access->isArrow()) AddDistance(*access->getBase());
    return true;
  }
  bool VisitIfStmt(clang::IfStmt* statement) override {
    for (const clang::Expr* condition : IntegerConditions(*statement->getCond()))
      affine_.push_back(condition);
    AddCondition(*statement);
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* statement) override {
    const Accepted<const clang::Stmt*>& chain =
        variables_->switches_.emplace(statement, ReadSwitch(ast_, *statement)).first->second;
    if (IsRefused(chain)) return true;
    const auto* choice = llvm::dyn_cast_or_null<clang::IfStmt>(std::get<0>(chain));
    for (; choice != nullptr; choice = llvm::dyn_cast_or_null<clang::IfStmt>(choice->getElse()))
      VisitIfStmt(const_cast<clang::IfStmt*>(choice));
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    AddLoop(*loop);
    if (loop->getCond() != nullptr) affine_.push_back(loop->getCond());
    if (loop->getInc() != nullptr) affine_.push_back(loop->getInc());
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) override {
    for (const clang::Expr* condition : IntegerConditions(*loop->getCond())) affine_.push_back(condition);
    return true;
  }
  bool VisitDoStmt(clang::DoStmt* loop) override {
    for (const clang::Expr* condition : IntegerConditions(*loop->getCond())) affine_.push_back(condition);
    return true;
  }

  // The lengths of arrays of which data may decide the element have to be affine, too, and those of rows
  // that pointers are set to, which may leave them.
  void AddExtents() {
    for (const clang::ArraySubscriptExpr* access : accesses_) {
      const bool is_row = access->getType()->isArrayType() && subscripted_.count(access) == 0;
      const bool of_data = FindValueOrigins(*access->getIdx(), variables_->set_values_).data;
      if (of_data || HasProduct(*access->getIdx()) || is_row || addresses_.count(access) > 0)
        AddExtents(*access);
    }
  }

  const std::vector<const clang::Expr*>& affine() const { return affine_; }
  // Whether all that writes the pointer are assignments, and swaps.
  bool IsAssignedPointer(const clang::VarDecl* variable) {
    return variable->getType()->isPointerType() && settings_[variable] > 0 &&
           settings_[variable] == writes_[variable];
  }
  // Whether the variable is assigned elsewhere than by the headers of loops.
  bool IsSetBesideLoops(const clang::VarDecl* variable) { return writes_[variable] > 0; }
  // Whether the variable stands outside of all loops whose headers set it.
  bool IsUsedBesideLoops(const clang::VarDecl* variable) {
    const clang::SourceManager& manager = ast_.getSourceManager();
    const auto is_inside = [&](clang::SourceLocation place, clang::SourceRange loop) {
      const clang::SourceLocation at = manager.getExpansionLoc(place);
      return !manager.isBeforeInTranslationUnit(at, manager.getExpansionLoc(loop.getBegin())) &&
             !manager.isBeforeInTranslationUnit(manager.getExpansionLoc(loop.getEnd()), at);
    };
    const std::vector<clang::SourceRange>& loops = loops_[variable];
    const std::vector<clang::SourceLocation>& places = places_[variable];
    return std::any_of(places.begin(), places.end(), [&](clang::SourceLocation place) {
      return std::none_of(loops.begin(), loops.end(),
                          [&](clang::SourceRange loop) { return is_inside(place, loop); });
    });
  }
  // Without those of our own.
  const std::vector<const clang::VarDecl*>& mentioned() const { return mentioned_; }
  const std::vector<const clang::VarDecl*>& conditions() const { return conditions_; }

 private:
  // Whether a variable of the region is multiplied with one, divides, or says how far is shifted:
  // i * (i + 1).
  bool HasProduct(const clang::Stmt& expression) const {
    const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    if (operation != nullptr && (operation->isMultiplicativeOp() || operation->isShiftOp()) &&
        HasOwn(*operation->getRHS()) &&
        (operation->getOpcode() != clang::BO_Mul || HasOwn(*operation->getLHS())))
      return true;
    return std::any_of(expression.child_begin(), expression.child_end(),
                       [&](const clang::Stmt* child) { return child != nullptr && HasProduct(*child); });
  }
  bool HasOwn(const clang::Stmt& expression) const {
    const std::vector<const clang::ValueDecl*> names = NamedIn(&expression);
    return std::any_of(names.begin(), names.end(), [&](const clang::ValueDecl* name) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name);
      return variable != nullptr && variable->getType()->isIntegerType() &&
             (variables_->IsWritten(variable) || variables_->IsDeclaredInside(variable));
    });
  }

  // How far behind another pointer the elements begin: k of (p + k)[i] and of (p + k)->x.
  void AddDistance(const clang::Expr& pointer) {
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(Bare(&pointer));
    if (sum != nullptr && sum->isAdditiveOp()) affine_.push_back(sum);
  }
  // The lengths of the array.
  void AddExtents(const clang::ArraySubscriptExpr& access) {
    const clang::Expr* base = &access;
    while (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(Bare(base)))
      base = element->getBase();
    const clang::VarDecl* variable = NamedVariable(base);
    if (variable == nullptr) return;
    if (const clang::Expr* elements = AllocatedElements(ast_, *variable)) affine_.push_back(elements);
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
    clang::QualType type = parameter == nullptr ? variable->getType() : parameter->getOriginalType();
    if (const auto* rows = type->getAs<clang::PointerType>()) type = rows->getPointeeType();
    while (const clang::ArrayType* array = ast_.getAsArrayType(type)) {
      const auto* variable_length = llvm::dyn_cast<clang::VariableArrayType>(array);
      if (variable_length != nullptr && variable_length->getSizeExpr() != nullptr && !IsRowOfTable(*array))
        affine_.push_back(variable_length->getSizeExpr());
      type = array->getElementType();
    }
  }
  void AddCondition(const clang::IfStmt& statement) {
    auto& ast = const_cast<clang::ASTContext&>(ast_);
    const clang::VarDecl* variable =
        clang::VarDecl::Create(ast, ast.getTranslationUnitDecl(), statement.getIfLoc(), statement.getIfLoc(),
                               &ast.Idents.get("tune_condition"), ast.IntTy, nullptr, clang::SC_Auto);
    variables_->conditions_[&statement] = variable;
    variables_->declared_.insert(variable);
    variables_->written_.insert(variable);
    conditions_.push_back(variable);
  }
  void NotePointers(const clang::Stmt& statement) {
    for (const PointerSetting& setting : PointerSettings(statement)) ++settings_[setting.pointer];
  }
  void Write(const clang::Expr* target) {
    const clang::VarDecl* variable = NamedVariable(target);
    if (variable == nullptr) return;
    variables_->written_.insert(variable);
    ++writes_[variable];
  }
  void AddLoop(const clang::ForStmt& loop) {
    const Accepted<LoopForm> read = ReadForm(ast_, loop);
    if (IsRefused(read)) return;
    const LoopForm& form = std::get<0>(read);
    if (form.start == nullptr) return;
    variables_->iterators_.insert(form.iterator);
    loops_[form.iterator].push_back(loop.getSourceRange());
    variables_->written_.insert(form.iterator);
    writes_[form.iterator] -= llvm::isa<clang::Expr>(loop.getInit()) ? 2 : 1;  // start and step
    affine_.push_back(form.start);
  }

  const clang::ASTContext& ast_;
  RegionVariables* variables_;
  std::vector<const clang::Expr*> affine_;
  std::vector<const clang::ArraySubscriptExpr*> accesses_;
  std::set<const clang::Expr*> subscripted_, addresses_;
  std::map<const clang::VarDecl*, int> settings_;  // of pointers (PointerSettings)
  std::map<const clang::VarDecl*, int> writes_;    // places that assign it, but for headers of loops
  std::map<const clang::VarDecl*, std::vector<clang::SourceRange>> loops_;  // whose headers set it
  std::map<const clang::VarDecl*, std::vector<clang::SourceLocation>> places_;
  std::vector<const clang::VarDecl*> mentioned_, conditions_;
};

namespace {

class AddressesTaken : public TreeVisitor {
 public:
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->getOpcode() == clang::UO_AddrOf) variables.insert(NamedVariable(operation->getSubExpr()));
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (const clang::Expr* referred = ReferredBy(*variable)) variables.insert(NamedVariable(referred));
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (IsPointerSwap(*call)) return true;
    for (const clang::Expr* argument : call->arguments()) AddReferred(*argument);
    return true;
  }
  bool VisitConstruction(clang::Expr* object) override {
    for (const clang::Stmt* argument : object->children()) {
      const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(argument);
      if (expression != nullptr) AddReferred(*expression);
    }
    return true;
  }
  std::set<const clang::VarDecl*> variables;

 private:
  // An object that is handed over, not its value.
  void AddReferred(const clang::Expr& argument) {
    if (argument.isGLValue()) variables.insert(NamedVariable(&argument));
  }
};

// The variables of an expression, in the order in which they stand.
class References : public TreeVisitor {
 public:
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* function = FunctionInSight(*call);
    if (function != nullptr && entered_.insert(function).second) TraverseStmt(function->getBody());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      variables.push_back(variable);
    }
    return true;
  }
  std::vector<const clang::VarDecl*> variables;

 private:
  std::set<const clang::FunctionDecl*> entered_;
};

}  // namespace

RegionVariables::RegionVariables(const clang::ASTContext& ast, const clang::FunctionDecl& function,
                                 const std::vector<const clang::Stmt*>& statements)
    : function_(function) {
  AddressesTaken addresses;
  addresses.TraverseStmt(function.getBody());
  addressed_ = std::move(addresses.variables);
  Collector collector(ast, this);
  for (const clang::Stmt* statement : statements) collector.TraverseStmt(const_cast<clang::Stmt*>(statement));

  set_values_ = FindSetValues(statements);
  collector.AddExtents();

  mentioned_ = collector.mentioned();
  std::vector<const clang::VarDecl*> named = mentioned_;
  named.insert(named.end(), collector.conditions().begin(), collector.conditions().end());
  NameLocals(named);

  // A local whose value is used where an affine one is needed stands for its initialiser: what that
  // mentions is needed as well.
  std::vector<const clang::Expr*> needed = collector.affine();
  std::set<const clang::VarDecl*> seen;
  const auto is_index = [&](const clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    return IsReachedByName(variable) && IsWritten(variable) &&
           (!IsIterator(variable) || collector.IsSetBesideLoops(variable) ||
            collector.IsUsedBesideLoops(variable)) &&
           type->isSignedIntegerType() && !type.isVolatileQualified() &&
           ast.getTypeSize(type) >= ast.getTypeSize(ast.IntTy);
  };
  for (const clang::VarDecl* variable : written_) {
    if (collector.IsAssignedPointer(variable) && IsReachedByName(variable) &&
        !variable->getType().isVolatileQualified())
      set_pointers_.insert(variable);
  }
  for (size_t i = 0; i < needed.size(); ++i) {
    References references;
    references.TraverseStmt(const_cast<clang::Expr*>(needed[i]));
    for (const clang::VarDecl* variable : references.variables) {
      const bool is_integer = variable->getType()->isIntegerType();
      if (!(is_integer || variable->getType()->isPointerType()) || !seen.insert(variable).second) continue;
      if (is_index(variable)) {
        assigned_indices_.insert(variable);
        const std::vector<const clang::Expr*>& values = set_values_[variable].values;
        needed.insert(needed.end(), values.begin(), values.end());
      }
      if (IsDeclaredInside(variable)) {
        const auto arguments = arguments_.find(variable);
        if (arguments != arguments_.end())
          needed.insert(needed.end(), arguments->second.begin(), arguments->second.end());
        if (variable->getInit() != nullptr) needed.push_back(variable->getInit());
      } else if (is_integer && !IsWritten(variable) && !variable->getType().isVolatileQualified() &&
                 ConstantInitializer(ast, variable) == nullptr) {
        parameters_.push_back(variable);
      }
    }
  }
}

bool RegionVariables::IsReachedByName(const clang::VarDecl* variable) const {
  return variable->getDeclContext() == &function_ && variable->hasLocalStorage() && !IsReference(*variable) &&
         addressed_.count(variable) == 0 && !variable->hasAttr<clang::CleanupAttr>();
}

void RegionVariables::NameLocals(const std::vector<const clang::VarDecl*>& mentioned) {
  std::set<std::string> taken;
  for (const clang::VarDecl* variable : mentioned) {
    if (!IsDeclaredInside(variable) || IsIterator(variable)) taken.insert(variable->getNameAsString());
  }
  for (const clang::VarDecl* variable : mentioned) {
    if (!IsDeclaredInside(variable) || IsIterator(variable) || renamed_.count(variable) > 0) continue;
    std::string name = variable->getNameAsString();
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = absl::StrCat(variable->getNameAsString(), "_", number);
    }
    renamed_.emplace(variable, name);
  }
}

const clang::VarDecl* RegionVariables::ConditionOf(const clang::IfStmt& statement) const {
  return conditions_.at(&statement);
}

const Accepted<const clang::Stmt*>& RegionVariables::ChoiceOf(const clang::SwitchStmt& statement) const {
  return switches_.at(&statement);
}

std::string RegionVariables::UniqueName(const clang::VarDecl* variable) const {
  auto renamed = renamed_.find(variable);
  return renamed == renamed_.end() ? variable->getNameAsString() : renamed->second;
}

bool RegionVariables::IsParameter(const clang::VarDecl* variable) const {
  return std::find(parameters_.begin(), parameters_.end(), variable) != parameters_.end();
}

const clang::Expr* Bare(const clang::Expr* expression) { return expression->IgnoreParenImpCasts(); }

const clang::VarDecl* NamedVariable(const clang::Expr* expression) {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(Bare(expression));
  return reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
}

const clang::Expr* ConstantInitializer(const clang::ASTContext& ast, const clang::VarDecl* variable) {
  clang::QualType type = variable->getType();
  if (IsReference(*variable)) return nullptr;
  if (!type.isConstQualified() || type.isVolatileQualified() || !type->isArithmeticType()) return nullptr;
  const clang::Expr* initializer = variable->getAnyInitializer();
  if (initializer == nullptr) return nullptr;
  return initializer->isEvaluatable(ast) ? initializer : nullptr;
}

}  // namespace tune
