#include "client/extract/region_walker.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/affine_expression.h"
#include "client/extract/called_function.h"
#include "client/extract/derived_index.h"
#include "client/extract/guard.h"
#include "client/extract/loop_domain.h"
#include "client/extract/statement_body.h"
#include "client/extract/tree_visitor.h"
#include "client/extract/value_expression.h"
#include "common/isl/functions.h"
#include "common/isl/schedule.h"

namespace tune {
namespace {

using Schedule = std::optional<isl::schedule>;

// The reason and remedy for a statement that has no place in a scop.
std::pair<std::string, std::string> WhyNot(const clang::Stmt& statement) {
  switch (statement.getStmtClass()) {
    case clang::Stmt::WhileStmtClass:
    case clang::Stmt::DoStmtClass:
      return {"a `while` loop: the number of its iterations is not known before it runs",
              "write it as a `for` loop with affine bounds, or end the region before it"};
    case clang::Stmt::SwitchStmtClass:
      return {"a `switch`", "write it as `if` statements with affine conditions"};
    case clang::Stmt::BreakStmtClass:
      return {"a `break`: the number of iterations is not known before the loop runs",
              "express the end of the loop in its condition"};
    case clang::Stmt::ContinueStmtClass:
      return {"a `continue` that is not the end of an `if` in the loop's own body",
              "put the statements that it skips into an `if` with the opposite condition"};
    case clang::Stmt::ReturnStmtClass:
      return {"a `return` inside the region", "put it behind `#pragma endscop`"};
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::IndirectGotoStmtClass:
    case clang::Stmt::LabelStmtClass:
      return {"a `goto`, or a label that one jumps to", "use `for` loops and `if` statements"};
    default:
      return {"a statement of a kind that a scop cannot hold",
              "use `for` loops, `if` statements and assignments"};
  }
}

class Walker {
 public:
  Walker(Region& region, ArrayTable& arrays) : region_(region), arrays_(arrays), indices_(region) {}

  WalkedRegion Walk(const std::vector<const clang::Stmt*>& statements) {
    LoopNest nest{{}, isl::set::universe(region_.parameter_space), {}};
    Schedule schedule = Sequence(statements, nest, Whole::kNothing);
    result_.schedule = std::move(schedule);
    return std::move(result_);
  }

 private:
  using Statements = std::vector<const clang::Stmt*>;

  // Where the branches of an `if` are reached: in places that have no iteration in common.
  struct Branches {
    std::vector<LoopNest> then, otherwise;
    Schedule before;  // a statement that keeps the condition's value
  };

  // What statements are the whole body of.
  enum class Whole { kNothing, kLoop, kFunction };

  // The locals that the statements declare join `nest` until its end.
  Schedule Sequence(const Statements& statements, LoopNest& nest, Whole whole) {
    Schedule all;
    for (size_t i = 0; i < statements.size(); ++i) {
      const auto* choice = llvm::dyn_cast<clang::IfStmt>(statements[i]);
      if (choice != nullptr && SkipsRest(*choice, whole)) {
        const Statements rest(statements.begin() + static_cast<long>(i) + 1, statements.end());
        Append(&all, Skipping(*choice, rest, nest, whole));
        return all;
      }
      if (i + 1 == statements.size() && EndsBody(*statements[i], whole)) return all;
      Append(&all, Statement(*statements[i], nest));
    }
    return all;
  }

  static Statements Parts(const clang::Stmt& statement) {
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement);
    if (block == nullptr) return {&statement};
    return {block->body_begin(), block->body_end()};
  }

  // `continue` in a loop's body, `return` in that of a function that is called for its effects.
  bool EndsBody(const clang::Stmt& statement, Whole whole) const {
    if (whole == Whole::kLoop) return llvm::isa<clang::ContinueStmt>(statement);
    const auto* result = llvm::dyn_cast<clang::ReturnStmt>(&statement);
    if (whole != Whole::kFunction || result == nullptr) return false;
    return result->getRetValue() == nullptr || !result->getRetValue()->HasSideEffects(region_.ast);
  }
  bool Skips(const clang::Stmt* branch, Whole whole) const {
    if (branch == nullptr) return false;
    const Statements parts = Parts(*branch);
    return !parts.empty() && EndsBody(*parts.back(), whole);
  }
  bool SkipsRest(const clang::IfStmt& choice, Whole whole) const {
    return Skips(choice.getThen(), whole) || Skips(choice.getElse(), whole);
  }

  // if (condition) { ...; continue; } rest: what follows the `if` belongs to each branch that does not skip
  // it.
  Schedule Skipping(const clang::IfStmt& choice, const Statements& rest, LoopNest& nest, Whole whole) {
    Statements guarded = {choice.getThen(), choice.getElse()};
    guarded.insert(guarded.end(), rest.begin(), rest.end());
    Accepted<Branches> split = Split(choice, nest, guarded);
    if (auto* refusal = std::get_if<Refusal>(&split)) return Refuse(std::move(*refusal));
    Branches& branches = std::get<0>(split);
    Schedule all = std::move(branches.before);
    for (LoopNest& then : branches.then) Append(&all, SkippingBranch(choice.getThen(), rest, then, whole));
    for (LoopNest& otherwise : branches.otherwise)
      Append(&all, SkippingBranch(choice.getElse(), rest, otherwise, whole));
    return all;
  }

  Schedule SkippingBranch(const clang::Stmt* branch, const Statements& rest, LoopNest& nest, Whole whole) {
    Statements all = branch == nullptr ? Statements{} : Parts(*branch);
    if (Skips(branch, whole)) {
      all.pop_back();
      return Sequence(all, nest, Whole::kNothing);
    }
    Schedule schedule;
    if (branch != nullptr) schedule = Statement(*branch, nest);
    Append(&schedule, Sequence(rest, nest, whole));
    return schedule;
  }

  static void Append(Schedule* all, Schedule next) {
    if (!next) return;
    *all = *all ? ScheduleSequence(*(*all), *next) : *next;
  }

  Schedule Refuse(Refusal refusal) {
    result_.refusals.push_back(std::move(refusal));
    return std::nullopt;
  }
  Schedule Refuse(clang::SourceRange range, std::string reason, std::string remedy) {
    return Refuse(Refusal{range, std::move(reason), std::move(remedy)});
  }

  bool IsReached(const LoopNest& nest) const { return !nest.domain.intersect(region_.context).is_empty(); }

  Schedule Statement(const clang::Stmt& statement, LoopNest& nest) {
    if (!IsReached(nest)) return std::nullopt;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(&statement))
      return Expression(*expression, nest);
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&statement))
      return Declarations(*declaration, nest);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) return For(*loop, nest);
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement)) return If(*choice, nest);
    if (llvm::isa<clang::NullStmt>(statement)) return std::nullopt;
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
      LoopNest inner = nest;
      Schedule all = Sequence(Parts(*block), inner, Whole::kNothing);
      for (const clang::VarDecl* variable : indices_.DerivedIn(*block)) {
        nest.affine_locals.erase(variable);
        const auto value = inner.affine_locals.find(variable);
        if (value != inner.affine_locals.end()) nest.affine_locals.emplace(variable, value->second);
      }
      return all;
    }
    if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&statement);
        label != nullptr && !label->getDecl()->isUsed()) {
      return Statement(*label->getSubStmt(), nest);
    }
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(&statement)) {
      return Statement(*attributed->getSubStmt(), nest);
    }
    auto [reason, remedy] = WhyNot(statement);
    return Refuse(Head(statement), reason, remedy);
  }

  // The keyword of a statement: enough to point at.
  static clang::SourceRange Head(const clang::Stmt& statement) {
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&statement))
      return {loop->getWhileLoc(), loop->getRParenLoc()};
    if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(&statement))
      return {choice->getSwitchLoc(), choice->getRParenLoc()};
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(&statement))
      return {loop->getDoLoc(), loop->getDoLoc()};
    if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(&statement))
      return {label->getIdentLoc(), label->getIdentLoc()};
    return statement.getSourceRange();
  }

  Schedule For(const clang::ForStmt& loop, LoopNest& nest) {
    Accepted<Loop> read = ReadLoop(region_, nest, loop);
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    Loop& inner = std::get<0>(read);
    indices_.EnterLoop(loop, &inner);
    indices_.Forget(loop, &nest);
    Schedule body = Sequence(Parts(*loop.getBody()), inner.nest, Whole::kLoop);
    if (!body) return std::nullopt;
    return InsertBand(*body, static_cast<int>(nest.iterators.size()), inner.decreases);
  }

  // A band of one member: the iterator at `depth` of every statement, negated for a loop that counts down.
  static isl::schedule InsertBand(const isl::schedule& body, int depth, bool decreases) {
    isl::union_set domain = body.domain();
    isl::union_pw_aff member = EmptyUnionPwAff(domain.space());  // { S -> [i] }
    domain.foreach_set([&](isl::set set) {
      isl::pw_aff iterator = VariableOn(set.space(), depth);
      if (decreases) iterator = iterator.neg();
      member = member.union_add(iterator);
    });
    isl::multi_union_pw_aff band = isl::multi_union_pw_aff(member);
    return InsertPartialSchedule(body, band);
  }

  Schedule If(const clang::IfStmt& choice, LoopNest& nest) {
    const LoopNest before = nest;
    indices_.Forget(choice, &nest);
    return Choice(choice, before);
  }

  Schedule Choice(const clang::IfStmt& choice, const LoopNest& nest) {
    if (IsData(*choice.getCond(), nest)) {
      if (auto either = EitherAssignment(choice, nest)) return Add(*std::move(either), nest);
    }
    Accepted<Branches> split = Split(choice, nest, {choice.getThen(), choice.getElse()});
    if (auto* refusal = std::get_if<Refusal>(&split)) return Refuse(std::move(*refusal));
    Branches& branches = std::get<0>(split);
    Schedule all = std::move(branches.before);
    for (LoopNest& then : branches.then) Append(&all, Statement(*choice.getThen(), then));
    if (choice.getElse() == nullptr) return all;
    for (LoopNest& otherwise : branches.otherwise) Append(&all, Statement(*choice.getElse(), otherwise));
    return all;
  }

  // Nothing where the condition is not affine; the region's context is then as it was.
  std::optional<isl::set> AffineCondition(const clang::Expr& condition, const LoopNest& nest) {
    const isl::set context = region_.context;
    Accepted<isl::set> holds = ReadCondition(region_, nest, condition);
    if (!IsRefused(holds)) return std::get<0>(std::move(holds));
    region_.context = context;
    return std::nullopt;
  }

  // Whether no part of the condition is affine, so that C evaluates all of its first part everywhere.
  bool IsData(const clang::Expr& condition, const LoopNest& nest) {
    bool negated = false;
    const std::vector<const clang::Expr*> parts = PartsOf(WithoutNegation(condition, &negated)).parts;
    return std::none_of(parts.begin(), parts.end(), [&](const clang::Expr* part) {
      return AffineCondition(*part, nest).has_value() || HasInnerBounds(*part);
    });
  }

  // Whether a part that is not affine has conditions on iterators in it: what stands beside them may be
  // evaluated for some iterations only.
  bool HasInnerBounds(const clang::Expr& part) const {
    const std::vector<const clang::Expr*> inner = IntegerConditions(part);
    return std::any_of(inner.begin(), inner.end(), [&](const clang::Expr* condition) {
      return condition != &part && MentionsIterator(*condition);
    });
  }

  bool MentionsIterator(const clang::Expr& condition) const {
    struct Finder : TreeVisitor {
      const RegionVariables* variables;
      bool found = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
        found = found || variables->IsIterator(llvm::dyn_cast<clang::VarDecl>(reference->getDecl()));
        return true;
      }
    } finder;
    finder.variables = &region_.variables;
    finder.TraverseStmt(const_cast<clang::Expr*>(&condition));
    return finder.found;
  }

  // `guarded`: all that stands under the condition or its opposite. What data decide is a guard; the parts of
  // the condition that are affine say for which iterations they do.
  Accepted<Branches> Split(const clang::IfStmt& choice, const LoopNest& nest, const Statements& guarded) {
    bool negated = false;
    const clang::Expr& condition = WithoutNegation(*choice.getCond(), &negated);
    const ConditionParts parts = PartsOf(condition);
    Guard data;
    data.all = parts.all;
    isl::set affine =
        parts.all ? isl::set::universe(region_.parameter_space) : isl::set::empty(region_.parameter_space);
    for (const clang::Expr* part : parts.parts) {
      if (const std::optional<isl::set> holds = AffineCondition(*part, nest)) {
        affine = parts.all ? affine.intersect(*holds) : affine.unite(*holds);
        continue;
      }
      TUNE_ASSIGN_OR_REFUSE(v1::Expression value, ValueReader(region_, nest, NextName()).Read(*part));
      (void)value;
      if (HasInnerBounds(*part)) {
        return Refusal{part->getSourceRange(), "a condition on iterators inside of one on data",
                       "write it as `if` statements inside one another"};
      }
      data.conditions.push_back(part);
    }
    Branches branches;
    LoopNest then = nest, otherwise = nest;
    then.domain = nest.domain.intersect(affine).coalesce();
    otherwise.domain = nest.domain.subtract(affine).coalesce();
    LoopNest& open = parts.all ? then : otherwise;  // where the data decide
    if (data.conditions.empty()) {
      branches.then = {then};
      branches.otherwise = {otherwise};
    } else {
      if (!MayBeRepeated(region_.variables, condition, guarded) && IsReached(open))
        branches.before = KeepCondition(choice, &data, open);
      LoopNest holds = open, fails = open;
      holds.guards.push_back(data);
      data.negated = true;
      fails.guards.push_back(data);
      branches.then = parts.all ? std::vector{holds} : std::vector{then, holds};
      branches.otherwise = parts.all ? std::vector{otherwise, fails} : std::vector{fails};
    }
    if (negated) std::swap(branches.then, branches.otherwise);
    for (std::vector<LoopNest>* places : {&branches.then, &branches.otherwise}) {
      const auto reached = [&](const LoopNest& place) { return IsReached(place); };
      places->erase(std::stable_partition(places->begin(), places->end(), reached), places->end());
    }
    return branches;
  }

  // A statement that sets an int to the guard's value, which stands for it from then on.
  Schedule KeepCondition(const clang::IfStmt& choice, Guard* guard, const LoopNest& nest) {
    const clang::VarDecl& scalar = *region_.variables.ConditionOf(choice);
    const Guard kept = std::exchange(*guard, Guard{{}, true, &scalar, false});
    return Add(ReadConditionValue(region_, StatementPlace{NextName(), nest}, arrays_, kept,
                                  choice.getCond()->getSourceRange(), scalar),
               nest);
  }

  // if (condition) x = e; else x = f; as one statement.
  std::optional<Accepted<v1::Statement>> EitherAssignment(const clang::IfStmt& choice, const LoopNest& nest) {
    if (!indices_.DerivedIn(choice).empty()) return std::nullopt;
    const clang::Expr* then = OnlyAssignment(choice.getThen());
    const clang::Expr* otherwise = OnlyAssignment(choice.getElse());
    if (then == nullptr || otherwise == nullptr) return std::nullopt;
    return ReadEitherAssignment(region_, StatementPlace{NextName(), nest}, arrays_, *choice.getCond(), *then,
                                *otherwise);
  }

  Schedule Expression(const clang::Expr& written, LoopNest& nest) {
    const clang::Expr& expression = *written.IgnoreParens();
    if (IsAssignment(expression)) {
      if (indices_.SetsIndex(expression, nest)) return std::nullopt;
      Schedule all;
      if (const clang::Expr* inner = InnerAssignment(expression)) all = Expression(*inner, nest);
      Append(&all, Add(ReadAssignment(region_, StatementPlace{NextName(), nest}, arrays_, expression), nest));
      return all;
    }
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    if (binary != nullptr && binary->getOpcode() == clang::BO_Comma) {
      Schedule all = Statement(*binary->getLHS(), nest);
      Append(&all, Statement(*binary->getRHS(), nest));
      return all;
    }
    if (!expression.HasSideEffects(region_.ast)) return std::nullopt;
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&expression)) {
      if (const clang::FunctionDecl* in_sight = FunctionInSight(*call)) return Call(*call, *in_sight, nest);
      const clang::FunctionDecl* function = call->getDirectCallee();
      return Refuse(call->getSourceRange(),
                    absl::StrCat("a call of ",
                                 function == nullptr ? "a function through a pointer"
                                                     : absl::StrCat("`", function->getNameAsString(), "`"),
                                 ", which may have side effects"),
                    "move the call out of the region, or write its body in its place");
    }
    return Refuse(expression.getSourceRange(), "a statement that is not an assignment",
                  "use assignments to array elements and scalars");
  }

  // A call for its effects: its body in its place, behind assignments to the parameters.
  Schedule Call(const clang::CallExpr& call, const clang::FunctionDecl& function, const LoopNest& nest) {
    Accepted<LoopNest> entered = EnterFunction(region_, nest, call, function);
    if (auto* refusal = std::get_if<Refusal>(&entered)) return Refuse(std::move(*refusal));
    LoopNest& inner = std::get<0>(entered);
    Schedule all;
    for (unsigned i = 0; i < call.getNumArgs(); ++i)
      Append(&all, Argument(*function.getParamDecl(i), *call.getArg(i), nest, inner));
    Append(&all, Sequence(Parts(*function.getBody()), inner, Whole::kFunction));
    return all;
  }

  // The body may change what a number was computed from: it is kept, unless it is the same everywhere.
  Schedule Argument(const clang::ParmVarDecl& parameter, const clang::Expr& argument, const LoopNest& nest,
                    LoopNest& inner) {
    if (parameter.getType()->isPointerType() || !parameter.isReferenced()) return std::nullopt;
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
    const StatementPlace place{NextName(), nest};
    return Add(ReadInitializer(region_, place, arrays_, parameter, argument), nest);
  }

  Schedule Declarations(const clang::DeclStmt& statement, LoopNest& nest) {
    Schedule all;
    for (const clang::Decl* declaration : statement.decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable != nullptr) Append(&all, Variable(*variable, nest));
    }
    return all;
  }

  Schedule Variable(const clang::VarDecl& variable, LoopNest& nest) {
    clang::QualType type = variable.getType();
    if (!variable.hasLocalStorage()) {
      return Refuse(variable.getSourceRange(), "a static or external variable declared inside the region",
                    "declare it before the region");
    }
    if (type.isVolatileQualified()) {
      return Refuse(variable.getSourceRange(), "a volatile object may not be moved or left out",
                    "use a plain variable");
    }
    if (type->isPointerType()) {
      if (variable.getInit() == nullptr || region_.variables.IsWritten(&variable)) {
        return Refuse(variable.getSourceRange(),
                      absl::StrCat("the pointer `", variable.getNameAsString(), "` is set inside the region"),
                      "set it where it is declared, and only there");
      }
      nest.definitions[&variable] =
          Definition{std::make_shared<const LoopNest>(nest), variable.getInit(), nullptr, nullptr};
      return std::nullopt;
    }
    if (!nest.calls.empty() && type->isVariablyModifiedType()) {
      return Refuse(variable.getSourceRange(), "an array of variable length in a function that is called",
                    "declare it in the function of the region");
    }
    if (region_.variables.IsIterator(&variable)) {
      if (variable.getInit() == nullptr) return std::nullopt;  // set by the loop's header
      return Refuse(variable.getSourceRange(), "the iterator of a loop is set outside of the loop's header",
                    "leave the initialiser out: the loop sets its iterator");
    }
    if (ConstantInitializer(region_.ast, &variable) != nullptr)
      return std::nullopt;  // folded where it is used
    StatementPlace place{NextName(), nest};
    if (indices_.Declares(variable, nest)) return std::nullopt;
    if (variable.getInit() == nullptr) return Add(MakeKill(region_, place, arrays_, variable), nest);
    if (type->isArrayType()) {
      return Refuse(variable.getSourceRange(), "an initialiser of an array inside the region",
                    "set the elements with a loop");
    }
    if (type->isIntegerType() && !region_.variables.IsWritten(&variable)) {
      Accepted<isl::pw_aff> value = ReadAffine(region_, nest, *variable.getInit(), Position::kValue);
      if (!IsRefused(value)) {
        nest.affine_locals.emplace(&variable, std::get<0>(value));
        return std::nullopt;
      }
    }
    return Add(ReadInitializer(region_, place, arrays_, variable, *variable.getInit()), nest);
  }

  std::string NextName() const { return absl::StrCat("S", result_.statements.size()); }

  Schedule Add(Accepted<v1::Statement> read, const LoopNest& nest) {
    if (auto* refusal = std::get_if<Refusal>(&read)) return Refuse(std::move(*refusal));
    isl::set domain = BindDomain(region_, nest, NextName());
    result_.statements.push_back(std::move(std::get<0>(read)));
    return isl::schedule::from_domain(isl::union_set(domain));
  }

  Region& region_;
  ArrayTable& arrays_;
  DerivedIndices indices_;
  WalkedRegion result_;
};

}  // namespace

WalkedRegion WalkRegion(Region& region, ArrayTable& arrays,
                        const std::vector<const clang::Stmt*>& statements) {
  return Walker(region, arrays).Walk(statements);
}

}  // namespace tune
