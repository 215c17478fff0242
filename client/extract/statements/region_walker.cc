#include "client/extract/statements/region_walker.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/calls/called_function.h"
#include "client/extract/calls/refused_call.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/forms/forward_jump.h"
#include "client/extract/forms/hint_call.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/integers/derived_index.h"
#include "client/extract/loops/loop_domain.h"
#include "client/extract/loops/loop_form.h"
#include "client/extract/pointers/pointer_places.h"
#include "client/extract/region/local_variable.h"
#include "client/extract/statements/condition_split.h"
#include "client/extract/statements/guard.h"
#include "client/extract/statements/refused_statement.h"
#include "client/extract/statements/statement_body.h"
#include "client/extract/statements/statement_sequence.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/named_declarations.h"

namespace tune {
namespace {

constexpr int kMostLeftInside = 4;

class Walker {
 public:
  Walker(Region& region, ArrayTable& arrays)
      : region_(region), arrays_(arrays), indices_(region), pointers_(region), statements_(region) {}

  WalkedRegion Walk(const std::vector<const clang::Stmt*>& statements) {
    LoopNest nest{{}, isl::set::universe(region_.parameter_space), {}};
    Schedule schedule;
    RefuseTypes(statements);
    if (const clang::LabelDecl* label = EnteredLabel(statements)) {
      schedule = Refuse(label->getLocation(), "a label that a `goto` outside of the region leads to",
                        "begin the region behind the label, or write a loop");
    } else {
      schedule = Sequence(statements, nest, Whole::kNothing);
    }
    return {std::move(statements_.statements()), std::move(schedule), std::move(statements_.refusals()),
            end_of_program_};
  }

 private:
  // What stands behind the region may mean them, and tuned code has the region in a block of its own.
  void RefuseTypes(const Statements& statements) {
    for (const clang::Stmt* statement : statements) {
      const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
      if (declaration == nullptr) continue;
      for (const clang::Decl* each : declaration->decls()) {
        if (llvm::isa<clang::TypeDecl>(each) && !IsUsedHereAlone(*each, statements))
          Refuse(each->getSourceRange(), "a type that the region declares", "declare it before the region");
      }
    }
  }

  // Of an enumeration without a name, whose constants no other statement of the function has.
  bool IsUsedHereAlone(const clang::Decl& type, const Statements& statements) const {
    const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(&type);
    if (enumeration == nullptr || enumeration->getIdentifier() != nullptr) return false;
    const auto uses = [&](const std::vector<const clang::ValueDecl*>& names) {
      return std::count_if(names.begin(), names.end(), [&](const clang::ValueDecl* name) {
        return llvm::isa<clang::EnumConstantDecl>(name) && name->getDeclContext() == enumeration;
      });
    };
    return uses(NamedIn(statements)) == uses(NamedIn(region_.variables.function().getBody()));
  }

  // The locals that the statements declare join `nest` until its end.
  Schedule Sequence(const Statements& statements, LoopNest& nest, Whole whole, const Exits& exits = {}) {
    Schedule all;
    for (size_t i = 0; i < statements.size(); ++i) {
      const clang::Stmt& statement = AsChoice(WithoutLabels(*statements[i]));
      const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement);
      if (choice != nullptr && SkipsRest(region_.ast, *choice, whole)) {
        const Statements rest(statements.begin() + static_cast<long>(i) + 1, statements.end());
        Append(&all, Skipping(*choice, rest, nest, whole));
        return all;
      }
      if (IsLeftInside(statement, whole)) {
        const Statements rest(statements.begin() + static_cast<long>(i) + 1, statements.end());
        Append(&all, LeftInside(statement, rest, nest, whole));
        return all;
      }
      if (std::optional<Accepted<Detour>> detour = DetourAt(statements, i, exits)) {
        if (auto* refusal = std::get_if<Refusal>(&*detour)) return Refuse(std::move(*refusal));
        Append(&all, TwoWays(*choice, std::get<0>(*detour), nest));
        i = std::get<0>(*detour).meet - 1;
        continue;
      }
      const bool ends = EndsBody(region_.ast, statement, whole) || exits.count(JumpTarget(statement)) > 0;
      if (i + 1 == statements.size() && ends) return all;
      Append(&all, Statement(statement, nest));
    }
    return all;
  }

  // if (condition) { ...; goto behind; } ...; behind: the two ways there, of which one is taken.
  Schedule TwoWays(const clang::IfStmt& choice, const Detour& detour, LoopNest& nest) {
    Statements guarded = detour.then;
    guarded.insert(guarded.end(), detour.otherwise.begin(), detour.otherwise.end());
    if (!indices_.DerivedIn(guarded).empty()) {
      return Refuse(choice.getCond()->getSourceRange(), "a `goto` around what a subscript is computed with",
                    "use `if` statements");
    }
    Accepted<ConditionSplit> read = SplitCondition(region_, nest, choice, guarded, statements_.NextName());
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    ConditionSplit& split = std::get<0>(read);
    Schedule all = KeepCondition(choice, split.kept);
    for (LoopNest& then : split.then)
      Append(&all, Sequence(detour.then, then, Whole::kNothing, detour.exits));
    for (LoopNest& otherwise : split.otherwise)
      Append(&all, Sequence(detour.otherwise, otherwise, Whole::kNothing, detour.exits));
    pointers_.Forget(guarded, &nest);
    return all;
  }

  // if (condition) { ...; continue; } rest: what follows the `if` belongs to each branch that does not skip
  // it.
  Schedule Skipping(const clang::IfStmt& choice, const Statements& rest, LoopNest& nest, Whole whole) {
    Statements guarded = {choice.getThen(), choice.getElse()};
    guarded.insert(guarded.end(), rest.begin(), rest.end());
    Accepted<ConditionSplit> read = SplitCondition(region_, nest, choice, guarded, statements_.NextName());
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    ConditionSplit& split = std::get<0>(read);
    Schedule all = KeepCondition(choice, split.kept);
    for (LoopNest& then : split.then) Append(&all, SkippingBranch(choice.getThen(), rest, then, whole));
    for (LoopNest& otherwise : split.otherwise)
      Append(&all, SkippingBranch(choice.getElse(), rest, otherwise, whole));
    return all;
  }

  Schedule SkippingBranch(const clang::Stmt* branch, const Statements& rest, LoopNest& nest, Whole whole) {
    if (SkipsRest(region_.ast, branch, whole)) {
      Statements all = AllStatementsOf(*branch);
      all.pop_back();
      return Sequence(all, nest, Whole::kNothing);
    }
    const auto* next = llvm::dyn_cast_or_null<clang::IfStmt>(branch);
    if (next != nullptr && SkipsRest(region_.ast, *next, whole)) {  // else if
      Statements all = rest;
      all.insert(all.begin(), next);
      return Sequence(all, nest, whole);
    }
    Schedule schedule;
    if (branch != nullptr) schedule = Statement(*branch, nest);
    Append(&schedule, Sequence(rest, nest, whole));
    return schedule;
  }

  // Of a block, or an `if`, whether a statement in it, not at its end, ends the body. Each `if` doubles what
  // follows.
  bool IsLeftInside(const clang::Stmt& statement, Whole whole) const {
    return (llvm::isa<clang::CompoundStmt>(statement) ||
            (llvm::isa<clang::IfStmt>(statement) && left_ < kMostLeftInside)) &&
           HasEndOfBody(region_.ast, statement, whole);
  }

  // if (condition) { if (other) continue; ... } rest: what follows belongs to both branches.
  Schedule LeftInside(const clang::Stmt& statement, const Statements& rest, LoopNest& nest, Whole whole) {
    const auto followed = [&](const clang::Stmt* branch) {
      Statements all = branch == nullptr ? Statements() : StatementsOf(*branch);
      all.insert(all.end(), rest.begin(), rest.end());
      return all;
    };
    const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement);
    if (choice == nullptr) return Sequence(followed(&statement), nest, whole);
    const Statements then = followed(choice->getThen()), otherwise = followed(choice->getElse());
    Statements guarded = then;
    guarded.insert(guarded.end(), otherwise.begin(), otherwise.end());
    Accepted<ConditionSplit> read = SplitCondition(region_, nest, *choice, guarded, statements_.NextName());
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    ConditionSplit& split = std::get<0>(read);
    Schedule all = KeepCondition(*choice, split.kept);
    ++left_;
    for (LoopNest& branch : split.then) Append(&all, Sequence(then, branch, whole));
    for (LoopNest& branch : split.otherwise) Append(&all, Sequence(otherwise, branch, whole));
    --left_;
    return all;
  }

  // Of a `switch` the chain of `if` statements that stands for it.
  const clang::Stmt& AsChoice(const clang::Stmt& statement) const {
    const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement);
    if (choice == nullptr) return statement;
    const Accepted<const clang::Stmt*>& chain = region_.variables.ChoiceOf(*choice);
    return IsRefused(chain) || std::get<0>(chain) == nullptr ? statement : *std::get<0>(chain);
  }

  Schedule Refuse(Refusal refusal) { return statements_.Refuse(std::move(refusal)); }
  Schedule Refuse(clang::SourceRange range, std::string reason, std::string remedy) {
    return Refuse(Refusal{range, std::move(reason), std::move(remedy)});
  }

  Schedule Statement(const clang::Stmt& statement, LoopNest& nest) {
    if (!IsReached(region_, nest)) return std::nullopt;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(&statement))
      return Expression(*expression, nest);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&statement))
      return Declarations(*declaration, nest);
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement);
        loop != nullptr && IsExecutedOnce(*loop)) {
      return Statement(*loop->getBody(), nest);
    }
    if (IsLoop(statement)) return LoopOf(statement, nest);
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement)) return If(*choice, nest);
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement)) return Switch(*choice, nest);
    if (llvm::isa<clang::NullStmt>(statement)) return std::nullopt;
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
      LoopNest inner = nest;
      Schedule all = Sequence(StatementsOf(*block), inner, Whole::kNothing);
      for (const clang::VarDecl* variable : indices_.DerivedIn(*block)) {
        nest.affine_locals.erase(variable);
        const auto value = inner.affine_locals.find(variable);
        if (value != inner.affine_locals.end()) nest.affine_locals.emplace(variable, value->second);
      }
      pointers_.LeaveBlock(*block, inner, &nest);
      return all;
    }
    if (llvm::isa<clang::LabelStmt>(statement)) return Statement(WithoutLabels(statement), nest);
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(&statement)) {
      return Statement(*attributed->getSubStmt(), nest);
    }
    return Refuse(RefuseStatement(statement, is_called_));
  }

  Schedule LoopOf(const clang::Stmt& loop, LoopNest& nest) {
    Accepted<LoopForm> form = ReadForm(region_.ast, loop);
    if (auto* refusal = std::get_if<Refusal>(&form)) return Refuse(std::move(*refusal));
    return LoopOf(std::get<0>(form), nest);
  }

  Schedule LoopOf(const LoopForm& form, LoopNest& nest) {
    Schedule all;
    for (const clang::VarDecl* variable : form.declared)
      Append(&all, DeclareVariable(region_, arrays_, indices_, statements_, *variable, nest));
    for (const clang::Stmt* statement : form.before) Append(&all, Statement(*statement, nest));
    Accepted<Loop> read = ReadLoop(region_, nest, form);
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    Loop& inner = std::get<0>(read);
    indices_.EnterLoop(form, &inner);
    Schedule body;
    for (LoopNest& phase : pointers_.EnterLoop(form, inner, nest))
      Append(&body, Sequence(form.body, phase, Whole::kLoop));
    if (body) Append(&all, InsertLoop(*body, static_cast<int>(nest.iterators.size()), inner.decreases));
    indices_.LeaveLoop(form, inner, &nest);
    pointers_.Forget(form.body, &nest);
    return all;
  }

  Schedule If(const clang::IfStmt& choice, LoopNest& nest) {
    const LoopNest before = nest;
    indices_.Forget({&choice}, &nest);
    pointers_.Forget({&choice}, &nest);
    return Choice(choice, before, nest);
  }

  Schedule Switch(const clang::SwitchStmt& choice, LoopNest& nest) {
    const Accepted<const clang::Stmt*>& chain = region_.variables.ChoiceOf(choice);
    if (IsRefused(chain)) return Refuse(std::get<Refusal>(chain));
    const clang::Stmt* statement = std::get<0>(chain);
    return statement == nullptr ? std::nullopt : Statement(*statement, nest);
  }

  // `after` learns what derived variables are behind both branches.
  Schedule Choice(const clang::IfStmt& choice, const LoopNest& nest, LoopNest& after) {
    if (IsData(region_, nest, *choice.getCond())) {
      if (auto either = EitherAssignment(choice, nest)) return Add(*std::move(either), nest);
    }
    Accepted<ConditionSplit> read =
        SplitCondition(region_, nest, choice, {choice.getThen(), choice.getElse()}, statements_.NextName());
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    ConditionSplit& split = std::get<0>(read);
    Schedule all = KeepCondition(choice, split.kept);
    for (LoopNest& then : split.then) Append(&all, Statement(*choice.getThen(), then));
    if (choice.getElse() != nullptr) {
      for (LoopNest& otherwise : split.otherwise) Append(&all, Statement(*choice.getElse(), otherwise));
    }
    std::vector<LoopNest> branches = std::move(split.then);
    std::move(split.otherwise.begin(), split.otherwise.end(), std::back_inserter(branches));
    indices_.Join(choice, nest, branches, &after);
    return all;
  }

  // A statement that sets an int to the condition's value, which stands for it from then on.
  Schedule KeepCondition(const clang::IfStmt& choice, const std::optional<KeptCondition>& kept) {
    if (!kept) return std::nullopt;
    return Add(
        ReadConditionValue(region_, StatementPlace{statements_.NextName(), kept->nest}, arrays_, kept->guard,
                           choice.getCond()->getSourceRange(), *region_.variables.ConditionOf(choice)),
        kept->nest);
  }

  // if (condition) x = e; else x = f; as one statement.
  std::optional<Accepted<v1::Statement>> EitherAssignment(const clang::IfStmt& choice, const LoopNest& nest) {
    if (!indices_.DerivedIn(choice).empty()) return std::nullopt;
    const clang::Expr* then = OnlyAssignment(choice.getThen());
    const clang::Expr* otherwise = OnlyAssignment(choice.getElse());
    if (then == nullptr || otherwise == nullptr) return std::nullopt;
    return ReadEitherAssignment(region_, StatementPlace{statements_.NextName(), nest}, arrays_,
                                *choice.getCond(), *then, *otherwise);
  }

  Schedule Expression(const clang::Expr& written, LoopNest& nest) {
    const clang::Expr& expression = *written.IgnoreParens();
    if (pointers_.Sets(expression, nest)) return std::nullopt;
    if (IsAssignment(expression)) {
      if (indices_.SetsIndex(expression, nest)) return std::nullopt;
      Schedule all;
      if (const clang::Expr* inner = InnerAssignment(expression)) all = Expression(*inner, nest);
      Append(&all,
             Add(ReadAssignment(region_, StatementPlace{statements_.NextName(), nest}, arrays_, expression),
                 nest));
      return all;
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    if (binary != nullptr && binary->getOpcode() == clang::BO_Comma) {
      Schedule all = Statement(*binary->getLHS(), nest);
      Append(&all, Statement(*binary->getRHS(), nest));
      return all;
    }
    if (const auto* inner = llvm::dyn_cast<clang::StmtExpr>(&expression))
      return Statement(*inner->getSubStmt(), nest);
    if (!expression.HasSideEffects(region_.ast)) return std::nullopt;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) {
      if (IsHint(region_.ast, *call)) return std::nullopt;
      if (EndsProgram(*call)) return EndOfProgram(*call, nest);
      if (const clang::FunctionDecl* in_sight = FunctionInSight(*call)) return Call(*call, *in_sight, nest);
      return Refuse(RefuseCall(*call));
    }
    return Refuse(expression.getSourceRange(), "a statement that is not an assignment",
                  "use assignments to array elements and scalars");
  }

  // A bound on the parameters with which the call is not reached joins the region's context.
  Schedule EndOfProgram(const clang::CallExpr& call, const LoopNest& nest) {
    const isl::set sound = region_.context.subtract(nest.OverParameters(nest.domain));
    if (!nest.guards.empty() || sound.is_empty()) return Refuse(RefuseEnd(call));
    end_of_program_ = call.getSourceRange();
    region_.context = sound.coalesce();
    return std::nullopt;
  }

  // A call for its effects: its body in its place, behind assignments to the parameters.
  Schedule Call(const clang::CallExpr& call, const clang::FunctionDecl& function, const LoopNest& nest) {
    Accepted<LoopNest> entered = EnterFunction(region_, nest, call, function);
    if (auto* refusal = std::get_if<Refusal>(&entered)) return Refuse(std::move(*refusal));
    LoopNest& inner = std::get<0>(entered);
    Schedule all;
    for (unsigned i = 0; i < call.getNumArgs(); ++i)
      Append(&all, Argument(*function.getParamDecl(i), *call.getArg(i), nest, inner));
    const bool was_called = std::exchange(is_called_, true);
    Append(&all, Sequence(StatementsOf(*function.getBody()), inner, Whole::kFunction));
    is_called_ = was_called;
    return all;
  }

  // The body may change what a number was computed from: it is kept, unless it is the same everywhere.
  Schedule Argument(const clang::ParmVarDecl& parameter, const clang::Expr& argument, const LoopNest& nest,
                    LoopNest& inner) {
    if (parameter.getType()->isPointerType() || !parameter.isReferenced()) return std::nullopt;
    if (IsReference(parameter) && argument.isGLValue()) return std::nullopt;  // names the object itself
    if (!region_.variables.IsWritten(&parameter)) {
      if (argument.isEvaluatable(region_.ast)) return std::nullopt;
      Accepted<isl::pw_aff> value = argument.getType()->isIntegerType()
                                        ? ReadAffine(region_, nest, argument, Position::kValue)
                                        : Accepted<isl::pw_aff>(Refusal{});
      if (!IsRefused(value)) {
        inner.definitions.erase(&parameter);
        inner.affine_locals.emplace(&parameter, std::get<0>(std::move(value)));
        return std::nullopt;
      }
    }
    inner.definitions.erase(&parameter);
    const StatementPlace place{statements_.NextName(), nest};
    return Add(ReadInitializer(region_, place, arrays_, parameter, argument), nest);
  }

  Schedule Declarations(const clang::DeclStmt& statement, LoopNest& nest) {
    Schedule all;
    for (const clang::Decl* declaration : statement.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable == nullptr) continue;
      Append(&all, DeclareVariable(region_, arrays_, indices_, statements_, *variable, nest));
    }
    return all;
  }

  Schedule Add(Accepted<v1::Statement> read, const LoopNest& nest) {
    return statements_.Add(std::move(read), nest);
  }

  Region& region_;
  ArrayTable& arrays_;
  DerivedIndices indices_;
  PointerPlaces pointers_;
  StatementSequence statements_;
  clang::SourceRange end_of_program_;
  int left_ = 0;            // `if` statements around that LeftInside reads
  bool is_called_ = false;  // what is walked stands in a function that the region calls
};

}  // namespace

WalkedRegion WalkRegion(Region& region, ArrayTable& arrays,
                        const std::vector<const clang::Stmt*>& statements) {
  return Walker(region, arrays).Walk(statements);
}

}  // namespace tune
