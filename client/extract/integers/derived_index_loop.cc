#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/extract/integers/affine_expression.h"
#include "client/extract/integers/derived_index.h"
#include "client/extract/statements/statement_body.h"
#include "client/extract/tree/body_end.h"
#include "client/extract/tree/known_value.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"
#include "common/isl/spaces.h"

namespace tune {
namespace {

// Both as they were when this was made: what is read ahead of its turn leaves no trace.
class ReadAhead {
 public:
  explicit ReadAhead(Region& region) : region_(region), context_(region.context), data_(region.data) {}
  ~ReadAhead() {
    region_.context = context_;
    region_.data = data_;
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

 private:
  Region& region_;
  const isl::set context_;
  const std::set<const clang::VarDecl*> data_;
};

}  // namespace

// What the statements make of the derived variables in `nest`; those of which they make nothing that is known
// leave it.
void DerivedIndices::Evaluate(const Statements& statements, LoopNest* nest) const {
  for (const clang::Stmt* statement : statements) {
    if (statement != nullptr) EvaluateOne(*statement, nest);
  }
}

void DerivedIndices::EvaluateOne(const clang::Stmt& statement, LoopNest* nest) const {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement)) {
    Evaluate(StatementsOf(*block), nest);
  } else if (const auto* expression = llvm::dyn_cast<clang::Expr>(&statement)) {
    EvaluateExpression(*expression->IgnoreParens(), nest);
  } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&statement)) {
    EvaluateChoice(*choice, nest);
  } else if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(&statement)) {
    EvaluateDeclarations(*declarations, nest);
  } else if (IsLoop(statement)) {
    EvaluateLoop(statement, nest);
  } else {
    Forget({&statement}, nest);
  }
}

void DerivedIndices::EvaluateExpression(const clang::Expr& expression, LoopNest* nest) const {
  std::optional<isl::pw_aff> value;
  const clang::VarDecl* variable = IsAssignment(expression) ? DerivedTarget(expression) : nullptr;
  if (variable != nullptr) value = ValueBehind(expression, *nest);
  Forget({&expression}, nest);
  if (value) nest->affine_locals.emplace(variable, *std::move(value));
}

void DerivedIndices::EvaluateDeclarations(const clang::DeclStmt& statement, LoopNest* nest) const {
  for (const clang::Decl* declaration : statement.decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable == nullptr) continue;
    nest->affine_locals.erase(variable);
    const bool stays = region_.derived.count(variable) > 0 || !region_.variables.IsWritten(variable);
    if (!stays || !variable->getType()->isIntegerType() || variable->getInit() == nullptr) continue;
    Accepted<isl::pw_aff> value = ReadAffine(region_, *nest, *variable->getInit(), Position::kValue);
    if (!IsRefused(value)) nest->affine_locals.emplace(variable, std::get<0>(std::move(value)));
  }
}

void DerivedIndices::EvaluateChoice(const clang::IfStmt& choice, LoopNest* nest) const {
  if (DerivedIn(choice).empty()) return;
  const Accepted<isl::set> holds = ReadCondition(region_, *nest, *choice.getCond());
  const LoopNest before = *nest;
  std::vector<LoopNest> branches = {before, before};
  if (IsRefused(holds)) {
    for (LoopNest& branch : branches) branch.guards.emplace_back();
  } else {
    branches[0].domain = before.domain.intersect(std::get<0>(holds));
    branches[1].domain = before.domain.subtract(std::get<0>(holds));
  }
  Evaluate({choice.getThen()}, &branches[0]);
  Evaluate({choice.getElse()}, &branches[1]);
  Forget({&choice}, nest);
  Join(choice, before, branches, nest);
}

void DerivedIndices::EvaluateLoop(const clang::Stmt& loop, LoopNest* nest) const {
  const LoopNest before = *nest;
  Forget({&loop}, nest);
  const Accepted<LoopForm> read = ReadForm(region_.ast, loop);
  if (IsRefused(read)) return;
  const LoopForm& form = std::get<0>(read);
  if (HasJump(form.body)) return;
  const Accepted<Loop> inner = ReadLoop(region_, before, form);
  if (IsRefused(inner)) return;
  LoopNest body = std::get<0>(inner).nest;
  Forget(form.body, &body);
  const isl::pw_aff trips = std::get<0>(inner).trips.gist(before.domain.intersect(region_.context));
  const std::optional<isl::val> times = ConstantOf(trips);
  if (!times) AskForValues(region_, before, trips);
  if (!times) return;
  for (const clang::VarDecl* variable : DerivedIn(form.body)) {
    const auto value = before.affine_locals.find(variable);
    const bool is_own = variable == form.iterator || DerivedIn(form.before).count(variable) > 0;
    if (value == before.affine_locals.end() || is_own) continue;
    const std::optional<isl::val> advance = Advance(variable, form.body, body);
    if (!advance) continue;
    const isl::aff distance =
        isl::aff::zero_on_domain(region_.parameter_space).add_constant(advance->mul(*times));
    nest->affine_locals.emplace(variable, value->second.add(isl::pw_aff(distance)));
  }
}

// The parameter that stands for what a variable is at the start of an iteration.
isl::id DerivedIndices::EntryId(const clang::VarDecl* variable) const {
  return isl::id(isl::ctx(region_.ctx), absl::StrCat("tune_entry_", variable->getID()));
}

bool DerivedIndices::IsOfEntries(const isl::pw_aff& value,
                                 const std::set<const clang::VarDecl*>& variables) const {
  return std::any_of(variables.begin(), variables.end(), [&](const clang::VarDecl* variable) {
    const int position = FindDimension(value, isl_dim_param, EntryId(variable).name());
    return position >= 0 && Involves(value, isl_dim_param, position, 1);
  });
}

// What the body makes of derived variables, from what they are at its start (EntryId).
std::map<const clang::VarDecl*, isl::pw_aff> DerivedIndices::ValuesAtEnd(const Statements& body,
                                                                         const LoopNest& start) const {
  const ReadAhead no_trace(region_);
  LoopNest nest = start;
  for (const clang::VarDecl* variable : DerivedIn(body)) {
    const isl::id id = EntryId(variable);
    nest.affine_locals.erase(variable);
    nest.affine_locals.emplace(variable, isl::pw_aff(ParameterOn(region_.parameter_space.add_param(id), id)));
  }
  Evaluate(body, &nest);
  return nest.affine_locals;
}

std::optional<isl::val> DerivedIndices::ConstantAdvance(const clang::VarDecl* variable,
                                                        const isl::pw_aff& end, const LoopNest& start) const {
  const isl::id id = EntryId(variable);
  const isl::pw_aff entry = isl::pw_aff(ParameterOn(region_.parameter_space.add_param(id), id));
  const isl::pw_aff advance = end.sub(entry).gist(start.domain);
  std::optional<isl::val> constant = ConstantOf(advance);
  if (!constant && !IsOfEntries(advance, {variable})) AskForValues(region_, start, advance);
  return constant;
}

std::optional<isl::val> DerivedIndices::Advance(const clang::VarDecl* variable, const Statements& body,
                                                const LoopNest& start) const {
  const auto ends = ValuesAtEnd(body, start);
  const auto end = ends.find(variable);
  return end == ends.end() ? std::nullopt : ConstantAdvance(variable, end->second, start);
}

// `value`, of the iterator among others, as it was an iteration before.
isl::pw_aff DerivedIndices::InLastIteration(const isl::pw_aff& value, const Loop& inner) const {
  const isl::id& id = inner.nest.iterators.back().id;
  const isl::multi_id tuple(SetSpace(region_.ctx, 0, 1), isl::id_list(id));
  const isl::pw_aff of_iterator = value.unbind_params_insert_domain(tuple).at(0);  // [i] -> [v]
  const isl::aff last = VariableOn(SetSpace(region_.ctx, 0, 1), 0).add_constant(inner.step.neg());
  return DropUnusedParameters(of_iterator.pullback(isl::multi_aff(last)).bind_domain(tuple));
}

// The value with what is known of variables at the start of the iteration in the place of their parameters;
// nothing where that is not enough.
std::optional<isl::pw_aff> DerivedIndices::WithoutEntries(isl::pw_aff value,
                                                          const std::set<const clang::VarDecl*>& variables,
                                                          const LoopNest& known) const {
  for (const clang::VarDecl* variable : variables) {
    if (!IsOfEntries(value, {variable})) continue;
    const auto start = known.affine_locals.find(variable);
    if (start == known.affine_locals.end()) return std::nullopt;
    const isl::id id = EntryId(variable);
    const isl::pw_aff rest =
        value.sub(isl::pw_aff(ParameterOn(region_.parameter_space.add_param(id), id))).coalesce();
    if (IsOfEntries(rest, {variable})) return std::nullopt;
    value = rest.add(start->second);
  }
  return value;
}

// Whether an iteration that is followed by another one may leave out what the body makes of derived
// variables: a `break` alone ends the last one.
bool DerivedIndices::MaySkipChanges(const Statements& body) const {
  return std::any_of(body.begin(), body.end(), [&](const clang::Stmt* statement) {
    return HasContinue(*statement) || (HasBreak(*statement) && !DerivedIn(*statement).empty());
  });
}

void DerivedIndices::EnterLoop(const LoopForm& form, Loop* inner) const {
  const LoopNest outer = inner->nest;
  Forget(form.body, &inner->nest);
  inner->nest.affine_locals.erase(form.iterator);
  const std::set<const clang::VarDecl*> changed = DerivedIn(form.body);
  const bool may_end = std::any_of(form.body.begin(), form.body.end(),
                                   [](const clang::Stmt* statement) { return HasBreak(*statement); });
  if (changed.empty() || MaySkipChanges(form.body)) return;
  const LoopNest start = inner->nest;
  const isl::id& id = start.iterators.back().id;
  const isl::pw_aff iterator = isl::pw_aff(ParameterOn(region_.parameter_space.add_param(id), id));
  const isl::set is_first = iterator.eq_set(inner->first);
  const isl::pw_aff rounds = RoundsBefore(region_, *inner);
  std::map<const clang::VarDecl*, isl::pw_aff> ends = ValuesAtEnd(form.body, start);
  bool is_new = true;
  while (is_new) {  // one may become what another one was
    is_new = false;
    for (const clang::VarDecl* variable : changed) {
      const auto before = outer.affine_locals.find(variable);
      const auto end = ends.find(variable);
      if (before == outer.affine_locals.end() || end == ends.end() ||
          inner->nest.affine_locals.count(variable) > 0)
        continue;
      if (const std::optional<isl::val> advance = ConstantAdvance(variable, end->second, start)) {
        inner->nest.affine_locals.emplace(variable, before->second.add(rounds.scale(*advance)));
        if (!may_end) inner->advanced.emplace(variable, before->second.add(inner->trips.scale(*advance)));
        is_new = true;
        continue;
      }
      const std::optional<isl::pw_aff> value = WithoutEntries(end->second, changed, inner->nest);
      if (!value) continue;
      const isl::pw_aff later = InLastIteration(*value, *inner);
      inner->nest.affine_locals.emplace(variable,
                                        before->second.intersect_domain(is_first).union_add(
                                            later.intersect_domain(start.domain.subtract(is_first))));
      is_new = true;
    }
  }
}

}  // namespace tune
