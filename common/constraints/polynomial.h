// Polynomials with integer coefficients in named unknowns.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "common/base/status.h"

namespace tune {

// Values of unknowns.
using Point = std::map<std::string, int64_t>;

// A value: sums and products of constants and names. Precondition of all operations: coefficients fit 64
// bits.
class Polynomial {
 public:
  // Name to exponent, which is positive; empty: the constant term.
  using Monomial = std::map<std::string, int>;
  // Graded order, larger degrees first, so that texts read as people write them.
  struct MonomialOrder {
    bool operator()(const Monomial& left, const Monomial& right) const;
  };
  using Terms = std::map<Monomial, int64_t, MonomialOrder>;

  Polynomial() = default;
  Polynomial(int64_t constant);  // NOLINT(google-explicit-constructor): numbers are polynomials
  static Polynomial Name(const std::string& name);

  const Terms& terms() const { return terms_; }  // without zeros
  bool IsConstant() const;
  int64_t ConstantTerm() const;
  void CollectNames(std::set<std::string>* names) const;

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  bool operator==(const Polynomial&) const = default;

  // With `value` in place of the name.
  Polynomial Replace(const std::string& name, const Polynomial& value) const;

  // OUT_OF_RANGE where the value, or a part of it, does not fit 127 bits; INVALID_ARGUMENT for a name without
  // value.
  absl::StatusOr<__int128> Evaluate(const Point& point) const;

  // "32*B0*B1 + s - 2"; a square is x*x, so that C and people read the same.
  std::string Text() const;

 private:
  void Add(const Monomial& monomial, int64_t coefficient);
  Terms terms_;
};

// numerator / denominator; the denominator is positive wherever it is looked at.
struct RationalFunction {
  Polynomial numerator;
  Polynomial denominator = 1;
  RationalFunction(Polynomial value) : numerator(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  RationalFunction(Polynomial above, Polynomial below)
      : numerator(std::move(above)), denominator(std::move(below)) {}
  bool operator==(const RationalFunction&) const = default;
};

}  // namespace tune
