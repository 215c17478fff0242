#include "client/extract/integers/parameter_polynomial.h"

#include <clang/AST/Decl.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/functions.h"

namespace tune {
namespace {

constexpr size_t kMostFactors = 4;

// Coefficients by what they belong to, which is nothing for the constant.
using Polynomial = std::map<Factors, isl::val>;

bool IsOfIterators(const LoopNest& nest, const isl::pw_aff& value) {
  return std::any_of(nest.iterators.begin(), nest.iterators.end(), [&](const Iterator& iterator) {
    const int position = FindDimension(value, isl_dim_param, iterator.id.name());
    return position >= 0 && Involves(value, isl_dim_param, position, 1);
  });
}

std::optional<Polynomial> PolynomialOf(const Region& region, const LoopNest& nest, const isl::pw_aff& value) {
  const isl::pw_aff simple = value.coalesce();
  if (PieceCount(simple) != 1 || IsOfIterators(nest, simple)) return std::nullopt;
  const isl::aff affine = simple.as_aff();
  if (HasDivs(affine)) return std::nullopt;
  Polynomial polynomial = {{{}, affine.constant_val()}};
  const auto add = [&](const Factors& factors, const isl::id& id) {
    const int position = FindDimension(simple, isl_dim_param, id.name());
    if (position >= 0) polynomial.emplace(factors, Coefficient(affine, isl_dim_param, position));
  };
  for (const auto& [variable, id] : region.parameters) add({variable}, id);
  for (const auto& [factors, id] : region.products) add(factors, id);
  for (const auto& [factors, coefficient] : polynomial) {
    if (!coefficient.is_int()) return std::nullopt;
  }
  return polynomial;
}

Factors Joined(const Region& region, const Factors& a, const Factors& b) {
  Factors all = a;
  all.insert(all.end(), b.begin(), b.end());
  const std::vector<const clang::VarDecl*>& order = region.variables.parameters();
  const auto place = [&](const clang::VarDecl* variable) {
    return std::find(order.begin(), order.end(), variable);
  };
  std::sort(all.begin(), all.end(), [&](const clang::VarDecl* one, const clang::VarDecl* other) {
    return place(one) < place(other);
  });
  return all;
}

}  // namespace

std::optional<isl::pw_aff> ProductOfParameters(Region& region, const LoopNest& nest, const isl::pw_aff& a,
                                               const isl::pw_aff& b) {
  const std::optional<Polynomial> first = PolynomialOf(region, nest, a),
                                  second = PolynomialOf(region, nest, b);
  if (!first || !second) return std::nullopt;
  Polynomial product;
  for (const auto& [factors, coefficient] : *first) {
    for (const auto& [more, other] : *second) {
      const isl::val scale = coefficient.mul(other);
      if (scale.is_zero()) continue;
      const auto [place, is_new] = product.emplace(Joined(region, factors, more), scale);
      if (!is_new) place->second = place->second.add(scale);
    }
  }
  isl::aff sum = isl::aff::zero_on_domain(region.parameter_space);
  for (const auto& [factors, coefficient] : product) {
    if (factors.size() > kMostFactors) return std::nullopt;
    if (factors.empty()) {
      sum = sum.add_constant(coefficient);
      continue;
    }
    const auto known = region.products.find(factors);
    if (factors.size() > 1 && known == region.products.end()) {
      region.found_products.insert(factors);
      continue;
    }
    const isl::id& id = factors.size() == 1 ? region.parameters.at(factors[0]) : known->second;
    sum = sum.add(ParameterOn(region.parameter_space, id).scale(coefficient));
  }
  if (!region.found_products.empty()) return std::nullopt;
  return isl::pw_aff(sum);
}

}  // namespace tune
