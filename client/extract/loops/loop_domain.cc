#include "client/extract/loops/loop_domain.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "client/extract/calls/called_function.h"
#include "client/extract/cpp/cpp_lowering.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/integers/integer_range.h"
#include "client/extract/loops/affine_break.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/known_value.h"
#include "client/extract/tree/write_visitor.h"
#include "common/isl/bounds.h"
#include "common/isl/functions.h"
#include "common/isl/relations.h"
#include "common/isl/spaces.h"

namespace tune {
namespace {

constexpr char kHeaderRemedy[] = "write the loop as for (i = start; i < end; i += constant)";

Refusal Refuse(clang::SourceRange range, std::string reason, std::string remedy = kHeaderRemedy) {
  return {range, std::move(reason), std::move(remedy)};
}

// Where the iterator starts.
Accepted<isl::pw_aff> ReadStart(Region& region, const LoopNest& nest, const LoopForm& form) {
  const clang::QualType type = form.iterator->getType();
  if (!type->isIntegerType() || type->isBooleanType() || type.isVolatileQualified()) {
    return Refuse(
        form.setting,
        absl::StrCat("the iterator `", form.iterator->getNameAsString(), "` is not an integer variable"),
        "use an iterator of an integer type");
  }
  if (form.start != nullptr)
    return Of("the start of the loop", ReadAffine(region, nest, *form.start, Position::kBound));
  const auto known = nest.affine_locals.find(form.iterator);
  if (known != nest.affine_locals.end()) return known->second;
  return Refuse(form.header,
                absl::StrCat("the loop does not set its iterator `", form.iterator->getNameAsString(),
                             "`, and what it is before is not known"),
                "set it to an affine value before the loop, inside the region, and do not read it behind the "
                "region");
}

// i + c, c + i, i - c: the addend.
const clang::Expr* Addend(const clang::Expr& sum, const clang::VarDecl* iterator, bool* negative) {
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(Bare(&sum));
  if (operation == nullptr) return nullptr;
  *negative = operation->getOpcode() == clang::BO_Sub;
  if (!operation->isAdditiveOp()) return nullptr;
  if (NamedVariable(operation->getLHS()) == iterator) return operation->getRHS();
  if (!*negative && NamedVariable(operation->getRHS()) == iterator) return operation->getLHS();
  return nullptr;
}

Accepted<isl::val> ReadStep(Region& region, const LoopNest& nest, const LoopForm& form) {
  const clang::VarDecl* iterator = form.iterator;
  const clang::Expr& step = *form.step->IgnoreParens();
  Refusal refusal =
      Refuse(step.getSourceRange(), "the step of the loop is not the iterator plus or minus a constant");
  const clang::Expr* addend = nullptr;
  bool negative = false;
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&step)) {
    if (!unary->isIncrementDecrementOp() || NamedVariable(unary->getSubExpr()) != iterator) return refusal;
    return isl::val(isl::ctx(region.ctx), unary->isIncrementOp() ? 1L : -1L);
  }
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(&step)) {
    if (NamedVariable(operation->getLHS()) != iterator) return refusal;
    if (operation->getOpcode() == clang::BO_AddAssign || operation->getOpcode() == clang::BO_SubAssign) {
      addend = operation->getRHS();
      negative = operation->getOpcode() == clang::BO_SubAssign;
    } else if (operation->getOpcode() == clang::BO_Assign) {
      addend = Addend(*operation->getRHS(), iterator, &negative);
    }
  }
  if (addend == nullptr) return refusal;
  LoopNest inner = nest;
  inner.iterators.push_back({iterator, region.NameIterator(nest, iterator)});
  Accepted<isl::pw_aff> value =
      ReadAffine(region, inner, *addend->IgnoreParenImpCasts(), Position::kSubscript);
  if (IsRefused(value)) return refusal;
  std::optional<isl::val> constant = ConstantOf(std::get<0>(value));
  if (!constant) {
    if (const clang::VarDecl* unknown = AskForValues(region, inner, std::get<0>(value))) {
      refusal.reason = absl::StrCat(
          "the step of the loop is known only when the program runs: the file does not say "
          "what `",
          unknown->getNameAsString(), "` is");
      refusal.remedy =
          absl::StrCat("set `", unknown->getNameAsString(),
                       "` to one constant before the region, use a macro, or say its value with "
                       "`--constant ",
                       unknown->getNameAsString(), "=N`; tuned code runs where it has this value");
    }
    return refusal;
  }
  const isl::val& size = *constant;
  if (size.is_zero()) return Refuse(step.getSourceRange(), "the step of the loop is zero");
  return negative ? size.neg() : size;
}

// Finds what a loop's body may not do to its iterator, and what makes another variable change.
class IteratorWrite : public WriteVisitor {
 public:
  explicit IteratorWrite(const clang::VarDecl* iterator) : iterator_(iterator) {}
  bool VisitWrite(clang::Expr* target, clang::Expr* operation) override { return Note(target, operation); }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    if (operation->getOpcode() == clang::UO_AddrOf) return Note(operation->getSubExpr(), operation);
    return WriteVisitor::VisitUnaryOperator(operation);
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    const clang::Expr* referred = MayChangeReferred(*variable) ? ReferredBy(*variable) : nullptr;
    return referred == nullptr || Note(referred, referred);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* function = FunctionInSight(*call);
    for (unsigned i = 0; function != nullptr && i < call->getNumArgs(); ++i) {
      const clang::Expr* argument = call->getArg(i);
      if (argument->isGLValue() && MayChangeReferred(*function->getParamDecl(i)) && !Note(argument, argument))
        return false;
    }
    return true;
  }
  const clang::Expr* found = nullptr;

 private:
  bool Note(const clang::Expr* target, const clang::Expr* operation) {
    if (NamedVariable(target) != iterator_) return true;
    found = operation;
    return false;
  }
  const clang::VarDecl* iterator_;
};

// Iterations [params, outer] -> { [i] }: from `start` in steps, up to before the first that fails `holds`.
class Iterations {
 public:
  Iterations(Region& region, const LoopNest& outer, const Iterator& iterator)
      : region_(region), outer_(outer), iterator_(iterator) {}

  // Start, and every whole number of steps from it, without end: over [params, outer, i].
  isl::set Unlimited(const isl::pw_aff& start, const isl::val& step) const {
    isl::space space = region_.parameter_space.add_param(iterator_.id);
    isl::pw_aff i = isl::pw_aff(ParameterOn(space, iterator_.id));
    isl::pw_aff zero = isl::pw_aff(isl::aff::zero_on_domain(space));
    isl::pw_aff distance = step.is_neg() ? start.sub(i) : i.sub(start);
    isl::set result = distance.ge_set(zero).intersect(outer_.domain);
    // An unsigned iterator that counts below zero goes on with a large number: it has not ended.
    if (iterator_.variable->getType()->isUnsignedIntegerType()) result = result.intersect(i.ge_set(zero));
    if (!step.abs().is_one()) result = result.intersect(distance.mod(step.abs()).eq_set(zero));
    return result;
  }

  // The iterator has this value.
  isl::set At(const isl::pw_aff& value) const {
    const isl::space space = region_.parameter_space.add_param(iterator_.id);
    return isl::pw_aff(ParameterOn(space, iterator_.id)).eq_set(value);
  }

  // The iterations with the step added to the iterator.
  isl::set Moved(const isl::set& iterations, const isl::val& step) const {
    const isl::set values = iterations.unbind_params(Tuple());  // { [i] }
    const isl::aff i = VariableOn(values.space(), 0);
    const isl::map move = isl::pw_aff(i.add_constant(step)).as_map();  // { [i] -> [i + step] }
    return values.apply(move).bind(Tuple());
  }

  // Where the condition is looked at: before each iteration, and behind the last one.
  isl::set Looked(const isl::set& iterations, const isl::pw_aff& start, const isl::val& step) const {
    return At(start).intersect(outer_.domain).unite(iterations).unite(Moved(iterations, step));
  }

  // The first value at which the condition fails: [params, outer] -> { [i] }.
  isl::pw_aff Behind(const isl::set& unlimited, const isl::set& holds, bool decreases) const {
    const isl::set stops = unlimited.subtract(holds).unbind_params(Tuple());
    return (decreases ? DimensionMax(stops, 0) : DimensionMin(stops, 0)).coalesce();
  }

  Accepted<isl::set> Until(const isl::set& unlimited, const isl::set& holds, bool decreases,
                           const clang::Expr& condition) {
    isl::multi_id tuple = Tuple();
    isl::set all = unlimited.unbind_params(tuple);                    // [params, outer] -> { [i] }
    isl::set stops = unlimited.subtract(holds).unbind_params(tuple);  // { [i] }: the condition fails
    isl::map after = decreases ? LexGreaterOrEqual(all.space())
                               : LexLessOrEqual(all.space());  // { [i] -> [i'] }: i' at or after i
    isl::set over = stops.apply(after);
    isl::set result = unlimited.intersect(holds).unbind_params(tuple);
    // A condition that holds again later does not revive the loop.
    if (!result.is_disjoint(over)) result = all.subtract(over).coalesce();
    isl::set endless = all.params().subtract(stops.params());  // [params, outer]
    if (!endless.intersect(region_.context).is_empty()) {
      isl::set sound = region_.context.subtract(outer_.OverParameters(endless));
      if (sound.is_empty()) {
        return Refuse(condition.getSourceRange(),
                      "the loop never ends, but by wrapping around: its condition does not fail in the "
                      "direction of its step",
                      "count towards the bound, with a signed iterator when counting down to zero");
      }
      region_.context = sound.coalesce();
      result = result.intersect_params(endless.complement());
    }
    return result.bind(tuple);
  }

 private:
  isl::multi_id Tuple() const {
    return isl::multi_id(SetSpace(region_.ctx, 0, 1), isl::id_list(iterator_.id));
  }

  Region& region_;
  const LoopNest& outer_;
  const Iterator& iterator_;
};

isl::pw_aff Plus(const Region& region, const isl::pw_aff& value, const isl::val& number) {
  return value.add(isl::pw_aff(isl::aff::zero_on_domain(region.parameter_space).add_constant(number)));
}

// What the loop does to the variable beside the step; null for nothing.
const clang::Expr* WriteInside(const LoopForm& form, const clang::VarDecl* variable) {
  IteratorWrite write(variable);
  write.TraverseStmt(const_cast<clang::Expr*>(form.condition));
  for (const clang::Stmt* statement : form.body) {
    if (write.found == nullptr) write.TraverseStmt(const_cast<clang::Stmt*>(statement));
  }
  return write.found;
}

// Where condition and step stand: what a variable was before the loop says nothing of one that the loop
// changes.
LoopNest InEachIteration(const LoopNest& nest, const LoopForm& form) {
  LoopNest each = nest;
  for (const auto& [variable, value] : nest.affine_locals) {
    if (WriteInside(form, variable) != nullptr) each.affine_locals.erase(variable);
  }
  return each;
}

// Of a statement that changes a variable: it, as an expression; null for others.
const clang::Expr* StepOf(const clang::Stmt& statement, const clang::VarDecl* variable) {
  return ChangedBy(statement) == variable ? llvm::cast<clang::Expr>(statement).IgnoreParens() : nullptr;
}

// The constant that each iteration adds to a variable, in one statement of the body's outermost level;
// nothing where it is changed in other ways.
std::optional<isl::val> StepInside(Region& region, const LoopNest& nest, const LoopForm& form,
                                   const clang::VarDecl* variable) {
  for (size_t i = 0; i < form.body.size(); ++i) {
    LoopForm rest = form;
    rest.step = StepOf(*form.body[i], variable);
    if (rest.step == nullptr) continue;
    rest.iterator = variable;
    rest.body.erase(rest.body.begin() + static_cast<long>(i));
    if (WriteInside(rest, variable) != nullptr || HasContinue(*form.body[i])) return std::nullopt;
    Accepted<isl::val> step = ReadStep(region, InEachIteration(nest, form), rest);
    return IsRefused(step) ? std::nullopt : std::optional(std::get<0>(step));
  }
  return std::nullopt;
}

// Where the condition stands, of `loop` with its iterator: variables that are steps away from what they were
// before the loop are known there, j in for (i = 0, j = n - 1; i < j; i++, j--).
LoopNest AtCondition(Region& region, const LoopNest& nest, const LoopForm& form, const Loop& loop) {
  LoopNest at = InEachIteration(loop.nest, form);
  const bool is_ahead = form.place == LoopForm::Step::kBehindBody && !form.first_always;
  const bool may_skip = std::any_of(form.body.begin(), form.body.end(),
                                    [](const clang::Stmt* statement) { return HasContinue(*statement); });
  if (!is_ahead || may_skip) return at;
  const isl::pw_aff rounds = RoundsBefore(region, loop);
  for (const clang::VarDecl* variable : region.derived) {
    const auto before = nest.affine_locals.find(variable);
    if (before == nest.affine_locals.end() || at.affine_locals.count(variable) > 0 ||
        variable == form.iterator)
      continue;
    const std::optional<isl::val> step = StepInside(region, nest, form, variable);
    if (step) at.affine_locals.emplace(variable, before->second.add(rounds.scale(*step)));
  }
  return at;
}

Accepted<isl::set> ReadBound(Region& region, const LoopNest& header, const LoopForm& form) {
  return Of("the bound of the loop", ReadCondition(region, header, *form.condition));
}

}  // namespace

Accepted<Loop> ReadLoop(Region& region, const LoopNest& nest, const LoopForm& form) {
  TUNE_ASSIGN_OR_REFUSE(isl::pw_aff first, ReadStart(region, nest, form));
  TUNE_ASSIGN_OR_REFUSE(isl::val step, ReadStep(region, InEachIteration(nest, form), form));
  if (form.place == LoopForm::Step::kBeforeCondition) first = Plus(region, first, step);
  if (const clang::Expr* write = WriteInside(form, form.iterator)) {
    return Refuse(write->getSourceRange(),
                  absl::StrCat("the loop's iterator `", form.iterator->getNameAsString(),
                               "` is written inside the loop"),
                  "change the iterator in the loop header only");
  }
  Loop result{nest, step.is_neg(), first, step, first, first};
  Iterator iterator{form.iterator, region.NameIterator(nest, form.iterator)};
  Iterations iterations(region, nest, iterator);
  result.nest.iterators.push_back(iterator);
  result.nest.domain = iterations.Unlimited(first, step);
  LoopNest header = AtCondition(region, nest, form, result);
  header.endless = true;
  TUNE_ASSIGN_OR_REFUSE(isl::set holds, ReadBound(region, header, form));
  if (form.negated) holds = holds.complement();
  if (form.first_always) holds = holds.unite(iterations.At(first));
  result.behind = iterations.Behind(result.nest.domain, holds, result.decreases);
  if (!EndsInType(region, nest, form.iterator->getType(), result.behind)) {
    return Refuse(form.header,
                  absl::StrCat("the iterator `", form.iterator->getNameAsString(),
                               "` wraps around before the loop ends: ",
                               form.iterator->getType().getAsString(), " has no value that ends it"),
                  "use an iterator of a wider type");
  }
  const isl::pw_aff distance = result.decreases ? first.sub(result.behind) : result.behind.sub(first);
  result.trips = distance.scale_down(step.abs());  // exact
  TUNE_ASSIGN_OR_REFUSE(result.nest.domain,
                        iterations.Until(result.nest.domain, holds, result.decreases, *form.condition));
  header.endless = false;
  header.domain = iterations.Looked(result.nest.domain, first, step);
  if (Accepted<isl::set> again = ReadBound(region, header, form); IsRefused(again))
    return std::get<Refusal>(again);
  const bool body_is_ahead =
      form.place == LoopForm::Step::kBeforeBody || form.place == LoopForm::Step::kBehindCondition;
  if (body_is_ahead) {
    result.nest.domain = iterations.Moved(result.nest.domain, step);
    result.first = Plus(region, first, step);
  }
  if (form.place == LoopForm::Step::kBehindCondition) result.behind = Plus(region, result.behind, step);
  result.nest.domain = result.nest.domain.coalesce();
  LoopNest body = InEachIteration(result.nest, form);
  body.affine_locals.erase(form.iterator);
  if (auto refusal = EndAtBreaks(region, body, form, &result)) return *std::move(refusal);
  return result;
}

isl::pw_aff RoundsBefore(const Region& region, const Loop& loop) {
  const isl::id& id = loop.nest.iterators.back().id;
  const isl::pw_aff iterator = isl::pw_aff(ParameterOn(region.parameter_space.add_param(id), id));
  const isl::pw_aff distance = loop.decreases ? loop.first.sub(iterator) : iterator.sub(loop.first);
  return distance.scale_down(loop.step.abs()).floor();  // exact
}

}  // namespace tune
