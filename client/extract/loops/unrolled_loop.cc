#include "client/extract/loops/unrolled_loop.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include "client/extract/integers/affine_expression.h"
#include "client/extract/loops/loop_domain.h"
#include "client/extract/loops/loop_form.h"
#include "client/extract/tree/made_tree.h"
#include "client/extract/tree/named_declarations.h"
#include "client/extract/tree/write_visitor.h"

namespace tune {
namespace {

// Whether what the header reads is the same before each iteration, but for the iterator.
bool IsFixed(const LoopForm& form) {
  for (const clang::Stmt* statement : form.body) {
    for (const clang::VarDecl* set : VariablesWrittenIn(*statement)) {
      if (set != form.iterator && (Mentions(form.condition, set) || Mentions(form.step, set))) return false;
    }
  }
  return true;
}

bool IsPlain(const LoopForm& form) {
  return form.place == LoopForm::Step::kBehindBody && !form.negated && form.start != nullptr &&
         form.declared.empty() && form.before.empty();
}

}  // namespace

std::optional<UnrolledLoop> Unroll(Region& region, const LoopNest& scope, const clang::ForStmt& loop,
                                   int most) {
  const Accepted<LoopForm> read = ReadForm(region.ast, loop);
  if (IsRefused(read) || !IsPlain(std::get<0>(read)) || !IsFixed(std::get<0>(read))) return std::nullopt;
  const LoopForm& form = std::get<0>(read);
  LoopNest around = scope;
  around.domain = isl::set::universe(region.parameter_space);  // [params] -> { : }
  // What the iterator was before is not what the header means by it.
  around.definitions.erase(form.iterator);
  around.affine_locals.erase(form.iterator);
  const Accepted<Loop> iterations = ReadLoop(region, around, form);
  if (IsRefused(iterations)) return std::nullopt;
  const auto& [nest, decreases, first, step, behind, trips, advanced] = std::get<0>(iterations);
  const std::optional<isl::val> start = ConstantOf(first), rounds = ConstantOf(trips);
  if (!start || !rounds || rounds->gt(isl::val(isl::ctx(region.ctx), static_cast<long>(most))))
    return std::nullopt;
  const TreeMaker make(region.ast, region.variables.function(), loop.getForLoc());
  auto* iterator = const_cast<clang::VarDecl*>(form.iterator);
  const clang::QualType type = iterator->getType().getUnqualifiedType();
  UnrolledLoop unrolled;
  unrolled.rounds = static_cast<int>(rounds->num_si());
  for (int round = 0; round <= unrolled.rounds; ++round) {
    const int64_t value = start->num_si() + round * step.num_si();
    unrolled.statements.push_back(
        make.Assignment(make.Name(iterator), make.Number(static_cast<uint64_t>(value), type)));
    if (round < unrolled.rounds)
      unrolled.statements.insert(unrolled.statements.end(), form.body.begin(), form.body.end());
  }
  return unrolled;
}

}  // namespace tune
