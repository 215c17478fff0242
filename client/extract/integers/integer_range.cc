#include "client/extract/integers/integer_range.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/isl/functions.h"
#include "common/isl/value.h"

namespace tune {
namespace {

// Sizes up to this one a program may have.
constexpr long kUsualSize = 65'536;
// No variable of a program has a value beyond this, whatever its type.
constexpr uint64_t kMostBits = 60;

isl::pw_aff Constant(const Region& region, const isl::val& value) {
  return isl::pw_aff(isl::aff::zero_on_domain(region.parameter_space).add_constant(value));
}

isl::val PowerOf(const Region& region, uint64_t bits) {
  return PowerOfTwo(isl::val(isl::ctx(region.ctx), static_cast<long>(bits)));
}

// { : the value is not beyond the end of an integer type of so many bits, nor before the first of a signed
// one }.
isl::set OfWidth(const Region& region, bool is_signed, uint64_t width, const isl::pw_aff& value) {
  const isl::val end = PowerOf(region, is_signed ? width - 1 : width);
  const isl::set before_end = value.lt_set(Constant(region, end));
  return is_signed ? before_end.intersect(value.ge_set(Constant(region, end.neg()))) : before_end;
}

// The same of a C type; negative values of an unsigned one are looked at elsewhere.
isl::set OfType(const Region& region, clang::QualType type, const isl::pw_aff& value) {
  return OfWidth(region, !type->isUnsignedIntegerType(), region.ast.getTypeSize(type), value);
}

// [params, iterators] -> { : }: each variable has a value of its type, or of kMostBits.
isl::set OfTypes(const Region& region, const std::vector<Iterator>& iterators) {
  isl::space space = region.parameter_space;
  for (const Iterator& iterator : iterators) space = space.add_param(iterator.id);
  isl::set all = isl::set::universe(space);
  const auto add = [&](const clang::VarDecl* variable, const isl::id& id) {
    const clang::QualType type = variable->getType();
    const uint64_t width = std::min(region.ast.getTypeSize(type), kMostBits);
    const isl::pw_aff value(ParameterOn(space, id));
    all = all.intersect(OfWidth(region, !type->isUnsignedIntegerType(), width, value));
  };
  for (const auto& [variable, id] : region.parameters) add(variable, id);
  for (const Iterator& iterator : iterators) add(iterator.variable, iterator.id);
  return all;
}

// What of the context excludes `wraps`, [params, iterators] -> { : }.
isl::set Without(const Region& region, const LoopNest& nest, const isl::set& wraps) {
  const isl::set types = OfTypes(region, {});
  return region.context.intersect(types).subtract(nest.OverParameters(wraps)).gist(types).coalesce();
}

// [params] -> { : }: no parameter is larger than usual.
isl::set OfUsualSizes(const Region& region) {
  const isl::pw_aff most = Constant(region, isl::val(isl::ctx(region.ctx), kUsualSize));
  isl::set all = region.context;
  for (const auto& [variable, id] : region.parameters)
    all = all.intersect(isl::pw_aff(ParameterOn(region.parameter_space, id)).le_set(most));
  return all;
}

// An iterator or a parameter as it is.
bool IsVariable(const Region& region, const LoopNest& nest, const clang::Expr& expression) {
  const auto* const reference = llvm::dyn_cast<clang::DeclRefExpr>(expression.IgnoreParenLValueCasts());
  const auto* const variable =
      reference == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  if (variable == nullptr || nest.definitions.count(variable) > 0) return false;
  return nest.Find(variable) != nullptr || region.parameters.count(variable) > 0;
}

}  // namespace

Accepted<isl::pw_aff> NotBelowZero(Region& region, const LoopNest& nest, const clang::Expr& expression,
                                   const isl::pw_aff& value, bool bounds) {
  const isl::set reached = nest.domain.intersect(region.context);
  const isl::val zero = isl::val::zero(isl::ctx(region.ctx));
  const isl::set wraps = value.lt_set(Constant(region, zero)).intersect(reached);
  if (wraps.is_empty()) return value;
  const isl::set sound = region.context.subtract(nest.OverParameters(wraps));
  if (bounds && !nest.Varies(value) && !sound.is_empty()) {
    region.context = sound.coalesce();
    return value;
  }
  return Refusal{
      expression.getSourceRange(),
      "not an affine expression: the value is unsigned and may fall below zero, where C wraps around",
      "use signed integers, or a condition that excludes it"};
}

Accepted<isl::pw_aff> ConvertedTo(Region& region, const LoopNest& nest, clang::QualType type,
                                  const clang::Expr& expression, const isl::pw_aff& value) {
  if (nest.endless || type->isBooleanType() || IsVariable(region, nest, expression)) return value;
  const isl::set reached = nest.domain.intersect(region.context).intersect(OfTypes(region, nest.iterators));
  const isl::set changed = reached.subtract(OfType(region, type, value));
  if (changed.is_empty()) return value;
  const isl::set sound = Without(region, nest, changed);
  const isl::set usual = OfUsualSizes(region);
  if (!usual.is_empty() && usual.is_subset(sound)) {
    region.context = sound;
    return value;
  }
  return Refusal{expression.getSourceRange(),
                 absl::StrCat("not an affine expression: the value may be outside of the range of ",
                              type.getAsString(), ", where C wraps around"),
                 "use a wider type, or store it in an array before the region"};
}

void KeepBelowWrapping(Region& region, const clang::Expr& expression, const isl::pw_aff& value) {
  const clang::QualType type = expression.getType();
  if (!type->isUnsignedIntegerType() || region.ast.getTypeSize(type) > 32) return;
  const isl::set sound = region.context.intersect(OfType(region, type, value));
  if (!sound.is_empty()) region.context = sound.coalesce();
}

bool EndsInType(Region& region, const LoopNest& outer, clang::QualType type, const isl::pw_aff& behind) {
  const bool may_overflow = !type->isUnsignedIntegerType() &&
                            region.ast.getTypeSize(type) >= region.ast.getTypeSize(region.ast.IntTy);
  if (may_overflow) return true;
  const isl::set reached = behind.domain().intersect(outer.domain).intersect(region.context);
  const isl::set wraps =
      reached.intersect(OfTypes(region, outer.iterators)).subtract(OfType(region, type, behind));
  if (wraps.is_empty()) return true;
  const isl::set sound = Without(region, outer, wraps);
  if (sound.is_empty()) return false;
  region.context = sound;
  return true;
}

}  // namespace tune
